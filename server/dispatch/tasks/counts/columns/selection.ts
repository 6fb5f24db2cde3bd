import type { Predicate, ScalarField } from '../../predicates/predicate.ts';
import { BLOCK, type CodedColumn, type ColumnCodes, type NumberColumn } from './columns.ts';
import type { TaskColumns } from './task-columns.ts';

/** A predicate over columns. */
type ColumnSelection =
  /** 1 for each code that passes, else 0. */
  | { readonly kind: 'codes'; readonly column: CodedColumn; readonly passes: Uint8Array }
  | { readonly kind: 'between'; readonly column: NumberColumn; readonly least: number; readonly most: number }
  | { readonly kind: 'all' | 'any'; readonly of: readonly ColumnSelection[] }
  | { readonly kind: 'not'; readonly of: ColumnSelection };

/** Finds the rows of tasks that satisfy a predicate, block by block. */
export class Selector {
  readonly #selection: ColumnSelection;
  readonly #rows = new Uint16Array(BLOCK);
  /** One buffer for each nesting depth, reused because blocks are evaluated in turn. */
  readonly #marks: Uint8Array<ArrayBuffer>[] = [];

  private constructor(selection: ColumnSelection) {
    this.#selection = selection;
  }

  /**
   * Undefined: the columns do not hold every field of the predicate. The result is valid only for the current
   * contents of the columns.
   */
  static of(predicate: Predicate, columns: TaskColumns): Selector | undefined {
    const selection = selectionOf(predicate, columns);
    const present: ColumnSelection = {
      kind: 'codes',
      column: columns.state,
      passes: Uint8Array.from(columns.state.values, (state) => (state > 0 ? 1 : 0)),
    };
    return selection && new Selector(join('all', [present, selection]));
  }

  /** The selected rows of a block, as offsets in it. Valid until the next call. */
  block(at: number): Uint16Array {
    const marks = this.#mark(this.#selection, at, 0);
    const rows = this.#rows;
    let found = 0;
    // Branch-free: the branch would be mispredicted too often.
    for (let row = 0; row < BLOCK; row++) {
      rows[found] = row;
      found += marks[row]!;
    }
    return rows.subarray(0, found);
  }

  /** 1 for each selected row of the block, else 0. */
  #mark(selection: ColumnSelection, at: number, depth: number): Uint8Array<ArrayBuffer> {
    const marks = (this.#marks[depth] ??= new Uint8Array(BLOCK));
    switch (selection.kind) {
      case 'codes': {
        markCodes(selection.column.block(at), selection.passes, marks);
        break;
      }
      case 'between': {
        markBetween(selection.column.block(at), selection.least, selection.most, marks);
        break;
      }
      case 'not': {
        const words = new Uint32Array(this.#mark(selection.of, at, depth).buffer);
        for (let word = 0; word < words.length; word++) words[word]! ^= 0x01010101;
        break;
      }
      case 'all':
      case 'any': {
        const [first, ...others] = selection.of;
        this.#mark(first!, at, depth);
        const words = new Uint32Array(marks.buffer);
        for (const other of others) {
          const more = new Uint32Array(this.#mark(other, at, depth + 1).buffer);
          if (selection.kind === 'all') for (let word = 0; word < words.length; word++) words[word]! &= more[word]!;
          else for (let word = 0; word < words.length; word++) words[word]! |= more[word]!;
        }
      }
    }
    return marks;
  }
}

function markCodes(codes: ColumnCodes, passes: Uint8Array, marks: Uint8Array): void {
  for (let row = 0; row < BLOCK; row++) marks[row] = passes[codes[row]!]!;
}

function markBetween(numbers: Float64Array, least: number, most: number, marks: Uint8Array): void {
  for (let row = 0; row < BLOCK; row++) marks[row] = numbers[row]! >= least && numbers[row]! <= most ? 1 : 0;
}

function selectionOf(predicate: Predicate, columns: TaskColumns): ColumnSelection | undefined {
  switch (predicate.kind) {
    case 'always':
    case 'never':
      return constant(predicate.kind === 'always', columns);
    case 'all':
    case 'any': {
      if (predicate.of.length === 0) return constant(predicate.kind === 'all', columns);
      const parts = predicate.of.map((part) => selectionOf(part, columns));
      return parts.every((part) => part !== undefined) ? join(predicate.kind, parts) : undefined;
    }
    case 'not': {
      const of = selectionOf(predicate.of, columns);
      return of?.kind === 'codes'
        ? { ...of, passes: of.passes.map((passes) => 1 - passes) }
        : of && { kind: 'not', of };
    }
    case 'in':
      return ofField(
        predicate.field,
        columns,
        (value) => predicate.values.includes(value),
        predicate.values.map((value) => [value, value]),
      );
    case 'between':
      return ofField(predicate.field, columns, (value) => value >= predicate.least && value <= predicate.most, [
        [predicate.least, predicate.most],
      ]);
    case 'has-point':
      return ofField('has-point', columns, (value) => value === 1, []);
    case 'test':
      return undefined;
  }
}

/** @param spans the same as `passes`, for columns of numbers */
function ofField(
  field: ScalarField | 'has-point',
  columns: TaskColumns,
  passes: (value: number) => boolean,
  spans: readonly (readonly [least: number, most: number])[],
): ColumnSelection | undefined {
  const held = columns.heldOf(field);
  if (!held) return undefined;
  if (held.kind === 'codes')
    return {
      kind: 'codes',
      column: held.column,
      passes: Uint8Array.from(held.column.values, (meant) => Number(passes(held.valueOf(meant)))),
    };
  return join(
    'any',
    spans.map(([least, most]) => ({ kind: 'between', column: held.column, least, most })),
  );
}

function constant(passes: boolean, { state }: TaskColumns): ColumnSelection {
  return { kind: 'codes', column: state, passes: new Uint8Array(state.values.length).fill(Number(passes)) };
}

/** Conditions on one column are combined. */
function join(kind: 'all' | 'any', parts: readonly ColumnSelection[]): ColumnSelection {
  const joined: ColumnSelection[] = [];
  for (const part of parts.flatMap((one) => (one.kind === kind ? one.of : [one]))) {
    const at =
      part.kind === 'codes' ? joined.findIndex((other) => other.kind === 'codes' && other.column === part.column) : -1;
    const same = joined[at];
    if (part.kind === 'codes' && same?.kind === 'codes')
      joined[at] = {
        ...part,
        passes: part.passes.map((passes, code) =>
          kind === 'all' ? passes & same.passes[code]! : passes | same.passes[code]!,
        ),
      };
    else joined.push(part);
  }
  return joined.length === 1 ? joined[0]! : { kind, of: joined };
}
