import { charactersIn, isLonger } from '../../../../../shared/text/characters.ts';
import { faultOfValue, isAvailable, readValue } from '../../../../../shared/custom-fields/custom-fields.ts';
import type { CustomField, Task } from '../../../../../shared/records/index.ts';
import { LONGEST_TITLE } from '../../../../../shared/tasks/title.ts';
import type { ValueFault } from '../../../../../shared/custom-fields/value-fault.ts';
import type { DateOrder } from '../../../lib/stores/dispatch.ts';
import type { ZonedTime } from '../../../../../shared/zoned-time.ts';

/** Where a task is: the words for it, and the point on the map. */
export interface TaskPlace {
  readonly address: string;
  readonly point: Task['point'];
}

/** The edited fields of a task, as the controls hold them; custom fields under `custom:` and their id. */
export interface TaskForm {
  title: string;
  text: string;
  typeId: number;
  categoryId: number;
  assignedOrganizationId: number;
  assignedUserId: number;
  assignedVehicleId: number;
  /** Day and time on this computer's clock: `2026-03-05T14:30`. */
  date: string;
  place: TaskPlace;
  restricted: boolean;
  notice: number;
  /** 0 not viewed, 1 approved, 2 not approved */
  confirmed: number;
  confirmedComment: string;
  [custom: `custom:${number}`]: FieldText;
}
export type FormKey = keyof TaskForm;

/** The value of a custom field in its control: text or a geometry. Empty text is no value. */
export type FieldText = string | object;

export const customKey = (field: Pick<CustomField, 'id'>) => `custom:${field.id}` as const;

export function taskForm(task: Task, fields: readonly CustomField[]): TaskForm {
  const {
    title,
    text,
    typeId,
    categoryId,
    assignedOrganizationId,
    assignedUserId,
    assignedVehicleId,
    restricted,
    notice,
    confirmed,
    confirmedComment,
  } = task;
  const custom = Object.fromEntries(
    fields.map((field) => [customKey(field), fieldTextOf(task.customValues[field.id])]),
  );
  return {
    title,
    text,
    typeId,
    categoryId,
    assignedOrganizationId,
    assignedUserId,
    assignedVehicleId,
    date: localMinute(task.date),
    place: { address: task.address, point: task.point },
    restricted,
    notice,
    confirmed,
    confirmedComment,
    ...custom,
  };
}

/** A stored value as its control holds it. */
export function fieldTextOf(value: unknown): FieldText {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 't' : 'f';
  return typeof value === 'object' ? value : String(value);
}

/** The fields in which two forms differ. */
export function changedKeys(before: TaskForm, after: TaskForm): FormKey[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)] as FormKey[]);
  return [...keys].filter((key) => !same(before[key], after[key]));
}

/** Fields that both the user and somebody else have changed, to different values. */
export function conflictsOf(base: TaskForm, form: TaskForm, current: TaskForm): FormKey[] {
  return changedKeys(base, form).filter((key) => !same(current[key], base[key]) && !same(current[key], form[key]));
}

/**
 * Takes over changes by others where the user has not edited, and returns those fields. Where both edited,
 * `base` stays, so that `conflictsOf` reports the field until it is resolved.
 */
export function followOthers(base: TaskForm, form: TaskForm, current: TaskForm): FormKey[] {
  const untouched = changedKeys(base, current).filter(
    (key) => same(form[key], base[key]) || same(form[key], current[key]),
  );
  for (const key of untouched) {
    set(base, key, current[key]);
    set(form, key, current[key]);
  }
  return untouched;
}

/** The form after `typed` was saved as `stored`: what was typed meanwhile is a change to that. */
export function takeSaved(
  base: TaskForm,
  form: TaskForm,
  { before, typed, stored }: { readonly before: TaskForm; readonly typed: TaskForm; readonly stored: TaskForm },
): void {
  for (const key of changedKeys(before, typed)) {
    set(base, key, stored[key]);
    if (same(form[key], typed[key])) set(form, key, stored[key]);
  }
}

export function set(form: TaskForm, key: FormKey, value: unknown): void {
  (form as unknown as Record<string, unknown>)[key] = value;
}

/** Why a field cannot be saved as it stands. */
type FormFault = ValueFault | { readonly rule: 'titleTooLong'; readonly most: number; readonly count: number };

/**
 * Errors by field. As at the station, custom fields are validated only if one of them or the type has
 * changed: a task must stay editable if a field became required later.
 */
export function faultsOf(
  base: TaskForm | undefined,
  form: TaskForm,
  fields: readonly CustomField[],
): Map<FormKey, FormFault> {
  const faults = new Map<FormKey, FormFault>();
  const title = form.title.trim();
  if (title === '') faults.set('title', { rule: 'needed' });
  else if (isLonger(title, LONGEST_TITLE))
    faults.set('title', { rule: 'titleTooLong', most: LONGEST_TITLE, count: charactersIn(title) });
  if (!isDate(form.date)) faults.set('date', { rule: 'date' });
  const touched = base && new Set(changedKeys(base, form));
  if (!touched || touched.has('typeId') || fields.some((field) => touched.has(customKey(field)))) {
    for (const [key, fault] of customFaults(form, fields)) faults.set(key, fault);
  }
  return faults;
}

