import type { Sorting } from '../../ui/lists/sorting.ts';
import type { VehicleRow } from '../../lib/stores/vehicles.ts';

export const VEHICLE_COLUMNS = ['name', 'plate', 'group', 'drivers', 'status', 'task', 'speed', 'seen'] as const;
export type VehicleColumn = (typeof VEHICLE_COLUMNS)[number];

/** Texts of the table about a vehicle besides its row. */
interface VehicleTexts {
  group(row: VehicleRow): string;
  drivers(row: VehicleRow): string;
}

/**
 * Sorts the rows, which come ordered by name. Unknown values come last in both directions; equal rows keep
 * their order by name.
 */
export function sortVehicles(
  rows: readonly VehicleRow[],
  { by, descending }: Sorting<VehicleColumn>,
  texts: VehicleTexts,
  collator: Intl.Collator,
): readonly VehicleRow[] {
  const key = keysOf(rows, by, texts, collator);
  const order = rows.map((_, index) => index);
  order.sort((one, other) => {
    const [a, b] = [key[one]!, key[other]!];
    if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b)) || one - other;
    return (descending ? b - a : a - b) || one - other;
  });
  return order.map((index) => rows[index]!);
}

/**
 * One number for each row: thousands of them are compared some ten times each, and numbers are compared in no
 * time.
 */
function keysOf(
  rows: readonly VehicleRow[],
  by: VehicleColumn,
  texts: VehicleTexts,
  collator: Intl.Collator,
): Float64Array {
  switch (by) {
    case 'name':
      return Float64Array.from(rows, (_, index) => index);
    case 'plate':
      return ranksOf(
        rows.map((row) => row.vehicle.plate),
        collator,
      );
    case 'group':
      return ranksOf(rows.map(texts.group), collator);
    case 'drivers':
      return ranksOf(rows.map(texts.drivers), collator);
    case 'status':
      return Float64Array.from(rows, (row) => row.status ?? NaN);
    case 'task':
      return Float64Array.from(rows, (row) => row.task?.id ?? NaN);
    case 'speed':
      return Float64Array.from(rows, (row) => (row.seenAt === undefined ? NaN : row.speed));
    case 'seen':
      return Float64Array.from(rows, (row) => row.seenAt ?? NaN);
  }
}

/** The rank of each text among the distinct ones; empty texts have none. */
function ranksOf(texts: readonly string[], collator: Intl.Collator): Float64Array {
  const ranks = new Map(
    [...new Set(texts)]
      .filter(Boolean)
      .sort(collator.compare)
      .map((text, index) => [text, index]),
  );
  return Float64Array.from(texts, (text) => ranks.get(text) ?? NaN);
}
