import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CLOSED, RoadLimits, type LimitedPieces } from '../../../shared/road-limits.ts';
import { FILES } from '../door.ts';
import { MISSING, type OsmExtract, type Tags } from '../extract.ts';
import { Growing } from '../growing.ts';
import { judgeWay } from './judge-way.ts';
import { car } from './profiles/car.ts';
import { speedLimit } from './speed-limit.ts';

/**
 * Writes what is allowed on the roads of an extract: the limits as they are tagged, and not the speeds that are driven. The law does not depend on a profile of
 * one's own, so the roads are those of an ordinary car.
 */
export async function writeRoadLimits(extract: OsmExtract, directory: string): Promise<void> {
  await writeFile(join(directory, FILES.limits), RoadLimits.pack(limitedPieces(extract)));
}

/** The straight pieces of all roads that a car may use, with what is allowed on them. */
export function limitedPieces({ nodes, ways }: OsmExtract): LimitedPieces {
  const ends = { fromLat: new Growing(Int32Array), fromLon: new Growing(Int32Array), toLat: new Growing(Int32Array), toLon: new Growing(Int32Array) };
  const limits = { along: new Growing(Uint8Array), against: new Growing(Uint8Array) };
  for (const way of ways.having('highway')) {
    const tags = ways.tags(way);
    const use = judgeWay(tags, car);
    if (!use || use.mode !== 1) continue;
    const [along, against] = [use.forward > 0 ? allowed(tags, 'forward') : CLOSED, use.backward > 0 ? allowed(tags, 'backward') : CLOSED];
    for (let i = ways.first[way]!; i + 1 < ways.first[way + 1]!; i++) {
      const [a, b] = [ways.refs[i]!, ways.refs[i + 1]!];
      if (a === MISSING || b === MISSING || a === b) continue;
      ends.fromLat.push(micro(nodes.lat[a]!));
      ends.fromLon.push(micro(nodes.lon[a]!));
      ends.toLat.push(micro(nodes.lat[b]!));
      ends.toLon.push(micro(nodes.lon[b]!));
      limits.along.push(along);
      limits.against.push(against);
    }
  }
  const taken = <T extends Int32Array | Uint8Array>({ values, length }: { values: T; length: number }): T => values.slice(0, length) as T;
  return {
    fromLat: taken(ends.fromLat), fromLon: taken(ends.fromLon), toLat: taken(ends.toLat), toLon: taken(ends.toLon),
    along: taken(limits.along), against: taken(limits.against),
  };
}

/** What the mapper named where there is no sign, such as `RU:urban`. */
const KINDS = ['maxspeed:type', 'source:maxspeed'];

/** km/h; 0: none is known, which is also what `none`, `signals` and what nobody understands come to. */
function allowed(tags: Tags, direction: 'forward' | 'backward'): number {
  const kind = () => KINDS.map((key) => tags[key]).find((value) => value !== undefined && /^[a-z]{2}:/i.test(value));
  const limit = speedLimit(tags[`maxspeed:${direction}`] ?? tags.maxspeed ?? kind(), car.maxspeed);
  return limit === undefined ? 0 : Math.min(CLOSED - 1, Math.round(limit));
}

const micro = (tenths: number): number => Math.round(tenths / 10);
