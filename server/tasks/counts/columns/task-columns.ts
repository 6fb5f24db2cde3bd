import type { ScalarField } from '../../predicates/predicate.ts';
import { BLOCK, CodedColumn, NotHeld, NumberColumn } from './columns.ts';

/** Small fields that share a column, and for how many values each has room there. */
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

/** What is held of each message, in the order in which `set` takes it. */
export const HELD: readonly (PackedField | CodedField | NumberField)[] = [...PACKED_FIELDS, ...CODED, ...NUMBERS];

/** Where a field is held: `valueOf` says what it is by what a code means. */
export type Held =
  | { readonly kind: 'codes'; readonly column: CodedColumn; readonly valueOf: (meant: number) => number }
  | { readonly kind: 'numbers'; readonly column: NumberColumn };

/** More would take more memory than counting is worth: a message takes some 30 bytes. */
const MOST_ROWS = 4 * 2 ** 20;

/**
 * What messages are usually counted by, in memory, by the number of their row in the table. Fields that are
 * not held, values that our rules do not let in and too many rows are never mistaken for others: `heldOf`
 * does not know the field, and `set` throws a `NotHeld`, after which the columns are of no use.
 */
export class TaskColumns {
  /** Of each row the small fields, packed; 0 where there is no message. */
  readonly state = new CodedColumn();
  readonly #coded = CODED.map(() => new CodedColumn());
  readonly #numbers = NUMBERS.map(() => new NumberColumn());
  /** Of so many rows each. */
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

  /** There is no message in this row any more. */
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
    if (row >= MOST_ROWS) throw new NotHeld('There are too many messages.');
    for (; row >= this.blocks * BLOCK; this.blocks++)
      for (const column of [this.state, ...this.#coded, ...this.#numbers]) column.grow();
  }
}

function numberOf(value: unknown): number {
  if (typeof value !== 'number') throw new NotHeld('What should be a number is none.');
  return value;
}

/** A small field of a packed state; of the state of no message 0. */
export function packedValue(field: PackedField, state: number): number {
  let place = 2;
  for (const before of PACKED_FIELDS) {
    if (before === field) break;
    place *= PACKED[before];
  }
  return Math.floor(state / place) % PACKED[field];
}
