import { mix } from '../../../server/demo/chance.ts';

/**
 * Smooth noise over the plane, from -1 to 1, with features of about the size of one unit; the same for the
 * same seed.
 */
export function noiseFrom(seed: number): (x: number, y: number) => number {
  const corner = (x: number, y: number): number => (mix(mix(seed, x), y) >>> 0) / 2147483647.5 - 1;
  return (x, y) => {
    const left = Math.floor(x);
    const low = Math.floor(y);
    const u = fade(x - left);
    const v = fade(y - low);
    const bottom = corner(left, low) * (1 - u) + corner(left + 1, low) * u;
    const top = corner(left, low + 1) * (1 - u) + corner(left + 1, low + 1) * u;
    return bottom * (1 - v) + top * v;
  };
}

const fade = (t: number): number => t * t * t * (t * (t * 6 - 15) + 10);
