import type { Caller } from '../../access/accounts/index.ts';
import type { ImportField, ImportKind, RowValues } from './fields.ts';

/** Records that an import writes, through the rules of their room. */
export interface ImportTarget {
  readonly kind: ImportKind;
  fields(): readonly ImportField[];
  /**
   * Fields by which a row finds the record that it is about, in this order. Where none has a value that a record
   * has, the row is a new record.
   */
  readonly keys: readonly string[];
  /** Fields whose values no two records share. */
  readonly unique: readonly string[];
  /** Records that the caller sees, with their names; for columns that name them. */
  names(caller: Caller, of: string): Iterable<{ readonly id: number; readonly name: string }>;
  /** The records that the caller sees, to be found by their keys. */
  ids(caller: Caller): Iterable<number>;
  /** Whether the caller sees this record. */
  sees(caller: Caller, id: number): boolean;
  /** The values of a record; undefined: there is none, or it is deleted. */
  valuesOf(id: number): RowValues | undefined;
  /** Throws what creating (`id` undefined) or changing the record would throw. Writes nothing. */
  check(caller: Caller, id: number | undefined, values: RowValues): void;
  /** An id for a new record. */
  takeId(): number;
  create(caller: Caller, id: number, values: RowValues): Promise<unknown>;
  change(caller: Caller, id: number, values: RowValues): Promise<unknown>;
  remove(caller: Caller, id: number): Promise<unknown>;
}