/** Whether a `datetime-local` text is a time. */
export const isDate = (local: string): boolean => !Number.isNaN(new Date(local).getTime());

/** Errors of the custom fields that the type of the form has. */
export function customFaults(
  form: Pick<TaskForm, 'typeId' | `custom:${number}`>,
  fields: readonly CustomField[],
): Map<FormKey, ValueFault> {
  const faults = new Map<FormKey, ValueFault>();
  for (const field of fields) {
    const fault = isAvailable(field, form.typeId) ? faultOfValue(field, form[customKey(field)] ?? '') : undefined;
    if (fault) faults.set(customKey(field), fault);
  }
  return faults;
}

/** The body of the update from `base` to `form`: changed fields only. The date is in the station's clock. */
export function taskUpdateBody(
  base: TaskForm,
  form: TaskForm,
  fields: readonly CustomField[],
  stationTime: ZonedTime,
): Record<string, unknown> {
  const order: Record<string, unknown> = {};
  const changed = new Set(changedKeys(base, form));
  for (const [key, name] of Object.entries(PLAIN)) if (changed.has(key as FormKey)) order[name] = form[key as FormKey];
  if (changed.has('title')) order['title'] = form.title.trim();
  if (changed.has('date')) Object.assign(order, dateOrder(form.date, stationTime));
  if (changed.has('place')) Object.assign(order, placeOrder(base.place, form.place));
  const custom = customOrder(
    form,
    fields.filter((field) => changed.has(customKey(field)) && isAvailable(field, form.typeId)),
  );
  if (Object.keys(custom).length > 0) order['custom_fields'] = JSON.stringify(custom);
  return order;
}

/**
 * A form without faults as it comes back from the station: `05` is 5, and the title has no spaces around it.
 */
export function asStored(form: TaskForm, fields: readonly CustomField[]): TaskForm {
  const custom = fields
    .filter((field) => isAvailable(field, form.typeId) && form[customKey(field)])
    .map((field) => [customKey(field), fieldTextOf(readValue(field, form[customKey(field)]))]);
  return { ...form, title: form.title.trim(), ...(Object.fromEntries(custom) as object) };
}

/** No one has changed the fields between `before` and `after` since; `now` may be older than the save. */
export function formIsUnchangedSince(before: TaskForm, after: TaskForm, now: TaskForm): boolean {
  return changedKeys(before, after).every((key) => same(now[key], after[key]) || same(now[key], before[key]));
}

/** Values of custom fields as the interface takes them. */
export function customOrder(
  form: Pick<TaskForm, `custom:${number}`>,
  fields: readonly CustomField[],
): Record<string, { field_id: number; value: FieldText | null }> {
  return Object.fromEntries(
    fields.map((field) => [field.slug, { field_id: field.id, value: form[customKey(field)] || null }]),
  );
}

/** The values of a new task: the input, else the defaults. */
export function newValues(
  fields: readonly CustomField[],
  typed: Readonly<Record<`custom:${number}`, FieldText>>,
): Record<`custom:${number}`, FieldText> {
  return { ...Object.fromEntries(fields.map((field) => [customKey(field), field.defaultValue ?? ''])), ...typed };
}

/** The interface's names of the fields that are sent as they stand. */
const PLAIN = {
  text: 'text',
  typeId: 'news_type_id',
  categoryId: 'category_id',
  assignedOrganizationId: 'assigned_organization_id',
  assignedUserId: 'assigned_user_id',
  assignedVehicleId: 'assigned_car_id',
  restricted: 'restricted',
  notice: 'notice',
  confirmed: 'confirmed',
  confirmedComment: 'confirmed_comment',
} as const satisfies Partial<Record<FormKey, string>>;

/** A minute of this machine's zone in the clock of the station, as the interface takes it. */
export function dateOrder(local: string, stationTime: ZonedTime): DateOrder {
  const at = new Date(local).getTime();
  const there = stationTime.wall(at);
  return {
    news_date: stationTime.text(at).split(' ')[0]!,
    news_hour: there.getUTCHours(),
    news_minute: there.getUTCMinutes(),
  };
}

function placeOrder(before: TaskPlace, { address, point }: TaskPlace): Record<string, unknown> {
  return {
    ...(address === before.address ? {} : { address }),
    ...(same(point, before.point)
      ? {}
      : point
        ? { point: [point.lon, point.lat], pointZoom: point.zoom }
        : { point: null }),
  };
}

/** An instant as a `datetime-local` control has it. */
function localMinute(instant: number): string {
  const at = new Date(instant);
  return `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function same(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
