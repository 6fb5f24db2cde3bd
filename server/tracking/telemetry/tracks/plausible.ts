import { isReachable } from '../../../../shared/geo/plausible-speed.ts';
import type { IncomingFix } from './incoming-fixes.ts';

/**
 * Why a point is implausible. A marked point stays in the track, but neither moves its vehicle nor counts in
 * the odometer. `jump` depends on the plausible point before it, and is tested only without other marks.
 * `unplaced`: the device sent no position, so the point has the last plausible one.
 */
export const POSITION_MARKS = ['jump', 'zero', 'future', 'satellites', 'course', 'altitude', 'unplaced'] as const;
export type Mark = (typeof POSITION_MARKS)[number];

const MIN_SATELLITES = 3;

/**
 * @param before the plausible point before this one in time, if any
 * @param latest the latest time (epoch ms) that a clock may show
 */
export function implausible(
  fix: IncomingFix,
  before: { time: number; lat: number; lon: number } | undefined,
  latest: number,
): Mark[] {
  const marks: Mark[] = [];
  if (fix.lat === 0 && fix.lon === 0) marks.push('zero');
  if (fix.time > latest) marks.push('future');
  if (satellites(fix) < MIN_SATELLITES) marks.push('satellites');
  if (fix.direction < 0 || fix.direction > 360) marks.push('course');
  if (fix.height < -12_000 || fix.height > 18_000) marks.push('altitude');
  if (!isPlaced(fix)) marks.push('unplaced');
  if (marks.length === 0 && before && !isReachable(before, fix)) marks.push('jump');
  return marks;
}

/** Whether the device sent a position. */
export function isPlaced({ lat }: Pick<IncomingFix, 'lat'>): boolean {
  return !Number.isNaN(lat);
}

function satellites(fix: IncomingFix): number {
  if (fix.gpsCount === undefined && fix.glonassCount === undefined) return Infinity;
  return (fix.gpsCount ?? 0) + (fix.glonassCount ?? 0);
}

/** Marks as the bits of a track. */
export function marksToBits(marks: readonly Mark[]): number {
  return marks.reduce((bits, mark) => bits | (1 << POSITION_MARKS.indexOf(mark)), 0);
}

export function bitsToMarks(bits: number): Mark[] {
  return POSITION_MARKS.filter((_, index) => bits & (1 << index));
}

/** Bits of marks. */
export const JUMP = marksToBits(['jump']);
export const UNPLACED = marksToBits(['unplaced']);
export const FUTURE = marksToBits(['future']);

/**
 * Whether the marks allow a point to be plausible. Readers of a track in order judge jumps by their own rules.
 */
export function hasPosition(markBits: number): boolean {
  return (markBits & ~JUMP) === 0;
}
