import { SAME_NUMBER, numberLikeness } from '../../territory/places/house-number.ts';
import type { HouseNumber } from '../../territory/places/house-number.ts';
import { metresBetweenE7, nearestOnLine, pointAlong } from '../../territory/geometry/metres.ts';
import type { Line } from '../../territory/geometry/metres.ts';
import type { AddressRow, PlacesFile } from './places-file.ts';

/** A house on a street, known or estimated from its neighbours. 1e-7 degrees. */
export interface KnownHouse {
  /** Its row's id; none for an estimate. */
  id: number | undefined;
  number: string;
  lon: number;
  lat: number;
  estimated: boolean;
  /** If it is not that of its street. */
  postcode?: string | undefined;
  /** 1: the exact number; less for a part of it, or an estimate. */
  likeness: number;
  /** Mapped, with the very number that was asked for. */
  exact: boolean;
  /** The requested number, if it differs in letter or block. */
  asked?: string;
}

/** 1e-7 degrees. */
interface HousePosition {
  lon: number;
  lat: number;
}

/** Between numbers further apart than this nothing is estimated. */
const LARGEST_GAP = 100;
/** A house beyond the last known number by at most this is placed at that number. */
const BEYOND = 8;
/** Houses shown that have the digits, but not the letter or the block. */
const MOST_OTHERS = 3;

/**
 * The house with this number on a street: as mapped, else estimated between its neighbours; several if the
 * street has it twice.
 */
export function findHouses(file: PlacesFile, document: number, asked: HouseNumber): KnownHouse[] {
  const rows = file.addresses(document, asked.low, asked.high);
  const exact = rows.filter(({ key }) => key === asked.key);
  if (exact.length > 0) return exact.map((row) => known(row, 1, true));
  // "B12" may be half of a postcode.
  if (/^\D/.test(asked.key)) return [];
  // "12-16" matches 14 but not 13.
  const ranges = rows.filter(({ low, high }) => high > low && (asked.low - low) % 2 === 0);
  if (ranges.length > 0) return ranges.map((row) => known(row, 0.97, true));
  // "12" replaces an unknown "12a", and vice versa.
  const sameDigits = rows
    .filter(({ low }) => low === asked.low)
    .map((row) => ({ row, like: numberLikeness(asked.key, row.key) }))
    .sort((a, b) => b.like - a.like);
  if (sameDigits.length > 0)
    return sameDigits
      .filter(({ like }, i) => i < MOST_OTHERS && (like >= SAME_NUMBER || sameDigits[0]!.like < SAME_NUMBER))
      .map(({ row, like }) =>
        like >= SAME_NUMBER ? known(row, like, true) : { ...known(row, like), asked: asked.key },
      );
  const estimate = estimateHouse(file, document, asked);
  return estimate ? [estimate] : [];
}

function known(
  { id, number, lon, lat, estimated, postcode }: AddressRow,
  likeness: number,
  isSame = false,
): KnownHouse {
  return {
    postcode: postcode ?? undefined,
    exact: isSame && estimated === 0,
    id,
    number,
    lon,
    lat,
    estimated: estimated === 1,
    likeness: estimated === 1 ? likeness * 0.97 : likeness,
  };
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
        exact: false,
        likeness: sameParity ? 0.92 : 0.9,
      };
    }
  }
  const last = file.neighbour(document, asked.low, 'below', false);
  const first = file.neighbour(document, asked.low, 'above', false);
  const nearest =
    last && asked.low - last.high <= BEYOND ? last : first && first.low - asked.low <= BEYOND ? first : undefined;
  return (
    nearest && {
      id: undefined,
      number: asked.key,
      lon: nearest.lon,
      lat: nearest.lat,
      estimated: true,
      exact: false,
      likeness: 0.86,
    }
  );
}

/**
 * A part of the way from one point to another along their street; straight if they are not on one line of it.
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
  // If the way is much longer than the straight line, the houses belong to different arms of the street.
  const straight = metresBetweenE7(below.lon, below.lat, above.lon, above.lat);
  if (least > 2 * straight + 120 || Math.abs(best.to - best.from) > 3 * straight + 60) return direct;
  return pointAlong(best.line, best.from + part * (best.to - best.from));
}
