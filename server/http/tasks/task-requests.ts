import { z } from 'zod';
import type { CreateOrder, ListQuery, SortField, UpdateComment, UpdateOrder } from '../../dispatch/tasks/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { atTime, queryDayTime, readDay } from './values.ts';
import { CreateAttachments, UpdateAttachments } from './attachment-requests.ts';
import { fieldRule } from '../../../shared/refusals/field-rules.ts';
import {
  bodyFlag,
  bodyId,
  bodyInt,
  bodyNumber,
  taskTitle,
  queryFlag,
  queryIds,
  querySeconds,
  textUpTo,
} from '../request/fields.ts';

const LONGEST_TEXT = 200_000;

const restricted = bodyFlag.meta({
  description: 'A mark for clients and for state rules: by itself it hides nothing.',
});
/** An id. 0, null and an empty text clear the field. */
const idOrNone = z.union(
  [z.null().transform(() => 0), z.literal('').transform(() => 0), bodyId],
  fieldRule('field.type', { expected: 'a whole number' }),
);

/** `[lon, lat]`; null, an empty text or an empty array: no point. */
const point = z
  .union(
    [
      z.tuple([bodyNumber(-180, 180), bodyNumber(-90, 90)]).transform(([lon, lat]) => ({ lon, lat })),
      z.tuple([]).transform(() => null),
      z.literal('').transform(() => null),
      z.null(),
    ],
    fieldRule('field.type', { expected: 'two numbers, longitude and latitude' }),
  )
  .meta({ type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 });

/** A day as `dd.mm.yyyy`, with or without the time of day. */
const dayAndTime = {
  news_date: textUpTo(20).optional(),
  news_hour: z
    .union(
      [z.literal('').transform(() => undefined), bodyInt(0, 23)],
      fieldRule('field.wholeRange', { least: 0, most: 23 }),
    )
    .optional(),
  news_minute: z
    .union(
      [z.literal('').transform(() => undefined), bodyInt(0, 59)],
      fieldRule('field.wholeRange', { least: 0, most: 59 }),
    )
    .optional(),
};

const zoom = z.union(
  [z.null(), z.literal('').transform(() => null), bodyInt(0, 22)],
  fieldRule('field.wholeRange', { least: 0, most: 22 }),
);

/** Values of custom fields: an object keyed by slug, or the same as JSON text. */
const customFields = z
  .union(
    [textUpTo(1_000_000), z.record(z.string(), z.unknown()), z.null()],
    fieldRule('field.type', { expected: 'a JSON object in a string' }),
  )
  .transform((sent, context) => {
    if (typeof sent !== 'string') return sent ?? undefined;
    if (sent.trim() === '') return undefined;
    try {
      return JSON.parse(sent) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: fieldRule('field.notJson') });
      return z.NEVER;
    }
  })
  .meta({ type: 'string' });

const answers = z
  .array(z.object({ question: textUpTo(200), answer: textUpTo(100), priority: bodyInt(0, 4).default(0) }))
  .max(100);

export const CreateBody = z.object({
  action: z.literal('put').optional(),
  values: z.object({
    title: taskTitle,
    text: textUpTo(LONGEST_TEXT).optional(),
    news_type_id: bodyId,
    category: idOrNone.optional(),
    department_id: idOrNone.optional(),
    ...dayAndTime,
    system_data: textUpTo(LONGEST_TEXT).optional(),
    address: textUpTo(1000).optional(),
    notice: bodyInt(0, 2).optional(),
    priority: bodyInt(0, 4).optional(),
    answers: answers.optional(),
    restricted: restricted.optional(),
    custom_fields: customFields.optional(),
    photo_main: z
      .union(
        [z.literal('').transform(() => undefined), z.null().transform(() => undefined), bodyInt(0, 1_000_000)],
        fieldRule('field.type', { expected: 'a whole number' }),
      )
      .optional(),
  }),
  point: point.optional(),
  pointZoom: zoom.optional(),
  ...CreateAttachments,
});

