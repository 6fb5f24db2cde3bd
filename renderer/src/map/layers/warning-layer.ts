import type { Geometry, Position } from 'geojson';
import L from 'leaflet';
import type { Look } from '../../ui/design/tones.ts';
import type { Ink } from '../ink.ts';
import { nameOn } from '../text-marks.ts';

/** Tiles of the world's grid that the smaller side of a map shows. */
const TILES_ACROSS = 2;
const NEAREST = 16;

export interface DrawnWarning {
  readonly geometry: Geometry;
  readonly title: string;
  readonly look: Look;
  /** One that has not begun is drawn faint. */
  readonly coming: boolean;
}

/**
 * Areas and roads of warnings as dashed outlines: an area may cover the whole map, so it is not tinted. The title is
 * shown where the pointer is on the outline.
 */
export function warningLayer(warnings: readonly DrawnWarning[], ink: Ink): L.Layer {
  return L.layerGroup(
    warnings.flatMap(({ geometry, title, look, coming }) => {
      const colour = ink.tones[look.tone];
      const line: L.PathOptions = {
        ...{ color: colour, weight: look.filled ? 3 : 2, opacity: coming ? 0.55 : 0.95, dashArray: '2 7' },
      };
      return shapesOf(geometry).map((shape) => nameOn(drawn(shape, line), title, { sticky: true }));
    }),
  );
}

/** The middle of a geometry, and a zoom at which a map of usual size shows all of it. */
export function viewOfGeometry(geometry: Geometry): {
  readonly lat: number;
  readonly lon: number;
  readonly zoom: number;
} {
  const bounds = L.latLngBounds(flatPositions(geometry).map(latLngOf));
  const { lat, lng: lon } = bounds.getCenter();
  const width = bounds.getEast() - bounds.getWest();
  const height = (bounds.getNorth() - bounds.getSouth()) / Math.max(0.1, Math.cos((lat * Math.PI) / 180));
  const zoom = Math.floor(Math.log2((360 * TILES_ACROSS) / Math.max(width, height, 1e-6)));
  return { lat, lon, zoom: Math.min(NEAREST, Math.max(2, zoom)) };
}

type WarningShape =
  | { readonly kind: 'area'; readonly rings: readonly (readonly Position[])[] }
  | { readonly kind: 'line'; readonly line: readonly Position[] }
  | { readonly kind: 'point'; readonly point: Position };

function shapesOf(geometry: Geometry): WarningShape[] {
  switch (geometry.type) {
    case 'Point':
      return [{ kind: 'point', point: geometry.coordinates }];
    case 'MultiPoint':
      return geometry.coordinates.map((point) => ({ kind: 'point', point }));
    case 'LineString':
      return [{ kind: 'line', line: geometry.coordinates }];
    case 'MultiLineString':
      return geometry.coordinates.map((line) => ({ kind: 'line', line }));
    case 'Polygon':
      return [{ kind: 'area', rings: geometry.coordinates }];
    case 'MultiPolygon':
      return geometry.coordinates.map((rings) => ({ kind: 'area', rings }));
    case 'GeometryCollection':
      return geometry.geometries.flatMap(shapesOf);
  }
}

function flatPositions(geometry: Geometry): Position[] {
  return shapesOf(geometry).flatMap((shape) =>
    shape.kind === 'area' ? shape.rings.flat() : shape.kind === 'line' ? [...shape.line] : [shape.point],
  );
}

function drawn(shape: WarningShape, line: L.PathOptions): L.Path {
  switch (shape.kind) {
    case 'area':
      return L.polygon(
        shape.rings.map((ring) => ring.map(latLngOf)),
        { ...line, fill: false },
      );
    case 'line':
      return L.polyline(shape.line.map(latLngOf), line);
    case 'point':
      return L.circleMarker(latLngOf(shape.point), { ...line, radius: 9, dashArray: '3 4', fill: false });
  }
}

function latLngOf([lon, lat]: Position): L.LatLngTuple {
  return [lat!, lon!];
}
