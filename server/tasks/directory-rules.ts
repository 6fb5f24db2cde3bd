import { FIELDS, USER_FIELDS } from '../../shared/access.ts';
import { given } from '../../shared/given.ts';
import { Message, User, type StateRule, type TaskType } from '../../shared/records/index.ts';
import { Refusal } from '../../shared/refusal.ts';
import type { Draft } from '../store/door.ts';

/** What may be said of a type; what is not sent gets its default, or stays as it is. */
export interface TypeOrder {
  name?: string | undefined;
  /** 0 takes the type out of its group. */
  groupId?: number | undefined;
  icon?: string | undefined;
  /** The further icon files, by their names in the interface. */
  icons?: Readonly<Record<string, string>> | undefined;
  isDefault?: boolean | undefined;
  reviewSeconds?: number | undefined;
  departmentIds?: readonly number[] | undefined;
}

/** Deadlines are counted in one way. */
const FROM_UPDATE = 1;

export function createType(id: number, order: TypeOrder & { name: string }): Draft<TaskType> {
  const fresh: Draft<TaskType> = { id, kind: 'type', name: '', withdrawn: false, groupId: 0, icon: '', isDefault: false, reviewSeconds: 0, deadlineKind: FROM_UPDATE, departmentIds: [], icons: {} };
  return changeType(fresh, order);
}

export function changeType<T extends Draft<TaskType>>(type: T, { icons, departmentIds, ...plain }: TypeOrder): T {
  const next: T = { ...type, ...given(plain), icons: { ...type.icons, ...icons }, departmentIds: departmentIds ? [...new Set(departmentIds)] : type.departmentIds };
  return { ...next, name: demandName(next.name) };
}

/** What may be said of a rule over the fields of a message. */
export interface StateOrder {
  name?: string | undefined;
  field?: string | undefined;
  sign?: StateRule['sign'] | undefined;
  value?: unknown;
  /** A field of the user who asks, to compare with; empty: compare with the value. */
  userField?: string | undefined;
}

export function createState(id: number, order: StateOrder & { name: string; field: string }): Draft<StateRule> {
  return changeState<Draft<StateRule>>({ id, kind: 'stateRule', name: '', withdrawn: false, field: '', sign: '=', value: null, userField: '' }, order);
}

/** Refuses a rule over a field that there is not: it would match nothing and lock people out without a word. */
export function changeState<T extends Draft<StateRule>>(state: T, order: StateOrder): T {
  const next: T = { ...state, ...given(order) };
  if (!isField(next.field, FIELDS, MESSAGE_FIELDS)) throw new Refusal('invalid', `field: messages have no field ${next.field.slice(0, 100)}.`);
  if (next.userField !== '' && !isField(next.userField, USER_FIELDS, COMPARED_USER_FIELDS)) throw new Refusal('invalid', `field_from_session: users have no field ${next.userField.slice(0, 100)}.`);
  if (next.userField !== '' && next.sign === 'in') throw new Refusal('invalid', 'sign “in” needs a value, not a field of the user.');
  return { ...next, name: demandName(next.name) };
}

function isField(name: string, names: Readonly<Record<string, string>>, own: ReadonlySet<string>): boolean {
  return Object.hasOwn(names, name) || own.has(name);
}

/** What rules compare: texts, numbers and flags. */
const MESSAGE_FIELDS: ReadonlySet<string> = new Set(Object.keys(Message.shape).filter((field) => !['key', 'hlc', 'point', 'customValues'].includes(field)));
const COMPARED_USER_FIELDS: ReadonlySet<string> = new Set(Object.keys(User.shape).filter((field) => !['key', 'hlc', 'kind', 'passwordHash'].includes(field)));

export function demandName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw new Refusal('invalid', 'name must not be empty.');
  return trimmed;
}