export function createOrder({ values, point, pointZoom }: z.output<typeof CreateBody>, now: number): CreateOrder {
  return {
    title: values.title,
    text: values.text,
    typeId: values.news_type_id,
    categoryId: values.category,
    organizationId: values.department_id || undefined,
    date: dateOf(values, () => beginOfDay(now)),
    systemData: values.system_data,
    address: values.address,
    notice: values.notice,
    priority: values.priority,
    answers: values.answers,
    restricted: values.restricted,
    customValues: values.custom_fields,
    point,
    zoom: pointZoom,
  };
}

/** @param base supplies the parts that were not sent */
function dateOf(
  values: { news_date?: string | undefined; news_hour?: number | undefined; news_minute?: number | undefined },
  base: () => Date,
): number | undefined {
  const { news_date: day, news_hour: hour, news_minute: minute } = values;
  if (!day && hour === undefined && minute === undefined) return undefined;
  const rest = base();
  const begin = day ? readDay(day) : new Date(rest).setHours(0, 0, 0, 0);
  if (begin === undefined) throw new Refusal('field.dateFrom1970', { field: 'news_date' });
  return atTime(begin, hour ?? rest.getHours(), minute ?? rest.getMinutes());
}

/** A date without a time means 00:00; a time without a date means today. */
function beginOfDay(now: number): Date {
  return new Date(new Date(now).setHours(0, 0, 0, 0));
}

export const UpdateBody = z.object({
  assigned_status: bodyInt(1, 4).optional(),
  assigned_organization_id: idOrNone.optional(),
  assigned_user_id: idOrNone.optional(),
  assigned_car_id: idOrNone.optional(),
  category_id: idOrNone.optional(),
  news_type_id: bodyId.optional(),
  confirmed: bodyInt(0, 2).optional(),
  confirmed_comment: textUpTo(LONGEST_TEXT).optional(),
  restricted: restricted.optional(),
  archive: bodyFlag.optional(),
  notice: bodyInt(0, 2).optional(),
  priority: bodyInt(0, 4).optional(),
  answers: answers.optional(),
  system_data: textUpTo(LONGEST_TEXT).optional(),
  address: textUpTo(1000).optional(),
  text: textUpTo(LONGEST_TEXT).optional(),
  title: taskTitle.optional(),
  ...dayAndTime,
  point: point.optional(),
  pointZoom: zoom.optional(),
  custom_fields: customFields.optional(),
  photo_main: bodyInt(0, 1_000_000).optional(),
  ...UpdateAttachments,
  update_comments: textUpTo(20_000).optional(),
  updatecomment_visible_all: bodyFlag.optional(),
  updatecomment_visible_user: bodyFlag.optional(),
  updatecomment_visible_assigned_to: bodyFlag.optional(),
  updatecomment_visible_assigned_to_user: bodyFlag.optional(),
});

/** @param dateNow the task's current date, which supplies the parts that were not sent */
export function updateOrder(body: z.output<typeof UpdateBody>, dateNow: () => number): UpdateOrder {
  return {
    status: body.assigned_status,
    assignedOrganizationId: body.assigned_organization_id,
    assignedUserId: body.assigned_user_id,
    assignedVehicleId: body.assigned_car_id,
    categoryId: body.category_id,
    typeId: body.news_type_id,
    confirmed: body.confirmed,
    confirmedComment: body.confirmed_comment,
    restricted: body.restricted,
    archived: body.archive,
    notice: body.notice,
    priority: body.priority,
    answers: body.answers,
    systemData: body.system_data,
    address: body.address,
    date: dateOf(body, () => new Date(dateNow())),
    text: body.text,
    title: body.title,
    point: body.point,
    zoom: body.pointZoom,
    customValues: body.custom_fields,
    mainPhoto: body.photo_main,
  };
}

export const SendBody = z.object({
  carIds: z.array(bodyId).min(1).max(50),
  role: textUpTo(100).optional(),
  roles: z.array(textUpTo(100)).max(50).optional(),
  anyway: bodyFlag.optional(),
  move: bodyFlag.optional(),
  from: z.array(bodyId).max(50).optional(),
});

export const ReleaseBody = z.object({ carIds: z.array(bodyId).min(1).max(50) });

