import { airDistance } from '../../../../../../shared/geo/geometry.ts';

export interface MeasuredPoint {
  readonly lat: number;
  readonly lon: number;
}

/** Metres along the points, as the crow flies. */
export function measuredLength(points: readonly MeasuredPoint[]): number {
  return points.slice(1).reduce((sum, point, index) => sum + airDistance(points[index]!, point), 0);
}
