import type { LineString, Point, Polygon } from 'geojson';
import { airDistance } from '../../../../shared/geo/geometry.ts';
import { planeAt, type LonLat } from '../../../../shared/geo/shapes.ts';

export type DrawKind = 'point' | 'line' | 'polygon' | 'circle';

/**
 * A drawing. A point and a circle have one vertex, the centre; a polygon's ring is open: its last vertex is
 * not the first. `radius` is metres, and 0 except for circles.
 */
export interface Drawing {
  readonly kind: DrawKind;
  readonly vertices: readonly LonLat[];
  readonly radius: number;
}

/** Fewer vertices than this are not a shape yet. */
const LEAST = { point: 1, line: 2, polygon: 3, circle: 1 } as const satisfies Record<DrawKind, number>;
const MOST = { point: 1, line: Infinity, polygon: Infinity, circle: 1 } as const satisfies Record<DrawKind, number>;
/** metres; smaller circles could not be taken hold of again */
const MIN_RADIUS = 5;

export const nothingDrawn = (kind: DrawKind): Drawing => ({ kind, vertices: [], radius: 0 });

/** Is it a shape that can be saved? */
export const isWhole = ({ kind, vertices, radius }: Drawing): boolean =>
  vertices.length >= LEAST[kind] && (kind !== 'circle' || radius > 0);

/** One more vertex at the end; a kind that has all it can have stays as it is. */
export function addVertex(drawing: Drawing, at: LonLat): Drawing {
  return drawing.vertices.length < MOST[drawing.kind] ? insertVertex(drawing, drawing.vertices.length, at) : drawing;
}

/** A vertex that becomes the one at `index`. */
export function insertVertex(drawing: Drawing, index: number, at: LonLat): Drawing {
  return { ...drawing, vertices: drawing.vertices.toSpliced(index, 0, at) };
}

export function moveVertex(drawing: Drawing, index: number, to: LonLat): Drawing {
  return { ...drawing, vertices: drawing.vertices.with(index, to) };
}

/** Without one vertex; a shape that has the fewest of its kind stays as it is. */
export function removeVertex(drawing: Drawing, index: number): Drawing {
  return drawing.vertices.length > LEAST[drawing.kind]
    ? { ...drawing, vertices: drawing.vertices.toSpliced(index, 1) }
    : drawing;
}

/** A circle whose border goes through `at`. */
export function reachTo(drawing: Drawing, at: LonLat): Drawing {
  const [center] = drawing.vertices;
  return center ? { ...drawing, radius: Math.max(MIN_RADIUS, Math.round(metresBetween(center, at))) } : drawing;
}

/** Where the border of a circle is taken hold of: due east of its centre. */
export function radiusHandle({ vertices: [center], radius }: Drawing): LonLat | undefined {
  if (!center) return undefined;
  const [across] = planeAt(center)([center[0] + 1, center[1]]);
  return [center[0] + radius / across, center[1]];
}

/** The middle of every edge, with the index that a vertex inserted there gets. */
export function middles({ kind, vertices }: Drawing): readonly { readonly index: number; readonly at: LonLat }[] {
  if (vertices.length < 2) return [];
  const edges = kind === 'polygon' && vertices.length > 2 ? vertices.length : vertices.length - 1;
  return Array.from({ length: edges }, (_, from) => {
    const [one, other] = [vertices[from]!, vertices[(from + 1) % vertices.length]!];
    return { index: from + 1, at: [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2] };
  });
}

/** Do two edges of a polygon cross? Such a ring has no clear inside. */
export function crossesItself({ kind, vertices }: Drawing): boolean {
  if (kind !== 'polygon') return false;
  const count = vertices.length;
  for (let i = 0; i < count; i++) {
    for (let j = i + 2; j < count; j++) {
      if (cross(vertices[i]!, vertices[i + 1]!, vertices[j]!, vertices[(j + 1) % count]!)) return true;
    }
  }
  return false;
}

/** Metres along a line, or around a polygon or circle. */
export function drawnLength({ kind, vertices, radius }: Drawing): number {
  if (kind === 'circle') return 2 * Math.PI * radius;
  const way = kind === 'polygon' && vertices.length > 2 ? [...vertices, vertices[0]!] : vertices;
  return way.slice(1).reduce((sum, at, index) => sum + metresBetween(way[index]!, at), 0);
}

/** GeoJSON of a point, line or polygon; a circle has none. */
export function geometryOf({ kind, vertices }: Drawing): Point | LineString | Polygon | undefined {
  const positions = vertices.map(([lon, lat]) => [rounded(lon), rounded(lat)]);
  switch (kind) {
    case 'point':
      return positions[0] && { type: 'Point', coordinates: positions[0] };
    case 'line':
      return { type: 'LineString', coordinates: positions };
    case 'polygon':
      return positions[0] && { type: 'Polygon', coordinates: [[...positions, positions[0]]] };
    case 'circle':
      return undefined;
  }
}

/** A polygon's holes are not taken over: they cannot be drawn. */
export function drawingOf(geometry: Point | LineString | Polygon): Drawing {
  const bare = ([lon, lat]: readonly number[]): LonLat => [lon!, lat!];
  switch (geometry.type) {
    case 'Point':
      return { kind: 'point', vertices: [bare(geometry.coordinates)], radius: 0 };
    case 'LineString':
      return { kind: 'line', vertices: geometry.coordinates.map(bare), radius: 0 };
    case 'Polygon':
      return { kind: 'polygon', vertices: geometry.coordinates[0]!.slice(0, -1).map(bare), radius: 0 };
  }
}

/** A drawing and its undo history. */
export class DrawHistory {
  private readonly steps: Drawing[];
  private at = 0;

  constructor(start: Drawing) {
    this.steps = [start];
  }

  get now(): Drawing {
    return this.steps[this.at]!;
  }

  get canUndo(): boolean {
    return this.at > 0;
  }

  get canRedo(): boolean {
    return this.at < this.steps.length - 1;
  }

  /** A step that can be undone; one without effect is not recorded. */
  change(next: Drawing): void {
    if (next === this.now) return;
    this.steps.splice(this.at + 1, Infinity, next);
    this.at++;
  }

  /** The last step has come out a little different: there is still one step to take back. */
  amend(next: Drawing): void {
    this.steps[this.at] = next;
  }

  undo(): void {
    if (this.canUndo) this.at--;
  }

  redo(): void {
    if (this.canRedo) this.at++;
  }
}

const metresBetween = ([lon, lat]: LonLat, [otherLon, otherLat]: LonLat) =>
  airDistance({ lat, lon }, { lat: otherLat, lon: otherLon });
/** Ten centimetres: finer than a hand. */
const rounded = (degrees: number) => Math.round(degrees * 1e6) / 1e6;

/** Do the segments a–b and c–d cross in their inner parts? */
function cross(a: LonLat, b: LonLat, c: LonLat, d: LonLat): boolean {
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

/** On which side of a–b a point lies: positive left, negative right. */
const side = (a: LonLat, b: LonLat, at: LonLat) => (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0]);
