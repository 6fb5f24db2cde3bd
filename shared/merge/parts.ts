/**
 * Parts of a record that merge by themselves. A `map` is an object whose values are edited one by one; a `set`
 * is an ascending list of ids of which each is in it or not. The stamp of a part stands under `field.part`.
 */
export type PartKind = 'map' | 'set';

/** `field` set to `value` at one station, and any of the fields `against` set at another one. */
export interface Clash {
  readonly rule: string;
  readonly field: string;
  readonly value: unknown;
  readonly against: readonly string[];
}

/** What a collection says about merging its records. */
export interface MergeShape {
  readonly parts?: Readonly<Record<string, PartKind>>;
  /** The flag of a logical deletion: an edit that the deletion did not see clears it. */
  readonly deletion?: string;
  /** Edits of different fields that contradict each other when neither author knew of the other. */
  readonly clashes?: readonly Clash[];
  /** Fields that a program works out or that mean nothing alone: no conflict is reported about them. */
  readonly unreported?: readonly string[] | 'all';
}

/** The parts of a value by name; of a set each element by itself. */
export function partsOf(value: unknown, kind: PartKind): Map<string, unknown> {
  if (kind === 'set') return new Map(Array.isArray(value) ? value.map((element) => [String(element), element]) : []);
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

/** The value that has these parts, written in one way only. */
export function valueOfParts(parts: ReadonlyMap<string, unknown>, kind: PartKind): unknown {
  if (kind === 'set') return ascending([...parts.values()] as number[]);
  return Object.fromEntries([...parts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The record with each set in ascending order; itself when they are. */
export function withSetsInOrder<T extends object>(record: T, { parts }: MergeShape): T {
  let ordered = record;
  for (const field in parts) {
    const value = (record as Record<string, unknown>)[field];
    if (parts[field] === 'set' && Array.isArray(value) && !isAscending(value as number[]))
      ordered = { ...ordered, [field]: ascending(value as number[]) };
  }
  return ordered;
}

function ascending(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}

function isAscending(ids: readonly number[]): boolean {
  for (let i = 1; i < ids.length; i++) if (!(ids[i - 1]! < ids[i]!)) return false;
  return true;
}
