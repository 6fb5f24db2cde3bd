/** Flat geometry in metres, x to the east and y to the north. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}
export type Line = readonly Spot[];

export const distance = (a: Spot, b: Spot): number => Math.hypot(b.x - a.x, b.y - a.y);
export const between = (a: Spot, b: Spot, share: number): Spot => ({
  x: a.x + (b.x - a.x) * share,
  y: a.y + (b.y - a.y) * share,
});
/** The spot `far` metres from `from` in direction `angle` (radians, counter-clockwise from east). */
export const towards = (from: Spot, angle: number, far: number): Spot => ({
  x: from.x + Math.cos(angle) * far,
  y: from.y + Math.sin(angle) * far,
});
export const angleOf = (a: Spot, b: Spot): number => Math.atan2(b.y - a.y, b.x - a.x);
export const turned = (p: Spot, angle: number): Spot => {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  return { x: p.x * c - p.y * s, y: p.x * s + p.y * c };
};

export function lengthOf(line: Line): number {
  let sum = 0;
  for (let i = 1; i < line.length; i++) sum += distance(line[i - 1]!, line[i]!);
  return sum;
}

/** The same line with no two points farther apart than `step`. */
export function densified(line: Line, step: number): Spot[] {
  const dense: Spot[] = line.length > 0 ? [line[0]!] : [];
  for (let i = 1; i < line.length; i++) {
    const parts = Math.max(1, Math.ceil(distance(line[i - 1]!, line[i]!) / step));
    for (let k = 1; k <= parts; k++) dense.push(between(line[i - 1]!, line[i]!, k / parts));
  }
  return dense;
}

/** Douglas and Peucker (1973): leaves out points that lie within `tolerance` of the simplified line. */
export function simplified(line: Line, tolerance: number): Spot[] {
  if (line.length < 3) return [...line];
  const keep = new Uint8Array(line.length);
  keep[0] = keep[line.length - 1] = 1;
  const open: [number, number][] = [[0, line.length - 1]];
  for (let span = open.pop(); span; span = open.pop()) {
    const [from, to] = span;
    let worst = tolerance;
    let at = -1;
    for (let i = from + 1; i < to; i++) {
      const off = distanceToSegment(line[i]!, line[from]!, line[to]!);
      if (off > worst) {
        worst = off;
        at = i;
      }
    }
    if (at >= 0) {
      keep[at] = 1;
      open.push([from, at], [at, to]);
    }
  }
  return line.filter((_, i) => keep[i]);
}

/** The share of the way from `a` to `b` at which the segment comes closest to `p`. */
export function shareOfFoot(p: Spot, a: Spot, b: Spot): number {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const squared = dx * dx + dy * dy;
  return squared === 0 ? 0 : Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / squared));
}
export function distanceToSegment(p: Spot, a: Spot, b: Spot): number {
  return distance(p, between(a, b, shareOfFoot(p, a, b)));
}

/** Where two segments cross, as shares of each; undefined when they do not, or run parallel. */
export function crossing(a: Spot, b: Spot, c: Spot, d: Spot): { first: number; second: number } | undefined {
  const rx = b.x - a.x,
    ry = b.y - a.y,
    sx = d.x - c.x,
    sy = d.y - c.y;
  const denominator = rx * sy - ry * sx;
  if (Math.abs(denominator) < 1e-9) return undefined;
  const first = ((c.x - a.x) * sy - (c.y - a.y) * sx) / denominator;
  const second = ((c.x - a.x) * ry - (c.y - a.y) * rx) / denominator;
  return first >= 0 && first <= 1 && second >= 0 && second <= 1 ? { first, second } : undefined;
}

/**
 * The line moved `by` metres to its left (negative: right). Meant for gentle bends: it does not untangle
 * loops.
 */
export function offset(line: Line, by: number): Spot[] {
  return line.map((p, i) => {
    const before = line[Math.max(0, i - 1)]!;
    const after = line[Math.min(line.length - 1, i + 1)]!;
    const along = angleOf(before, after);
    return { x: p.x - Math.sin(along) * by, y: p.y + Math.cos(along) * by };
  });
}

/** The spot `along` metres from the beginning of the line, and the direction there. */
export function spotAlong(line: Line, along: number): { spot: Spot; angle: number } {
  let left = along;
  for (let i = 1; i < line.length; i++) {
    const a = line[i - 1]!;
    const b = line[i]!;
    const length = distance(a, b);
    if (left <= length || i === line.length - 1)
      return { spot: between(a, b, length === 0 ? 0 : Math.min(1, left / length)), angle: angleOf(a, b) };
    left -= length;
  }
  return { spot: line[0]!, angle: 0 };
}

export function insidePolygon(p: Spot, ring: Line): boolean {
  let inside = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const a = ring[i]!;
    const b = ring[j]!;
    if (a.y > p.y !== b.y > p.y && p.x < ((b.x - a.x) * (p.y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

/** Segments found by place: squares of `size` metres, each with the numbers of what touches its box. */
export class Squares {
  readonly #size: number;
  readonly #held = new Map<number, number[]>();
  constructor(size: number) {
    this.#size = size;
  }

  add(item: number, a: Spot, b: Spot, margin = 0): void {
    this.#over(a, b, margin, (key) => {
      const list = this.#held.get(key);
      if (list) list.push(item);
      else this.#held.set(key, [item]);
    });
  }

  /** Every item near the box of `a` and `b`, each once, in the order in which they were added. */
  near(a: Spot, b: Spot, margin = 0): number[] {
    const found = new Set<number>();
    this.#over(a, b, margin, (key) => {
      const list = this.#held.get(key);
      if (list) for (const item of list) found.add(item);
    });
    return [...found].sort((one, other) => one - other);
  }

  #over(a: Spot, b: Spot, margin: number, visit: (key: number) => void): void {
    const size = this.#size;
    const right = Math.floor((Math.max(a.x, b.x) + margin) / size);
    const top = Math.floor((Math.max(a.y, b.y) + margin) / size);
    for (let x = Math.floor((Math.min(a.x, b.x) - margin) / size); x <= right; x++) {
      for (let y = Math.floor((Math.min(a.y, b.y) - margin) / size); y <= top; y++) visit(x * 1048576 + y);
    }
  }
}
