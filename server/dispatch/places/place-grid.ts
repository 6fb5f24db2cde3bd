import { boxOf, depthOf, planeAt, type LonLat, type Shape } from '../../../shared/geo/shapes.ts';
import type { OwnPlace } from '../../../shared/records/index.ts';

/** Degrees: some 500 m. */
const CELL = 0.005;
/** A shape over more cells than this is looked at for every point. */
const MOST_CELLS = 400;
/** Metres within which one is at a point, and on a private road. */
const AT_POINT = 30;
const ON_ROAD = 15;

/** Which places are at a point. */
export class PlaceGrid {
  readonly #cells = new Map<string, Set<number>>();
  readonly #wide = new Set<number>();
  readonly #shapes = new Map<number, Shape>();

  add(place: OwnPlace): void {
    const shape = shapeOf(place);
    this.#shapes.set(place.id, shape);
    const cells = cellsOf(shape);
    if (!cells) this.#wide.add(place.id);
    for (const cell of cells ?? []) {
      const ids = this.#cells.get(cell) ?? new Set();
      this.#cells.set(cell, ids.add(place.id));
    }
  }

  remove(id: number): void {
    const shape = this.#shapes.get(id);
    if (!shape) return;
    this.#shapes.delete(id);
    this.#wide.delete(id);
    for (const cell of cellsOf(shape) ?? []) {
      const ids = this.#cells.get(cell);
      ids?.delete(id);
      if (ids?.size === 0) this.#cells.delete(cell);
    }
  }

  /** The places at a point, the most particular first: points by distance, then roads, then areas by size. */
  at(point: { readonly lat: number; readonly lon: number }): number[] {
    const here: LonLat = [point.lon, point.lat];
    const near = this.#cells.get(cellOf(point.lon, point.lat)) ?? [];
    return [...near, ...this.#wide]
      .map((id) => ({ id, shape: this.#shapes.get(id)! }))
      .map(({ id, shape }) => ({ id, shape, depth: depthOf(shape, here) }))
      .filter(({ depth }) => depth <= 0)
      .sort((a, b) => rankOf(a.shape) - rankOf(b.shape) || sizeWithin(a) - sizeWithin(b) || a.id - b.id)
      .map(({ id }) => id);
  }
}

function shapeOf({ point, geometry }: OwnPlace): Shape {
  switch (geometry?.type) {
    case 'Polygon':
      return { kind: 'polygon', rings: geometry.coordinates as unknown as LonLat[][] };
    case 'LineString':
      return { kind: 'corridor', line: geometry.coordinates as unknown as LonLat[], width: ON_ROAD };
    case undefined:
      return { kind: 'circle', center: [point.lon, point.lat], radius: AT_POINT };
  }
}

const rankOf = ({ kind }: Shape): number => ({ circle: 0, corridor: 1, polygon: 2 })[kind];

/** Of areas the square metres of their box, of others how far inside one is. */
function sizeWithin({ shape, depth }: { shape: Shape; depth: number }): number {
  if (shape.kind !== 'polygon') return depth;
  const [west, south, east, north] = boxOf(shape);
  const [x, y] = planeAt([west, south])([east, north]);
  return Math.abs(x * y);
}

function cellOf(lon: number, lat: number): string {
  return `${Math.floor(lon / CELL)} ${Math.floor(lat / CELL)}`;
}

/** The cells under the box of a shape; undefined: too many. */
function cellsOf(shape: Shape): string[] | undefined {
  const [west, south, east, north] = boxOf(shape).map((degrees) => Math.floor(degrees / CELL)) as [
    number,
    number,
    number,
    number,
  ];
  if ((east - west + 1) * (north - south + 1) > MOST_CELLS) return undefined;
  const cells: string[] = [];
  for (let x = west; x <= east; x++) for (let y = south; y <= north; y++) cells.push(`${x} ${y}`);
  return cells;
}
