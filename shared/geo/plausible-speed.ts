import { airDistance } from './geometry.ts';

/** A place at a time, epoch ms. */
interface TimedPlace {
  readonly time: number;
  readonly lat: number;
  readonly lon: number;
}

/** km/h in a straight line. No vehicle on the road is faster, so a position that requires more is wrong. */
export const MAX_PLAUSIBLE_SPEED = 250;

/** Whether a vehicle can get from one position to the other in the time between them. */
export function isReachable(a: TimedPlace, b: TimedPlace): boolean {
  return speedBetween(a, b) <= MAX_PLAUSIBLE_SPEED;
}

/** Straight-line speed between two positions, km/h. Two places at the same time are infinitely fast. */
export function speedBetween(a: TimedPlace, b: TimedPlace): number {
  const metres = airDistance(a, b);
  if (metres === 0) return 0;
  return (metres / Math.abs(b.time - a.time)) * 3600; // metres per millisecond to km/h
}
