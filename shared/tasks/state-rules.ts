import type { User } from '../records/accounts.ts';
import type { StateRule } from '../records/directories.ts';
import type { Task } from '../records/tasks.ts';

/** The kind of a task's field, for state rules. */
export type ComparedKind = 'number' | 'reference' | 'flag' | 'date' | 'text' | 'point';
type ComparedField = Exclude<
  keyof Task,
  | 'key'
  | 'hlc'
  | 'customValues'
  | 'units'
  | 'priority'
  | 'answers'
  | 'mergedInto'
  | 'linkIds'
  | 'riseSeenAt'
  | 'riseToldAt'
  | 'watcherIds'
  | 'mentions'
>;

/** The fields of a task that rules may name, by their names in the record. A reference of 0 is absent. */
export const TASK_FIELDS: Readonly<Record<ComparedField, ComparedKind>> = {
  id: 'number',
  organizationId: 'number',
  authorId: 'number',
  typeId: 'number',
  status: 'number',
  confirmed: 'number',
  notice: 'number',
  mainPhoto: 'number',
  photos: 'number',
  videos: 'number',
  files: 'number',
  sounds: 'number',
  categoryId: 'reference',
  assignedOrganizationId: 'reference',
  assignedUserId: 'reference',
  assignedVehicleId: 'reference',
  restricted: 'flag',
  archived: 'flag',
  isDeleted: 'flag',
  date: 'date',
  updatedAt: 'date',
  statusSince: 'date',
  title: 'text',
  text: 'text',
  confirmedComment: 'text',
  systemData: 'text',
  address: 'text',
  point: 'point',
};

type ComparedUserField = Exclude<keyof User, 'key' | 'hlc' | 'kind' | 'passwordHash' | 'signIn' | 'extension'>;

/** The fields of a user that rules may compare with. */
export const COMPARED_USER_FIELDS: Readonly<Record<ComparedUserField, 'number' | 'flag' | 'text'>> = {
  id: 'number',
  roleId: 'number',
  organizationId: 'number',
  name: 'text',
  login: 'text',
  email: 'text',
  phone: 'text',
  monitor: 'flag',
  visible: 'flag',
  enabled: 'flag',
  isDeleted: 'flag',
};

/** Names of a task's fields in the interface and in former records; the record's own names work, too. */
export const COMPARED_FIELDS: Readonly<Record<string, ComparedField>> = {
  assigned_status: 'status',
  status_id: 'status',
  assigned_change_date: 'statusSince',
  department_id: 'organizationId',
  assigned_to: 'assignedOrganizationId',
  assigned_organization_id: 'assignedOrganizationId',
  assigned_to_user: 'assignedUserId',
  assigned_user_id: 'assignedUserId',
  assigned_car_id: 'assignedVehicleId',
  user_id: 'authorId',
  news_type_id: 'typeId',
  category_id: 'categoryId',
  archive: 'archived',
  news_date: 'date',
  update_date: 'updatedAt',
  system_data: 'systemData',
  confirmed_comment: 'confirmedComment',
  num_main_photo: 'mainPhoto',
  withdrawn: 'isDeleted',
  departmentId: 'organizationId',
  assignedDepartmentId: 'assignedOrganizationId',
};

/** Names of a user's fields in the interface and in former records; the record's own names work, too. */
export const USER_FIELDS: Readonly<Record<string, ComparedUserField>> = {
  user_id: 'id',
  fio: 'name',
  rightId: 'roleId',
  groupId: 'roleId',
  group_id: 'roleId',
  department_id: 'organizationId',
  organization_id: 'organizationId',
  currentOrgId: 'organizationId',
  withdrawn: 'isDeleted',
};

const CUSTOM = /^customValues\.(\d+)$/;

/** The name under which a rule stores a custom field: its id, which never changes. */
export function customFieldName(id: number): string {
  return `customValues.${id}`;
}

/** The id of the rule's custom field. */
export function customFieldId(field: string): number | undefined {
  const found = CUSTOM.exec(field);
  return found ? Number(found[1]) : undefined;
}

/**
 * The record's name of a field, which may have the interface's name. Undefined: tasks have no such field, or
 * it is a custom one.
 */
export function taskField(name: string): ComparedField | undefined {
  if (Object.hasOwn(COMPARED_FIELDS, name)) return COMPARED_FIELDS[name];
  return Object.hasOwn(TASK_FIELDS, name) ? (name as ComparedField) : undefined;
}

export function userField(name: string): ComparedUserField | undefined {
  if (Object.hasOwn(USER_FIELDS, name)) return USER_FIELDS[name];
  return Object.hasOwn(COMPARED_USER_FIELDS, name) ? (name as ComparedUserField) : undefined;
}

/** The comparable value: dates are Unix seconds, flags 0 and 1. Undefined: absent or not comparable. */
type ComparableValue = number | string | undefined;

/**
 * Does the task match a state rule? Absent and incomparable values match nothing. Only 0 for a reference, and
 * null for the point, test for absence.
 */
export function matchesStateRule(
  rule: StateRule,
  task: Readonly<Record<string, unknown>>,
  user: Omit<User, 'passwordHash'>,
): boolean {
  const customId = customFieldId(rule.field);
  if (customId !== undefined) {
    const found = (task['customValues'] as Task['customValues'] | undefined)?.[customId];
    return matchesValue(rule, plainValue(found), kindOf(found), user);
  }
  const field = taskField(rule.field);
  if (field === undefined || !Object.hasOwn(task, field)) return false;
  if (field === 'point') return isAboutPoint(rule) && (task[field] === null) === (rule.sign === '=');
  return matchesValue(rule, storedValue(TASK_FIELDS[field], task[field]), TASK_FIELDS[field], user);
}

