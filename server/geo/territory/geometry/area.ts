import { emptyBox, grow } from './metres.ts';
import type { BoundingBox, Line } from './metres.ts';

/**
 * A surface bounded by closed rings (their first point comes again at the end), in whole numbers of any
 * plane; what lies inside an odd number of them is inside. The edges are sorted into horizontal bands, so
 * that a question looks only at the edges of its own band: borders and coasts have thousands of edges and are
 * asked for every street.
 */
export class Area {
  readonly box: BoundingBox;
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
        for (let band = low; band <= high; band++)
          this.#bands[band]!.push(ring[i]!, ring[i + 1]!, ring[i + 2]!, ring[i + 3]!);
      }
    }
  }

  contains(lon: number, lat: number): boolean {
    const { box } = this;
    if (lon < box.west || lon > box.east || lat < box.south || lat > box.north) return false;
    const edges = this.#bands[this.#band(lat)]!;
    let inside = false;
    for (let i = 0; i < edges.length; i += 4) {
      const y1 = edges[i + 1]!,
        y2 = edges[i + 3]!;
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

  /**
   * The centre of gravity of the largest ring if it lies inside, else the middle of the widest stretch at its
   * height.
   */
  innerPoint(): { lon: number; lat: number } {
    const largest = this.rings.map(centre).reduce((a, b) => (Math.abs(b.size) > Math.abs(a.size) ? b : a));
    if (this.contains(largest.lon, largest.lat)) return { lon: Math.round(largest.lon), lat: Math.round(largest.lat) };
    const crossings: number[] = [];
    for (const ring of this.rings) {
      for (let i = 0; i + 3 < ring.length; i += 2) {
        const y1 = ring[i + 1]!,
          y2 = ring[i + 3]!;
        if (y1 > largest.lat !== y2 > largest.lat)
          crossings.push(ring[i]! + ((largest.lat - y1) / (y2 - y1)) * (ring[i + 2]! - ring[i]!));
      }
    }
    crossings.sort((a, b) => a - b);
    let lon = largest.lon,
      widest = -1;
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const width = crossings[i + 1]! - crossings[i]!;
      if (width > widest) {
        widest = width;
        lon = (crossings[i + 1]! + crossings[i]!) / 2;
      }
    }
    return { lon: Math.round(lon), lat: Math.round(largest.lat) };
  }

  #band(lat: number): number {
    const { south, north } = this.box;
    const count = this.#bands.length;
    return north === south
      ? 0
      : Math.min(count - 1, Math.max(0, Math.floor(((lat - south) / (north - south)) * count)));
  }
}

function centre(ring: Line): { lon: number; lat: number; size: number } {
  // About its first point, since products of whole coordinates would lose their last digits.
  const lon0 = ring[0]!,
    lat0 = ring[1]!;
  let size = 0,
    lon = 0,
    lat = 0;
  for (let i = 2; i + 3 < ring.length; i += 2) {
    const x1 = ring[i]! - lon0,
      y1 = ring[i + 1]! - lat0,
      x2 = ring[i + 2]! - lon0,
      y2 = ring[i + 3]! - lat0;
    const cross = x1 * y2 - x2 * y1;
    size += cross / 2;
    lon += ((x1 + x2) * cross) / 6;
    lat += ((y1 + y2) * cross) / 6;
  }
  return size === 0 ? { lon: lon0, lat: lat0, size } : { lon: lon0 + lon / size, lat: lat0 + lat / size, size };
}
