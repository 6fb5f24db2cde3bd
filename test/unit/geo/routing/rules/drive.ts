import type { Heading, Coordinate } from '../../../../../server/geo/routing/types.ts';
import type { Town } from '../town.ts';

export const EAST: Heading = { degrees: 90, range: 10 };

export const drive = (town: Town, points: (Coordinate & { heading?: Heading })[]): number | undefined =>
  town.router.route({ points }).route?.time;
