import type { ReportRow } from './report.ts';

/** A spot in degrees. */
export interface Spot {
  readonly lat: number;
  readonly lon: number;
}
/** Finds the address of each spot, in their order, or null. */
export type FindAddresses = (spots: readonly Spot[]) => Promise<readonly (string | null)[]>;

/** Rows whose addresses are requested together. */
const AT_ONCE = 40;
/** Different spots of one report; those beyond have their coordinates. */
const MOST = 20_000;
/** Degrees, some 10 m: vehicles in the same yard share one request. */
const GRAIN = 10_000;

/** Adds the `address` to each row, requested for several rows at once. */
export async function* withAddresses(
  rows: Iterable<ReportRow>,
  find: FindAddresses,
  most = MOST,
): AsyncGenerator<ReportRow> {
  const known = new Map<string, string | null>();
  let batch: ReportRow[] = [];
  async function* resolveBatch(): AsyncGenerator<ReportRow> {
    const unknown = new Map<string, Spot>();
    for (const row of batch) {
      const spot = spotOf(row);
      const key = keyOf(spot);
      if (!known.has(key) && known.size + unknown.size < most) unknown.set(key, spot);
    }
    const found = unknown.size > 0 ? await find([...unknown.values()]) : [];
    [...unknown.keys()].forEach((key, index) => known.set(key, found[index] ?? null));
    for (const row of batch) yield { ...row, address: known.get(keyOf(spotOf(row))) ?? null };
    batch = [];
  }
  for (const row of rows) {
    batch.push(row);
    if (batch.length >= AT_ONCE) yield* resolveBatch();
  }
  yield* resolveBatch();
}

const spotOf = (row: ReportRow): Spot => ({ lat: Number(row['lat']), lon: Number(row['lon']) });
const keyOf = ({ lat, lon }: Spot): string => `${Math.round(lat * GRAIN)},${Math.round(lon * GRAIN)}`;
