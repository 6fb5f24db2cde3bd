import { saidByCrew } from '../../../shared/tasks/crew-note.ts';
import { z } from 'zod';
import { beginning, isLonger } from '../../../shared/text/characters.ts';
import { deadlineOf, isOverdue } from '../../../shared/tasks/deadline.ts';
import { UNIT_STATUS_WORDS } from '../../../shared/fleet/unit-status.ts';
import { priorityOf } from '../../../shared/tasks/priority.ts';
import { unitsOf } from '../../../shared/tasks/units.ts';
import type { Comment, HistoryEntry, Task } from '../../../shared/records/index.ts';
import type { Fleet, Ranked, VehicleView } from '../../dispatch/fleet/index.ts';
import { reasonText } from '../../dispatch/fleet/index.ts';
import type { Tasks } from '../../dispatch/tasks/index.ts';
import { aFlag, aNumber, dateTime, dateTimeZone, flagOf, idOrNull, shortDateTime } from './values.ts';

const instantOrNull = z.int().nullable();

export const NewsUnit = z
  .object({
    carId: z.int(),
    carName: z.string(),
    role: z.string(),
    lead: z.boolean(),
    status: z.object({ digit: z.int(), word: z.string() }),
    sentAt: instantOrNull,
    acknowledgedAt: instantOrNull,
    enRouteAt: instantOrNull,
    onSceneAt: instantOrNull,
    clearAt: instantOrNull,
  })
  .meta({ id: 'NewsUnit' });

export const NewsItem = z
  .object({
    id: aNumber,
    department_id: aNumber,
    department_logo: z.string(),
    department_title: z.string(),
    news_date: z.string(),
    confirmed: aNumber,
    title: z.string(),
    text: z.string(),
    news_type_id: aNumber,
    category_id: aNumber.nullable(),
    assigned_to: aNumber.nullable(),
    assigned_department_name: z.string().nullable(),
    assigned_to_user: aNumber.nullable(),
    assigned_user_fio: z.string().nullable(),
    assigned_status: aNumber,
    status_name: z.string(),
    assigned_change_date: z.string(),
    restricted: aFlag,
    notice: aNumber,
    news_type_icon: z.string(),
    news_type_name: z.string(),
    num_main_photo: aNumber.nullable(),
    archive: aFlag,
    category_name: z.string(),
    system_data: z.string(),
    lon: aNumber.nullable(),
    lat: aNumber.nullable(),
    zoom: aNumber.nullable(),
    custom_fields: z.string(),
    user_id: aNumber,
    user_fio: z.string(),
    /** 1 (worst) to 4: as it was set, else as its category says. */
    priority: aNumber,
    /** The deadline from the type's review period; null without one. */
    deadline: z.string().nullable(),
    overdue: aFlag,
    /** In lists only where they were asked for. */
    units: z.array(NewsUnit).optional(),
  })
  .meta({ id: 'NewsItem' });

/** A list item. Names come from memory, so a page needs no queries. */
export function presentNews(task: Task, tasks: Tasks, now: number): z.input<typeof NewsItem> {
  const organization = tasks.organizations.get(task.organizationId);
  const type = tasks.types.get(task.typeId);
  const deadline = deadlineOf(task, type);
  return {
    id: String(task.id),
    department_id: String(task.organizationId),
    department_logo: organization?.logo ?? '',
    department_title: organization?.name ?? '',
    news_date: dateTimeZone(task.date),
    confirmed: String(task.confirmed),
    title: task.title,
    text: task.text,
    news_type_id: String(task.typeId),
    category_id: idOrNull(task.categoryId),
    assigned_to: idOrNull(task.assignedOrganizationId),
    assigned_department_name: tasks.organizations.get(task.assignedOrganizationId)?.name ?? null,
    assigned_to_user: idOrNull(task.assignedUserId),
    assigned_user_fio: tasks.users.get(task.assignedUserId)?.name ?? null,
    assigned_status: String(task.status),
    status_name: tasks.statuses.get(task.status)?.name ?? '',
    assigned_change_date: dateTimeZone(task.statusSince),
    restricted: flagOf(task.restricted),
    notice: String(task.notice),
    news_type_icon: type?.icon ?? '',
    news_type_name: type?.name ?? '',
    num_main_photo: task.mainPhoto === null ? null : String(task.mainPhoto),
    archive: flagOf(task.archived),
    category_name: tasks.categories.get(task.categoryId)?.name ?? '',
    system_data: task.systemData,
    lon: task.point ? String(task.point.lon) : null,
    lat: task.point ? String(task.point.lat) : null,
    zoom: task.point ? String(task.point.zoom) : null,
    custom_fields: presentCustomValues(task, tasks),
    user_id: String(task.authorId),
    user_fio: tasks.users.get(task.authorId)?.name ?? '',
    priority: String(priorityOf(task, tasks.categories.get(task.categoryId))),
    deadline: deadline === undefined ? null : dateTimeZone(deadline),
    overdue: flagOf(isOverdue(task, type, now)),
  };
}

