import { CLOSURE_REACH } from '../../../../shared/roads/closure-reach.ts';
import { MICRO, lonDifference } from '../../territory/roads/reading.ts';
import type { Roads } from '../../territory/roads/reading.ts';
import {
  angleBetween,
  boxAround,
  crossing,
  direction,
  endsOf,
  projectOnto,
  samples,
  STEP,
  type MicroPosition,
} from './piece-geometry.ts';
import { TOUCH_TOLERANCE, flatDistance } from '../snapping/snapper.ts';
import type { Snapper } from '../snapping/snapper.ts';

/** Maximum metres between a line and a road along it. */
const REACH = CLOSURE_REACH.LineString;
/** Maximum degrees between a line and a road along it. */
const ANGLE = 35;
/**
 * Metres of a road beside a line that count as along it. A shorter line that crosses a road is a road block.
 */
const GOOD_STRETCH = 2 * REACH;
/** Maximum metres at which a line lies on a road: the console simplifies drawn lines to a metre. */
const LIES_ON = 2;
/** Length in metres of the parts in which a line is searched. */
const SHORT = 500;

/**
 * A piece near a line: samples along it, and which of them are beside a nearly parallel stretch of the line.
 */
interface NearbyPiece {
  readonly ends: readonly [MicroPosition, MicroPosition];
  readonly spots: readonly MicroPosition[];
  readonly course: number;
  readonly length: number;
  readonly isBeside: Uint8Array;
  /** Metres of a short line beside the piece. */
  beside: number;
}

/** A place where the line crosses or touches a piece. */
interface Meeting {
  readonly piece: number;
  readonly at: MicroPosition;
  /** Degrees between line and piece. */
  readonly angle: number;
  /** Course of the line. */
  readonly course: number;
}

/** Pieces that a line crosses or runs along (README rule 10). */
export function piecesUnderLine(line: readonly MicroPosition[], roads: Roads, snapper: Snapper): number[] {
  const length = microLength(line);
  const { candidates, meetings } = findNearby(line, length < 2 * GOOD_STRETCH, roads, snapper);
  const along = new Set(
    [...candidates].filter(([, candidate]) => runsAlong(candidate, length)).map(([piece]) => piece),
  );
  const crossed = new Set<number>();
  let isBlock = false;
  for (const { piece, at, angle, course } of meetings) {
    if (!along.has(piece) && liesOnAny(at, course, along, candidates, snapper)) continue;
    crossed.add(piece);
    if (angle > ANGLE && length < GOOD_STRETCH) isBlock = true;
  }
  return isBlock ? [...crossed] : [...new Set([...along, ...crossed])];
}

/** Finds the pieces near the line and where it meets them. */
function findNearby(
  line: readonly MicroPosition[],
  isShort: boolean,
  roads: Roads,
  snapper: Snapper,
): { candidates: Map<number, NearbyPiece>; meetings: Meeting[] } {
  const candidates = new Map<number, NearbyPiece>();
  const meetings: Meeting[] = [];
  const candidate = (piece: number): NearbyPiece => {
    let known = candidates.get(piece);
    if (!known) {
      const spots = samples(piece, roads);
      const ends = endsOf(piece, roads);
      const [[lonA, latA], [lonB, latB]] = ends;
      const isBeside = new Uint8Array(spots.length);
      candidates.set(
        piece,
        (known = {
          ends,
          spots,
          course: direction(...ends),
          length: flatDistance(latA, lonA, latB, lonB),
          isBeside,
          beside: 0,
        }),
      );
    }
    return known;
  };
  for (let i = 1; i < line.length; i++) {
    const from = line[i - 1]!;
    const to: MicroPosition = [from[0] + lonDifference(from[0], line[i]![0]), line[i]![1]];
    const course = direction(from, to);
    const [isFirst, isLast] = [i === 1, i === line.length - 1];
    for (const piece of piecesBeside(from, to, snapper)) {
      const near = candidate(piece);
      const { ends, spots, course: own, isBeside } = near;
      const angle = angleBetween(course, own);
      const at = meetingOf(from, to, ends);
      // The last metres of a line along a street may lie on the next street without crossing it.
      if (at && (angle > ANGLE || [from, to].every((end) => projectOnto(end, ...ends).metres > LIES_ON)))
        meetings.push({ piece, at, angle, course });
      if (angle > ANGLE) continue;
      if (isShort) near.beside += metresBeside(from, to, ends);
      for (let k = 0; k < spots.length; k++) {
        if (isBeside[k] === 1) continue;
        const { metres, along } = projectOnto(spots[k]!, from, to);
        // Samples beyond the ends of the line are not beside it.
        if (
          metres <= REACH &&
          !(isFirst && along < 0 && metres > TOUCH_TOLERANCE) &&
          !(isLast && along > 1 && metres > TOUCH_TOLERANCE)
        )
          isBeside[k] = 1;
      }
    }
  }
  return { candidates, meetings };
}

