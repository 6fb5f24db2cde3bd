import type { Task } from '../../../../shared/records/index.ts';

/** Fields that hold one number or flag. */
export type ScalarField = {
  [F in keyof Task]-?: Task[F] extends number | boolean ? F : never;
}[keyof Task];

/**
 * A condition over tasks, as data. Lists and counts write it as SQL; changes are evaluated in memory. Both
 * agree. Ranges include their ends; flags compare as 0 and 1.
 */
export type Predicate =
  | { kind: 'always' }
  | { kind: 'never' }
  | { kind: 'all'; of: readonly Predicate[] }
  | { kind: 'any'; of: readonly Predicate[] }
  | { kind: 'not'; of: Predicate }
  | { kind: 'in'; field: ScalarField; values: readonly number[] }
  | { kind: 'between'; field: ScalarField; least: number; most: number }
  | { kind: 'has-point' }
  /** A test in code; `name` represents it when predicates are compared. */
  | { kind: 'test'; name: string; test: (task: Task) => boolean };

export const always: Predicate = { kind: 'always' };
export const never: Predicate = { kind: 'never' };

export function is(field: ScalarField, value: number | boolean): Predicate {
  return { kind: 'in', field, values: [Number(value)] };
}

export function oneOf(field: ScalarField, values: readonly number[]): Predicate {
  return values.length === 0 ? never : { kind: 'in', field, values: [...new Set(values)].sort((a, b) => a - b) };
}

export function inRange(field: ScalarField, least = -Infinity, most = Infinity): Predicate {
  return { kind: 'between', field, least, most };
}

export function not(of: Predicate): Predicate {
  if (of.kind === 'always') return never;
  if (of.kind === 'never') return always;
  return { kind: 'not', of };
}

/**
 * The conjunction. Drops alternatives that another part makes true, so that a list of one organization needs
 * only its index.
 */
export function all(...parts: readonly Predicate[]): Predicate {
  const flat = parts
    .flatMap((part) => (part.kind === 'all' ? part.of : [part]))
    .filter((part) => part.kind !== 'always');
  if (flat.some((part) => part.kind === 'never')) return never;
  const keys = new Set(flat.map(predicateKey));
  const needed = distinct(flat).filter(
    (part) => part.kind !== 'any' || !part.of.some((alternative) => keys.has(predicateKey(alternative))),
  );
  if (needed.length === 0) return always;
  return needed.length === 1 ? needed[0]! : { kind: 'all', of: needed };
}

export function any(...parts: readonly Predicate[]): Predicate {
  const flat = distinct(
    parts.flatMap((part) => (part.kind === 'any' ? part.of : [part])).filter((part) => part.kind !== 'never'),
  );
  if (flat.some((part) => part.kind === 'always')) return always;
  if (flat.length === 0) return never;
  return flat.length === 1 ? flat[0]! : { kind: 'any', of: flat };
}

function distinct(parts: readonly Predicate[]): Predicate[] {
  return [...new Map(parts.map((part) => [predicateKey(part), part])).values()];
}

/** Equal for predicates that are written alike. */
export function predicateKey(predicate: Predicate): string {
  return JSON.stringify(predicate);
}

export function holds(predicate: Predicate, task: Task): boolean {
  switch (predicate.kind) {
    case 'always':
      return true;
    case 'never':
      return false;
    case 'all':
      return predicate.of.every((part) => holds(part, task));
    case 'any':
      return predicate.of.some((part) => holds(part, task));
    case 'not':
      return !holds(predicate.of, task);
    case 'in':
      return predicate.values.includes(Number(task[predicate.field]));
    case 'between':
      return Number(task[predicate.field]) >= predicate.least && Number(task[predicate.field]) <= predicate.most;
    case 'has-point':
      return task.point !== null;
    case 'test':
      return predicate.test(task);
  }
}

/** The fields that a predicate uses; for other conditions the name of their kind. */
export function fieldsOf(predicate: Predicate): string[] {
  switch (predicate.kind) {
    case 'always':
    case 'never':
      return [];
    case 'all':
    case 'any':
      return predicate.of.flatMap(fieldsOf);
    case 'not':
      return fieldsOf(predicate.of);
    case 'in':
    case 'between':
      return [predicate.field];
    case 'has-point':
    case 'test':
      return [predicate.kind];
  }
}
