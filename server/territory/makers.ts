import { readFile } from 'node:fs/promises';
import { BadExtract } from './formats/bad-extract.ts';
import type { Maker, RoadSettings, TerritoryInfo } from './door.ts';
import { makePlaces } from './places/index.ts';
import type { Stage } from './progress-board.ts';
import { defineProfile, roadsMaker } from './roads/index.ts';
import type { Profile } from './roads/index.ts';
import { makeTiles } from './tiles/index.ts';

type Counts = Partial<TerritoryInfo['counts']>;
export interface StageMaker {
  readonly stage: Exclude<Stage, 'read'>;
  readonly make: Maker<Counts>;
}

/** What is made of an extract, longest first, so that the threads end at about the same time. */
export function makersOf(roads: RoadSettings): readonly StageMaker[] {
  return [
    { stage: 'places', make: makePlaces },
    { stage: 'roads', make: makeRoads(roads) },
    { stage: 'tiles', make: makeTiles },
  ];
}

export const MAKERS = 3;

function makeRoads({ profileFile, minComponent }: RoadSettings): Maker<Counts> {
  return async (extract, directory, report) => {
    const log: string[] = [];
    const profile = profileFile === undefined ? undefined : await readProfile(profileFile);
    const make = roadsMaker({ log: (line) => log.push(line), ...(profile && { profile }), ...(minComponent !== undefined && { minComponent }) });
    return { ...(await make(extract, directory, report)), log };
  };
}

async function readProfile(path: string): Promise<Profile> {
  try {
    return defineProfile(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new BadExtract(`the vehicle profile ${path} cannot be used: ${(error as Error).message.replace(/\.$/, '')}`, { cause: error });
  }
}
