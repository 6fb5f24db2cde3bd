import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FILES } from '../door.ts';
import type { Maker } from '../door.ts';
import { buildRoads } from './build-roads.ts';
import type { Profile } from './profile.ts';
import { car } from './profiles/car.ts';

export { buildRoads, MIN_COMPONENT } from './build-roads.ts';
export type { BuiltRoads, RoadOptions } from './build-roads.ts';
export { Roads, ROUNDABOUT, STARTABLE, SMALL } from './roads.ts';
export type { RoadColumns, RoadFacts } from './roads.ts';
export { SIGNAL, BARRIER } from './collect-pieces.ts';
export { FANOUT } from './snap-index.ts';
export { defineProfile, ProfileSchema } from './profile.ts';
export type { Profile } from './profile.ts';
export { car } from './profiles/car.ts';
export * from './geodesy.ts';

export interface RoadCounts {
  roadNodes: number;
  roadArcs: number;
}

/** Makes `roads.bin`. The profile is the importing user's own, or the ordinary car. */
export function roadsMaker(options: { profile?: Profile; minComponent?: number; log?: (line: string) => void } = {}): Maker<RoadCounts> {
  return async (extract, directory, report) => {
    const built = buildRoads(extract, { profile: options.profile ?? car, ...(options.minComponent === undefined ? {} : { minComponent: options.minComponent }), report });
    await writeFile(join(directory, FILES.roads), built.bytes);
    for (const line of built.log) options.log?.(line);
    return { roadNodes: built.roadNodes, roadArcs: built.roadArcs };
  };
}

export const makeRoads: Maker<RoadCounts> = roadsMaker();
