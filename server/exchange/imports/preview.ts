import { randomUUID } from 'node:crypto';
import { Refusal } from '../../../shared/refusal.ts';
import type { ZonedTime } from '../../../shared/zoned-time.ts';
import type { Caller } from '../../access/accounts/index.ts';
import { readCell } from './cells.ts';
import type { CellFault, Fate, FateKind, ImportField, RowValues } from './fields.ts';
import { planRow, type PlanContext } from './plan-row.ts';
import { RecordIndex } from './record-index.ts';
import type { SourceTable, TableRow } from './reading/table.ts';
import type { ImportTarget } from './target.ts';
import { TurnBudget } from './turn-budget.ts';

const FATES: readonly FateKind[] = ['new', 'changed', 'same', 'refused'];

export interface PreviewRow {
  readonly row: TableRow;
  readonly fate: FateKind;
  readonly faults: readonly CellFault[];
  /** The fields that change. */
  readonly changes: readonly string[];
}

type RowDetails = Pick<PreviewRow, 'faults' | 'changes'>;

/** A file that was read and not written yet. */
export class ImportPreview {
  readonly id = randomUUID();
  readonly target: ImportTarget;
  readonly table: SourceTable;
  readonly file: string;
  readonly caller: Caller;
  readonly zone: ZonedTime;
  columns: readonly (string | null)[] = [];
  /** Values for empty cells, by fields, as a cell would have them. */
  defaults: Readonly<Record<string, string>> = {};
  counts: Readonly<Record<FateKind, number>> = { new: 0, changed: 0, same: 0, refused: 0 };
  usedAt = 0;
  #fates: Uint8Array;
  #details: ReadonlyMap<number, RowDetails> = new Map();

  constructor(parts: { target: ImportTarget; table: SourceTable; file: string; caller: Caller; zone: ZonedTime }) {
    this.target = parts.target;
    this.table = parts.table;
    this.#fates = new Uint8Array(parts.table.rows).fill(FATES.indexOf('refused'));
    this.counts = { ...this.counts, refused: parts.table.rows };
    this.file = parts.file;
    this.caller = parts.caller;
    this.zone = parts.zone;
  }

  /** Checks every row again. */
  async judge(columns: readonly (string | null)[], defaults: Readonly<Record<string, string>>): Promise<void> {
    const context = await this.#context(columns, defaults);
    const fates = new Uint8Array(this.table.rows);
    const counts: Record<FateKind, number> = { new: 0, changed: 0, same: 0, refused: 0 };
    const turns = new TurnBudget();
    const details = new Map<number, RowDetails>();
    let index = 0;
    for (const chunk of this.table.chunks) {
      for (const row of rowsOf(chunk)) {
        const fate = planRow(row, context);
        counts[fate.kind]++;
        fates[index] = FATES.indexOf(fate.kind);
        if (fate.kind === 'refused') details.set(index, { faults: fate.faults, changes: [] });
        if (fate.kind === 'changed') details.set(index, { faults: [], changes: Object.keys(fate.after) });
        index++;
        await turns.pause();
      }
    }
    this.columns = columns;
    this.defaults = defaults;
    this.counts = counts;
    this.#fates = fates;
    this.#details = details;
  }

  /** The fates of the rows of each chunk, judged now. */
  async *plan(turns: TurnBudget): AsyncGenerator<readonly Fate[]> {
    const context = await this.#context(this.columns, this.defaults);
    for (const chunk of this.table.chunks) {
      const fates: Fate[] = [];
      for (const row of rowsOf(chunk)) {
        fates.push(planRow(row, context));
        await turns.pause();
      }
      yield fates;
    }
  }

  /** Rows of a fate, in the order of the file. */
  async rows(fate: FateKind | undefined, offset: number, limit: number): Promise<PreviewRow[]> {
    const { chunks, firstRows } = this.table;
    const [fates, details] = [this.#fates, this.#details];
    const turns = new TurnBudget();
    const found: PreviewRow[] = [];
    let [chunk, rows]: [number, readonly TableRow[]] = [-1, []];
    for (const index of indexesOf(fates, fate, offset, limit)) {
      const before = chunk;
      while (chunk + 1 < firstRows.length && firstRows[chunk + 1]! <= index) chunk++;
      if (chunk !== before) {
        await turns.pause();
        rows = rowsOf(chunks[chunk]!);
      }
      const { faults = [], changes = [] } = details.get(index) ?? {};
      found.push({ row: rows[index - firstRows[chunk]!]!, fate: FATES[fates[index]!]!, faults, changes });
    }
    return found;
  }

  async #context(names: readonly (string | null)[], defaults: Readonly<Record<string, string>>): Promise<PlanContext> {
    const { target, caller, zone } = this;
    const fields = new Map(target.fields().map((field) => [field.name, field]));
    const columns = this.table.heads.map((_, column) => fieldNamed(fields, names[column] ?? null));
    requireOnce(columns);
    const filled = Object.entries(defaults).flatMap(([name, value]) => {
      const field = fieldNamed(fields, name);
      return field && value.trim() !== '' ? [{ field, value }] : [];
    });
    const named = namedIn([...columns, ...filled.map(({ field }) => field)]);
    const index = await RecordIndex.of(target, caller, named, new TurnBudget());
    const { idsOf } = index;
    const read: Record<string, unknown> = {};
    for (const { field, value } of filled) read[field.name] = readCell(value, field.type, { zone, idsOf });
    return { target, caller, index, columns, defaults: read as RowValues, zone, idsOf };
  }
}

/** Which rows have this fate. */
function indexesOf(fates: Uint8Array, fate: FateKind | undefined, offset: number, limit: number): number[] {
  const wanted = fate === undefined ? undefined : FATES.indexOf(fate);
  const found: number[] = [];
  let skipped = 0;
  for (let index = 0; index < fates.length && found.length < limit; index++) {
    if (wanted !== undefined && fates[index] !== wanted) continue;
    if (skipped++ >= offset) found.push(index);
  }
  return found;
}

function rowsOf(chunk: Uint8Array): readonly TableRow[] {
  return JSON.parse(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('utf8')) as TableRow[];
}

function fieldNamed(fields: ReadonlyMap<string, ImportField>, name: string | null): ImportField | undefined {
  if (name === null) return undefined;
  const field = fields.get(name);
  if (!field) throw new Refusal('imports.unknownField', { name });
  return field;
}

/** The kinds of records that the fields name. */
function namedIn(fields: readonly (ImportField | undefined)[]): Set<string> {
  return new Set(fields.flatMap((field) => (field && 'of' in field.type ? [field.type.of] : [])));
}

function requireOnce(columns: readonly (ImportField | undefined)[]): void {
  const names = columns.flatMap((field) => field?.name ?? []);
  if (names.length === 0) throw new Refusal('imports.noColumns');
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Refusal('imports.fieldTwice', { name: twice });
}
