import { z } from 'zod';
import type { Clash, PartKind } from '../merge/parts.ts';

/**
 * What one collection of the store holds. From this one description come the TypeScript type, the RxDB schema
 * and the columns and indexes of the SQLite table, on a station and in a console's replica alike.
 */
export interface CollectionShape<T extends z.ZodObject> {
  readonly name: string;
  readonly version: number;
  readonly record: T;
  /**
   * Index field lists; RxDB puts `_deleted` before and the primary key behind each. Indexed fields must be
   * required scalars.
   */
  readonly indexes: readonly (readonly (keyof z.infer<T> & string)[])[];
  /** Fields whose parts merge by themselves; see `shared/merge/parts.ts`. */
  readonly parts?: Readonly<Record<string, PartKind>>;
  /** The flag of a logical deletion: an edit that the deletion did not see clears it at a merge. */
  readonly deletion?: string;
  /** Fields that a program works out or that mean nothing alone: their conflicts are not reported. */
  readonly unreported?: readonly (keyof z.infer<T> & string)[] | 'all';
  /** Edits of different fields that contradict each other when neither author knew of the other. */
  readonly clashes?: readonly Clash[];
  /** Kinds of which no conflict is reported. */
  readonly unreportedKinds?: readonly string[];
  /** The field with the id of the task to which a record belongs. */
  readonly task?: keyof z.infer<T> & string;
  /** What a station's table has instead of `indexes`; RxDB does not know of these. */
  readonly tableIndexes?: readonly TableIndex<keyof z.infer<T> & string>[];
}

/**
 * An index of a station's table, not deleted records first. It may end with fields that are only filtered by,
 * so that rows which do not match are never read.
 */
export interface TableIndex<Field extends string = string> {
  /** By which hand-written SQL names it (`indexName` of the store's door). */
  readonly name: string;
  readonly fields: readonly (Field | `${Field}.${string}`)[];
  /**
   * Records in which this field is 0 (none) are left out: a query finds the index by `field>0` beside its
   * other conditions.
   */
  readonly sparse?: Field;
}

export function collection<T extends z.ZodObject>(shape: CollectionShape<T>): CollectionShape<T> {
  return shape;
}

/** Decimal id, unique over all linked stations (see `shared/ids.ts`). */
export const Id = z.int().min(0).max(2_147_483_647).multipleOf(1);
/**
 * In an indexed field "none" is 0 and never null or missing: RxDB and SQL do not agree on the order of those.
 */
export const IdOrNone = Id;
/** Milliseconds since 1970-01-01 UTC. */
export const Instant = z.int().min(0).max(9_007_199_254_740_990).multipleOf(1);
export const Flag = z.boolean();
export const Text = z.string();
/** A short string that may be indexed. */
export const Word = z.string().max(100);

/**
 * Hybrid-logical-clock stamps of a record: `base` holds for every field that is not in `fields`.
 * A stamp is fixed-width text, so that stamps compare as strings: see `shared/merge/stamps.ts`.
 */
export const Stamps = z.object({ base: z.string().max(40), fields: z.record(z.string(), z.string()) });
export type Stamps = z.infer<typeof Stamps>;

/** What every record has: its key in the collection, its id, its stamps. */
export const recordFields = { key: z.string().max(60), id: Id, hlc: Stamps };
