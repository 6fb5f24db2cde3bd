import type { Shape } from '../../../../../shared/geo/shapes.ts';
import { nothingDrawn, type Drawing } from '../../../map/draw/draw-geometry.ts';

export type ZoneKind = Shape['kind'];
/** metres to each side of a corridor that is drawn again */
export const DEFAULT_WIDTH = 50;

/** A zone as it is drawn by hand; only the outer ring of a polygon, since holes cannot be drawn. */
export function drawingOfShape(shape: Shape): Drawing {
  switch (shape.kind) {
    case 'circle':
      return { kind: 'circle', vertices: [shape.center], radius: shape.radius };
    case 'corridor':
      return { kind: 'line', vertices: shape.line, radius: 0 };
    case 'polygon': {
      const ring = shape.rings[0]!;
      const [first, last] = [ring[0]!, ring.at(-1)!];
      return {
        kind: 'polygon',
        vertices: first[0] === last[0] && first[1] === last[1] ? ring.slice(0, -1) : ring,
        radius: 0,
      };
    }
  }
}

const DRAWN = { circle: 'circle', corridor: 'line', polygon: 'polygon' } as const;
export const emptyDrawing = (kind: ZoneKind) => nothingDrawn(DRAWN[kind]);

/** The zone that a drawing makes; the holes of the polygon that it was before stay. */
export function shapeOf(
  { kind, vertices, radius }: Drawing,
  width: number,
  before: Shape | undefined,
): Shape | undefined {
  switch (kind) {
    case 'circle':
      return { kind: 'circle', center: vertices[0]!, radius };
    case 'line':
      return { kind: 'corridor', line: vertices, width };
    case 'polygon':
      return {
        kind: 'polygon',
        rings: [[...vertices, vertices[0]!], ...(before?.kind === 'polygon' ? before.rings.slice(1) : [])],
      };
    case 'point':
      return undefined;
  }
}

/** As the interface takes it. */
export function geometryOfShape(shape: Shape) {
  const round = ([lon, lat]: readonly [number, number]) => [Math.round(lon * 1e6) / 1e6, Math.round(lat * 1e6) / 1e6];
  switch (shape.kind) {
    case 'circle':
      return { geometry: { type: 'Point', coordinates: round(shape.center) }, radius: shape.radius, width: null };
    case 'corridor':
      return { geometry: { type: 'LineString', coordinates: shape.line.map(round) }, radius: null, width: shape.width };
    case 'polygon':
      return {
        geometry: { type: 'Polygon', coordinates: shape.rings.map((ring) => ring.map(round)) },
        radius: null,
        width: null,
      };
  }
}
