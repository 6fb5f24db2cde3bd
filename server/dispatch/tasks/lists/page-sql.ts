import { tasks } from '../../../../shared/records/index.ts';
import { conjunctsOf } from './list-branches.ts';
import type { Page } from './tasks-sql.ts';
import { column } from '../predicates/predicate-sql.ts';
import { all, fieldsOf, type Predicate, type ScalarField } from '../predicates/predicate.ts';

/** The indexes of tasks, by name. */
export const TASK_INDEXES = new Map(tasks.tableIndexes!.map((index) => [index.name, index]));

/** Whether the index covers the predicate. */
export function indexCovers(index: string, predicate: Predicate): boolean {
  const fields: readonly string[] = TASK_INDEXES.get(index)!.fields;
  return fieldsOf(predicate).every((field) =>
    fields.includes(field === 'has-point' ? 'point.zoom' : field === 'id' ? 'key' : field),
  );
}

/** The predicate in two parts: columns of the index, and columns of the task alone. */
export function splitByCoverage(index: string, rest: Predicate): { covered: Predicate; uncovered: Predicate } {
  const parts = conjunctsOf(rest);
  return {
    covered: all(...parts.filter((part) => indexCovers(index, part))),
    uncovered: all(...parts.filter((part) => !indexCovers(index, part))),
  };
}

/** The columns that a predicate uses. */
export function columnsOf(predicate: Predicate): string {
  const columns = new Set(
    fieldsOf(predicate).map((field) =>
      field === 'has-point'
        ? '"point.zoom"'
        : field === 'test'
          ? 'data'
          : column(field as ScalarField).startsWith('json_')
            ? 'data'
            : column(field as ScalarField),
    ),
  );
  return [...columns].map((name) => `, ${name}`).join('');
}

/** The condition that a task comes after the start of the page. Empty for the first page. */
export function beyondSql({ sortBy, direction, after }: Page): { text: string; values: (number | string)[] } {
  if (!after) return { text: '', values: [] };
  const sign = direction === 'asc' ? '>' : '<';
  return sortBy === 'id'
    ? { text: ` AND key${sign}?`, values: [after.key] }
    : { text: ` AND (${sortBy}, key)${sign}(?, ?)`, values: [after[sortBy], after.key] };
}

/** Columns of a candidate: its row (`row`) and its position in the order (`sorted`, `key`). */
export function candidateSql({ sortBy }: Page): string {
  return `rowid AS row, key, ${sortBy === 'id' ? '0' : sortBy} AS sorted`;
}

/** The key of a task is its padded id, so it sorts by id. */
export function orderSql({ sortBy, direction }: Page): string {
  return sortBy === 'id' ? `key ${direction}` : `${sortBy} ${direction}, key ${direction}`;
}
