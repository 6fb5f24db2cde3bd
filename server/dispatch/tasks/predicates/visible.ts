import { grantOf, type Actor } from '../../../../shared/access.ts';
import type { StateRule } from '../../../../shared/records/index.ts';
import {
  COMPARED_USER_FIELDS,
  isAboutPoint,
  isComparable,
  matchesStateRule,
  TASK_FIELDS,
  taskField,
  ruleValue,
  userField,
  valuesOf,
} from '../../../../shared/tasks/state-rules.ts';
import { all, always, any, inRange, is, never, not, oneOf, type Predicate, type ScalarField } from './predicate.ts';

/**
 * The tasks that the actor may see: `mayDo(actor, 'view', …)` of `shared/access.ts` as a predicate, for
 * lists, counts and replicas.
 */
export function visible(actor: Actor, rules: readonly StateRule[]): Predicate {
  return all(is('isDeleted', false), concerning(actor), any(administered(actor), granted(actor, rules)));
}

/** Of the actor's organization, assigned to it, or assigned to the actor. */
export function concerning({ user, role }: Actor): Predicate {
  if (role.superuser) return always;
  return any(
    is('organizationId', user.organizationId),
    is('assignedOrganizationId', user.organizationId),
    is('assignedUserId', user.id),
  );
}

function administered({ user, role }: Actor): Predicate {
  if (!role.admin) return never;
  return role.superuser ? always : is('organizationId', user.organizationId);
}

function granted(actor: Actor, rules: readonly StateRule[]): Predicate {
  const grant = grantOf(actor, 'view', rules);
  if (grant === 'always') return always;
  if (grant === 'never') return never;
  return any(...grant.map((rule) => stateRule(rule, actor.user)));
}

/** A state rule as a predicate: comparisons of numbers if possible, else a test in code. */
export function stateRule(rule: StateRule, user: Actor['user']): Predicate {
  return (
    numberRule(rule, user) ?? {
      kind: 'test',
      name: `${JSON.stringify(rule)} for ${JSON.stringify(user)}`,
      test: (task) => matchesStateRule(rule, task, user),
    }
  );
}

function numberRule(rule: StateRule, user: Actor['user']): Predicate | undefined {
  const field = taskField(rule.field);
  if (field === undefined) return undefined;
  const kind = TASK_FIELDS[field];
  if (field === 'point') return isAboutPoint(rule) ? (rule.sign === '=' ? not(HAS_POINT) : HAS_POINT) : never;
  // The title photo may be null, and texts are compared in code.
  if (kind === 'text' || field === 'mainPhoto') return undefined;
  const name = field as ScalarField;
  const compare = (sign: Exclude<StateRule['sign'], 'in'>, value: number) =>
    kind === 'date'
      ? dateRule(name, sign, value)
      : kind === 'reference'
        ? referenceRule(name, sign, value)
        : plainRule(name, sign, value);
  if (rule.userField !== '') {
    const ofUser = userField(rule.userField);
    if (rule.sign === 'in' || ofUser === undefined || !isComparable(kind, ofUser)) return never;
    const value = Number(user[ofUser]);
    return value === 0 && COMPARED_USER_FIELDS[ofUser] === 'number' ? never : compare(rule.sign, value);
  }
  const values = (rule.sign === 'in' ? valuesOf(rule.value) : [rule.value])
    .map((value) => (Array.isArray(value) ? undefined : ruleValue(kind, value)))
    .filter((value) => typeof value === 'number');
  if (rule.sign !== 'in') return values.length === 0 ? never : compare(rule.sign, values[0]!);
  return kind === 'date' ? any(...values.map((value) => compare('=', value))) : oneOf(name, values);
}

const HAS_POINT: Predicate = { kind: 'has-point' };

function plainRule(name: ScalarField, sign: Exclude<StateRule['sign'], 'in'>, value: number): Predicate {
  switch (sign) {
    case '=':
      return is(name, value);
    case '!=':
      return not(is(name, value));
    case '<=':
      return inRange(name, -Infinity, value);
    case '>=':
      return inRange(name, value);
    case '<':
      return not(inRange(name, value));
    case '>':
      return not(inRange(name, -Infinity, value));
  }
}

/** 0 is no reference: `<` and `!=` do not match it. A rule uses 0 to test for absence. */
function referenceRule(name: ScalarField, sign: Exclude<StateRule['sign'], 'in'>, value: number): Predicate {
  if (value === 0 && sign === '=') return is(name, 0);
  return all(inRange(name, 1), plainRule(name, sign, value));
}

/** Whole seconds. */
function dateRule(name: ScalarField, sign: Exclude<StateRule['sign'], 'in'>, second: number): Predicate {
  const [first, last] = [second * 1000, second * 1000 + 999];
  switch (sign) {
    case '=':
      return inRange(name, first, last);
    case '!=':
      return not(inRange(name, first, last));
    case '<':
      return inRange(name, -Infinity, first - 1);
    case '<=':
      return inRange(name, -Infinity, last);
    case '>=':
      return inRange(name, first);
    case '>':
      return inRange(name, last + 1);
  }
}
