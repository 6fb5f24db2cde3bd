import type { OffMapPoint, RouteNote } from '../types.ts';
import type { DrawnTrip } from './trip-drawer.ts';
import type { RoadPoint } from '../snapping/snapper.ts';

/** What was found for a question about a way, before it is put into the form in which it was asked for. */
export interface RouteResult {
  /** Of every asked point; empty when one is on no road. */
  readonly places: readonly RoadPoint[];
  readonly offMap: OffMapPoint | undefined;
  /** Undefined: there is no way. */
  readonly best: ResultRoute | undefined;
  readonly alternative: ResultRoute | undefined;
  /** Driving times are those that were learned, where there are such. */
  readonly learnedSpeeds: boolean;
}

export interface ResultRoute {
  /** Thinned for the zoom. */
  readonly drawn: DrawnTrip;
  /** Numbers of the names by which it is known. */
  readonly names: readonly [number, number];
  /** Ids of the closures that changed it. */
  readonly closures: number[];
  readonly notes: RouteNote[];
}
