import type { ScalarField } from '../../predicates/predicate.ts';
import { BLOCK, CodedColumn, NotHeld, NumberColumn } from './columns.ts';

/** Small fields that share a column, each with its number of possible values. */
const PACKED = {
  'isDeleted': 2,
  'archived': 2,
  'restricted': 2,
  'has-point': 2,
  'status': 5,
  'confirmed': 3,
  'notice': 3,
} as const satisfies Partial<Record<ScalarField | 'has-point', number>>;
const CODED = [
  'organizationId',
  'assignedOrganizationId',
  'typeId',
  'categoryId',
  'authorId',
  'assignedUserId',
  'assignedVehicleId',
  'photos',
  'videos',
  'files',
  'sounds',
] as const satisfies readonly ScalarField[];
const NUMBERS = ['date', 'updatedAt'] as const satisfies readonly ScalarField[];

type PackedField = keyof typeof PACKED;
type CodedField = (typeof CODED)[number];
type NumberField = (typeof NUMBERS)[number];
const PACKED_FIELDS = Object.keys(PACKED) as PackedField[];

/** The fields held of each task, in the order of the arguments of `set`. */
export const HELD: readonly (PackedField | CodedField | NumberField)[] = [...PACKED_FIELDS, ...CODED, ...NUMBERS];

/** The column of a field; `valueOf` extracts the value from the meaning of a code. */
export type Held =
  | { readonly kind: 'codes'; readonly column: CodedColumn; readonly valueOf: (meant: number) => number }
  | { readonly kind: 'numbers'; readonly column: NumberColumn };

/** Above this the memory (some 30 bytes a task) is not worth the faster counting. */
const MAX_ROWS = 4 * 2 ** 20;

/**
 * The fields by which tasks are usually counted, in memory, by row number of the table. Fields and values
 * that do not fit are never confused with others: `heldOf` returns undefined for an unknown field; `set`
 * throws `NotHeld` for an invalid value or too many rows, and the columns are then unusable.
 */
export class TaskColumns {
  /** The packed small fields of each row; 0: no task. */
  readonly state = new CodedColumn();
  readonly #coded = CODED.map(() => new CodedColumn());
  readonly #numbers = NUMBERS.map(() => new NumberColumn());
  /** Allocated blocks. */
  blocks = 0;

  /** @param values those of `HELD`; flags are 0 and 1 */
  set(row: number, values: readonly unknown[]): void {
    this.#reach(row);
    let at = 0;
    let state = 1;
    let place = 2;
    for (const field of PACKED_FIELDS) {
      const value = numberOf(values[at++]);
      if (!Number.isInteger(value) || value < 0 || value >= PACKED[field]) throw new NotHeld(`${field} is ${value}.`);
      state += value * place;
      place *= PACKED[field];
    }
    for (const column of this.#coded) column.set(row, numberOf(values[at++]));
    for (const column of this.#numbers) column.set(row, numberOf(values[at++]));
    this.state.set(row, state);
  }

  /** Removes the task of this row. */
  remove(row: number): void {
    if (row < this.blocks * BLOCK) this.state.set(row, 0);
  }

  column(field: CodedField): CodedColumn {
    return this.#coded[CODED.indexOf(field)]!;
  }

  /** Undefined: the field is not held. */
  heldOf(field: ScalarField | 'has-point'): Held | undefined {
    if (field in PACKED)
      return { kind: 'codes', column: this.state, valueOf: (state) => packedValue(field as PackedField, state) };
    const coded = this.#coded[(CODED as readonly string[]).indexOf(field)];
    if (coded) return { kind: 'codes', column: coded, valueOf: (value) => value };
    const column = this.#numbers[(NUMBERS as readonly string[]).indexOf(field)];
    return column && { kind: 'numbers', column };
  }

  #reach(row: number): void {
    if (row >= MAX_ROWS) throw new NotHeld('There are too many messages.');
    for (; row >= this.blocks * BLOCK; this.blocks++)
      for (const column of [this.state, ...this.#coded, ...this.#numbers]) column.grow();
  }
}

function numberOf(value: unknown): number {
  if (typeof value !== 'number') throw new NotHeld('What should be a number is none.');
  return value;
}

/** A small field of a packed state; 0 if there is no task. */
export function packedValue(field: PackedField, state: number): number {
  let place = 2;
  for (const before of PACKED_FIELDS) {
    if (before === field) break;
    place *= PACKED[before];
  }
  return Math.floor(state / place) % PACKED[field];
}
