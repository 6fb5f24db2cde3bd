import { z } from 'zod';
import type { TaskType } from '../../../shared/records/index.ts';
import type { TypeOrder } from '../../dispatch/tasks/index.ts';
import { aFlag, aNumber, flagOf, idOrNull, period } from './values.ts';
import { fieldRule } from '../../../shared/refusals/field-rules.ts';
import { bodyFlag, bodyId, bodyInt, filledUpTo, textUpTo } from '../request/fields.ts';

/** The icon files of a type besides `icon`, which has its own field. */
const LISTED_ICONS = ['icon3d', 'map_icon', 'map_icon_highlight'] as const;
const FURTHER_ICONS = [
  'logo',
  'map_icon_highlight_done',
  'icon3d_done',
  'icon_done',
  'map_icon_done',
  'iconmap',
  'iconmap_highlight',
  'iconmap_done',
  'iconmap_highlight_done',
] as const;
const ICONS = [...LISTED_ICONS, ...FURTHER_ICONS] as const;

/** The only way of counting deadlines. Clients send 1. */
const DEADLINE = 'AT_UPDATE';

/** An object schema with the same type for each name. */
function each<N extends string, T extends z.ZodType>(names: readonly N[], schema: T): Record<N, T> {
  return Object.fromEntries(names.map((one) => [one, schema])) as Record<N, T>;
}

/** A type of work, in lists. */
export const TypeItem = z
  .object({
    news_type_id: aNumber,
    name: z.string(),
    icon: z.string(),
    ...each(LISTED_ICONS, z.string()),
    default_type: aFlag,
    period_of_review: z.string(),
    period_of_review_in_sec: aNumber,
    group_id: aNumber.nullable(),
  })
  .meta({ id: 'NewsType' });

/** A type of work, in answers to writes. */
export const WholeType = TypeItem.extend({
  id: aNumber,
  ...each(FURTHER_ICONS, z.string()),
  deadline_type: z.string(),
  departments: z.array(aNumber),
  group: z.object({ id: aNumber, name: z.string() }).nullable(),
}).meta({ id: 'WholeNewsType' });

/** `HH:MM:SS` as in answers, or seconds. */
const periodInput = z
  .union(
    [
      bodyInt(0, 2_147_483_647),
      z
        .string()
        .regex(/^\d{1,5}:[0-5]\d(:[0-5]\d)?$/)
        .transform(secondsOf),
      z.literal('').transform(() => 0),
    ],
    fieldRule('field.duration'),
  )
  .meta({ type: 'string', examples: ['01:30:00'] });
const icon = textUpTo(255).meta({
  description: 'The name of a file that clients have; the station does not serve it.',
});
/** null keeps the group; 0 removes the type from it. */
const groupId = z
  .union([z.null().transform(() => undefined), bodyId], fieldRule('field.type', { expected: 'a whole number' }))
  .meta({ type: 'integer' });

export const ChangeTaskType = z.object({
  name: filledUpTo(100).optional(),
  icon: icon.optional(),
  ...each(ICONS, icon.optional()),
  default_type: bodyFlag.optional(),
  period_of_review: periodInput.optional(),
  period_of_review_in_sec: bodyInt(0, 2_147_483_647).optional(),
  deadline_type: z
    .union([bodyInt(1, 1), z.literal(DEADLINE).transform(() => 1)], fieldRule('field.type', { expected: 1 }))
    .optional(),
  departments: z
    .union(
      [z.array(bodyId).max(1000), z.literal('').transform(() => []), z.null().transform(() => [])],
      fieldRule('field.type', { expected: 'an array of ids' }),
    )
    .meta({
      type: 'array',
      items: { type: 'integer' },
      description:
        'For clients: the departments to which they offer the type. The station takes it from every department.',
    })
    .optional(),
  group_id: groupId.optional(),
});
export const CreateTaskType = ChangeTaskType.extend({ name: filledUpTo(100) });

export function typeOrder(body: z.output<typeof ChangeTaskType>): TypeOrder {
  const icons = ICONS.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]] as const]));
  return {
    name: body.name,
    icon: body.icon,
    icons: Object.fromEntries(icons),
    isDefault: body.default_type,
    reviewSeconds: body.period_of_review_in_sec ?? body.period_of_review,
    organizationIds: body.departments,
    groupId: body.group_id,
  };
}

export function presentType(type: TaskType): z.input<typeof TypeItem> {
  return {
    news_type_id: String(type.id),
    name: type.name,
    icon: type.icon,
    ...presentIcons(type, LISTED_ICONS),
    default_type: flagOf(type.isDefault),
    period_of_review: period(type.reviewSeconds),
    period_of_review_in_sec: String(type.reviewSeconds),
    group_id: idOrNull(type.groupId),
  };
}

export function presentWholeType(
  type: TaskType,
  group: { id: string; name: string } | null,
): z.input<typeof WholeType> {
  return {
    ...presentType(type),
    id: String(type.id),
    ...presentIcons(type, FURTHER_ICONS),
    deadline_type: DEADLINE,
    departments: type.organizationIds.map(String),
    group,
  };
}

function presentIcons<N extends string>(type: TaskType, names: readonly N[]): Record<N, string> {
  return Object.fromEntries(names.map((name) => [name, type.icons[name] ?? ''])) as Record<N, string>;
}

function secondsOf(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  return hours * 3600 + minutes * 60 + seconds;
}
