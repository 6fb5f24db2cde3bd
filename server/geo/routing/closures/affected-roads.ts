import { metresBetweenMicro, MICRO } from '../../territory/roads/reading.ts';
import type { Roads } from '../../territory/roads/reading.ts';
import { piecesUnderGeometry } from './closures.ts';
import type { Closure, AffectedRoads } from '../types.ts';
import type { Snapper } from '../snapping/snapper.ts';

const MAX_NAMES = 20;
const MAX_LINES = 2_000;

/** The roads that a closure with this geometry would affect. */
export function affectedRoads(geometry: Closure['geometry'], roads: Roads, snapper: Snapper): AffectedRoads {
  const { shape, nodeLat, nodeLon } = roads.columns;
  const byName = new Map<string, number>();
  const lines: [number, number][][] = [];
  const known = new Set<number>();
  let all = 0;
  for (const piece of piecesUnderGeometry(geometry, roads, snapper)) {
    const [a, b] = [shape[piece]!, shape[piece + 1]!].sort((one, other) => one - other) as [number, number];
    // The two directions of a road may be separate pieces.
    const pair = a * roads.nodes + b;
    if (known.has(pair)) continue;
    known.add(pair);
    const metres = metresBetweenMicro(nodeLon[a]!, nodeLat[a]!, nodeLon[b]!, nodeLat[b]!);
    const name = roads.name(roads.segmentOf(piece));
    all += metres;
    byName.set(name, (byName.get(name) ?? 0) + metres);
    if (lines.length < MAX_LINES) lines.push([a, b].map((node) => [nodeLon[node]! * MICRO, nodeLat[node]! * MICRO]));
  }
  const names = [...byName].map(([name, metres]) => ({ name, metres })).sort((one, other) => other.metres - one.metres);
  return { metres: all, names: names.slice(0, MAX_NAMES), lines };
}
