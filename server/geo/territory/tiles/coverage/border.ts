import Flatbush from 'flatbush';
import { Area } from '../../geometry/area.ts';

/** Points as x, y, x, y…; a ring repeats its first point. */
export type Path = readonly number[];

export interface BorderCrossing {
  /** How far along the segment: 0 to 1. */
  readonly along: number;
  /** How far along the border, in edges. */
  readonly at: number;
  readonly x: number;
  readonly y: number;
}

/** A closed path, clockwise on the screen, that coastlines are cut by and closed along. */
export class Border {
  readonly path: Path;
  readonly box: { readonly west: number; readonly north: number; readonly east: number; readonly south: number };
  readonly #edges: number;
  readonly #index: Flatbush;
  readonly #area: Area;

  constructor(path: Path) {
    this.path = path;
    this.#edges = path.length / 2 - 1;
    this.#index = new Flatbush(this.#edges, 16, Float64Array);
    for (let e = 0; e < this.#edges; e++) {
      const [ax, ay, bx, by] = this.#edge(e);
      this.#index.add(Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by));
    }
    this.#index.finish();
    this.#area = new Area([Int32Array.from(path)]);
    const { west, south, east, north } = this.#area.box;
    this.box = { west, north: Math.min(south, north), east, south: Math.max(south, north) };
  }

  contains(x: number, y: number): boolean {
    return this.#area.contains(x, y);
  }

  /** Whether the box of a segment touches that of an edge. */
  isNear(ax: number, ay: number, bx: number, by: number): boolean {
    return this.#edgesNear(ax, ay, bx, by).length > 0;
  }

  /** Where a segment crosses the border, from its start on. */
  crossings(ax: number, ay: number, bx: number, by: number): BorderCrossing[] {
    const found: BorderCrossing[] = [];
    for (const e of this.#edgesNear(ax, ay, bx, by)) {
      const [cx, cy, dx, dy] = this.#edge(e);
      const side = (px: number, py: number) => (bx - ax) * (py - ay) - (by - ay) * (px - ax);
      const from = side(cx, cy);
      const to = side(dx, dy);
      if (from >= 0 === to >= 0) continue;
      const t = from / (from - to);
      const x = cx + t * (dx - cx);
      const y = cy + t * (dy - cy);
      const along = Math.abs(bx - ax) > Math.abs(by - ay) ? (x - ax) / (bx - ax) : (y - ay) / (by - ay);
      if (along >= 0 && along <= 1) found.push({ along, at: e + t, x: Math.round(x), y: Math.round(y) });
    }
    return found.sort((a, b) => a.along - b.along);
  }

  /** The point of the border that is nearest. */
  nearest(px: number, py: number): BorderCrossing & { readonly distance: number } {
    let best = { along: 0, at: 0, x: this.path[0]!, y: this.path[1]!, distance: Infinity };
    for (let e = 0; e < this.#edges; e++) {
      const [ax, ay, bx, by] = this.#edge(e);
      const [dx, dy] = [bx - ax, by - ay];
      const t = Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy)));
      const x = ax + t * dx,
        y = ay + t * dy;
      const distance = Math.hypot(px - x, py - y);
      if (distance < best.distance) best = { along: 0, at: e + t, x: Math.round(x), y: Math.round(y), distance };
    }
    return best;
  }

  /** How far it is clockwise from one place of the border to another, in edges. */
  ahead(from: number, to: number): number {
    return to >= from ? to - from : to - from + this.#edges;
  }

  /** The corners of the border clockwise between two places. */
  corners(from: number, to: number): number[] {
    const corners: number[] = [];
    const end = from + this.ahead(from, to);
    for (let corner = Math.floor(from) + 1; corner < end; corner++) {
      const i = (corner % this.#edges) * 2;
      corners.push(this.path[i]!, this.path[i + 1]!);
    }
    return corners;
  }

  #edgesNear(ax: number, ay: number, bx: number, by: number): number[] {
    return this.#index.search(Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by));
  }

  #edge(e: number): [number, number, number, number] {
    const { path } = this;
    return [path[2 * e]!, path[2 * e + 1]!, path[2 * e + 2]!, path[2 * e + 3]!];
  }
}
