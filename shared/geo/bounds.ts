/** Degrees. */
export type Bounds = readonly [west: number, south: number, east: number, north: number];
