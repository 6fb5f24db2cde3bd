import type { Predicate } from '../../predicates/predicate.ts';
import type { ByStatus, Stats } from '../stats-sql.ts';
import type { CodedColumn, ColumnCodes } from './columns.ts';
import { packedValue, type TaskColumns } from './task-columns.ts';
import { Selector } from './selection.ts';

const STATUSES = 5;

/** Counts tasks by status. Undefined: the columns do not hold every field of the predicate. */
export function countColumns(columns: TaskColumns, predicate: Predicate): ByStatus | undefined {
  const selector = Selector.of(predicate, columns);
  if (!selector) return undefined;
  const statusOf = statusByCode(columns);
  const total = new Uint32Array(STATUSES);
  for (let block = 0; block < columns.blocks; block++)
    count(selector.block(block), columns.state.block(block), statusOf, total);
  return byStatusAt(total, 0);
}

/** Like `readStats` of `stats-sql.ts`. Undefined: the columns do not hold every field of the predicate. */
export function statsOfColumns(columns: TaskColumns, predicate: Predicate): Stats | undefined {
  const selector = Selector.of(predicate, columns);
  if (!selector) return undefined;
  const statusOf = statusByCode(columns);
  const total = new Uint32Array(STATUSES);
  const groups = (['categoryId', 'typeId', 'organizationId', 'assignedOrganizationId'] as const).map((field) => {
    const column = columns.column(field);
    return { column, counts: new Uint32Array(column.values.length * STATUSES) };
  });
  for (let block = 0; block < columns.blocks; block++) {
    const rows = selector.block(block);
    const states = columns.state.block(block);
    count(rows, states, statusOf, total);
    for (const { column, counts } of groups) countGroups(rows, column.block(block), states, statusOf, counts);
  }
  const [categories, types, organizations, assignedOrganizations] = groups.map(({ column, counts }) =>
    inOrder(column, counts),
  ) as [Stats['types'], Stats['types'], Stats['types'], Stats['types']];
  return { total: byStatusAt(total, 0), categories, types, organizations, assignedOrganizations };
}

function statusByCode({ state }: TaskColumns): Uint8Array {
  return Uint8Array.from(state.values, (packed) => packedValue('status', packed));
}

function count(rows: Uint16Array, states: ColumnCodes, statusOf: Uint8Array, total: Uint32Array): void {
  for (let at = 0; at < rows.length; at++) total[statusOf[states[rows[at]!]!]!]!++;
}

function countGroups(
  rows: Uint16Array,
  codes: ColumnCodes,
  states: ColumnCodes,
  statusOf: Uint8Array,
  counts: Uint32Array,
): void {
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    counts[codes[row]! * STATUSES + statusOf[states[row]!]!]!++;
  }
}

function byStatusAt(counts: Uint32Array, code: number): ByStatus {
  return [0, ...counts.subarray(code * STATUSES + 1, (code + 1) * STATUSES)];
}

/** An entry for each id that has tasks, except 0 (none). */
function inOrder({ values }: CodedColumn, counts: Uint32Array): [id: number, byStatus: ByStatus][] {
  const all = values.map((id, code): [number, ByStatus] => [id, byStatusAt(counts, code)]);
  return all.filter(([id, byStatus]) => id !== 0 && byStatus.some((count) => count > 0)).sort(([a], [b]) => a - b);
}