function matchesValue(
  rule: StateRule,
  found: ComparableValue,
  kind: ComparedKind,
  user: Omit<User, 'passwordHash'>,
): boolean {
  if (rule.userField !== '') return rule.sign !== 'in' && compare(found, rule.sign, ofUser(rule.userField, kind, user));
  if (rule.sign === 'in') return valuesOf(rule.value).some((value) => isOrIsNone(found, kind, ruleValue(kind, value)));
  const wanted = Array.isArray(rule.value) ? undefined : ruleValue(kind, rule.value);
  if (kind === 'reference' && wanted === 0 && rule.sign === '!=') return found !== undefined;
  if (rule.sign === '=') return isOrIsNone(found, kind, wanted);
  return compare(found, rule.sign, wanted);
}

/** Null for the point: does the task have one? */
export function isAboutPoint(rule: Pick<StateRule, 'sign' | 'value' | 'userField'>): boolean {
  return (
    rule.userField === '' && (rule.sign === '=' || rule.sign === '!=') && (rule.value === null || rule.value === '')
  );
}

/** 0 denotes an empty reference. */
function isOrIsNone(found: ComparableValue, kind: ComparedKind, wanted: ComparableValue): boolean {
  return kind === 'reference' && wanted === 0 ? found === undefined : compare(found, '=', wanted);
}

function ofUser(name: string, kind: ComparedKind, user: Omit<User, 'passwordHash'>): ComparableValue {
  const field = userField(name);
  if (field === undefined || !isComparable(kind, field) || !Object.hasOwn(user, field)) return undefined;
  const value = user[field];
  return value === 0 ? undefined : plainValue(value); // 0: without an organization, without a role
}

/** Whether a field of this kind can equal a field of a user. */
export function isComparable(kind: ComparedKind, field: ComparedUserField): boolean {
  switch (kind) {
    case 'number':
    case 'reference':
      return COMPARED_USER_FIELDS[field] === 'number';
    case 'flag':
      return COMPARED_USER_FIELDS[field] === 'flag';
    case 'text':
      return COMPARED_USER_FIELDS[field] !== 'flag';
    case 'date':
    case 'point':
      return false;
  }
}

function compare(a: ComparableValue, sign: StateRule['sign'], b: ComparableValue): boolean {
  if (a === undefined || b === undefined) return false;
  const [one, other] = bothNumbers(a, b) ?? [a, b];
  if (typeof one !== typeof other) return false;
  switch (sign) {
    case '=':
    case 'in':
      return one === other;
    case '!=':
      return one !== other;
    case '<':
      return one < other;
    case '>':
      return one > other;
    case '<=':
      return one <= other;
    case '>=':
      return one >= other;
  }
}

/** Texts are compared as numbers if both are numeric. */
function bothNumbers(a: number | string, b: number | string): [number, number] | undefined {
  return isNumeric(a) && isNumeric(b) ? [Number(a), Number(b)] : undefined;
}

function isNumeric(value: unknown): value is number | string {
  return typeof value === 'number'
    ? Number.isFinite(value)
    : typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim());
}

/** A custom value has its own kind; dates are texts that sort as days do. */
function kindOf(value: unknown): ComparedKind {
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'flag' : 'text';
}

function plainValue(value: unknown): ComparableValue {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? value : undefined;
}

function storedValue(kind: ComparedKind, value: unknown): ComparableValue {
  if (kind === 'reference' && value === 0) return undefined;
  return kind === 'date' && typeof value === 'number' ? Math.floor(value / 1000) : plainValue(value);
}

/** The values of a rule for `in`, also if they were written as one text. */
export function valuesOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? value.split(',').map((part) => part.trim()) : [value];
}

/**
 * A value of a rule, converted for a field of this kind; undefined: impossible value. Dates become Unix
 * seconds.
 */
export function ruleValue(kind: ComparedKind, value: unknown): number | string | undefined {
  switch (kind) {
    case 'number':
    case 'reference':
      return isNumeric(value) ? Number(value) : undefined;
    case 'flag':
      return FLAGS.get(value);
    case 'date':
      return unixSeconds(value);
    case 'text':
      return typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? value : undefined;
    case 'point':
      return undefined;
  }
}

const FLAGS: ReadonlyMap<unknown, number> = new Map<unknown, number>([
  [true, 1],
  ['t', 1],
  ['true', 1],
  [1, 1],
  ['1', 1],
  [false, 0],
  ['f', 0],
  ['false', 0],
  [0, 0],
  ['0', 0],
]);

const DATE_TIME =
  /^(?<day>\d{4}-\d{2}-\d{2}) (?<time>\d{2}:\d{2}:\d{2})(?<zone>(?<hours>[+-](?:0\d|1[0-4]))(?::?(?<minutes>[0-5]\d))?)$/;

/** `YYYY-MM-DD HH:MM:SS+TZ`, or Unix time in seconds; undefined for anything else. */
export function unixSeconds(value: unknown): number | undefined {
  if (typeof value === 'number')
    return Number.isInteger(value) && value >= 0 && value <= LAST_SECOND ? value : undefined;
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,10}$/.test(value.trim())) return Number(value);
  const { day, time, hours, minutes = '00' } = DATE_TIME.exec(value.trim())?.groups ?? {};
  const here = Date.parse(`${day}T${time}Z`);
  // Some parsers carry over a day that the month does not have.
  if (Number.isNaN(here) || new Date(here).toISOString().slice(0, 19) !== `${day}T${time}`) return undefined;
  return Date.parse(`${day}T${time}${hours}:${minutes}`) / 1000;
}

const LAST_SECOND = 9_999_999_999;
