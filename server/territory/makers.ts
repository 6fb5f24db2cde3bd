import type { Maker, TerritoryInfo } from './door.ts';
import { makePlaces } from './places/index.ts';
import type { Stage } from './progress-board.ts';
import { makeRoads } from './roads/index.ts';
import { makeTiles } from './tiles/index.ts';

type Counts = TerritoryInfo['counts'];

/** What is made of an extract, longest first, so that the threads end at about the same time. */
export const MAKERS: readonly { readonly stage: Exclude<Stage, 'read'>; readonly make: Maker<Partial<Counts>> }[] = [
  { stage: 'places', make: makePlaces },
  { stage: 'roads', make: makeRoads },
  { stage: 'tiles', make: makeTiles },
];
