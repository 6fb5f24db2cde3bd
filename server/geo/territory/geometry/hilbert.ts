/**
 * Positions of points along a Hilbert curve over their bounds: neighbours on the map are mostly neighbours in
 * it.
 */
export function alongHilbertCurve(lat: ArrayLike<number>, lon: ArrayLike<number>): Uint32Array {
  const [south, west, north, east] = boundsOf(lat, lon);
  const scaleLat = 65535 / Math.max(1, north - south);
  const scaleLon = 65535 / Math.max(1, east - west);
  const key = new Uint32Array(lat.length);
  for (let i = 0; i < key.length; i++)
    key[i] = hilbert(Math.floor((lon[i]! - west) * scaleLon), Math.floor((lat[i]! - south) * scaleLat));
  return sortedBy(key);
}

function boundsOf(
  lat: ArrayLike<number>,
  lon: ArrayLike<number>,
): [south: number, west: number, north: number, east: number] {
  let [south, west, north, east] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < lat.length; i++) {
    south = Math.min(south, lat[i]!);
    north = Math.max(north, lat[i]!);
    west = Math.min(west, lon[i]!);
    east = Math.max(east, lon[i]!);
  }
  return [south, west, north, east];
}

/**
 * Positions of `key` in ascending order; equal keys keep their order. By the low half of their bits, then by
 * the high one: no comparisons.
 */
function sortedBy(key: Uint32Array): Uint32Array {
  let order = key.map((_, i) => i);
  let next = new Uint32Array(key.length);
  const start = new Uint32Array(HALF + 1);
  for (const shift of [0, 16]) {
    start.fill(0);
    for (let i = 0; i < key.length; i++) start[((key[i]! >>> shift) & (HALF - 1)) + 1]!++;
    for (let bucket = 0; bucket < HALF; bucket++) start[bucket + 1]! += start[bucket]!;
    for (let i = 0; i < order.length; i++) {
      const bucket = (key[order[i]!]! >>> shift) & (HALF - 1);
      next[start[bucket]!++] = order[i]!;
    }
    [order, next] = [next, order];
  }
  return order;
}

const HALF = 65536;

/** Place on a Hilbert curve over 65536 x 65536 cells. */
function hilbert(x: number, y: number): number {
  let place = 0;
  for (let side = 32768; side > 0; side >>= 1) {
    const right = x & side ? 1 : 0;
    const up = y & side ? 1 : 0;
    place = place * 4 + ((3 * right) ^ up);
    if (up === 0) {
      if (right === 1) {
        x = 65535 - x;
        y = 65535 - y;
      }
      const swapped = x;
      x = y;
      y = swapped;
    }
  }
  return place;
}
