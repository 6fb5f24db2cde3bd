import { z } from 'zod';
import type { FieldConflict, PartKind } from '../merge/parts.ts';

/**
 * The description of one collection. It yields the TypeScript type, the RxDB schema and the columns and
 * indexes of the SQLite table, on a station and in a console's replica.
 */
export interface CollectionShape<T extends z.ZodObject> {
  readonly name: string;
  readonly version: number;
  readonly record: T;
  /**
   * Index field lists; RxDB puts `_deleted` first and the primary key last. Indexed fields must be required
   * scalars.
   */
  readonly indexes: readonly (readonly (keyof z.infer<T> & string)[])[];
  /** Fields whose parts merge separately; see `shared/merge/parts.ts`. */
  readonly parts?: Readonly<Record<string, PartKind>>;
  /** The flag of a logical deletion: at a merge, an edit that the deletion did not see clears it. */
  readonly deletion?: keyof z.infer<T> & string;
  /** Computed fields, or fields without a meaning of their own: their conflicts are not reported. */
  readonly unreported?: readonly (keyof z.infer<T> & string)[] | 'all';
  /** Edits of different fields that contradict each other if neither author knew of the other. */
  readonly conflicts?: readonly FieldConflict<keyof z.infer<T> & string>[];
  /** Kinds whose conflicts are not reported. */
  readonly unreportedKinds?: readonly string[];
  /** The field with the id of the task that owns the record. */
  readonly task?: keyof z.infer<T> & string;
  /** Indexes of a station's table instead of `indexes`; unknown to RxDB. */
  readonly tableIndexes?: readonly TableIndex<keyof z.infer<T> & string>[];
  /** Indexes of a station's table over the records of one kind. Only hand-written SQL reads them. */
  readonly kindIndexes?: readonly KindIndex[];
}

/** SQL must name the kind and write a field as `json_extract(data, '$."field"')` to use it. */
export interface KindIndex {
  /** Its name in SQL. */
  readonly name: string;
  readonly kind: string;
  readonly fields: readonly string[];
}

/**
 * An index of a station's table; records that are not deleted come first. Its last fields may only filter, so
 * that rows which do not match are never read.
 */
export interface TableIndex<Field extends string = string> {
  /** Its name in hand-written SQL (`indexName` of the store). */
  readonly name: string;
  readonly fields: readonly (Field | `${Field}.${string}`)[];
  /** Omits records in which this field is 0 (none): a query uses the index if it says `field>0`. */
  readonly sparse?: Field;
}

export function collection<T extends z.ZodObject>(shape: CollectionShape<T>): CollectionShape<T> {
  return shape;
}

/** Decimal id, unique over all linked stations (see `shared/ids.ts`). */
export const Id = z.int().min(0).max(2_147_483_647).multipleOf(1);
/** In an indexed field 0 means none, never null or missing: RxDB and SQL sort those differently. */
export const IdOrNone = Id;
/** Milliseconds since 1970-01-01 UTC. */
export const Instant = z.int().min(0).max(9_007_199_254_740_990).multipleOf(1);
export const Flag = z.boolean();
export const Text = z.string();
/** A short text that may be indexed. */
export const Word = z.string().max(100);

/**
 * Hybrid-logical-clock stamps of a record: `base` applies to every field that is not in `fields`. Stamps are
 * fixed-width text and compare as strings: see `shared/merge/stamps.ts`.
 */
export const Stamps = z.object({ base: z.string().max(40), fields: z.record(z.string(), z.string()) });
export type Stamps = z.infer<typeof Stamps>;

/** The fields of every record: its key in the collection, its id, its stamps. */
export const recordFields = { key: z.string().max(60), id: Id, hlc: Stamps };
