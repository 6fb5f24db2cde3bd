import type { MultiPolygon, Position } from 'geojson';

/** Mean radius of the earth, kilometres (IUGG). */
const EARTH_KM = 6_371.0088;

/**
 * Square kilometres of areas on the sphere, holes taken off; after Chamberlain and Duquette, "Some Algorithms
 * for Polygons on a Sphere" (2007).
 */
export function squareKilometres({ coordinates }: MultiPolygon): number {
  return coordinates.reduce(
    (sum, [outer, ...holes]) => sum + ringSize(outer!) - holes.reduce((hollow, hole) => hollow + ringSize(hole), 0),
    0,
  );
}

function ringSize(ring: readonly Position[]): number {
  let twice = 0;
  for (let i = 1; i < ring.length; i++) {
    const [[lon, lat], [nextLon, nextLat]] = [ring[i - 1]! as [number, number], ring[i]! as [number, number]];
    twice += radians(nextLon - lon) * (2 + Math.sin(radians(lat)) + Math.sin(radians(nextLat)));
  }
  return (Math.abs(twice) / 2) * EARTH_KM ** 2;
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;
