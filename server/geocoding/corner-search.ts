import { metresBetween, metresToBox, nearestOnLine } from '../territory/places/metres.ts';
import type { CornerRow, PlacesFile } from './places-file.ts';

/** Streets that pass each other no further apart than this have a corner, though they do not meet: a square or a slip road lies between. */
const PASSING = 80;
/** Pairs that are measured: the likeliest of each side. */
const MEASURED = 6;

/** Where streets of one list meet streets of the other. The lists are in order of likelihood. */
export function findMeetings(file: PlacesFile, some: readonly number[], others: readonly number[], passed: () => boolean): (CornerRow & { met: boolean })[] {
  const met = file.corners(some, others);
  if (met.length > 0) return met.map((corner) => ({ ...corner, met: true }));
  const near: (CornerRow & { met: boolean })[] = [];
  for (const a of some.slice(0, MEASURED)) {
    for (const b of others.slice(0, MEASURED)) {
      const point = a === b || passed() ? undefined : closestApproach(file, a, b);
      if (point) near.push({ a: Math.min(a, b), b: Math.max(a, b), ...point, met: false });
    }
  }
  return near;
}

function closestApproach(file: PlacesFile, a: number, b: number): { lon: number; lat: number } | undefined {
  const box = file.boxOf(b);
  if (!box) return undefined;
  const lines = file.lines(b);
  let best: { lon: number; lat: number } | undefined;
  let least = PASSING;
  for (const line of file.lines(a)) {
    for (let i = 0; i < line.length; i += 2) {
      const lon = line[i]!, lat = line[i + 1]!;
      if (metresToBox(lon, lat, box) >= least) continue;
      for (const other of lines) {
        const foot = nearestOnLine(other, lon, lat);
        if (foot.metres < least && metresBetween(lon, lat, foot.lon, foot.lat) <= PASSING) {
          least = foot.metres;
          best = { lon: Math.round((lon + foot.lon) / 2), lat: Math.round((lat + foot.lat) / 2) };
        }
      }
    }
  }
  return best;
}
