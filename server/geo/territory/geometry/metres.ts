/**
 * Small plane geometry in metres. Coordinates are whole numbers of 1e-7 degrees, as OpenStreetMap keeps them.
 */

const EARTH = 6_371_008.8;
/** metres in 1e-7 degrees of latitude */
export const UNIT = ((Math.PI / 180) * EARTH) / 1e7;

/**
 * Metres between two points: flat around their middle latitude, right to 1 ‰ over some tens of kilometres.
 */
export function metresBetweenE7(lonA: number, latA: number, lonB: number, latB: number): number {
  const dx = (lonB - lonA) * shrink((latA + latB) / 2);
  const dy = latB - latA;
  return Math.sqrt(dx * dx + dy * dy) * UNIT;
}

/**
 * How much shorter a degree of longitude is at this latitude than at the equator. Never quite 0, so that one
 * may divide by it.
 */
export function shrink(lat: number): number {
  return Math.max(1e-6, Math.cos(((lat / 1e7) * Math.PI) / 180));
}

export interface BoundingBox {
  west: number;
  south: number;
  east: number;
  north: number;
}

export function emptyBox(): BoundingBox {
  return { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
}

export function grow(box: BoundingBox, lon: number, lat: number): void {
  if (lon < box.west) box.west = lon;
  if (lon > box.east) box.east = lon;
  if (lat < box.south) box.south = lat;
  if (lat > box.north) box.north = lat;
}

/** The box of everything within so many metres of a point, kept on the globe. */
export function around(lon: number, lat: number, metres: number): BoundingBox {
  return grown({ west: lon, south: lat, east: lon, north: lat }, metres);
}

/** The same of a box. */
export function grown({ west, south, east, north }: BoundingBox, metres: number): BoundingBox {
  const dy = metres / UNIT;
  const dx = Math.min(dy / shrink(Math.max(Math.abs(south), Math.abs(north))), 3_600_000_000);
  return {
    west: Math.max(-1_800_000_000, Math.floor(west - dx)),
    south: Math.max(-900_000_000, Math.floor(south - dy)),
    east: Math.min(1_800_000_000, Math.ceil(east + dx)),
    north: Math.min(900_000_000, Math.ceil(north + dy)),
  };
}

/** Metres from a point to a box, 0 inside. */
export function metresToBox(lon: number, lat: number, box: BoundingBox): number {
  const x = Math.min(Math.max(lon, box.west), box.east);
  const y = Math.min(Math.max(lat, box.south), box.north);
  return metresBetweenE7(lon, lat, x, y);
}

/** A line as `lon, lat, lon, lat, …`. */
export type Line = Int32Array;

interface Foot {
  metres: number;
  lon: number;
  lat: number;
  /** metres from the beginning of the line to the foot */
  along: number;
}

/** The point of a line that is nearest to a point. A line of one point is that point. */
export function nearestOnLine(line: Line, lon: number, lat: number): Foot {
  const scale = shrink(lat);
  let best: Foot = { metres: metresBetweenE7(lon, lat, line[0]!, line[1]!), lon: line[0]!, lat: line[1]!, along: 0 };
  let before = 0;
  for (let i = 2; i + 1 < line.length; i += 2) {
    const x1 = (line[i - 2]! - lon) * scale,
      y1 = line[i - 1]! - lat;
    const dx = (line[i]! - line[i - 2]!) * scale,
      dy = line[i + 1]! - line[i - 1]!;
    const square = dx * dx + dy * dy;
    const part = square === 0 ? 0 : Math.min(1, Math.max(0, -(x1 * dx + y1 * dy) / square));
    const x = x1 + part * dx,
      y = y1 + part * dy;
    const metres = Math.sqrt(x * x + y * y) * UNIT;
    const length = Math.sqrt(square) * UNIT;
    if (metres < best.metres)
      best = { metres, lon: Math.round(lon + x / scale), lat: Math.round(lat + y), along: before + part * length };
    before += length;
  }
  return best;
}

export function lineLength(line: Line): number {
  let length = 0;
  for (let i = 2; i + 1 < line.length; i += 2)
    length += metresBetweenE7(line[i - 2]!, line[i - 1]!, line[i]!, line[i + 1]!);
  return length;
}

/** The point so many metres along a line; its ends when that is before or beyond it. */
export function pointAlong(line: Line, metres: number): { lon: number; lat: number } {
  let left = metres;
  for (let i = 2; i + 1 < line.length; i += 2) {
    const length = metresBetweenE7(line[i - 2]!, line[i - 1]!, line[i]!, line[i + 1]!);
    if (left <= length && length > 0) {
      const part = Math.max(0, left / length);
      return {
        lon: Math.round(line[i - 2]! + part * (line[i]! - line[i - 2]!)),
        lat: Math.round(line[i - 1]! + part * (line[i + 1]! - line[i - 1]!)),
      };
    }
    left -= length;
  }
  return { lon: line[line.length - 2]!, lat: line[line.length - 1]! };
}

/** The point in the middle of a line. */
export function halfway(line: Line): { lon: number; lat: number } {
  return pointAlong(line, lineLength(line) / 2);
}

/** The map zoom at which a box fills a window of about 700 pixels, between 10 and 18. */
export function zoomOf(box: BoundingBox): number {
  const degrees = Math.max((box.east - box.west) / 1e7, ((box.north - box.south) / 1e7) * 1.5, 1e-5);
  return Math.min(18, Math.max(10, Math.floor(Math.log2((360 * 700) / 256 / degrees))));
}
