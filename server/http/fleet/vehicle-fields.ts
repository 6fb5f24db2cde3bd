import { z } from 'zod';
import { VEHICLE_FIELD_FORMATS, type VehicleField } from '../../../shared/records/index.ts';
import { defaultValueOf, inDisplayOrder, type Fleet, type VehicleFieldOrder } from '../../dispatch/fleet/index.ts';
import { pathId, textUpTo } from '../request/fields.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

const Plain = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const FieldAnswer = z
  .object({
    id: z.int(),
    name: z.string(),
    translit: z.string(),
    format: z.enum(VEHICLE_FIELD_FORMATS),
    groupName: z.string(),
    possibleValues: z.array(z.string()).nullable(),
    regexp: z.string().nullable(),
    minLength: z.int().nullable(),
    maxLength: z.int().nullable(),
    isRequired: z.boolean(),
    defaultValue: Plain,
    visible: z.boolean(),
    order: z.int().nullable(),
  })
  .meta({ id: 'VehicleCustomField' });

const length = z.int().min(0).max(1_000_000).nullish();
const Change = z.object({
  name: textUpTo(100).optional(),
  format: z.enum(VEHICLE_FIELD_FORMATS).optional(),
  groupName: textUpTo(100).nullish(),
  possibleValues: z.array(textUpTo(1000)).max(1000).nullish(),
  regexp: textUpTo(1000).nullish(),
  minLength: length,
  maxLength: length,
  isRequired: z.boolean().nullish(),
  defaultValue: z.union([textUpTo(4000), z.number(), z.boolean(), z.null()]).optional(),
  visible: z
    .boolean()
    .nullish()
    .meta({ description: 'For clients: whether they show the field. Its values are answered in any case.' }),
  order: z.int().min(1).max(1_000_000).nullish(),
});
const Create = Change.extend({ name: textUpTo(100), format: z.enum(VEHICLE_FIELD_FORMATS) });
const params = z.object({ id: pathId });
const inB = { family: 'B', group: 'Vehicle custom fields' } as const;

/**
 * B. Custom fields of vehicles. A vehicle has their values in `customFields`. Declared before `/cars/:id`.
 */
export function vehicleFieldRoutes({ fields }: Fleet): DeclaredRoute[] {
  return [
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/cars/customfields',
      summary: 'Custom fields of vehicles, in their order',
      answer: z.array(FieldAnswer),
      run: ({ caller }) => inDisplayOrder(fields.list(caller)).map(present),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'POST',
      path: '/cars/customfields',
      summary: 'Make a custom field',
      body: Create,
      answer: FieldAnswer,
      description:
        'Attributes by format: `regexp`, `minLength`, `maxLength` of string; `possibleValues` of list; `defaultValue` of all but date, in the format’s own JSON type.',
      run: async ({ caller, body }) => present(await fields.create(caller, vehicleFieldOrder(body))),
    }),
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/cars/customfields/:id',
      summary: 'One custom field',
      params,
      answer: FieldAnswer,
      run: ({ caller, params }) => present(fields.get(caller, params.id)),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'PUT',
      path: '/cars/customfields/:id',
      summary: 'Change a custom field',
      params,
      body: Change,
      answer: FieldAnswer,
      description: 'What is not sent stays; the format cannot change.',
      run: async ({ caller, params, body }) => present(await fields.change(caller, params.id, vehicleFieldOrder(body))),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'DELETE',
      path: '/cars/customfields/:id',
      summary: 'Delete a custom field',
      params,
      answer: 'nothing',
      description: 'Vehicles keep their values of it, unseen.',
      run: ({ caller, params }) => fields.delete(caller, params.id),
    }),
  ];
}

function vehicleFieldOrder({ groupName, isRequired, visible, ...same }: z.output<typeof Change>): VehicleFieldOrder {
  return { ...same, group: groupName ?? undefined, required: isRequired ?? undefined, visible: visible ?? undefined };
}

function present(field: VehicleField): z.input<typeof FieldAnswer> {
  const {
    id,
    name,
    slug: translit,
    format,
    group,
    possibleValues,
    regexp,
    minLength,
    maxLength,
    required,
    visible,
    order,
  } = field;
  return {
    id,
    name,
    translit,
    format,
    groupName: group,
    possibleValues,
    regexp,
    minLength,
    maxLength,
    isRequired: required,
    defaultValue: defaultValueOf(field) as string | number | boolean | null,
    visible,
    order: order > 0 ? order : null,
  };
}
