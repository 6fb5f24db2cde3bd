import type { Sorting } from '../../../ui/lists/sorting.ts';
import type { StopPlace } from '../plan/stops.ts';

/** Travel times and, if the station sends them, lengths from every row to every column. */
export interface TravelTable {
  readonly rows: readonly StopPlace[];
  readonly columns: readonly StopPlace[];
  /** Seconds; undefined: there is no way. */
  readonly times: readonly (readonly (number | undefined)[])[];
  /** Metres, as `times`; undefined: the station did not send them. */
  readonly distances: readonly (readonly (number | undefined)[])[] | undefined;
}

/** Value in an answer of /table where there is no way. */
const NO_WAY = 2_147_483_647;
/** Points of one /table, rows and columns counted together. */
export const MAX_POINTS = 500;

interface TableAnswer {
  /** tenths of a second */
  readonly distance_table: readonly (readonly number[])[];
  /** metres */
  readonly distances?: readonly (readonly (number | null)[])[];
}

export function tableAddress(rows: readonly StopPlace[], columns: readonly StopPlace[], profile: string): string {
  const points = (name: string, places: readonly StopPlace[]) =>
    places.map(({ lat, lon }) => `${name}=${lat.toFixed(6)},${lon.toFixed(6)}`);
  return `/table?${[...points('src', rows), ...points('dst', columns), 'distances=true', ...(profile ? [`profile=${profile}`] : [])].join('&')}`;
}

export function readTravelTable(
  rows: readonly StopPlace[],
  columns: readonly StopPlace[],
  answer: TableAnswer,
): TravelTable {
  return {
    rows,
    columns,
    times: answer.distance_table.map((row) => row.map((tenths) => (tenths === NO_WAY ? undefined : tenths / 10))),
    distances: answer.distances?.map((row) => row.map((metres) => metres ?? undefined)),
  };
}

/**
 * Keys that identify each row from one answer to the next: a vehicle, which may occur several times, else a
 * place of the list.
 */
export function rowKeys(rows: readonly StopPlace[]): readonly string[] {
  const times = new Map<number, number>();
  return rows.map(({ vehicleId }, index) => {
    if (vehicleId === undefined) return `place ${index}`;
    const time = times.get(vehicleId) ?? 0;
    times.set(vehicleId, time + 1);
    return `vehicle ${vehicleId} ${time}`;
  });
}

/** Rows stand by the times to one column, or by name. */
export type TableSorting = Sorting<'name' | number>;

/** Sorts the rows; those without a route come last in both directions. */
export function sortedRows(
  { rows, times }: TravelTable,
  { by, descending }: TableSorting,
  language: string,
): readonly number[] {
  const names = new Intl.Collator(language, { numeric: true });
  const sign = descending ? -1 : 1;
  const byName = (one: number, other: number) => names.compare(rows[one]!.label, rows[other]!.label);
  return rows
    .map((_, index) => index)
    .sort((one, other) => {
      if (by === 'name') return sign * byName(one, other);
      const [first, second] = [times[one]![by], times[other]![by]];
      if (first === undefined || second === undefined)
        return Number(first === undefined) - Number(second === undefined) || byName(one, other);
      return sign * (first - second) || byName(one, other);
    });
}

/** The row with the least time to each column; undefined if none has a route. */
export function nearestRows({ times, columns }: TravelTable): readonly (number | undefined)[] {
  return columns.map((_, column) => {
    let best: number | undefined;
    times.forEach((row, index) => {
      const time = row[column];
      if (time !== undefined && (best === undefined || time < times[best]![column]!)) best = index;
    });
    return best;
  });
}

/**
 * The table as CSV for spreadsheets: semicolons, quoted cells, minutes with decimals and kilometres. Names
 * that a spreadsheet would take for a formula are escaped.
 */
export function csvOf(
  table: TravelTable,
  order: readonly number[],
  words: {
    readonly from: string;
    readonly minutes: (place: string) => string;
    readonly kilometres: (place: string) => string;
  },
): string {
  const { rows, columns, times, distances } = table;
  const number = (value: number | undefined, per: number, digits: number) =>
    value === undefined ? '' : (value / per).toFixed(digits);
  const lines = [
    [
      words.from,
      ...columns.flatMap(({ label }) => [words.minutes(label), ...(distances ? [words.kilometres(label)] : [])]),
    ],
    ...order.map((row) => [
      rows[row]!.label,
      ...columns.flatMap((_, column) => [
        number(times[row]![column], 60, 1),
        ...(distances ? [number(distances[row]![column], 1000, 2)] : []),
      ]),
    ]),
  ];
  return `\uFEFF${lines.map((cells) => cells.map(cell).join(';')).join('\r\n')}\r\n`;
}

const cell = (text: string) => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
