import { FIELDS, grantOf, matches, USER_FIELDS, type Actor } from '../../shared/access.ts';
import type { Message, StateRule } from '../../shared/records/index.ts';
import { all, always, any, between, is, never, not, oneOf, type Predicate, type ScalarField } from './predicate.ts';

/** The messages that the actor may see: `mayDo(actor, 'view', …)` of `shared/access.ts` as a predicate, for lists, counts and replicas. */
export function visible(actor: Actor, rules: readonly StateRule[]): Predicate {
  return all(is('withdrawn', false), concerning(actor), any(administered(actor), granted(actor, rules)));
}

/** Of the actor's organisation, assigned to it, or assigned to the actor. */
export function concerning({ user, right }: Actor): Predicate {
  if (right.wheel) return always;
  return any(is('departmentId', user.organizationId), is('assignedDepartmentId', user.organizationId), is('assignedUserId', user.id));
}

function administered({ user, right }: Actor): Predicate {
  if (!right.admin) return never;
  return right.wheel ? always : is('departmentId', user.organizationId);
}

function granted(actor: Actor, rules: readonly StateRule[]): Predicate {
  const grant = grantOf(actor, 'view', rules);
  if (grant === 'always') return always;
  if (grant === 'never') return never;
  return any(...grant.map((rule) => stateRule(rule, actor.user)));
}

/** A state rule as a predicate: of comparisons of numbers where it is one, else by asking the rule itself. */
export function stateRule(rule: StateRule, user: Actor['user']): Predicate {
  return numberRule(rule, user) ?? { kind: 'test', name: `${JSON.stringify(rule)} for ${JSON.stringify(user)}`, test: (message) => matches(rule, message, user) };
}

function numberRule(rule: StateRule, user: Actor['user']): Predicate | undefined {
  const field = FIELDS[rule.field] ?? rule.field;
  if (!NUMBER_FIELDS.has(field)) return undefined;
  const name = field as ScalarField;
  const userField = USER_FIELDS[rule.userField] ?? rule.userField;
  if (userField !== '') return USER_NUMBERS.has(userField) ? numberRule({ ...rule, sign: rule.sign === 'in' ? '=' : rule.sign, userField: '', value: user[userField as 'id'] }, user) : undefined;
  if (rule.sign === 'in') return Array.isArray(rule.value) && rule.value.every(isNumber) ? oneOf(name, rule.value) : undefined;
  const value = typeof rule.value === 'string' && /^-?\d+(\.\d+)?$/.test(rule.value) ? Number(rule.value) : rule.value;
  if (!isNumber(value)) return undefined;
  switch (rule.sign) {
    case '=': return is(name, value);
    case '!=': return not(is(name, value));
    case '<=': return between(name, -Infinity, value);
    case '>=': return between(name, value);
    case '<': return not(between(name, value));
    case '>': return not(between(name, -Infinity, value));
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

const USER_NUMBERS: ReadonlySet<string> = new Set<keyof Actor['user']>(['id', 'organizationId', 'rightId']);
const NUMBER_FIELDS: ReadonlySet<string> = new Set<keyof Message>([
  'id', 'departmentId', 'authorId', 'typeId', 'categoryId', 'status', 'confirmed', 'assignedDepartmentId', 'assignedUserId', 'assignedVehicleId',
  'restricted', 'archived', 'withdrawn', 'notice', 'date', 'updatedAt', 'statusSince', 'photos', 'videos', 'files', 'sounds',
]);
