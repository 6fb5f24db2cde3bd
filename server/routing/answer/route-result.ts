import type { OffMapPoint, RouteNote } from '../types.ts';
import type { Drive } from './drive.ts';
import type { RoadPoint } from '../snapping/snapper.ts';

/** What was found for a question about a way, before it is put into the form in which it was asked for. */
export interface FoundRoute {
  /** Of every asked point; empty when one is on no road. */
  readonly places: readonly RoadPoint[];
  readonly offMap: OffMapPoint | undefined;
  /** Undefined: there is no way. */
  readonly best: FoundDrive | undefined;
  readonly alternative: FoundDrive | undefined;
  /** Driving times are those that were learned, where there are such. */
  readonly learnedSpeeds: boolean;
}

export interface FoundDrive {
  /** Thinned for the zoom. */
  readonly drive: Drive;
  /** Numbers of the names by which it is known. */
  readonly names: readonly [number, number];
  /** Ids of the closures that changed it. */
  readonly closures: number[];
  readonly notes: RouteNote[];
}
