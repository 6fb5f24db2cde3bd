import type { LonLat } from '../../../../../shared/geo/shapes.ts';

/** A control point as the form has it; one that is not saved yet has no id. */
export interface RoutePoint {
  readonly id: number | null;
  readonly name: string;
  readonly lat: number;
  readonly lon: number;
  /** metres */
  readonly radius: number;
  /** seconds after the beginning of the drive; null: no plan */
  readonly arriveAfter: number | null;
}

/** Where a planned route goes. */
export interface RouteWay {
  readonly line: readonly LonLat[];
  readonly points: readonly RoutePoint[];
}
