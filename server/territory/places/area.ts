import type { OsmExtract, OsmRelation } from '../extract.ts';
import { MISSING } from '../extract.ts';
import { emptyBox, grow } from './metres.ts';
import type { Box, Line } from './metres.ts';

/**
 * A surface bounded by closed rings; what lies inside an odd number of them is inside. The edges are sorted into horizontal bands, so
 * that a question looks only at the edges of its own band: borders have thousands of edges and are asked for every street.
 */
export class Area {
  readonly box: Box;
  readonly rings: readonly Line[];
  readonly #bands: number[][];

  constructor(rings: readonly Line[]) {
    this.rings = rings;
    this.box = emptyBox();
    let edges = 0;
    for (const ring of rings) {
      for (let i = 0; i < ring.length; i += 2) grow(this.box, ring[i]!, ring[i + 1]!);
      edges += ring.length / 2;
    }
    this.#bands = Array.from({ length: Math.max(1, Math.ceil(Math.sqrt(edges))) }, () => []);
    for (const ring of rings) {
      for (let i = 0; i + 3 < ring.length; i += 2) {
        const low = this.#band(Math.min(ring[i + 1]!, ring[i + 3]!));
        const high = this.#band(Math.max(ring[i + 1]!, ring[i + 3]!));
        for (let band = low; band <= high; band++) this.#bands[band]!.push(ring[i]!, ring[i + 1]!, ring[i + 2]!, ring[i + 3]!);
      }
    }
  }

  contains(lon: number, lat: number): boolean {
    const { box } = this;
    if (lon < box.west || lon > box.east || lat < box.south || lat > box.north) return false;
    const edges = this.#bands[this.#band(lat)]!;
    let inside = false;
    for (let i = 0; i < edges.length; i += 4) {
      const y1 = edges[i + 1]!, y2 = edges[i + 3]!;
      if (y1 > lat === y2 > lat) continue;
      if (lon < edges[i]! + ((lat - y1) / (y2 - y1)) * (edges[i + 2]! - edges[i]!)) inside = !inside;
    }
    return inside;
  }

  /** In square units of 1e-7 degrees: good for comparing neighbours. */
  size(): number {
    let size = 0;
    for (const ring of this.rings) size += Math.abs(centre(ring).size);
    return size;
  }

  /** The centre of gravity of the largest ring if it lies inside, else the middle of the widest stretch at its height. */
  innerPoint(): { lon: number; lat: number } {
    const largest = this.rings.map(centre).reduce((a, b) => (Math.abs(b.size) > Math.abs(a.size) ? b : a));
    if (this.contains(largest.lon, largest.lat)) return { lon: Math.round(largest.lon), lat: Math.round(largest.lat) };
    const crossings: number[] = [];
    for (const ring of this.rings) {
      for (let i = 0; i + 3 < ring.length; i += 2) {
        const y1 = ring[i + 1]!, y2 = ring[i + 3]!;
        if (y1 > largest.lat !== y2 > largest.lat) crossings.push(ring[i]! + ((largest.lat - y1) / (y2 - y1)) * (ring[i + 2]! - ring[i]!));
      }
    }
    crossings.sort((a, b) => a - b);
    let lon = largest.lon, widest = -1;
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const width = crossings[i + 1]! - crossings[i]!;
      if (width > widest) { widest = width; lon = (crossings[i + 1]! + crossings[i]!) / 2; }
    }
    return { lon: Math.round(lon), lat: Math.round(largest.lat) };
  }

  #band(lat: number): number {
    const { south, north } = this.box;
    const count = this.#bands.length;
    return north === south ? 0 : Math.min(count - 1, Math.max(0, Math.floor(((lat - south) / (north - south)) * count)));
  }
}

