import { readFile } from 'node:fs/promises';
import { BadExtract } from '../formats/bad-extract.ts';
import type { Maker, RoadSettings, TerritoryInfo } from '../types.ts';
import type { Stage } from './progress-board.ts';
import type { Profile } from '../roads/index.ts';

type Counts = Partial<TerritoryInfo['counts']>;
export interface StageMaker {
  readonly stage: Exclude<Stage, 'read'>;
  readonly make: Maker<Counts>;
  /**
   * Loads its code in advance. A thread loads only what it makes: loading all takes longer than reading a
   * town.
   */
  readonly load: () => Promise<unknown>;
}

/** The parts of a territory, longest first, so that the threads end at about the same time. */
export function makersOf(roads: RoadSettings): readonly StageMaker[] {
  return [
    { stage: 'places', load: loadPlaces, make: async (...order) => (await loadPlaces()).makePlaces(...order) },
    { stage: 'roads', load: loadRoads, make: makeRoads(roads) },
    { stage: 'tiles', load: loadTiles, make: async (...order) => (await loadTiles()).makeTiles(...order) },
  ];
}

export const MAKERS = 3;

const loadPlaces = () => import('../places/index.ts');
const loadRoads = () => import('../roads/index.ts');
const loadTiles = () => import('../tiles/index.ts');

function makeRoads({ profileFile, minComponent }: RoadSettings): Maker<Counts> {
  return async (extract, directory, report) => {
    const { roadsMaker } = await loadRoads();
    const log: string[] = [];
    const profile = profileFile === undefined ? undefined : await readProfile(profileFile);
    const make = roadsMaker({
      log: (line) => log.push(line),
      ...(profile && { profile }),
      ...(minComponent !== undefined && { minComponent }),
    });
    return { ...(await make(extract, directory, report)), log };
  };
}

async function readProfile(path: string): Promise<Profile> {
  const { defineProfile } = await loadRoads();
  try {
    return defineProfile(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new BadExtract(`the vehicle profile ${path} cannot be used: ${(error as Error).message.replace(/\.$/, '')}`, {
      cause: error,
    });
  }
}
