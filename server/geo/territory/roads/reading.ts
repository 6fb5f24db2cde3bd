// The half of this folder's door that reads roads. Threads that make none load it alone: profiles are checked with
// zod, which takes a thread 60 ms and 8 MB.
import { readdir } from 'node:fs/promises';
import { TERRITORY_FILES } from '../types.ts';

export { Roads, ROUNDABOUT, STARTABLE, SMALL } from './roads.ts';
export type { RoadColumns, RoadFacts } from './roads.ts';
export { SIGNAL, BARRIER } from './graph/collect-pieces.ts';
export { FANOUT } from './graph/snap-index.ts';
export * from '../geometry/geodesy.ts';

/** The profile whose roads every import makes. */
export const CAR = 'car';
const BUILT_IN = [CAR, 'truck', 'emergency', 'foot'] as const;
export type BuiltInProfile = (typeof BUILT_IN)[number];

/** File of a profile's roads in a territory's directory. */
export function roadsFile(profile: string): string {
  return profile === CAR ? TERRITORY_FILES.roads : TERRITORY_FILES.roads.replace('.bin', `-${profile}.bin`);
}

/** Profiles with roads in a territory's directory, the car first. */
export async function profilesIn(directory: string): Promise<string[]> {
  const names = (await readdir(directory))
    .flatMap((file) => /^roads(?:-([a-z][a-z0-9-]*))?\.bin$/.exec(file)?.slice(1) ?? [])
    .map((name: string | undefined) => name ?? CAR);
  return names.sort((a, b) => Number(b === CAR) - Number(a === CAR) || (a < b ? -1 : 1));
}

/** Built-in profiles without roads in a territory's directory that can be made there. */
export async function buildableProfiles(directory: string): Promise<string[]> {
  const files = await readdir(directory);
  return files.includes(TERRITORY_FILES.ways) ? BUILT_IN.filter((name) => !files.includes(roadsFile(name))) : [];
}
