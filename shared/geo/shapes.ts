/** Longitude and latitude, degrees. */
export type LonLat = readonly [lon: number, lat: number];

/** A zone drawn on the map. Polygons have an outer ring and holes, each closed or not. */
export type Shape =
  | { readonly kind: 'circle'; readonly center: LonLat; /** metres */ readonly radius: number }
  | { readonly kind: 'polygon'; readonly rings: readonly (readonly LonLat[])[] }
  | {
      readonly kind: 'corridor';
      readonly line: readonly LonLat[];
      /** metres to either side */ readonly width: number;
    };

const METRES_PER_DEGREE = 111_194.93; // of latitude, on the mean sphere

/** Metres on the tangent plane at `at`: accurate to 0.1 % over a town. */
export function planeAt(at: LonLat): (point: LonLat) => readonly [x: number, y: number] {
  const across = METRES_PER_DEGREE * Math.cos((at[1] * Math.PI) / 180);
  return ([lon, lat]) => [wrapped(lon - at[0]) * across, (lat - at[1]) * METRES_PER_DEGREE];
}

/** Metres from a point to the border of a shape: negative inside, positive outside. */
export function depthOf(shape: Shape, point: LonLat): number {
  const plane = planeAt(point);
  switch (shape.kind) {
    case 'circle':
      return Math.hypot(...plane(shape.center)) - shape.radius;
    case 'corridor':
      return distanceToLine(shape.line.map(plane)) - shape.width;
    case 'polygon': {
      const rings = shape.rings.map((ring) => closedRing(ring).map(plane));
      const distance = Math.min(...rings.map(distanceToLine));
      return rings.filter(holdsOrigin).length % 2 === 1 ? -distance : distance;
    }
  }
}

/** Metres from a point to a line. */
export function distanceTo(line: readonly LonLat[], point: LonLat): number {
  return distanceToLine(line.map(planeAt(point)));
}

/**
 * Metres from a point to the segment between two others, and the position (0 to 1) of the nearest place on
 * it.
 */
export function nearestOnSegment(point: LonLat, from: LonLat, to: LonLat): { distance: number; along: number } {
  const plane = planeAt(point);
  return toSegment(plane(from), plane(to));
}

/** A box around a shape, in degrees: west, south, east, north. */
export function boxOf(shape: Shape): readonly [number, number, number, number] {
  const points = shape.kind === 'circle' ? [shape.center] : shape.kind === 'corridor' ? shape.line : shape.rings.flat();
  const reach = shape.kind === 'circle' ? shape.radius : shape.kind === 'corridor' ? shape.width : 0;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [lon, lat] of points) {
    const up = reach / METRES_PER_DEGREE;
    const across = up / Math.max(0.01, Math.cos((lat * Math.PI) / 180));
    west = Math.min(west, lon - across);
    east = Math.max(east, lon + across);
    south = Math.min(south, lat - up);
    north = Math.max(north, lat + up);
  }
  return [west, south, east, north];
}

function distanceToLine(line: readonly (readonly [number, number])[]): number {
  if (line.length === 1) return Math.hypot(...line[0]!);
  let least = Infinity;
  for (let i = 1; i < line.length; i++) least = Math.min(least, toSegment(line[i - 1]!, line[i]!).distance);
  return least;
}

/** From the origin. */
function toSegment(
  [ax, ay]: readonly [number, number],
  [bx, by]: readonly [number, number],
): { distance: number; along: number } {
  const [dx, dy] = [bx - ax, by - ay];
  const square = dx * dx + dy * dy;
  const along = square === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / square));
  return { distance: Math.hypot(ax + along * dx, ay + along * dy), along };
}

/** Even-odd rule for the origin. */
function holdsOrigin(ring: readonly (readonly [number, number])[]): boolean {
  let inside = false;
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = ring[i - 1]!;
    const [bx, by] = ring[i]!;
    if (ay > 0 !== by > 0 && (ay * (bx - ax)) / (by - ay) < ax) inside = !inside;
  }
  return inside;
}

function closedRing(ring: readonly LonLat[]): readonly LonLat[] {
  const [first, last] = [ring[0]!, ring.at(-1)!];
  return first[0] === last[0] && first[1] === last[1] ? ring : [...ring, first];
}

/** Longitude differences go the short way round. */
function wrapped(degrees: number): number {
  return degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees;
}
