import { METRES, MICRO, RADIANS, lonDifference } from '../../territory/roads/reading.ts';

/** Thresholds in metres by zoom, 0 to 18 (README rule 4); distances are compared in whole metres. */
const THRESHOLDS = [
  262144, 131072, 65536, 32768, 16384, 8192, 4096, 2048, 960, 480, 240, 90, 50, 25, 15, 5, 0.65, 0.5, 0.35,
];

/**
 * Simplifies a line in micro-degrees (Douglas and Peucker, 1973). `keep` has 1 for vertices that must stay,
 * first and last among them; the function marks those that stay besides. A zoom above 18 keeps all.
 */
export function simplify(lat: ArrayLike<number>, lon: ArrayLike<number>, keep: Uint8Array, zoom: number): void {
  const threshold = THRESHOLDS[zoom];
  if (threshold === undefined) keep.fill(1);
  else simplifyWithin(lat, lon, keep, threshold);
}

/** The same for a threshold in metres. */
export function simplifyWithin(
  lat: ArrayLike<number>,
  lon: ArrayLike<number>,
  keep: Uint8Array,
  threshold: number,
): void {
  const ranges: number[] = [];
  for (let i = 1, before = 0; i < keep.length; i++) {
    if (keep[i] === 0) continue;
    if (i - before > 1) ranges.push(before, i);
    before = i;
  }
  while (ranges.length > 0) {
    const end = ranges.pop()!;
    const start = ranges.pop()!;
    const lat0 = lat[start]!;
    const lon0 = lon[start]!;
    const shrink = Math.cos(((lat0 + lat[end]!) / 2) * MICRO * RADIANS);
    const dx = lonDifference(lon0, lon[end]!) * shrink;
    const dy = lat[end]! - lat0;
    const length = dx * dx + dy * dy;
    let farthest = -1;
    let distance = threshold;
    // Skips vertices by squared distance, without a root; slightly less than exact, because of rounding.
    let least = leastOff(distance);
    for (let i = start + 1; i < end; i++) {
      const px = lonDifference(lon0, lon[i]!) * shrink;
      const py = lat[i]! - lat0;
      const share = px * dx + py * dy;
      const along = share <= 0 ? 0 : share >= length ? 1 : share / length;
      const x = px - along * dx;
      const y = py - along * dy;
      const square = x * x + y * y;
      if (square < least) continue;
      const off = Math.trunc(Math.sqrt(square) * METRES);
      if (off > distance) {
        distance = off;
        farthest = i;
        least = leastOff(distance);
      }
    }
    if (farthest < 0) continue;
    keep[farthest] = 1;
    if (farthest - start > 1) ranges.push(start, farthest);
    if (end - farthest > 1) ranges.push(farthest, end);
  }
}

/** Square, in micro-degrees of latitude, of the first whole metre above `distance`. */
function leastOff(distance: number): number {
  const least = ((Math.floor(distance) + 1) / METRES) * (1 - 1e-9);
  return least * least;
}
