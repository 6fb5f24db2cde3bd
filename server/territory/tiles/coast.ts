import { Area } from '../geometry/area.ts';
import { joinDirected } from '../geometry/rings.ts';
import type { Ring } from '../geometry/rings.ts';

/** World units, the same for all four; `north` is the smaller `y`. */
export interface LandBox {
  readonly west: number;
  readonly north: number;
  readonly east: number;
  readonly south: number;
}

/** Points as x, y, x, y…; a ring repeats its first point. */
export type Path = readonly number[];

export interface Sea {
  readonly outer: Path;
  readonly holes: Path[];
}

/**
 * The sea within a box, from coastlines, which have the sea on their right. Coastlines are joined and cut by
 * the box; what is cut is closed along the border, clockwise, to where the next coastline enters. Extracts
 * follow frontiers, so a coastline may end in the middle of the box: then it is taken to go on as it ran,
 * straight to the border; `loose` counts such ends.
 */
export function seaWithin(
  box: LandBox,
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  coastlines: readonly Ring[],
): { sea: Sea[]; loose: number } {
  const { rings, open } = joinDirected(coastlines);
  const closed: Path[] = [];
  const crossing: Path[] = [];
  let loose = 0;
  for (const line of [...rings, ...open]) {
    const path: number[] = [];
    for (const node of line) path.push(x[node]!, y[node]!);
    const whole = prolong(path, box);
    loose += (whole.length - path.length) / 2;
    for (const piece of cut(whole, box)) (isClosed(piece) ? closed : crossing).push(piece);
  }
  const outers = closed.filter((ring) => area2(ring) > 0);
  const islands = closed.filter((ring) => area2(ring) < 0);
  if (crossing.length > 0) outers.push(...closeAlongBorder(thatFit(crossing, box), box));
  else if (islands.length > 0 && outers.length === 0) outers.push(borderOf(box));
  const sea = outers.map((outer): Sea => ({ outer, holes: [] }));
  for (const island of islands) sea.find(({ outer }) => inside(outer, island[0]!, island[1]!))?.holes.push(island);
  return { sea, loose };
}

/** Whether points lie in the sea. */
export function inSea(sea: readonly Sea[]): (px: number, py: number) => boolean {
  const areas = sea.map(({ outer, holes }) => new Area([outer, ...holes].map((ring) => Int32Array.from(ring))));
  return (px, py) => areas.some((area) => area.contains(px, py));
}

/**
 * Moves points on the border of the box to the border of a wider one, so that the coast continues straight
 * instead of ending at the extract's edge.
 */
export function stretch(path: Path, box: LandBox, wider: LandBox): number[] {
  return path.map((value, i) => {
    if (i % 2 === 0) return value === box.west ? wider.west : value === box.east ? wider.east : value;
    return value === box.north ? wider.north : value === box.south ? wider.south : value;
  });
}

export function borderOf({ west, north, east, south }: LandBox): number[] {
  return [west, north, east, north, east, south, west, south, west, north];
}

/** The pieces of a path within the box. */
function cut(path: Path, box: LandBox): number[][] {
  const pieces: number[][] = [];
  let piece: number[] = [];
  for (let i = 0; i + 3 < path.length; i += 2) {
    const part = cutSegment(path[i]!, path[i + 1]!, path[i + 2]!, path[i + 3]!, box);
    if (part === undefined) continue;
    const [ax, ay, bx, by] = part;
    if (piece.length === 0 || piece.at(-2) !== ax || piece.at(-1) !== ay) {
      if (piece.length >= 4) pieces.push(piece);
      piece = [ax, ay];
    }
    if (ax !== bx || ay !== by) piece.push(bx, by);
  }
  if (piece.length >= 4) pieces.push(piece);
  // A ring that starts within the box and crosses its border comes in two halves: its end continues at its
  // start.
  const first = pieces[0];
  const last = pieces.at(-1);
  if (isClosed(path) && pieces.length > 1 && first![0] === last!.at(-2) && first![1] === last!.at(-1)) {
    pieces.pop();
    pieces[0] = [...last!, ...first!.slice(2)];
  }
  return pieces;
}

/**
 * Liang and Barsky, "A new concept and method for line clipping" (1984); ends on the border lie on it
 * exactly.
 */
function cutSegment(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  { west, north, east, south }: LandBox,
): [number, number, number, number] | undefined {
  const dx = bx - ax;
  const dy = by - ay;
  let from = 0,
    to = 1;
  let fromSide: number | undefined, toSide: number | undefined;
  for (const [side, towards, room] of [
    [0, -dx, ax - west],
    [1, dx, east - ax],
    [2, -dy, ay - north],
    [3, dy, south - ay],
  ] as const) {
    if (towards === 0) {
      if (room < 0) return undefined;
    } else {
      const at = room / towards;
      if (towards < 0 && at > from) [from, fromSide] = [at, side];
      else if (towards > 0 && at < to) [to, toSide] = [at, side];
    }
  }
  if (from > to) return undefined;
  const point = (t: number, side: number | undefined): [number, number] => [
    side === 0 ? west : side === 1 ? east : Math.min(east, Math.max(west, Math.round(ax + t * dx))),
    side === 2 ? north : side === 3 ? south : Math.min(south, Math.max(north, Math.round(ay + t * dy))),
  ];
  return [...point(from, fromSide), ...point(to, toSide)];
}

