import { readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FILES } from '../types.ts';
import type { Maker } from '../types.ts';
import { PackedExtract } from '../extract/packed-extract.ts';
import { MIN_COMPONENT, buildRoads } from './build-roads.ts';
import type { Profile } from './profiles/profile.ts';
import { car } from './profiles/car.ts';
import { emergency } from './profiles/emergency.ts';
import { foot } from './profiles/foot.ts';
import { truck } from './profiles/truck.ts';
import { readWays, writeWays } from './road-extract.ts';
import { writeRoadLimits } from './road-limits.ts';

export { buildRoads, MIN_COMPONENT } from './build-roads.ts';
export type { BuiltRoads, RoadOptions } from './build-roads.ts';
export { Roads, ROUNDABOUT, STARTABLE, SMALL } from './roads.ts';
export type { RoadColumns, RoadFacts } from './roads.ts';
export { SIGNAL, BARRIER } from './graph/collect-pieces.ts';
export { FANOUT } from './graph/snap-index.ts';
export { defineProfile, ProfileSchema } from './profiles/profile.ts';
export type { Profile } from './profiles/profile.ts';
export { car } from './profiles/car.ts';
export * from '../geometry/geodesy.ts';

interface RoadCounts {
  roadNodes: number;
  roadArcs: number;
}

/**
 * Built-in profiles, by name. An import makes only the car's roads, because each profile costs as much as the
 * first; others are made on demand (`makeProfile`).
 */
export const PROFILES: Readonly<Record<string, Profile>> = { car, truck, emergency, foot };

/** File of a profile's roads in a territory's directory. */
export function roadsFile(profile: string): string {
  return profile === car.name ? FILES.roads : FILES.roads.replace('.bin', `-${profile}.bin`);
}

/** Profiles with roads in a territory's directory, the car first. */
export async function profilesIn(directory: string): Promise<string[]> {
  const names = (await readdir(directory))
    .flatMap((file) => /^roads(?:-([a-z][a-z0-9-]*))?\.bin$/.exec(file)?.slice(1) ?? [])
    .map((name: string | undefined) => name ?? car.name);
  return names.sort((a, b) => Number(b === car.name) - Number(a === car.name) || (a < b ? -1 : 1));
}

/** Profiles without roads in a territory's directory that can be made there. */
export async function buildableProfiles(directory: string): Promise<string[]> {
  const files = await readdir(directory);
  return files.includes(FILES.ways) ? Object.keys(PROFILES).filter((name) => !files.includes(roadsFile(name))) : [];
}

/**
 * Makes the roads of one more of `PROFILES` in a territory's directory, from the source that the import kept.
 */
export async function makeProfile(directory: string, name: string): Promise<void> {
  const { extract, minComponent } = await readWays(directory);
  const { bytes } = buildRoads(extract, { profile: PROFILES[name]!, minComponent });
  const path = join(directory, roadsFile(name));
  // Atomically: opening a territory uses the files that are there.
  await writeFile(`${path}.part`, bytes);
  await rename(`${path}.part`, path);
}

interface RoadsMakerOptions {
  /** A custom profile, in addition to the car's; one named `car` replaces it. */
  profile?: Profile;
  /** More profiles. */
  profiles?: readonly Profile[];
  minComponent?: number;
  /** Hears what was passed over, in words. */
  log?: (line: string) => void;
}

/**
 * Makes `roads.bin` for the ordinary car, a file for every other profile, the source for further ones, and
 * the speed limits. Counts are those of the first.
 */
export function roadsMaker({ profile, profiles = [], minComponent, log }: RoadsMakerOptions = {}): Maker<RoadCounts> {
  const wanted = new Map([car, ...profiles, ...(profile ? [profile] : [])].map((one) => [one.name, one]));
  return async (extract, directory, report) => {
    if (extract instanceof PackedExtract) await writeWays(extract, directory, minComponent ?? MIN_COMPONENT);
    await writeRoadLimits(extract, directory);
    let counts: RoadCounts | undefined;
    let made = 0;
    for (const one of wanted.values()) {
      const built = buildRoads(extract, {
        profile: one,
        ...(minComponent !== undefined && { minComponent }),
        report: (done) => report((made + done) / wanted.size),
      });
      await writeFile(join(directory, roadsFile(one.name)), built.bytes);
      for (const line of built.log) log?.(wanted.size > 1 ? `${one.name}: ${line}` : line);
      counts ??= { roadNodes: built.roadNodes, roadArcs: built.roadArcs };
      made++;
    }
    return counts!;
  };
}

export const makeRoads: Maker<RoadCounts> = roadsMaker();
