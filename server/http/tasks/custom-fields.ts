import { z } from 'zod';
import { CustomFieldFormat, type CustomField } from '../../../shared/records/index.ts';
import type { CustomFieldDefinitions } from '../../dispatch/tasks/index.ts';
import { aFlag, aNumber, flagOf } from './values.ts';
import { bodyFlag, bodyId, bodyInt, filledUpTo, pathId, textUpTo } from '../request/fields.ts';
import { fieldRule } from '../../../shared/refusals/field-rules.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

/** The definition of a custom field, flat in the envelope. */
const CustomFieldItem = z
  .object({
    id: aNumber,
    name: z.string(),
    translit: z.string(),
    format: CustomFieldFormat,
    group_name: z.string(),
    possible_values: z.array(z.string()).nullable(),
    regexp: z.string().nullable(),
    hint: z.string().meta({ description: 'What to type, in words.' }),
    min_length: aNumber.nullable(),
    max_length: aNumber.nullable(),
    is_required: aFlag,
    default_value: z.string().nullable(),
    visible: aFlag,
    is_for_all: aFlag,
    news_type_ids: z.array(aNumber),
    order: aNumber,
  })
  .meta({ id: 'CustomField' });

/** Forms have no null; they send an empty text. */
const orNull = <T extends z.ZodType>(schema: T, saying: string) =>
  z.union([z.null(), z.literal('').transform(() => null), schema], saying);
const length = orNull(bodyInt(0, 1_000_000), fieldRule('field.wholeRange', { least: 0, most: 1000000 })).meta({
  type: 'integer',
  minimum: 0,
  maximum: 1_000_000,
});
const defaultValue = orNull(
  z.union(
    [textUpTo(100_000), z.number().transform(String), z.boolean().transform(flagOf)],
    fieldRule('field.type', { expected: 'a text' }),
  ),
  fieldRule('field.type', { expected: 'a text' }),
).meta({ type: 'string' });
const groupName = z
  .union(
    [z.null().transform(() => ''), textUpTo(100)],
    fieldRule('field.type', { expected: 'a text of at most 100 characters' }),
  )
  .meta({ type: 'string' });

const Change = z.object({
  name: filledUpTo(100).optional(),
  group_name: groupName.optional(),
  possible_values: orNull(
    z.array(textUpTo(1000)).max(1000),
    fieldRule('field.type', { expected: 'an array of texts' }),
  ).optional(),
  regexp: orNull(textUpTo(1000), fieldRule('field.type', { expected: 'a text' })).optional(),
  hint: textUpTo(200).optional(),
  min_length: length.optional(),
  max_length: length.optional(),
  is_required: bodyFlag.optional(),
  default_value: defaultValue.optional(),
  visible: bodyFlag
    .meta({
      description:
        'For clients, and for the printed task: whether the whole message shows the field. Its values are answered in any case.',
    })
    .optional(),
  is_for_all: bodyFlag.optional(),
  news_type_ids: z.array(bodyId).max(1000).optional(),
});
const Create = Change.extend({ name: filledUpTo(100), format: CustomFieldFormat });
/** The format cannot change. Sending the current one is accepted. */
const ReplaceField = Change.extend({ format: CustomFieldFormat.optional() });

const params = z.object({ id: pathId });
const inA = { family: 'A', group: 'Custom fields' } as const;

