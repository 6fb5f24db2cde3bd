/**
 * A closure covers roads within this many metres of its line, or inside its area. The station closes roads by
 * it; consoles test whether a place lies in a closure.
 */
export const CLOSURE_REACH = { Point: 30, LineString: 15, Polygon: 0 } as const;
