import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CLOSED_LIMIT, RoadLimits, type LimitedPieces } from '../../../../shared/roads/road-limits.ts';
import { TERRITORY_FILES } from '../types.ts';
import { MISSING, type OsmExtract, type Tags } from '../extract/extract.ts';
import { classifyWay } from './rules/classify-way.ts';
import { car } from './profiles/car.ts';
import { speedLimit } from './rules/speed-limit.ts';

/**
 * Writes the speed limits of the roads of an extract, as tagged, not the driven speeds. Laws do not depend on
 * a custom profile, so the roads are those of an ordinary car.
 */
export async function writeRoadLimits(extract: OsmExtract, directory: string): Promise<void> {
  await writeFile(join(directory, TERRITORY_FILES.limits), RoadLimits.pack(limitedPieces(extract)));
}

/** The straight pieces of all roads that a car may use, with their limits. */
export function limitedPieces({ nodes, ways }: OsmExtract): LimitedPieces {
  const roads: { way: number; along: number; against: number }[] = [];
  let most = 0;
  for (const way of ways.having('highway')) {
    const tags = ways.tags(way);
    const use = classifyWay(tags, car);
    if (!use || use.mode !== 1) continue;
    roads.push({
      way,
      along: use.forward > 0 ? allowed(tags, 'forward') : CLOSED_LIMIT,
      against: use.backward > 0 ? allowed(tags, 'backward') : CLOSED_LIMIT,
    });
    most += ways.first[way + 1]! - ways.first[way]!;
  }

  // Growing lists would take three times as long as all the rest.
  const [fromLat, fromLon, toLat, toLon] = [
    new Int32Array(most),
    new Int32Array(most),
    new Int32Array(most),
    new Int32Array(most),
  ];
  const limits = { along: new Uint8Array(most), against: new Uint8Array(most) };
  let count = 0;
  for (const { way, along, against } of roads) {
    for (let i = ways.first[way]!; i + 1 < ways.first[way + 1]!; i++) {
      const a = ways.refs[i]!;
      const b = ways.refs[i + 1]!;
      if (a === MISSING || b === MISSING || a === b) continue;
      fromLat[count] = micro(nodes.lat[a]!);
      fromLon[count] = micro(nodes.lon[a]!);
      toLat[count] = micro(nodes.lat[b]!);
      toLon[count] = micro(nodes.lon[b]!);
      limits.along[count] = along;
      limits.against[count] = against;
      count++;
    }
  }
  return {
    fromLat: fromLat.subarray(0, count),
    fromLon: fromLon.subarray(0, count),
    toLat: toLat.subarray(0, count),
    toLon: toLon.subarray(0, count),
    along: limits.along.subarray(0, count),
    against: limits.against.subarray(0, count),
  };
}

/** The mapper's reference where there is no sign, such as `RU:urban`. */
const KINDS = ['maxspeed:type', 'source:maxspeed'];

/** km/h; 0: unknown, also for `none`, `signals` and unreadable values. */
function allowed(tags: Tags, direction: 'forward' | 'backward'): number {
  const kind = () => KINDS.map((key) => tags[key]).find((value) => value !== undefined && /^[a-z]{2}:/i.test(value));
  const limit = speedLimit(tags[`maxspeed:${direction}`] ?? tags.maxspeed ?? kind(), car.maxspeed);
  return limit === undefined ? 0 : Math.min(CLOSED_LIMIT - 1, Math.round(limit));
}

const micro = (tenths: number): number => Math.round(tenths / 10);
