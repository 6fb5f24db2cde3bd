import { metresToBox, nearestOnLine } from '../../territory/geometry/metres.ts';
import type { BoundingBox, Line } from '../../territory/geometry/metres.ts';
import type { CornerRow, PlacesFile } from './places-file.ts';

/**
 * Streets that pass each other at most this far apart have a corner, though they do not meet: a square or a
 * slip road lies between.
 */
const PASSING = 80;
/** Pairs measured: the most likely of each side. */
const MEASURED = 12;

/**
 * Where streets of one list pass streets of the other without meeting them. The lists are sorted by
 * likelihood.
 */
export function findGradeSeparatedCrossings(
  file: PlacesFile,
  some: readonly number[],
  others: readonly number[],
  isTimeUp: () => boolean,
): CornerRow[] {
  const near: CornerRow[] = [];
  const boxes = new Map([...some.slice(0, MEASURED), ...others.slice(0, MEASURED)].map((id) => [id, file.boxOf(id)]));
  for (const a of some.slice(0, MEASURED)) {
    for (const b of others.slice(0, MEASURED)) {
      const boxA = boxes.get(a),
        boxB = boxes.get(b);
      if (a === b || !boxA || !boxB || apart(boxA, boxB) || isTimeUp()) continue;
      const point = closestApproach(file, a, boxA, b, boxB);
      if (point) near.push({ a: Math.min(a, b), b: Math.max(a, b), ...point });
    }
  }
  return near;
}

/**
 * The middle between two streets where they are closest: at a bend or an end of one, or where they cross on
 * two levels.
 */
function closestApproach(
  file: PlacesFile,
  a: number,
  boxA: BoundingBox,
  b: number,
  boxB: BoundingBox,
): { lon: number; lat: number } | undefined {
  const linesA = file.lines(a),
    linesB = file.lines(b);
  let best: { lon: number; lat: number } | undefined;
  let least = PASSING;
  const measure = (lines: readonly Line[], others: readonly Line[], box: BoundingBox): void => {
    for (const line of lines) {
      for (let i = 0; i < line.length; i += 2) {
        const lon = line[i]!,
          lat = line[i + 1]!;
        if (metresToBox(lon, lat, box) >= least) continue;
        for (const other of others) {
          const foot = nearestOnLine(other, lon, lat);
          if (foot.metres >= least) continue;
          least = foot.metres;
          best = { lon: Math.round((lon + foot.lon) / 2), lat: Math.round((lat + foot.lat) / 2) };
        }
      }
    }
  };
  measure(linesA, linesB, boxB);
  measure(linesB, linesA, boxA);
  return crossing(linesA, linesB) ?? best;
}

/** Two streets that cross without a junction: one is a bridge over the other. */
function crossing(lines: readonly Line[], others: readonly Line[]): { lon: number; lat: number } | undefined {
  for (const p of lines) {
    for (const q of others) {
      for (let i = 0; i + 3 < p.length; i += 2) {
        const x = p[i]!,
          y = p[i + 1]!,
          dx = p[i + 2]! - x,
          dy = p[i + 3]! - y;
        for (let j = 0; j + 3 < q.length; j += 2) {
          const ex = q[j + 2]! - q[j]!,
            ey = q[j + 3]! - q[j + 1]!;
          const area = dx * ey - dy * ex;
          if (area === 0) continue;
          const along = ((q[j]! - x) * ey - (q[j + 1]! - y) * ex) / area;
          const across = ((q[j]! - x) * dy - (q[j + 1]! - y) * dx) / area;
          if (along >= 0 && along <= 1 && across >= 0 && across <= 1)
            return { lon: Math.round(x + along * dx), lat: Math.round(y + along * dy) };
        }
      }
    }
  }
  return undefined;
}

/** Is each point of one box too far from the other? */
function apart(a: BoundingBox, b: BoundingBox): boolean {
  const lon = Math.min(Math.max(a.west, b.west), a.east),
    lat = Math.min(Math.max(a.south, b.south), a.north);
  return metresToBox(lon, lat, b) > PASSING;
}
