/**
 * Mango selectors as SQL. A translation is *exact* when SQL and RxDB's matcher (mingo) agree on every record
 * that the schema allows; else it is a *superset*, and the matcher has to look at what SQL finds. Only fields
 * whose schema type is one scalar are translated; arrays, `$regex`, `$elemMatch`, `$type`, `$mod`, `$size`
 * and unknown fields are left to the matcher.
 */
import type { SQLInputValue } from 'node:sqlite';
import type { SqlField, Layout } from './layout.ts';

interface Condition {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
  readonly exact: boolean;
}

/** All that a superset can say without knowing: everything. */
const ANYTHING: Condition = { sql: '1', values: [], exact: false };
const ALWAYS: Condition = { sql: '1', values: [], exact: true };
const NEVER: Condition = { sql: '0', values: [], exact: true };

export function toSql(selector: unknown, layout: Layout): Condition {
  if (!isObject(selector)) return ANYTHING;
  return and(
    Object.entries(selector).map(([name, value]) =>
      name.startsWith('$') ? logical(name, value, layout) : fieldCondition(layout.field(name), value),
    ),
  );
}

/** `ORDER BY` for a sort, or undefined when SQL cannot sort as RxDB does. */
export function orderBy(sort: readonly Record<string, 'asc' | 'desc'>[], layout: Layout): string | undefined {
  const terms: string[] = [];
  for (const part of sort) {
    const [path, direction] = Object.entries(part)[0]!;
    const field = layout.field(path);
    if (!field) return undefined;
    terms.push(`${field.sql} ${direction === 'desc' ? 'DESC' : 'ASC'}`);
  }
  return terms.join(', ');
}

function logical(operator: string, value: unknown, layout: Layout): Condition {
  if (!Array.isArray(value) || value.length === 0) return ANYTHING;
  const parts = value.map((part) => toSql(part, layout));
  switch (operator) {
    case '$and':
      return and(parts);
    case '$or':
      return or(parts);
    case '$nor':
      return not(or(parts));
    default:
      return ANYTHING;
  }
}

function fieldCondition(field: SqlField | undefined, matcher: unknown): Condition {
  if (!field) return ANYTHING;
  if (!isObject(matcher)) return compare(field, '$eq', matcher);
  const operators = Object.entries(matcher);
  // `{}` and `{ inner: 1 }` are values to be equal to, not operators.
  if (operators.length === 0 || operators.some(([operator]) => !operator.startsWith('$'))) return ANYTHING;
  return and(operators.map(([operator, value]) => compare(field, operator, value)));
}

function compare(field: SqlField, operator: string, value: unknown): Condition {
  switch (operator) {
    case '$eq':
      return equal(field, value);
    case '$ne':
      return not(equal(field, value));
    case '$gt':
      return range(field, '>', value);
    case '$gte':
      return range(field, '>=', value);
    case '$lt':
      return range(field, '<', value);
    case '$lte':
      return range(field, '<=', value);
    case '$in':
      return among(field, value);
    case '$nin':
      return not(among(field, value));
    case '$exists':
      return typeof value === 'boolean'
        ? { sql: `${field.presence} IS ${value ? 'NOT ' : ''}NULL`, values: [], exact: true }
        : ANYTHING;
    case '$not':
      return isObject(value) && Object.keys(value).length > 0 ? not(fieldCondition(field, value)) : ANYTHING;
    default:
      return ANYTHING;
  }
}

function equal(field: SqlField, value: unknown): Condition {
  if (value === null || value === undefined) return { sql: `${field.sql} IS NULL`, values: [], exact: value === null };
  if (typeof value === 'object' || typeof value === 'function') return ANYTHING;
  if (typeof value !== field.type) return NEVER;
  const bound = bind(value);
  return bound === undefined ? ANYTHING : { sql: `${field.sql} = ?`, values: [bound], exact: true };
}

/**
 * mingo compares values of one type only, so that a bound of another type matches nothing; null it takes for
 * itself.
 */
function range(field: SqlField, operator: string, value: unknown): Condition {
  if (value === null || value === undefined || typeof value === 'object') return ANYTHING;
  if (typeof value !== field.type) return NEVER;
  if (typeof value === 'string' && !sortsAlike(value)) return ANYTHING;
  const bound = bind(value);
  return bound === undefined ? ANYTHING : { sql: `${field.sql} ${operator} ?`, values: [bound], exact: true };
}

function among(field: SqlField, values: unknown): Condition {
  if (!Array.isArray(values)) return ANYTHING;
  const bound: SQLInputValue[] = [];
  let orNull = false;
  for (const value of values) {
    if (value === null) orNull = true;
    else if (value === undefined || typeof value === 'object') return ANYTHING;
    else if (typeof value === field.type) {
      const one = bind(value);
      if (one === undefined) return ANYTHING;
      bound.push(one);
    }
  }
  // One JSON array instead of a variable for each, so that long lists fit and the statement can be kept.
  const parts: Condition[] = [];
  if (bound.length > 0)
    parts.push({
      sql: `${field.sql} IN (SELECT value FROM json_each(?))`,
      values: [JSON.stringify(bound)],
      exact: true,
    });
  if (orNull) parts.push({ sql: `${field.sql} IS NULL`, values: [], exact: true });
  return parts.length === 0 ? NEVER : or(parts);
}

function and(parts: readonly Condition[]): Condition {
  const telling = parts.filter((part) => part.sql !== '1');
  const exact = parts.every((part) => part.exact);
  if (telling.length === 0) return exact ? ALWAYS : ANYTHING;
  return {
    sql: telling.map((part) => `(${part.sql})`).join(' AND '),
    values: telling.flatMap((part) => part.values),
    exact,
  };
}

function or(parts: readonly Condition[]): Condition {
  const exact = parts.every((part) => part.exact);
  if (parts.some((part) => part.sql === '1')) return exact ? ALWAYS : ANYTHING;
  return {
    sql: parts.map((part) => `(${part.sql})`).join(' OR '),
    values: parts.flatMap((part) => part.values),
    exact,
  };
}

/**
 * The opposite of a superset is not a superset. What is unknown to SQL (a comparison with a missing field)
 * does not match.
 */
function not(part: Condition): Condition {
  return part.exact ? { sql: `NOT ifnull(${part.sql}, 0)`, values: part.values, exact: true } : ANYTHING;
}

/** `undefined` when SQLite cannot hold the value as it is. */
function bind(value: unknown): SQLInputValue | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'string') return value.isWellFormed() ? value : undefined;
  return undefined;
}

/**
 * RxDB compares strings by UTF-16 unit, SQLite by UTF-8 byte. They differ only where a surrogate meets U+E000
 * or above, so that a bound without either sorts alike against every string.
 */
function sortsAlike(bound: string): boolean {
  for (let at = 0; at < bound.length; at++) if (bound.charCodeAt(at) >= 0xd800) return false;
  return true;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)
  );
}
