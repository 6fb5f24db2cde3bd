import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Maker } from '../types.ts';
import { PackedExtract } from '../extract/packed-extract.ts';
import { MIN_COMPONENT, buildRoads } from './build-roads.ts';
import type { Profile } from './profiles/profile.ts';
import { car } from './profiles/car.ts';
import { emergency } from './profiles/emergency.ts';
import { foot } from './profiles/foot.ts';
import { truck } from './profiles/truck.ts';
import { roadsFile, type BuiltInProfile } from './reading.ts';
import { readWays, writeWays } from './road-extract.ts';
import { writeRoadLimits } from './road-limits.ts';

export * from './reading.ts';
export { buildRoads, MIN_COMPONENT } from './build-roads.ts';
export type { BuiltRoads, RoadOptions } from './build-roads.ts';
export { defineProfile, ProfileSchema } from './profiles/profile.ts';
export type { Profile } from './profiles/profile.ts';
export { car } from './profiles/car.ts';

interface RoadCounts {
  roadNodes: number;
  roadArcs: number;
}

/**
 * Built-in profiles, by name. An import makes only the car's roads, because each profile costs as much as the
 * first; others are made on demand (`makeProfile`).
 */
export const PROFILES: Readonly<Record<string, Profile>> = {
  car,
  truck,
  emergency,
  foot,
} satisfies Record<BuiltInProfile, Profile>;

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
  /** Hears what was skipped, in words. */
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
