import type { Geometry, Position } from 'geojson';
import type { LonLat } from '../../../../shared/geo/shapes.ts';
import type { Drawing, DrawKind } from './draw-geometry.ts';

/** A drawing as GeoJSON; a polygon's ring is closed. */
export function toGeoJson({ kind, vertices }: Drawing): Geometry {
  const positions: Position[] = vertices.map(([lon, lat]) => [round(lon), round(lat)]);
  if (kind === 'point') return { type: 'Point', coordinates: positions[0]! };
  if (kind === 'line') return { type: 'LineString', coordinates: positions };
  return { type: 'Polygon', coordinates: [[...positions, positions[0]!]] };
}

/** A geometry as an editable drawing; undefined for a geometry of several parts. */
export function fromGeoJson(geometry: Geometry): Drawing | undefined {
  switch (geometry.type) {
    case 'Point':
      return drawn('point', [geometry.coordinates]);
    case 'LineString':
      return drawn('line', geometry.coordinates);
    case 'Polygon':
      return geometry.coordinates.length === 1 ? drawn('polygon', geometry.coordinates[0]!.slice(0, -1)) : undefined;
    default:
      return undefined;
  }
}

function drawn(kind: DrawKind, positions: readonly Position[]): Drawing {
  return { kind, vertices: positions.map(([lon, lat]): LonLat => [lon!, lat!]), radius: 0 };
}

/** Every position of a geometry. */
export function positionsOf(geometry: Geometry): Position[] {
  if (geometry.type === 'GeometryCollection') return geometry.geometries.flatMap(positionsOf);
  const flat = (part: unknown): Position[] =>
    Array.isArray(part) && typeof part[0] === 'number'
      ? [part as Position]
      : Array.isArray(part)
        ? part.flatMap(flat)
        : [];
  return flat(geometry.coordinates);
}

/** The middle of the box around a geometry, to look at; undefined for an empty one. */
export function centreOf(geometry: Geometry): { lat: number; lon: number } | undefined {
  const positions = positionsOf(geometry);
  if (positions.length === 0) return undefined;
  const middle = (values: readonly number[]) =>
    (values.reduce((least, value) => Math.min(least, value)) + values.reduce((most, value) => Math.max(most, value))) /
    2;
  return { lon: middle(positions.map(([lon]) => lon!)), lat: middle(positions.map(([, lat]) => lat!)) };
}

/** 7 digits are a centimetre. */
function round(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}
