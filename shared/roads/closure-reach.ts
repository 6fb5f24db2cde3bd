/**
 * A closure holds on roads this near to what was drawn, metres; an area within its border. The station closes
 * roads by it, and a console tells by it whether a place on a road lies in a closure.
 */
export const CLOSURE_REACH = { Point: 30, LineString: 15, Polygon: 0 } as const;
