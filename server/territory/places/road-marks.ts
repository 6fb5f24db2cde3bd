import Flatbush from 'flatbush';
import type { OsmExtract } from '../extract.ts';
import { MISSING } from '../extract.ts';
import type { Document } from './document.ts';
import { around, metresBetween, nearestOnLine } from './metres.ts';
import { numbersOf } from './streets.ts';
import type { Streets } from './streets.ts';

/** What stands beside a road and says how far along it one is. */
export interface Milestone {
  document: Document;
  /** Along the road, as the stone says. */
  metres: number;
  lon: number;
  lat: number;
}

/** A stone stands no further from the middle of its road. Metres. */
const BESIDE = 40;
const MILE = 1609.344;
const DISTANCE = /^(\d{1,4})(?:[.,](\d{1,3})|\+(\d{1,3}))?\s*(km|mi|mile|miles)?$/i;

/** Metres of "12", "12.5", "12 km", "12+300", "7 mi"; kilometres where there is no unit, as OpenStreetMap has it. */
export function metresOfDistance(text: string): number | undefined {
  const [, whole, fraction, more, unit] = DISTANCE.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  const value = more === undefined ? Number(`${whole}.${fraction ?? 0}`) : Number(whole) + Number(more) / 1000;
  return Math.round(value * (unit?.toLowerCase().startsWith('mi') ? MILE : 1000));
}

/** The milestones of the roads that have a number or a name. */
export function findMilestones(extract: OsmExtract, streets: Streets): Milestone[] {
  const { nodes } = extract;
  const stones: { metres: number; lon: number; lat: number; ref: string | undefined }[] = [];
  for (const node of nodes.having('distance', 'pk')) {
    const tags = nodes.tags(node)!;
    if (tags.highway !== 'milestone') continue;
    const metres = metresOfDistance(tags.distance ?? tags.pk ?? '');
    if (metres !== undefined) stones.push({ metres, lon: nodes.lon[node]!, lat: nodes.lat[node]!, ref: tags.ref?.replaceAll(' ', '') });
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
        const box = around(piece[0]!, piece[1]!, BESIDE + metresBetween(piece[0]!, piece[1]!, piece[2]!, piece[3]!));
        for (const s of index.search(box.west, box.south, box.east, box.north)) {
          const { lon, lat, ref } = stones[s]!;
          // A stone that names its road belongs to no other.
          if (ref !== undefined && !document.names.includes(ref)) continue;
          const { metres } = nearestOnLine(piece, lon, lat);
          if (metres < nearest[s]!.least) nearest[s] = { document, least: metres };
        }
      }
    }
  }
  return stones.flatMap(({ metres, lon, lat }, s) => (nearest[s]!.document ? [{ document: nearest[s]!.document, metres, lon, lat }] : []));
}

/** The numbers of the roads that go through the motorway junctions, by the position of the junction's node. */
export function roadsOfJunctions({ nodes, ways }: OsmExtract): ReadonlyMap<number, readonly string[]> {
  const roads = new Map<number, string[]>();
  for (const node of nodes.having('highway')) if (nodes.tags(node)!.highway === 'motorway_junction') roads.set(node, []);
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
