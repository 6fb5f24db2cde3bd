import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '../../../shared/refusal.ts';
import type { Reason } from '../../../shared/refusals/reason.ts';
import type { Caller } from '../../access/accounts/index.ts';
import { readCell, settleNames, type CellContext } from './cells.ts';
import type { CellFault, Fate, ImportField, RowValues } from './fields.ts';
import type { RecordIndex } from './record-index.ts';
import type { TableRow } from './reading/table.ts';
import { isEmpty } from './reading/rows-builder.ts';
import type { ImportTarget } from './target.ts';

export interface PlanContext extends CellContext {
  readonly target: ImportTarget;
  readonly caller: Caller;
  readonly index: RecordIndex;
  /** The field of each column; undefined: the column is left out. */
  readonly columns: readonly (ImportField | undefined)[];
  /** Values for rows whose cell is empty or missing. */
  readonly defaults: RowValues;
}

/** Fate of a row, by the rules of its record. */
export function planRow([line, cells]: TableRow, context: PlanContext): Fate {
  const { target, caller, index, columns, defaults } = context;
  const faults: CellFault[] = [];
  const values: Record<string, unknown> = { ...defaults };
  columns.forEach((field, column) => {
    const cell = cells[column];
    if (!field || cell === null || cell === undefined || isEmpty(cell)) return;
    const read = trying(() => readCell(cell, field.type, context));
    if ('reason' in read) faults.push({ column, reason: read.reason });
    else values[field.name] = read.value;
  });
  if (faults.length > 0) return { kind: 'refused', faults };

  const keys = index.keysOf(values);
  const found = trying(() => index.find(values, keys));
  if ('reason' in found)
    return { kind: 'refused', faults: [{ column: columnOf(columns, 'id'), reason: found.reason }] };
  const id = found.value;
  const taken = index.take(line, id, values, keys);
  if (taken)
    return { kind: 'refused', faults: [{ column: columnOf(columns, taken.field), reason: reasonOf(taken.reason) }] };

  const stored = id === undefined ? undefined : target.valuesOf(id);
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    if (name === 'id') continue;
    const settled = trying(() => settleNames(value, stored?.[name]));
    if ('reason' in settled) faults.push({ column: columnOf(columns, name), reason: settled.reason });
    else given[name] = settled.value;
  }
  if (faults.length > 0) return { kind: 'refused', faults };
  const differing = Object.keys(given).filter((name) => !isSame(given[name], stored?.[name]));
  if (id !== undefined && differing.length === 0) return { kind: 'same', id };
  const wanted = stored ? pick(given, differing) : given;
  const checked = trying(() => target.check(caller, id, wanted));
  if ('reason' in checked)
    return { kind: 'refused', faults: [{ column: columnOfReason(columns, checked.reason), reason: checked.reason }] };
  if (id === undefined) return { kind: 'new', values: given };
  return { kind: 'changed', id, before: pick(stored!, differing), after: wanted };
}

/** Most values are plain, and comparing those needs no call. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || isDeepStrictEqual(one, other);
}

function trying<T>(work: () => T): { readonly value: T } | { readonly reason: Reason } {
  try {
    return { value: work() };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { reason: reasonOf(error) };
  }
}

export function reasonOf({ code, params }: Refusal): Reason {
  return { code, params };
}

function columnOf(columns: PlanContext['columns'], name: string): number | undefined {
  const column = columns.findIndex((field) => field?.name === name);
  return column < 0 ? undefined : column;
}

/** The column of the field that a refusal names. */
function columnOfReason(columns: PlanContext['columns'], { params }: Reason): number | undefined {
  const named = params['field'];
  if (typeof named !== 'string') return undefined;
  const column = columns.findIndex((field) => field && (field.inRefusals ?? field.name) === named);
  return column < 0 ? undefined : column;
}

export function pick(values: RowValues, names: readonly string[]): RowValues {
  return Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
}