/**
 * A JSON object in a string, keyed by slug. Values of deleted fields are hidden until the field is restored.
 */
function presentCustomValues({ customValues }: Task, tasks: Tasks): string {
  const values: Record<string, { field_id: number; value: unknown }> = {};
  for (const [id, value] of Object.entries(customValues)) {
    const field = tasks.customFields.get(Number(id));
    if (field && !field.isDeleted) values[field.slug] = { field_id: field.id, value };
  }
  return JSON.stringify(values);
}

/** The units of a task in the order of sending; released ones have `clearAt`. */
export function presentUnits(task: Task, fleet: Fleet): z.input<typeof NewsUnit>[] {
  const orNull = (time: number) => (time === 0 ? null : time);
  return unitsOf(task).map((unit) => ({
    carId: unit.vehicleId,
    carName: fleet.known(unit.vehicleId)?.name ?? '',
    role: unit.role,
    lead: unit.clearAt === 0 && unit.vehicleId === task.assignedVehicleId,
    status: { digit: unit.status, word: UNIT_STATUS_WORDS[unit.status]! },
    sentAt: orNull(unit.sentAt),
    acknowledgedAt: orNull(unit.acknowledgedAt),
    enRouteAt: orNull(unit.enRouteAt),
    onSceneAt: orNull(unit.onSceneAt),
    clearAt: orNull(unit.clearAt),
  }));
}

export const NewsDetail = NewsItem.extend({
  confirmed_comment: z.string().nullable(),
  news_type_logo: z.string(),
  update_date: z.string(),
  assigned_car_id: aNumber.nullable(),
  assigned_car_name: z.string().nullable(),
  address: z.string(),
  units: z.array(NewsUnit),
  answers: z
    .array(z.object({ question: z.string(), answer: z.string(), priority: z.int() }))
    .meta({ description: 'What the caller answered; `priority` 0: the answer sets none.' }),
}).meta({ id: 'NewsDetail' });

/** The whole task, with its vehicle and address. */
export function presentNewsDetail(task: Task, tasks: Tasks, fleet: Fleet, now: number): z.input<typeof NewsDetail> {
  const type = tasks.types.get(task.typeId);
  return {
    ...presentNews(task, tasks, now),
    news_date: dateTime(task.date),
    confirmed_comment: task.confirmedComment === '' ? null : task.confirmedComment,
    news_type_logo: type?.icons['logo'] || type?.icon || '',
    update_date: dateTimeZone(task.updatedAt),
    assigned_car_id: idOrNull(task.assignedVehicleId),
    assigned_car_name: fleet.get(task.assignedVehicleId)?.name ?? null,
    address: task.address,
    units: presentUnits(task, fleet),
    answers: task.answers ?? [],
  };
}

export const ShortNews = z
  .object({
    id: aNumber,
    news_date: z.string(),
    date: z.string(),
    title: z.string(),
    shorttext: z.string(),
    department_id: aNumber,
    system_data: z.string(),
    archive: aFlag,
    photos: z.int(),
    files: z.int(),
    sounds: z.int(),
    video: z.int(),
    point: z.int(),
  })
  .meta({ id: 'ShortNews' });

