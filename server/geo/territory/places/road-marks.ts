import Flatbush from 'flatbush';
import type { OsmExtract } from '../extract/extract.ts';
import { MISSING } from '../extract/extract.ts';
import { metresOfDistance } from '../geometry/distance.ts';
import type { Document } from './document.ts';
import { around, metresBetweenE7, nearestOnLine } from '../geometry/metres.ts';
import { numbersOf } from './streets.ts';
import type { Streets } from './streets.ts';

/** A mark beside a road with the distance along it. */
export interface Milestone {
  document: Document;
  /** The distance on the stone. */
  metres: number;
  lon: number;
  lat: number;
}

/** A stone stands no further from the middle of its road. Metres. */
const BESIDE = 40;

/** The milestones of the roads that have a number or a name. */
export function findMilestones(extract: OsmExtract, streets: Streets): Milestone[] {
  const { nodes } = extract;
  const stones: { metres: number; lon: number; lat: number; roads: readonly string[] }[] = [];
  for (const node of nodes.having('distance', 'pk')) {
    const tags = nodes.tags(node)!;
    if (tags.highway !== 'milestone') continue;
    const metres = metresOfDistance(tags.distance ?? tags.pk ?? '');
    if (metres !== undefined)
      stones.push({ metres, lon: nodes.lon[node]!, lat: nodes.lat[node]!, roads: numbersOf(tags.ref ?? '') });
  }
  if (stones.length === 0) return [];
  const index = new Flatbush(stones.length);
  for (const { lon, lat } of stones) index.add(lon, lat, lon, lat);
  index.finish();
  const nearest = stones.map(() => ({ document: undefined as Document | undefined, least: BESIDE }));
  for (const document of streets.documents) {
    for (const line of document.lines ?? []) {
      for (let i = 0; i + 3 < line.length; i += 2) {
        const piece = line.subarray(i, i + 4);
        const box = around(piece[0]!, piece[1]!, BESIDE + metresBetweenE7(piece[0]!, piece[1]!, piece[2]!, piece[3]!));
        for (const s of index.search(box.west, box.south, box.east, box.north)) {
          const { lon, lat, roads } = stones[s]!;
          // A stone that names its road, or the two that run together there, belongs to no other.
          if (roads.length > 0 && !roads.some((road) => document.names.includes(road))) continue;
          const { metres } = nearestOnLine(piece, lon, lat);
          if (metres < nearest[s]!.least) nearest[s] = { document, least: metres };
        }
      }
    }
  }
  return stones.flatMap(({ metres, lon, lat }, s) =>
    nearest[s]!.document ? [{ document: nearest[s]!.document, metres, lon, lat }] : [],
  );
}

/** The numbers of the roads through motorway junctions, by the position of the junction's node. */
export function roadsOfJunctions({ nodes, ways }: OsmExtract): ReadonlyMap<number, readonly string[]> {
  const roads = new Map<number, string[]>();
  for (const node of nodes.having('highway'))
    if (nodes.tags(node)!.highway === 'motorway_junction') roads.set(node, []);
  if (roads.size === 0) return roads;
  for (const way of ways.having('ref')) {
    const { highway, ref } = ways.tags(way);
    if (highway === undefined || ref === undefined) continue;
    for (let r = ways.first[way]!; r < ways.first[way + 1]!; r++) {
      const node = ways.refs[r]!;
      const known = node === MISSING ? undefined : roads.get(node);
      if (known) for (const number of numbersOf(ref)) if (!known.includes(number)) known.push(number);
    }
  }
  return roads;
}