/** Whether half of the piece, a good stretch of it, or half of the line is beside the other. */
function runsAlong({ isBeside, length, beside }: NearbyPiece, lineLength: number): boolean {
  const spots = isBeside.reduce((sum, one) => sum + one, 0);
  const metres = ((spots - 1) * length) / (isBeside.length - 1);
  return spots * 2 >= isBeside.length || metres >= GOOD_STRETCH || (beside > 0 && beside * 2 >= lineLength);
}

/** Metres of a stretch of the line that are beside a piece. */
function metresBeside(from: MicroPosition, to: MicroPosition, ends: readonly [MicroPosition, MicroPosition]): number {
  const length = flatDistance(from[1], from[0], to[1], to[0]);
  const parts = Math.max(1, Math.ceil(length / STEP));
  let beside = 0;
  for (let i = 0; i < parts; i++) {
    const share = (i + 0.5) / parts;
    const { metres, along } = projectOnto(
      [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share],
      ...ends,
    );
    if (metres <= REACH && along >= 0 && along <= 1) beside++;
  }
  return (beside * length) / parts;
}

/** Micro-degrees beyond which nothing touches. */
const APART = 10 * TOUCH_TOLERANCE;

/** Where a stretch of the line crosses or touches a piece. */
function meetingOf(
  from: MicroPosition,
  to: MicroPosition,
  [[lonA, latA], [lonB, latB]]: readonly [MicroPosition, MicroPosition],
): MicroPosition | undefined {
  const south = Math.min(latA, latB) - APART;
  const north = Math.max(latA, latB) + APART;
  if ((from[1] < south && to[1] < south) || (from[1] > north && to[1] > north)) return undefined;
  const c: MicroPosition = [from[0] + lonDifference(from[0], lonA), latA];
  const d: MicroPosition = [c[0] + lonB - lonA, latB];
  const at = crossing(from, to, c, d);
  if (at) return at;
  if (farFromLine(c, from, to) && farFromLine(d, from, to) && farFromLine(from, c, d) && farFromLine(to, c, d))
    return undefined;
  for (const end of [from, to]) if (projectOnto(end, c, d).metres <= TOUCH_TOLERANCE) return end;
  for (const end of [c, d]) if (projectOnto(end, from, to).metres <= TOUCH_TOLERANCE) return end;
  return undefined;
}

/** Whether a point is certainly further from the infinite line than the limit; a micro-degree is at most 0.11 m. */
function farFromLine([lon, lat]: MicroPosition, [lonA, latA]: MicroPosition, [lonB, latB]: MicroPosition): boolean {
  const [dx, dy] = [lonB - lonA, latB - latA];
  const shrink = Math.cos(lat * MICRO * (Math.PI / 180));
  const area = Math.abs(dx * (lat - latA) - dy * (lon - lonA)) * shrink;
  return area > APART * Math.hypot(dx * shrink, dy);
}

/** Whether the line, with this course at this point, lies on one of these pieces. */
function liesOnAny(
  at: MicroPosition,
  course: number,
  along: ReadonlySet<number>,
  candidates: ReadonlyMap<number, NearbyPiece>,
  snapper: Snapper,
): boolean {
  const [south, west, north, east] = boxAround([at], LIES_ON);
  for (const turn of turnsOf(west, east)) {
    for (const piece of snapper.piecesWithin(south, west + turn, north, east + turn)) {
      if (!along.has(piece)) continue;
      const { ends, course: own } = candidates.get(piece)!;
      if (angleBetween(course, own) <= ANGLE && projectOnto(at, ...ends).metres <= LIES_ON) return true;
    }
  }
  return false;
}

/**
 * Pieces near a straight line, which may cross the 180th meridian. Halved into short parts, since the box of
 * a long slanting line covers much of a territory.
 */
function piecesBeside(
  from: MicroPosition,
  to: MicroPosition,
  snapper: Snapper,
  found = new Set<number>(),
): Set<number> {
  const [south, west, north, east] = boxAround([from, to], REACH);
  const inBox = turnsOf(west, east).filter(
    (turn) => snapper.within(south, west + turn, north, east + turn, 1).length > 0,
  );
  if (inBox.length === 0) return found;
  if (flatDistance(from[1], from[0], to[1], to[0]) <= SHORT) {
    for (const turn of inBox)
      for (const piece of snapper.piecesWithin(south, west + turn, north, east + turn)) found.add(piece);
    return found;
  }
  const middle: MicroPosition = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  piecesBeside(from, middle, snapper, found);
  return piecesBeside(middle, to, snapper, found);
}

/** Longitude offsets at which a box beyond the 180th meridian is searched, too. */
function turnsOf(west: number, east: number): number[] {
  return [0, ...(east > 180e6 ? [-360e6] : []), ...(west < -180e6 ? [360e6] : [])];
}

export function microLength(line: readonly MicroPosition[]): number {
  return line.slice(1).reduce((sum, [lon, lat], i) => sum + flatDistance(line[i]![1], line[i]![0], lat, lon), 0);
}
