/** Encodes points in degrees as a polyline with six decimals, latitude first. */
export function encodePolyline(points: readonly (readonly [lat: number, lon: number])[]): string {
  const lat = Int32Array.from(points, (point) => Math.round(point[0] * 1e6));
  const lon = Int32Array.from(points, (point) => Math.round(point[1] * 1e6));
  return encodeLine(lat, lon);
}

/** The same for whole numbers of any unit. */
export function encodeLine(lats: Int32Array, lons: Int32Array): string {
  const bytes = Buffer.alloc(lats.length * POINT_BYTES);
  return bytes.toString('latin1', 0, writePolyline(lats, lons, bytes, 0));
}

/** Maximum bytes of a point: a difference of 360 degrees takes six groups. */
export const POINT_BYTES = 12;

/** Writes a polyline of whole micro-degrees. Returns its end. */
export function writePolyline(lats: Int32Array, lons: Int32Array, bytes: Uint8Array, from: number): number {
  let at = from;
  let lat = 0;
  let lon = 0;
  for (let i = 0; i < lats.length; i++) {
    at = writeDifference(lats[i]! - lat, bytes, at);
    at = writeDifference(lons[i]! - lon, bytes, at);
    lat = lats[i]!;
    lon = lons[i]!;
  }
  return at;
}

function writeDifference(difference: number, bytes: Uint8Array, from: number): number {
  let at = from;
  // Zig-zag: twice 360 degrees in micro-degrees is still below 2^31.
  let rest = difference < 0 ? -2 * difference - 1 : 2 * difference;
  for (; rest >= 32; rest >>= 5) bytes[at++] = (rest & 31) + 32 + 63;
  bytes[at++] = rest + 63;
  return at;
}

/** Decodes a polyline to whole micro-degrees; undefined when it is cut inside a number or a point. */
export function readPolyline(text: string): [lat: number, lon: number][] | undefined {
  const points: [number, number][] = [];
  let lat = 0;
  let lon = 0;
  let isLon = false;
  for (let at = 0; at < text.length; isLon = !isLon) {
    let value = 0;
    let weight = 1;
    let part;
    do {
      part = text.charCodeAt(at++) - 63;
      // More than 360 degrees take six parts at most.
      if (!(part >= 0 && part < 64) || weight > 32 ** 6) return undefined;
      value += (part % 32) * weight;
      weight *= 32;
    } while (part >= 32);
    const difference = value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    if (isLon) points.push([lat, (lon += difference)]);
    else lat += difference;
  }
  return isLon ? undefined : points;
}