export const UnitBody = z.object({
  role: textUpTo(100).optional(),
  status: bodyInt(0, 9).optional(),
  lead: z.literal(true).optional(),
});

/** The comment of an update, if it has one. */
export function updateComment(body: z.output<typeof UpdateBody>): UpdateComment | undefined {
  if (body.update_comments === undefined || body.update_comments.trim() === '') return undefined;
  return {
    text: body.update_comments,
    visibleTo: {
      all: body.updatecomment_visible_all ?? false,
      author: body.updatecomment_visible_user ?? false,
      assignedOrganization: body.updatecomment_visible_assigned_to ?? false,
      assignedUser: body.updatecomment_visible_assigned_to_user ?? false,
    },
  };
}

/** An upper bound includes its whole second. */
export const wholeSecond = (instant: number | undefined) => (instant === undefined ? undefined : instant + 999);

const SORTS = {
  news_date: 'date',
  update_date: 'updatedAt',
  id: 'id',
  user_id: 'authorId',
  news_type_id: 'typeId',
  category_id: 'categoryId',
} as const satisfies Record<string, SortField>;

/** One of these words. An empty value is undefined. */
function orNone<const Words extends readonly string[]>(words: Words) {
  return z
    .enum([...words, ''] as const, fieldRule('field.oneOf', { values: words.join(', ') }))
    .transform((word) => (word === '' ? undefined : (word as Words[number])))
    .meta({ type: 'string', enum: [...words] });
}

export const ListQueryParameters = z.object({
  withAssigned: queryFlag.optional(),
  withClosed: queryFlag.optional(),
  withArchive: queryFlag.optional(),
  onlyMy: queryFlag.optional(),
  forMe: queryFlag.optional(),
  onlyStatus: queryIds.optional(),
  onlyStates: queryIds.optional(),
  onlyAssigned: queryFlag.optional(),
  category_id: queryIds.optional(),
  type_id: queryIds.optional(),
  department_id: queryIds.optional(),
  assigned_department_id: queryIds.optional(),
  date_from: querySeconds.optional(),
  date_till: querySeconds.optional(),
  hasPoint: queryFlag.optional(),
  hasPhoto: queryFlag.optional(),
  hasVideo: queryFlag.optional(),
  hasFile: queryFlag.optional(),
  hasAudio: queryFlag.optional(),
  gtUpdateDate: queryDayTime.optional(),
  ltUpdateDate: queryDayTime.optional(),
  sortBy: orNone(['news_date', 'update_date', 'id', 'user_id', 'news_type_id', 'category_id']).optional(),
  sortDirection: orNone(['desc', 'asc']).optional(),
  withUnits: queryFlag.optional(),
});

export function listQuery(
  query: z.output<typeof ListQueryParameters>,
  page: { newsAfterId: number; limit: number; confirmedType?: number | undefined },
): ListQuery {
  const {
    category_id: categoryIds,
    type_id: typeIds,
    department_id: organizationIds,
    assigned_department_id: assignedOrganizationIds,
    date_from: from,
    date_till: till,
    gtUpdateDate: updatedAfter,
    ltUpdateDate: updatedBefore,
    sortBy,
    sortDirection: direction,
    withUnits: _withUnits,
    ...flags
  } = query;
  return {
    ...flags,
    categoryIds,
    typeIds,
    organizationIds,
    assignedOrganizationIds,
    from,
    until: wholeSecond(till),
    updatedAfter,
    updatedBefore,
    sortBy: SORTS[sortBy ?? 'news_date'],
    direction,
    after: page.newsAfterId,
    limit: page.limit,
    confirmed: page.confirmedType,
  };
}

export const CountQuery = z.object({
  date_from: querySeconds.optional(),
  date_till: querySeconds.optional(),
  category_id: queryIds.optional(),
  type_id: queryIds.optional(),
  status_id: queryIds.optional(),
  department_id: queryIds.optional(),
  assigned_department_id: queryIds.optional(),
  withArchive: queryFlag.optional(),
});

export const StatsQuery = CountQuery.pick({ date_from: true, date_till: true, withArchive: true });
