import type { Line } from '../plan/plane.ts';
import type { Quarter } from '../plan/plan.ts';

export type RoadClass =
  | 'motorway'
  | 'motorway_link'
  | 'trunk'
  | 'primary'
  | 'secondary'
  | 'tertiary'
  | 'unclassified'
  | 'residential'
  | 'living_street'
  | 'service'
  | 'pedestrian'
  | 'footway'
  | 'rail';

/** What kind of name a street gets. */
export type NameKind =
  | 'street'
  | 'lane'
  | 'close'
  | 'avenue'
  | 'boulevard'
  | 'embankment'
  | 'square'
  | 'highway'
  | 'passage'
  | 'village'
  | 'none';

/** What all of a drawn line has in common. */
export interface Road {
  readonly class: RoadClass;
  readonly naming: NameKind;
  readonly oneway: boolean;
  /** km/h */
  readonly limit: number | undefined;
  readonly ref?: string | undefined;
  readonly roundabout?: true;
  /** Whose houses stand along it; undefined where none do. */
  readonly houses?: Quarter | 'village' | undefined;
  /** Lines with the same number are one street, where they meet. */
  readonly street: number;
}

/** A line as it is drawn, before streets are joined where they meet. */
export interface Stretch {
  readonly line: Line;
  readonly road: Road;
  /** 1: on a bridge; touches what is on the ground at its ends only. */
  readonly level: 0 | 1;
}

const RANK: Record<RoadClass, number> = {
  motorway: 0,
  trunk: 1,
  primary: 2,
  secondary: 3,
  motorway_link: 4,
  tertiary: 5,
  unclassified: 6,
  residential: 7,
  living_street: 8,
  service: 9,
  pedestrian: 10,
  footway: 11,
  rail: 12,
};
/** Smaller is more important. */
export const rankOf = (road: Road): number => RANK[road.class];
export const isForCars = (road: Road): boolean => RANK[road.class] <= RANK.service;
