import type { Geometry, Position } from 'geojson';
import type { LonLat } from '../../../../shared/geo/shapes.ts';
import { MOST_POSITIONS } from './read-warning.ts';

/** Corners of a circle that is drawn as a polygon. */
const CORNERS = 64;
const METRES_PER_DEGREE = 111_194.93;
/** Digits behind the point: about a decimetre. */
const DIGITS = 6;

/** Pairs `lat,lon` that spaces part, as CAP writes them; undefined: they are no places. */
export function pairsOf(text: string): LonLat[] | undefined {
  return lonLatsOf(text.trim().split(/[\s,]+/));
}

/** Numbers `lat lon lat lon …`; undefined: they are no places. */
export function lonLatsOf(numbers: readonly string[]): LonLat[] | undefined {
  const values = numbers.map(Number);
  if (values.length < 2 || values.length % 2 !== 0 || values.length > 2 * MOST_POSITIONS) return undefined;
  const places: LonLat[] = [];
  for (let i = 0; i < values.length; i += 2) {
    const place = lonLatAt(values[i]!, values[i + 1]!);
    if (!place) return undefined;
    places.push(place);
  }
  return places;
}

export function lonLatAt(lat: number, lon: number): LonLat | undefined {
  if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180)) return undefined;
  return [Number(lon.toFixed(DIGITS)), Number(lat.toFixed(DIGITS))];
}

/** The ring of a polygon, closed; undefined: it has no area. */
export function ringOf(places: readonly LonLat[] | undefined): LonLat[] | undefined {
  if (!places || places.length < 3) return undefined;
  const [first, last] = [places[0]!, places.at(-1)!];
  const ring = first[0] === last[0] && first[1] === last[1] ? [...places] : [...places, first];
  return ring.length >= 4 ? ring : undefined;
}

/** A circle as a ring. @param radius metres, above 0 */
export function circleRing([lon, lat]: LonLat, radius: number): LonLat[] | undefined {
  if (!(radius > 0) || radius > 20_000_000) return undefined;
  const up = radius / METRES_PER_DEGREE;
  const across = up / Math.max(0.01, Math.cos((lat * Math.PI) / 180));
  const corners = Array.from({ length: CORNERS }, (_, index): LonLat => {
    const angle = (2 * Math.PI * index) / CORNERS;
    const corner = [lon + across * Math.cos(angle), lat + up * Math.sin(angle)] as const;
    return [
      Number(Math.min(180, Math.max(-180, corner[0])).toFixed(DIGITS)),
      Number(Math.min(90, Math.max(-90, corner[1])).toFixed(DIGITS)),
    ];
  });
  return [...corners, corners[0]!];
}

/** One geometry of all parts; null: there are none. Parts of several kinds: only the areas, else only the lines. */
export function joinedGeometry({
  rings = [],
  lines = [],
  points = [],
}: {
  readonly rings?: readonly (readonly LonLat[])[];
  readonly lines?: readonly (readonly LonLat[])[];
  readonly points?: readonly LonLat[];
}): Geometry | null {
  const copy = (line: readonly LonLat[]): Position[] => line.map(([lon, lat]) => [lon, lat]);
  if (rings.length === 1) return { type: 'Polygon', coordinates: [copy(rings[0]!)] };
  if (rings.length > 1) return { type: 'MultiPolygon', coordinates: rings.map((ring) => [copy(ring)]) };
  if (lines.length === 1) return { type: 'LineString', coordinates: copy(lines[0]!) };
  if (lines.length > 1) return { type: 'MultiLineString', coordinates: lines.map(copy) };
  if (points.length === 1) return { type: 'Point', coordinates: [...points[0]!] };
  return points.length > 1 ? { type: 'MultiPoint', coordinates: copy(points) } : null;
}

/** The positions of a geometry, all parts one after another. */
export function allPositions(geometry: Geometry): Position[] {
  switch (geometry.type) {
    case 'Point':
      return [geometry.coordinates];
    case 'MultiPoint':
    case 'LineString':
      return geometry.coordinates;
    case 'MultiLineString':
    case 'Polygon':
      return geometry.coordinates.flat();
    case 'MultiPolygon':
      return geometry.coordinates.flat(2);
    case 'GeometryCollection':
      return geometry.geometries.flatMap(allPositions);
  }
}
