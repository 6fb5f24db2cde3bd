/**
 * Parts of a record that merge separately. A `map` is an object whose values are edited one by one; `entries` is
 * an object of flat objects, of which each field is edited by itself; a `set` is an ascending list of ids, each
 * present or absent. The stamp of a part is stored under `field.part`, of `entries` under `field.entry.name`.
 */
export type PartKind = 'map' | 'entries' | 'set';

/** `field` set to `value` at one station, and any of the fields `against` set at another one. */
export interface FieldConflict<Field extends string = string> {
  readonly rule: string;
  readonly field: Field;
  readonly value: unknown;
  readonly against: readonly Field[];
}

/** How the records of a collection merge. */
export interface MergeShape {
  readonly parts?: Readonly<Record<string, PartKind>>;
  /** The flag of a logical deletion; an edit that the deletion did not see clears it. */
  readonly deletion?: string;
  /** Edits of different fields that contradict each other if neither author knew of the other. */
  readonly conflicts?: readonly FieldConflict[];
  /** Computed fields, or fields without a meaning of their own: their conflicts are not reported. */
  readonly unreported?: readonly string[] | 'all';
}

/** The parts of a value by name; in a set each element is a part, in entries each field of each. */
export function partsOf(value: unknown, kind: PartKind): Map<string, unknown> {
  if (kind === 'set') return new Map(Array.isArray(value) ? value.map((element) => [String(element), element]) : []);
  const parts = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (kind === 'map') return new Map(parts);
  return new Map(
    parts.flatMap(([entry, fields]) =>
      Object.entries(fields as object).map(([name, inner]): [string, unknown] => [`${entry}.${name}`, inner]),
    ),
  );
}

/** The value with these parts, in canonical form. */
export function valueOfParts(parts: ReadonlyMap<string, unknown>, kind: PartKind): unknown {
  if (kind === 'set') return ascending([...parts.values()] as number[]);
  const sorted = [...parts].sort(([a], [b]) => (a < b ? -1 : 1));
  if (kind === 'map') return Object.fromEntries(sorted);
  const entries: Record<string, Record<string, unknown>> = {};
  for (const [part, value] of sorted) {
    const dot = part.indexOf('.');
    (entries[part.slice(0, dot)] ??= {})[part.slice(dot + 1)] = value;
  }
  return entries;
}

/** The record with each set in ascending order; the same object if they already are. */
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
