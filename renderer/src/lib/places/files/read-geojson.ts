import type { Geometry, Position } from 'geojson';
import { geometryFault } from '../../../../../shared/geo/geojson.ts';
import { tableOf, type PlaceGeometry, type PlaceTable } from './place-table.ts';

/** A FeatureCollection, a Feature or a geometry. Properties are the columns. */
export function readGeoJsonPlaces(text: string): PlaceTable {
  const read = JSON.parse(text) as { type?: unknown; features?: unknown };
  const features = read.type === 'FeatureCollection' && Array.isArray(read.features) ? read.features : [read];
  return tableOf(
    features.map((feature) => {
      const { type, properties, geometry, id } = (feature ?? {}) as Record<string, unknown>;
      const place = simple(type === 'Feature' ? geometry : feature);
      const fields = Object.entries((properties ?? {}) as object).map(([name, value]) => [name, textOf(value)]);
      return {
        fields: { ...(id !== undefined && { id: textOf(id) }), ...(Object.fromEntries(fields) as object) },
        ...(place && { geometry: place }),
      };
    }),
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A geometry of one part; of several areas or lines that with the most positions. */
function simple(value: unknown): PlaceGeometry | undefined {
  if (geometryFault(value)) return undefined;
  const geometry = value as Geometry;
  const longest = <P extends { readonly length: number }>(parts: readonly P[]): P | undefined =>
    parts.toSorted((a, b) => b.length - a.length)[0];
  switch (geometry.type) {
    case 'Point':
    case 'LineString':
    case 'Polygon':
      return geometry;
    case 'MultiPoint':
      return geometry.coordinates[0] && { type: 'Point', coordinates: geometry.coordinates[0] };
    case 'MultiLineString': {
      const line = longest(geometry.coordinates);
      return line && { type: 'LineString', coordinates: line };
    }
    case 'MultiPolygon': {
      const rings = geometry.coordinates.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0];
      return rings && { type: 'Polygon', coordinates: rings };
    }
    case 'GeometryCollection':
      return geometry.geometries.map(simple).find((part) => part !== undefined);
  }
}

const sizeOf = (rings: readonly Position[][]): number => rings[0]?.length ?? 0;
