import type { OsmExtract } from '../extract/extract.ts';
import { MISSING } from '../extract/extract.ts';
import { metresBetweenE7 } from '../geometry/metres.ts';
import type { Streets } from './streets.ts';

export interface Corner {
  /** Positions of two streets, `a < b`. */
  a: number;
  b: number;
  lon: number;
  lat: number;
}

/**
 * Junctions of the same two streets within this distance are one corner: carriageways, slip roads, a junction
 * drawn as a square.
 */
const ONE_CORNER = 60;

/** Where two streets of different names share a node. */
export function findCorners(extract: OsmExtract, streets: Streets): Corner[] {
  const { nodes, ways } = extract;
  const only = new Int32Array(nodes.count).fill(-1);
  const several = new Map<number, Set<number>>();
  for (let way = 0; way < ways.count; way++) {
    const street = streets.ofWay[way]!;
    if (street < 0) continue;
    for (let r = ways.first[way]!; r < ways.first[way + 1]!; r++) {
      const node = ways.refs[r]!;
      if (node === MISSING || only[node] === street) continue;
      if (only[node] === -1) only[node] = street;
      else {
        const met = several.get(node);
        if (met) met.add(street);
        else several.set(node, new Set([only[node]!, street]));
      }
    }
  }

  // Both streets in one number.
  const points = new Map<number, { a: number; b: number; at: { lon: number; lat: number; count: number }[] }>();
  for (const [node, met] of several) {
    const here = [...met].sort((x, y) => x - y);
    const lon = nodes.lon[node]!,
      lat = nodes.lat[node]!;
    for (let i = 0; i < here.length; i++) {
      for (let j = i + 1; j < here.length; j++) {
        const key = here[i]! * streets.documents.length + here[j]!;
        let pair = points.get(key);
        if (!pair) points.set(key, (pair = { a: here[i]!, b: here[j]!, at: [] }));
        const near = pair.at.find((point) => metresBetweenE7(point.lon, point.lat, lon, lat) < ONE_CORNER);
        if (near) {
          near.lon += (lon - near.lon) / ++near.count;
          near.lat += (lat - near.lat) / near.count;
        } else pair.at.push({ lon, lat, count: 1 });
      }
    }
  }
  const corners: Corner[] = [];
  for (const { a, b, at } of points.values())
    for (const { lon, lat } of at) corners.push({ a, b, lon: Math.round(lon), lat: Math.round(lat) });
  return corners;
}