function centre(ring: Line): { lon: number; lat: number; size: number } {
  // About its first point, since products of whole coordinates would lose their last digits.
  const lon0 = ring[0]!, lat0 = ring[1]!;
  let size = 0, lon = 0, lat = 0;
  for (let i = 2; i + 3 < ring.length; i += 2) {
    const x1 = ring[i]! - lon0, y1 = ring[i + 1]! - lat0, x2 = ring[i + 2]! - lon0, y2 = ring[i + 3]! - lat0;
    const cross = x1 * y2 - x2 * y1;
    size += cross / 2;
    lon += ((x1 + x2) * cross) / 6;
    lat += ((y1 + y2) * cross) / 6;
  }
  return size === 0 ? { lon: lon0, lat: lat0, size } : { lon: lon0 + lon / size, lat: lat0 + lat / size, size };
}

/** A way as a line; nodes that the extract lacks are left out. Undefined when none is there. */
export function lineOf(extract: OsmExtract, way: number): Line | undefined {
  const { nodes, ways } = extract;
  const points: number[] = [];
  for (let r = ways.first[way]!; r < ways.first[way + 1]!; r++) {
    const node = ways.refs[r]!;
    if (node !== MISSING) points.push(nodes.lon[node]!, nodes.lat[node]!);
  }
  return points.length > 0 ? Int32Array.from(points) : undefined;
}

/** The surface of a closed way; undefined when it is open or broken. */
export function areaOfWay(extract: OsmExtract, way: number): Area | undefined {
  const { ways } = extract;
  const first = ways.first[way]!, end = ways.first[way + 1]!;
  if (end - first < 4 || ways.refs[first] !== ways.refs[end - 1] || ways.refs.subarray(first, end).includes(MISSING)) return undefined;
  return new Area([lineOf(extract, way)!]);
}

/** The surface of a multipolygon or boundary; undefined unless every ring closes (extracts cut relations at their edge). */
export function areaOfRelation(extract: OsmExtract, relation: OsmRelation): Area | undefined {
  const { ways } = extract;
  const open: Uint32Array[] = [];
  const rings: Uint32Array[] = [];
  for (const member of relation.members) {
    if (member.type !== 'way' || (member.role !== 'outer' && member.role !== 'inner' && member.role !== '')) continue;
    const way = ways.find(member.id);
    if (way < 0) return undefined;
    const refs = ways.refs.subarray(ways.first[way], ways.first[way + 1]);
    if (refs.length < 2 || refs.includes(MISSING)) return undefined;
    (refs[0] === refs[refs.length - 1] ? rings : open).push(refs);
  }
  const joined = joinRings(open);
  if (!joined) return undefined;
  rings.push(...joined.map((nodes) => Uint32Array.from(nodes)));
  if (rings.length === 0) return undefined;
  return new Area(rings.map((ring) => {
    const line = new Int32Array(ring.length * 2);
    ring.forEach((node, i) => { line[2 * i] = extract.nodes.lon[node]!; line[2 * i + 1] = extract.nodes.lat[node]!; });
    return line;
  }));
}

/** Closed rings out of ways that meet end to end; undefined when an end stays loose. */
function joinRings(open: readonly Uint32Array[]): number[][] | undefined {
  const at = new Map<number, number[]>();
  open.forEach((refs, i) => {
    for (const end of [refs[0]!, refs[refs.length - 1]!]) {
      const list = at.get(end);
      if (list) list.push(i);
      else at.set(end, [i]);
    }
  });
  const used = new Uint8Array(open.length);
  const rings: number[][] = [];
  for (let start = 0; start < open.length; start++) {
    if (used[start]) continue;
    used[start] = 1;
    const ring = Array.from(open[start]!);
    while (ring[0] !== ring[ring.length - 1]) {
      const end = ring[ring.length - 1]!;
      const next = at.get(end)!.find((i) => !used[i]);
      if (next === undefined) return undefined;
      used[next] = 1;
      const refs = open[next]!;
      if (refs[0] === end) for (let i = 1; i < refs.length; i++) ring.push(refs[i]!);
      else for (let i = refs.length - 2; i >= 0; i--) ring.push(refs[i]!);
    }
    rings.push(ring);
  }
  return rings;
}
