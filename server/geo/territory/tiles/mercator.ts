/**
 * The whole world, spherical Mercator, in integers from 0 to 2^31: 2 cm at the equator. `y` grows to the
 * south, as in tiles.
 */
export const WORLD = 2 ** 31;

export function mercatorX(lon: number): number {
  return Math.min(WORLD - 1, Math.max(0, Math.round((lon / 360 + 0.5) * WORLD)));
}

export function mercatorY(lat: number): number {
  const sin = Math.sin((lat * Math.PI) / 180);
  const y = 0.5 - (0.25 * Math.log((1 + sin) / (1 - sin))) / Math.PI;
  return Math.min(WORLD - 1, Math.max(0, Math.round(y * WORLD)));
}

/** Pixels (of a 256-pixel tile) that a length in the world's units takes at a zoom. */
export function pixels(length: number, zoom: number): number {
  return (length / WORLD) * 256 * 2 ** zoom;
}

/** The first zoom at which something of this length takes at least so many pixels. */
export function zoomFor(length: number, atLeast: number): number {
  return length <= 0 ? Infinity : Math.ceil(Math.log2((atLeast * WORLD) / (256 * length)));
}
