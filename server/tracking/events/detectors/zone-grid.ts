import { boxOf } from '../../../../shared/geo/shapes.ts';
import type { Zone } from '../context/vehicle-context.ts';

/** Degrees: about 1.5 km. */
const CELL = 1 / 64;
/** A zone in more cells than this is tested everywhere. */
const MAX_CELLS = 400;

/** A grid index of zones: an organization may have thousands, and every point looks for the near ones. */
export class ZoneGrid {
  readonly #cells = new Map<number, Zone[]>();
  readonly #large: Zone[] = [];

  private constructor(zones: readonly Zone[]) {
    for (const zone of zones) {
      const cells = cellsOf(...boxOf(zone.shape));
      if (cells.length > MAX_CELLS) this.#large.push(zone);
      else for (const cell of cells) this.#cells.set(cell, [...(this.#cells.get(cell) ?? []), zone]);
    }
  }

  /** The grid of a list; a list seen before keeps its grid. */
  static of(zones: readonly Zone[]): ZoneGrid {
    let grid = GRIDS.get(zones);
    if (!grid) GRIDS.set(zones, (grid = new ZoneGrid(zones)));
    return grid;
  }

  /** Every zone that touches the box around two places, and perhaps others. */
  near(a: { lat: number; lon: number }, b = a): readonly Zone[] {
    const cells = cellsOf(
      Math.min(a.lon, b.lon),
      Math.min(a.lat, b.lat),
      Math.max(a.lon, b.lon),
      Math.max(a.lat, b.lat),
    );
    if (cells.length === 1) {
      const here = this.#cells.get(cells[0]!);
      return this.#large.length === 0 ? (here ?? []) : [...this.#large, ...(here ?? [])];
    }
    // A segment longer than a cell: everything is near.
    const found = new Set(
      cells.length > MAX_CELLS
        ? [...this.#cells.values()].flat()
        : cells.flatMap((cell) => this.#cells.get(cell) ?? []),
    );
    return [...this.#large, ...found];
  }
}

const GRIDS = new WeakMap<readonly Zone[], ZoneGrid>();

/** Numbers of the cells that a box touches; arbitrary ones if it is too large. */
function cellsOf(west: number, south: number, east: number, north: number): number[] {
  const [left, right, bottom, top] = [west, east, south, north].map((degrees) => Math.floor(degrees / CELL)) as [
    number,
    number,
    number,
    number,
  ];
  if ((right - left + 1) * (top - bottom + 1) > MAX_CELLS) return Array.from({ length: MAX_CELLS + 1 }, () => 0);
  const cells: number[] = [];
  for (let y = bottom; y <= top; y++) for (let x = left; x <= right; x++) cells.push(y * 100_000 + x);
  return cells;
}
