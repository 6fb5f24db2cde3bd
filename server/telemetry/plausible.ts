import { airDistance } from '../../shared/geometry.ts';
import type { Arrival } from './arrivals.ts';

/** Why a point is not believed. A marked point is kept in the track, but neither moves its vehicle nor counts in the odometer. */
export const MARKS = ['jump', 'zero', 'future', 'satellites', 'course', 'altitude'] as const;
export type Mark = (typeof MARKS)[number];

const GREATEST_SPEED = 250; // km/h
const FEWEST_SATELLITES = 3;

/**
 * @param before the believed point before this one in time, if there is one
 * @param latest the latest time (epoch ms) that a clock may show
 */
export function implausible(fix: Arrival, before: { time: number; lat: number; lon: number } | undefined, latest: number): Mark[] {
  const marks: Mark[] = [];
  if (before && speedBetween(before, fix) > GREATEST_SPEED) marks.push('jump');
  if (fix.lat === 0 && fix.lon === 0) marks.push('zero');
  if (fix.time > latest) marks.push('future');
  if (satellites(fix) < FEWEST_SATELLITES) marks.push('satellites');
  if (fix.direction < 0 || fix.direction > 360) marks.push('course');
  if (fix.height < -12_000 || fix.height > 18_000) marks.push('altitude');
  return marks;
}

/** km/h as the crow flies from the earlier to the later of two points. */
export function speedBetween(a: { time: number; lat: number; lon: number }, b: { time: number; lat: number; lon: number }): number {
  const metres = airDistance(a, b);
  if (metres === 0) return 0;
  return (metres / Math.abs(b.time - a.time)) * 3600; // metres per millisecond to km/h; two places at one time are infinitely fast
}

function satellites(fix: Arrival): number {
  if (fix.gpsCount === undefined && fix.glonassCount === undefined) return Infinity;
  return (fix.gpsCount ?? 0) + (fix.glonassCount ?? 0);
}

/** Marks as the bits that a track keeps. */
export function marksToBits(marks: readonly Mark[]): number {
  return marks.reduce((bits, mark) => bits | (1 << MARKS.indexOf(mark)), 0);
}

export function bitsToMarks(bits: number): Mark[] {
  return MARKS.filter((_, index) => bits & (1 << index));
}

const JUMP = marksToBits(['jump']);

/** Whether a point is one, by its marks. A jump depends on which neighbours were known when it came; who reads a track in its order judges that anew. */
export function hasPosition(markBits: number): boolean {
  return (markBits & ~JUMP) === 0;
}
