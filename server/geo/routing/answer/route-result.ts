import type { OffMapPoint, RouteNote } from '../types.ts';
import type { DrawnTrip } from './trip-drawer.ts';
import type { RoadPoint } from '../snapping/snapper.ts';

/** The result of a route query before it is encoded. */
export interface RouteResult {
  /** Road points of all query points; empty when one has no road. */
  readonly places: readonly RoadPoint[];
  readonly offMap: OffMapPoint | undefined;
  /** Undefined: no route exists. */
  readonly best: ResultRoute | undefined;
  readonly alternative: ResultRoute | undefined;
  /** Whether learned speeds were used. */
  readonly learnedSpeeds: boolean;
}

export interface ResultRoute {
  /** Simplified for the zoom. */
  readonly drawn: DrawnTrip;
  /** Numbers of the two names of the route. */
  readonly names: readonly [number, number];
  /** Ids of the closures that it names. */
  readonly closures: number[];
  readonly notes: RouteNote[];
}