const SHORT_TEXT = 200;

export function presentShortNews(task: Task): z.input<typeof ShortNews> {
  return {
    id: String(task.id),
    news_date: dateTimeZone(task.date),
    date: shortDateTime(task.date),
    title: task.title,
    shorttext: shorten(task.text),
    department_id: String(task.organizationId),
    system_data: task.systemData,
    archive: flagOf(task.archived),
    photos: task.photos,
    files: task.files,
    sounds: task.sounds,
    video: task.videos,
    point: task.point ? 1 : 0,
  };
}

/** Shortened at a word boundary. */
function shorten(text: string): string {
  return isLonger(text, SHORT_TEXT) ? `${beginning(text, SHORT_TEXT).replace(/\s+\S*$/, '')}…` : text;
}

export const HistoryItem = z
  .object({
    date: z.string(),
    user_id: aNumber.nullable(),
    fio: z.string().nullable(),
    field: z.string(),
    from: z.unknown(),
    to: z.unknown(),
    station: z.int(),
    note: z.string(),
    news_id: aNumber.meta({ description: 'The message itself, or the duplicate that it happened to.' }),
  })
  .meta({ id: 'HistoryItem' });

export function presentHistory(entry: HistoryEntry, tasks: Tasks): z.input<typeof HistoryItem> {
  return {
    date: dateTimeZone(entry.at),
    user_id: idOrNull(entry.userId),
    fio: tasks.users.get(entry.userId)?.name ?? null,
    field: tasks.fieldName(entry.field),
    from: entry.from,
    to: entry.to,
    station: entry.station,
    note: entry.note,
    news_id: String(entry.taskId),
  };
}

export const CommentItem = z
  .object({
    id: aNumber,
    reference_id: aNumber.nullable(),
    level: aNumber,
    news_id: aNumber,
    user_id: aNumber,
    date: z.string(),
    update_text: z.string(),
    fio: z.string(),
    comment: z.string(),
  })
  .meta({ id: 'CommentItem' });

export function presentComment(comment: Comment, tasks: Tasks): z.input<typeof CommentItem> {
  return {
    id: String(comment.id),
    reference_id: idOrNull(comment.parentId),
    level: String(comment.level),
    news_id: String(comment.taskId),
    user_id: String(comment.authorId),
    date: dateTimeZone(comment.at),
    update_text: comment.updateText,
    fio: tasks.users.get(comment.authorId)?.name ?? saidByCrew(comment)?.crew ?? '',
    comment: comment.text,
  };
}

export const Recommendation = z
  .object({
    carId: z.int(),
    carName: z.string(),
    carNo: z.string(),
    glonassId: z.int(),
    rank: z.int(),
    /** Seconds and metres by road; null without a route, a position or a territory. */
    time: z.int().nullable(),
    distance: z.int().nullable(),
    available: z.boolean(),
    reasons: z.array(z.string()),
    reasonCodes: z.array(z.looseObject({ code: z.string() })),
    unitStatus: z.int().nullable(),
    positionTime: z.int().nullable(),
    drivers: z.array(z.string()),
    busyWith: z.int().nullable(),
  })
  .meta({ id: 'Recommendation' });

export function presentRecommendation({
  candidate,
  rank,
  time,
  distance,
  available,
  reasons,
  view,
}: Ranked & { view: VehicleView }): z.input<typeof Recommendation> {
  const { vehicle, state, drivers } = view;
  return {
    carId: vehicle.id,
    carName: vehicle.name,
    carNo: vehicle.plate,
    glonassId: vehicle.glonassId,
    rank,
    time: time ?? null,
    distance: distance === undefined ? null : Math.round(distance),
    available,
    reasons: reasons.map(reasonText),
    reasonCodes: reasons.map((reason) => ({ ...reason })),
    unitStatus: state.unitStatusSince > 0 ? state.unitStatus : null,
    positionTime: state.time > 0 ? state.time : null,
    drivers: drivers.map((driver) => driver.name),
    busyWith: candidate.busyWith?.id ?? null,
  };
}