/** A. Custom fields of tasks. Declared before `/news/:newsId`, which would match one of these paths. */
export function customFieldRoutes(definitions: CustomFieldDefinitions): DeclaredRoute[] {
  return [
    route({
      ...inA,
      access: 'user',
      method: 'GET',
      path: '/news/custom_fields',
      summary: 'Custom fields, in their order',
      description: 'Fields without a place come after those with one, by their ids.',
      answer: z.object({
        custom_fields: z.array(CustomFieldItem),
        fields_types: z.array(z.object({ name: z.string(), rusname: z.string() })),
      }),
      run: () => ({ custom_fields: definitions.all().map(presentCustomField), fields_types: FORMATS }),
    }),
    route({
      ...inA,
      access: 'admin',
      method: 'POST',
      path: '/custom_field',
      summary: 'Make a custom field',
      body: Create,
      answer: CustomFieldItem,
      description: '`translit`, the key in `custom_fields` of messages, is made of the name and never changes.',
      run: async ({ body: { format, ...change } }) =>
        presentCustomField(await definitions.create({ ...customFieldOrder(change), name: change.name, format })),
    }),
    route({
      ...inA,
      access: 'admin',
      method: 'POST',
      path: '/custom_field/sort',
      summary: 'Put the custom fields into an order',
      body: z.object({ ids: z.array(bodyId).max(10_000) }),
      answer: z.object({ custom_fields: z.array(CustomFieldItem) }),
      description: '`ids` names every field that is not deleted once. The first place is 1.',
      run: async ({ body }) => ({ custom_fields: (await definitions.sort(body.ids)).map(presentCustomField) }),
    }),
    route({
      ...inA,
      access: 'user',
      method: 'GET',
      path: '/custom_field/:id',
      summary: 'One custom field',
      params,
      answer: CustomFieldItem,
      run: ({ params }) => presentCustomField(definitions.get(params.id)),
    }),
    route({
      ...inA,
      access: 'admin',
      method: 'PUT',
      path: '/custom_field/:id',
      summary: 'Change a custom field',
      params,
      body: ReplaceField,
      answer: CustomFieldItem,
      description: 'What is not sent stays. The format cannot change; `possible_values` replace all that were there.',
      run: async ({ params, body: { format, ...change } }) => {
        definitions.requireFormat(params.id, format);
        return presentCustomField(await definitions.change(params.id, customFieldOrder(change)));
      },
    }),
    route({
      ...inA,
      access: 'admin',
      method: 'DELETE',
      path: '/custom_field/:id',
      summary: 'Delete a custom field',
      description: 'Logically: values in messages are kept.',
      params,
      answer: 'nothing',
      run: async ({ params }) => void (await definitions.delete(params.id)),
    }),
    route({
      ...inA,
      access: 'admin',
      method: 'POST',
      path: '/custom_field/:id/restore',
      summary: 'Bring a deleted custom field back, with its values',
      params,
      answer: CustomFieldItem,
      run: async ({ params }) => presentCustomField(await definitions.restore(params.id)),
    }),
  ];
}

function customFieldOrder(body: z.output<typeof Change>) {
  return {
    name: body.name,
    group: body.group_name,
    possibleValues: body.possible_values,
    regexp: body.regexp,
    hint: body.hint,
    minLength: body.min_length,
    maxLength: body.max_length,
    required: body.is_required,
    defaultValue: body.default_value,
    visible: body.visible,
    forAllTypes: body.is_for_all,
    typeIds: body.news_type_ids,
  };
}

function presentCustomField(field: CustomField): z.input<typeof CustomFieldItem> {
  const textOrNull = (value: number | null) => (value === null ? null : String(value));
  return {
    id: String(field.id),
    name: field.name,
    translit: field.slug,
    format: field.format,
    group_name: field.group,
    possible_values: field.possibleValues,
    regexp: field.regexp,
    hint: field.hint ?? '',
    min_length: textOrNull(field.minLength),
    max_length: textOrNull(field.maxLength),
    is_required: flagOf(field.required),
    default_value: field.defaultValue,
    visible: flagOf(field.visible),
    is_for_all: flagOf(field.forAllTypes),
    news_type_ids: field.typeIds.map(String),
    order: String(field.order),
  };
}

const FORMATS: { name: CustomFieldFormat; rusname: string }[] = [
  { name: 'int', rusname: 'Целое число' },
  { name: 'float', rusname: 'Дробное число' },
  { name: 'bool', rusname: 'Да или нет' },
  { name: 'geometry', rusname: 'Геометрия' },
  { name: 'string', rusname: 'Строка' },
  { name: 'text', rusname: 'Текст' },
  { name: 'list', rusname: 'Список' },
  { name: 'date', rusname: 'Дата' },
];