/**
 * Extends a coastline that ends within the box to the border, in the direction from its one end to the other.
 */
function prolong(path: Path, box: LandBox): Path {
  const ax = path[0]!,
    ay = path[1]!,
    bx = path.at(-2)!,
    by = path.at(-1)!;
  const dx = bx - ax,
    dy = by - ay;
  if (dx === 0 && dy === 0) return path;
  const far = (2 * (box.east - box.west + box.south - box.north)) / Math.max(Math.abs(dx), Math.abs(dy));
  const before = within(box, ax, ay) ? [ax - dx * far, ay - dy * far] : [];
  const after = within(box, bx, by) ? [bx + dx * far, by + dy * far] : [];
  return [...before, ...path, ...after];
}

/**
 * Along the border, exits and entries of coastlines alternate. Those that do not fit are dropped, the
 * shortest first: they come from extended ends.
 */
function thatFit(pieces: readonly Path[], box: LandBox): Path[] {
  const fit = [...pieces].sort((a, b) => lengthOf(b) - lengthOf(a));
  while (fit.length > 0 && !takeTurns(fit, box)) fit.pop();
  return fit;
}

function takeTurns(pieces: readonly Path[], box: LandBox): boolean {
  const ends = pieces.flatMap((piece) => [
    { at: along(box, piece[0]!, piece[1]!), enters: true },
    { at: along(box, piece.at(-2)!, piece.at(-1)!), enters: false },
  ]);
  ends.sort((a, b) => a.at - b.at);
  return ends.every(({ enters }, i) => enters !== ends[(i + 1) % ends.length]!.enters);
}

function lengthOf(path: Path): number {
  let length = 0;
  for (let i = 2; i < path.length; i += 2) length += Math.hypot(path[i]! - path[i - 2]!, path[i + 1]! - path[i - 1]!);
  return length;
}

function closeAlongBorder(pieces: readonly Path[], box: LandBox): number[][] {
  const entries = pieces.map((piece) => along(box, piece[0]!, piece[1]!));
  const used = new Uint8Array(pieces.length);
  const rings: number[][] = [];
  for (let start = 0; start < pieces.length; start++) {
    if (used[start]) continue;
    const ring: number[] = [];
    for (let at = start; !used[at];) {
      used[at] = 1;
      ring.push(...pieces[at]!);
      const exit = along(box, ring.at(-2)!, ring.at(-1)!);
      const next = nextEntry(entries, exit);
      addCorners(ring, box, exit, entries[next]!);
      at = next;
    }
    ring.push(ring[0]!, ring[1]!);
    if (ring.length >= 8) rings.push(ring); // Less than a triangle is what rounding leaves of a coast at a corner.
  }
  return rings;
}

/** The first entry clockwise from the exit. */
function nextEntry(entries: readonly number[], exit: number): number {
  let next = 0;
  for (let i = 1; i < entries.length; i++) if (ahead(exit, entries[i]!) < ahead(exit, entries[next]!)) next = i;
  return next;
}

function addCorners(ring: number[], { west, north, east, south }: LandBox, from: number, to: number): void {
  const corners: readonly [number, number][] = [
    [east, north],
    [east, south],
    [west, south],
    [west, north],
  ];
  const way = ahead(from, to);
  for (let corner = Math.floor(from) + 1; corner < from + way; corner++) ring.push(...corners[(corner - 1) % 4]!);
}

function ahead(from: number, to: number): number {
  return to >= from ? to - from : to - from + 4;
}

/** How far along the border a point of it lies: 0 to 4 clockwise from the north-west corner, a side each. */
function along({ west, north, east, south }: LandBox, px: number, py: number): number {
  if (py === north && px < east) return (px - west) / (east - west);
  if (px === east && py < south) return 1 + (py - north) / (south - north);
  if (py === south && px > west) return 2 + (east - px) / (east - west);
  return 3 + (south - py) / (south - north);
}

/** Strictly. */
function within({ west, north, east, south }: LandBox, px: number, py: number): boolean {
  return px > west && px < east && py > north && py < south;
}

function isClosed(path: Path): boolean {
  return path.length >= 8 && path[0] === path.at(-2) && path[1] === path.at(-1);
}

function area2(path: Path): number {
  let sum = 0;
  for (let i = 2; i + 1 < path.length; i += 2) {
    sum += (path[i - 2]! - path[0]!) * (path[i + 1]! - path[1]!) - (path[i]! - path[0]!) * (path[i - 1]! - path[1]!);
  }
  return sum;
}

function inside(path: Path, px: number, py: number): boolean {
  let odd = false;
  for (let i = 2; i + 1 < path.length; i += 2) {
    const ax = path[i - 2]!,
      ay = path[i - 1]!,
      bx = path[i]!,
      by = path[i + 1]!;
    if (ay > py !== by > py && px < ((bx - ax) * (py - ay)) / (by - ay) + ax) odd = !odd;
  }
  return odd;
}
