import { planeAt } from '../../../../shared/geo/shapes.ts';

/** The input of simplification. Times in epoch ms; a marked point is implausible. */
export interface TimedPoint {
  readonly time: number;
  readonly lat: number;
  readonly lon: number;
  readonly marked: boolean;
}

/**
 * A longer time (ms) without a record is a gap: both its ends stay, so that it does not look like a drive.
 */
const GAP = 10 * 60_000;
/**
 * Points of one piece. In the worst case, unlike any real drive, a piece takes time quadratic in its length.
 */
const PIECE = 4096;

/**
 * Removes points from a track so that the vehicle is never further than `tolerance` metres from its place at
 * that time: Douglas-Peucker with the time-synchronous distance (TD-TR: Meratnia, de By, "Spatiotemporal
 * Compression Techniques for Moving Point Objects", 2004). The distance to the line alone would remove a stop
 * on a straight road. Marked points and the ends of gaps stay.
 * @returns for each point whether it stays
 */
export function simplified(points: readonly TimedPoint[], tolerance: number): Uint8Array {
  const stays = new Uint8Array(points.length);
  const believed: number[] = [];
  for (let index = 0; index < points.length; index++) {
    if (points[index]!.marked) stays[index] = 1;
    else believed.push(index);
  }
  let start = 0;
  for (let at = 1; at <= believed.length; at++) {
    const ends =
      at === believed.length ||
      at - start >= PIECE ||
      points[believed[at]!]!.time - points[believed[at - 1]!]!.time > GAP;
    if (!ends) continue;
    keep(points, believed.slice(start, at), tolerance, stays);
    // After a cut for length, the piece continues from its last point.
    start = at < believed.length && at - start >= PIECE ? at - 1 : at;
  }
  return stays;
}

function keep(points: readonly TimedPoint[], piece: readonly number[], tolerance: number, stays: Uint8Array): void {
  if (piece.length === 0) return;
  const plane = planeAt([points[piece[0]!]!.lon, points[piece[0]!]!.lat]);
  const x = new Float64Array(piece.length);
  const y = new Float64Array(piece.length);
  const time = new Float64Array(piece.length);
  for (const [index, point] of piece.entries()) {
    const { lon, lat, time: at } = points[point]!;
    [x[index], y[index]] = plane([lon, lat]);
    time[index] = at;
  }
  stays[piece[0]!] = stays[piece.at(-1)!] = 1;
  const open: [number, number][] = [[0, piece.length - 1]];
  const limit = tolerance * tolerance;
  for (let span = open.pop(); span; span = open.pop()) {
    const [from, until] = span;
    let worst = limit;
    let split = -1;
    const duration = time[until]! - time[from]! || 1;
    for (let index = from + 1; index < until; index++) {
      const share = (time[index]! - time[from]!) / duration;
      const dx = x[index]! - x[from]! - share * (x[until]! - x[from]!);
      const dy = y[index]! - y[from]! - share * (y[until]! - y[from]!);
      const square = dx * dx + dy * dy;
      if (square > worst) [worst, split] = [square, index];
    }
    if (split < 0) continue;
    stays[piece[split]!] = 1;
    open.push([from, split], [split, until]);
  }
}
