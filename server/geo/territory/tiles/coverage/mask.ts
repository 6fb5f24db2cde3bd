import type { Path } from './border.ts';

/** Squares of a plane, each covered or not. One row and column of empty squares and more surround the covered ones. */
export class Mask {
  readonly west: number;
  readonly north: number;
  readonly cell: number;
  readonly columns: number;
  readonly rows: number;
  readonly bits: Uint8Array;

  constructor(west: number, north: number, cell: number, columns: number, rows: number) {
    this.west = west;
    this.north = north;
    this.cell = cell;
    this.columns = columns;
    this.rows = rows;
    this.bits = new Uint8Array(columns * rows);
  }

  at(x: number, y: number): number {
    const column = Math.floor((x - this.west) / this.cell);
    const row = Math.floor((y - this.north) / this.cell);
    return column < 0 || row < 0 || column >= this.columns || row >= this.rows ? -1 : row * this.columns + column;
  }

  /** The square of an index that `at` gave: west, north, east, south. */
  boxAt(at: number): [number, number, number, number] {
    const west = this.west + (at % this.columns) * this.cell;
    const north = this.north + Math.floor(at / this.columns) * this.cell;
    return [west, north, west + this.cell, north + this.cell];
  }

  mark(x: number, y: number): void {
    const at = this.at(x, y);
    if (at >= 0) this.bits[at] = 1;
  }

  /** Covers the squares whose middles lie within a closed path. */
  fill(path: Path): void {
    const crossings: number[][] = Array.from({ length: this.rows }, () => []);
    for (let i = 0; i + 3 < path.length; i += 2) {
      const [ax, ay, bx, by] = [path[i]!, path[i + 1]!, path[i + 2]!, path[i + 3]!];
      const row = (y: number) => (y - this.north) / this.cell - 0.5;
      const first = Math.max(0, Math.ceil(row(Math.min(ay, by))));
      const last = Math.min(this.rows - 1, Math.ceil(row(Math.max(ay, by))) - 1);
      for (let r = first; r <= last; r++) {
        const y = this.north + (r + 0.5) * this.cell;
        crossings[r]!.push((ax + ((y - ay) / (by - ay)) * (bx - ax) - this.west) / this.cell - 0.5);
      }
    }
    crossings.forEach((xs, r) => {
      xs.sort((a, b) => a - b);
      for (let i = 0; i + 1 < xs.length; i += 2) {
        const from = Math.max(0, Math.ceil(xs[i]!));
        const to = Math.min(this.columns - 1, Math.floor(xs[i + 1]!));
        if (to >= from) this.bits.fill(1, r * this.columns + from, r * this.columns + to + 1);
      }
    });
  }

  /** Morphological closing: gaps narrower than `2 * radius` squares are covered, and the rest grows by `grown`. */
  close(radius: number, grown: number): void {
    this.#spread(radius, 1);
    this.#spread(radius - grown, 0);
  }

  /** Covers what is enclosed by covered squares. */
  fillHoles(): void {
    const outside = this.#flood(0, 0);
    for (let i = 0; i < this.bits.length; i++) if (!outside[i]) this.bits[i] = 1;
  }

  /** The outlines of the covered areas, clockwise on the screen, with cut corners. Call `fillHoles` first. */
  outlines(): number[][] {
    const { columns, rows, bits } = this;
    const seen = new Uint8Array(bits.length);
    const outlines: number[][] = [];
    for (let row = 1; row < rows; row++)
      for (let column = 1; column < columns; column++) {
        const i = row * columns + column;
        // The upper side of a square is on one outline only.
        if (bits[i] && !bits[i - columns] && !seen[i]) outlines.push(this.#trace(column, row, seen));
      }
    return outlines;
  }

  /** Follows an outline with the covered squares on the right, from the upper side of a square. */
  #trace(startColumn: number, startRow: number, seen: Uint8Array): number[] {
    const { columns, bits } = this;
    const path: number[] = [];
    let column = startColumn,
      row = startRow,
      side = 0;
    do {
      if (side === 0) seen[row * columns + column] = 1;
      path.push(...this.#middle(column, row, side));
      const [dx, dy] = STEPS[side]!;
      const [ox, oy] = STEPS[(side + 3) % 4]!;
      const ahead = (row + dy) * columns + column + dx;
      if (bits[ahead] && bits[ahead + oy * columns + ox])
        [column, row, side] = [column + dx + ox, row + dy + oy, (side + 3) % 4];
      else if (bits[ahead]) [column, row] = [column + dx, row + dy];
      else side = (side + 1) % 4;
    } while (column !== startColumn || row !== startRow || side !== 0);
    path.push(path[0]!, path[1]!);
    return withoutStraights(path);
  }

  #middle(column: number, row: number, side: number): [number, number] {
    const [ox, oy] = STEPS[(side + 3) % 4]!;
    return [
      Math.round(this.west + (column + 0.5 + ox / 2) * this.cell),
      Math.round(this.north + (row + 0.5 + oy / 2) * this.cell),
    ];
  }

  /** Sets to `value` all squares within `radius` of one that has it, first along rows, then along columns. */
  #spread(radius: number, value: 0 | 1): void {
    const { columns, rows, bits } = this;
    const lines: [count: number, step: number, length: number, along: number][] = [
      [rows, columns, columns, 1],
      [columns, 1, rows, columns],
    ];
    for (const [count, step, length, along] of lines) {
      const before = new Uint8Array(length);
      for (let line = 0; line < count; line++) {
        const first = line * step;
        for (let i = 0; i < length; i++) before[i] = bits[first + i * along]!;
        let last = -Infinity;
        for (let i = -radius; i < length; i++) {
          const entering = i + radius;
          if (entering < length && before[entering] === value) last = entering;
          if (i >= 0 && last >= i - radius) bits[first + i * along] = value;
        }
      }
    }
  }

  /** The empty squares that hang together with this one. */
  #flood(column: number, row: number): Uint8Array {
    const { columns, rows, bits } = this;
    const reached = new Uint8Array(bits.length);
    const stack = [row * columns + column];
    reached[stack[0]!] = 1;
    while (stack.length > 0) {
      const i = stack.pop()!;
      const c = i % columns;
      const next = (to: number, there: boolean) => {
        if (there && !reached[to] && !bits[to]) {
          reached[to] = 1;
          stack.push(to);
        }
      };
      next(i - 1, c > 0);
      next(i + 1, c + 1 < columns);
      next(i - columns, i >= columns);
      next(i + columns, i + columns < columns * rows);
    }
    return reached;
  }
}

/** Along the upper, right, lower and left side of a square, clockwise. */
const STEPS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/** A closed path without the points that lie between two others on a straight line. */
function withoutStraights(path: Path): number[] {
  const kept: number[] = [];
  for (let i = 0; i + 3 < path.length; i += 2) {
    const before = i === 0 ? path.length - 4 : i - 2;
    const inX = path[i]! - path[before]!,
      inY = path[i + 1]! - path[before + 1]!;
    const outX = path[i + 2]! - path[i]!,
      outY = path[i + 3]! - path[i + 1]!;
    if (inX * outY !== inY * outX) kept.push(path[i]!, path[i + 1]!);
  }
  return [...kept, kept[0]!, kept[1]!];
}
