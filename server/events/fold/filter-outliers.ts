import { airDistance } from '../../../shared/geo/geometry.ts';
import type { Point, RawPoint } from '../detectors/detector.ts';

/** km/h as the crow flies: nothing on the road is faster. */
const GREATEST_SPEED = 250;
/**
 * So many points in a row that agree with each other, and not with the one before them: then it was that one
 * that was wrong.
 */
const WITNESSES = 3;

export interface OutlierFilterState {
  /** The last believed point. */
  readonly previous: Point | null;
  /** The last point that was too far away to be believed, and how many of them agreed. */
  readonly doubted: { readonly point: Point; readonly count: number } | null;
}

export const INITIAL_FILTER_STATE: OutlierFilterState = { previous: null, doubted: null };

/**
 * Decides whether a point is believed. It is part of the fold, and not of the intake, so that it depends on
 * the order of the track and not on the order of arrival.
 */
export function filterOutliers(
  known: OutlierFilterState,
  raw: RawPoint,
): { point: Point; previous: Point | null; known: OutlierFilterState } {
  const { previous, doubted } = known;
  const point: Point =
    raw.speed === null ? { ...raw, speed: previous && raw.fixed ? kmhBetween(previous, raw) : 0 } : (raw as Point);
  if (!point.fixed) return { point, previous, known };
  if (!previous || reachable(previous, point)) return { point, previous, known: { previous: point, doubted: null } };
  const count = doubted && reachable(doubted.point, point) ? doubted.count + 1 : 1;
  if (count >= WITNESSES) return { point, previous: null, known: { previous: point, doubted: null } };
  return { point: { ...point, fixed: false }, previous, known: { previous, doubted: { point, count } } };
}

function reachable(a: Point, b: Point): boolean {
  return kmhBetween(a, b) <= GREATEST_SPEED;
}

function kmhBetween(a: RawPoint, b: RawPoint): number {
  return (airDistance(a, b) / Math.max(1, b.time - a.time)) * 3600;
}
