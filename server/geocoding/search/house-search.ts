import type { HouseNumber } from '../../territory/places/house-number.ts';
import { metresBetweenE7, nearestOnLine, pointAlong } from '../../territory/geometry/metres.ts';
import type { Line } from '../../territory/geometry/metres.ts';
import type { AddressRow, PlacesFile } from './places-file.ts';

/** A house on a street, known or worked out from its neighbours. 1e-7 degrees. */
export interface KnownHouse {
  /** Its row's id, or none when it is worked out. */
  id: number | undefined;
  number: string;
  lon: number;
  lat: number;
  estimated: boolean;
  /** 1: the very number; less where it is a part of it, or an estimate. */
  likeness: number;
}

/** 1e-7 degrees. */
interface HousePosition {
  lon: number;
  lat: number;
}

/** Numbers further apart than this say nothing about those between them. */
const LARGEST_GAP = 100;
/** Beyond the last known number by no more than this, a house is put at that number. */
const BEYOND = 8;

/**
 * The house with this number on a street: as mapped, else estimated between its neighbours; several when the
 * street has it twice.
 */
export function findHouses(file: PlacesFile, document: number, asked: HouseNumber): KnownHouse[] {
  const rows = file.addresses(document, asked.low, asked.high);
  const exact = rows.filter(({ key }) => key === asked.key);
  if (exact.length > 0) return exact.map((row) => known(row, 1));
  // "12-16" stands for 14 but not for 13; "12" stands in for an unknown "12a", and the other way round.
  const ranges = rows.filter(({ low, high }) => high > low && (asked.low - low) % 2 === 0);
  const sameNumber = rows.filter(({ low }) => low === asked.low);
  if (ranges.length > 0) return ranges.map((row) => known(row, 0.97));
  if (sameNumber.length > 0) return sameNumber.slice(0, 3).map((row) => known(row, 0.94));
  const estimate = estimateHouse(file, document, asked);
  return estimate ? [estimate] : [];
}

function known({ id, number, lon, lat, estimated }: AddressRow, likeness: number): KnownHouse {
  return { id, number, lon, lat, estimated: estimated === 1, likeness: estimated === 1 ? likeness * 0.97 : likeness };
}

function estimateHouse(file: PlacesFile, document: number, asked: HouseNumber): KnownHouse | undefined {
  for (const sameParity of [true, false]) {
    const below = file.neighbour(document, asked.low, 'below', sameParity);
    const above = file.neighbour(document, asked.low, 'above', sameParity);
    if (below && above && above.low - below.high <= LARGEST_GAP) {
      const part = (asked.low - below.low) / (above.low - below.low);
      return {
        id: undefined,
        number: asked.key,
        ...between(file.lines(document), below, above, part),
        estimated: true,
        likeness: sameParity ? 0.92 : 0.9,
      };
    }
  }
  const last = file.neighbour(document, asked.low, 'below', false);
  const first = file.neighbour(document, asked.low, 'above', false);
  const nearest =
    last && asked.low - last.high <= BEYOND ? last : first && first.low - asked.low <= BEYOND ? first : undefined;
  return (
    nearest && { id: undefined, number: asked.key, lon: nearest.lon, lat: nearest.lat, estimated: true, likeness: 0.86 }
  );
}

/**
 * A part of the way from one point to another along their street; straight where they do not stand on one
 * line of it.
 */
export function between(
  lines: readonly Line[],
  below: HousePosition,
  above: HousePosition,
  part: number,
): { lon: number; lat: number } {
  const direct = {
    lon: Math.round(below.lon + part * (above.lon - below.lon)),
    lat: Math.round(below.lat + part * (above.lat - below.lat)),
  };
  let best: { line: Line; from: number; to: number } | undefined;
  let least = Infinity;
  for (const line of lines) {
    const from = nearestOnLine(line, below.lon, below.lat),
      to = nearestOnLine(line, above.lon, above.lat);
    const away = from.metres + to.metres;
    if (away < least) {
      least = away;
      best = { line, from: from.along, to: to.along };
    }
  }
  if (!best) return direct;
  // A way round that is much longer than the straight one shows that the houses belong to different arms of
  // the street.
  const straight = metresBetweenE7(below.lon, below.lat, above.lon, above.lat);
  if (least > 2 * straight + 120 || Math.abs(best.to - best.from) > 3 * straight + 60) return direct;
  return pointAlong(best.line, best.from + part * (best.to - best.from));
}
