import { isReachable, speedBetween } from '../../../../shared/geo/plausible-speed.ts';
import type { Point, RawPoint } from '../detectors/detector.ts';

/**
 * After this many consecutive points that agree with each other, but not with the last plausible one, that one
 * is rejected and these count.
 */
const WITNESSES = 3;

export interface OutlierFilterState {
  /** The last plausible point. */
  readonly previous: Point | null;
  /** The last point that was too far away, and how many such points in a row agree with each other. */
  readonly doubted: { readonly point: Point; readonly count: number } | null;
}

export const INITIAL_FILTER_STATE: OutlierFilterState = { previous: null, doubted: null };

/**
 * Marks a point as not fixed when no vehicle could have reached it from the last plausible one. It runs in the
 * fold, so that the result depends on the order of the track and not on the order of arrival.
 */
export function filterOutliers(
  known: OutlierFilterState,
  raw: RawPoint,
): { point: Point; previous: Point | null; known: OutlierFilterState } {
  const { previous, doubted } = known;
  const point: Point =
    raw.speed === null ? { ...raw, speed: previous && raw.fixed ? speedBetween(previous, raw) : 0 } : (raw as Point);
  if (!point.fixed) return { point, previous, known };
  if (!previous || isReachable(previous, point)) return { point, previous, known: { previous: point, doubted: null } };
  const count = doubted && isReachable(doubted.point, point) ? doubted.count + 1 : 1;
  if (count >= WITNESSES) return { point, previous: null, known: { previous: point, doubted: null } };
  return { point: { ...point, fixed: false }, previous, known: { previous, doubted: { point, count } } };
}
