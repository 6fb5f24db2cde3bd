import { Area } from '../geometry/area.ts';
import { joinDirected } from '../geometry/rings.ts';
import type { Ring } from '../geometry/rings.ts';
import type { Border, BorderCrossing, Path } from './border.ts';

export interface Sea {
  readonly outer: Path;
  readonly holes: Path[];
}

/** A stretch of coast within the border, with the places of the border where it comes in and goes out. */
interface Piece {
  path: number[];
  /** Undefined: it begins or ends within the border, because the extract has no more of it. */
  enters: number | undefined;
  leaves: number | undefined;
}

/**
 * The sea within a border, from coastlines, which have the sea on their right. Coastlines are joined and cut by
 * the border; what is cut is closed along it, clockwise, to where the next coastline enters. A coastline that ends
 * within the border goes on to the nearest beginning of another or to the border, whichever is nearer; `loose`
 * counts such ends.
 */
export function seaWithin(
  border: Border,
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  coastlines: readonly Ring[],
): { sea: Sea[]; loose: number } {
  const { rings, open } = joinDirected(coastlines);
  const cutUp: Piece[] = [];
  for (const line of [...rings, ...open]) {
    const path: number[] = [];
    for (const node of line) path.push(x[node]!, y[node]!);
    cutUp.push(...cut(path, border));
  }
  const { pieces, loose } = joinLoose(cutUp, border);
  const closed = pieces.filter(({ enters }) => enters === undefined).map(({ path }) => path);
  const crossing = pieces.filter(({ enters }) => enters !== undefined) as CrossingPiece[];
  const outers: Path[] = closed.filter((ring) => area2(ring) > 0);
  const islands = closed.filter((ring) => area2(ring) < 0);
  if (crossing.length > 0) outers.push(...closeAlong(border, thatFit(crossing)));
  else if (islands.length > 0 && outers.length === 0) outers.push(border.path);
  const sea = outers.map((outer): Sea => ({ outer, holes: [] }));
  for (const island of islands) sea.find(({ outer }) => inside(outer, island[0]!, island[1]!))?.holes.push(island);
  return { sea, loose };
}

/** Whether points lie in the sea. */
export function inSea(sea: readonly Sea[]): (px: number, py: number) => boolean {
  const areas = sea.map(({ outer, holes }) => new Area([outer, ...holes].map((ring) => Int32Array.from(ring))));
  return (px, py) => areas.some((area) => area.contains(px, py));
}

type CrossingPiece = Piece & { readonly enters: number; readonly leaves: number };

/** The pieces of a path within the border. A ring that lies within has neither beginning nor end. */
function cut(path: Path, border: Border): Piece[] {
  const pieces: Piece[] = [];
  let piece: Piece | undefined = border.contains(path[0]!, path[1]!)
    ? { path: [path[0]!, path[1]!], enters: undefined, leaves: undefined }
    : undefined;
  for (let i = 0; i + 3 < path.length; i += 2) {
    const [ax, ay, bx, by] = [path[i]!, path[i + 1]!, path[i + 2]!, path[i + 3]!];
    let from: Pick<BorderCrossing, 'x' | 'y' | 'along'> = { along: 0, x: ax, y: ay };
    const crossings = mayCross(border, ax, ay, bx, by) ? border.crossings(ax, ay, bx, by) : [];
    for (const [k, crossing] of crossings.entries()) {
      if (piece !== undefined) {
        push(piece.path, crossing.x, crossing.y);
        pieces.push({ ...piece, leaves: crossing.at });
        piece = undefined;
      }
      const next = crossings[k + 1] ?? { along: 1 };
      from = crossing;
      const middle = (crossing.along + next.along) / 2;
      if (border.contains(ax + middle * (bx - ax), ay + middle * (by - ay)))
        piece = { path: [from.x, from.y], enters: crossing.at, leaves: undefined };
    }
    if (piece !== undefined) push(piece.path, bx, by);
  }
  if (piece !== undefined) pieces.push(piece);
  // A ring that starts within the border and crosses it comes in two halves: its end continues at its start.
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (isClosed(path) && pieces.length > 1 && first!.enters === undefined && last!.leaves === undefined) {
    pieces.pop();
    pieces[0] = { path: [...last!.path, ...first!.path.slice(2)], enters: last!.enters, leaves: first!.leaves };
  }
  return pieces.filter(({ path: { length } }) => length >= 4);
}

function mayCross({ box }: Border, ax: number, ay: number, bx: number, by: number): boolean {
  return (
    Math.max(ax, bx) >= box.west &&
    Math.min(ax, bx) <= box.east &&
    Math.max(ay, by) >= box.north &&
    Math.min(ay, by) <= box.south
  );
}

function push(path: number[], x: number, y: number): void {
  if (path.at(-2) !== x || path.at(-1) !== y) path.push(x, y);
}

/** Leads each loose end to the nearest loose beginning or to the border, the shortest ways first. */
function joinLoose(pieces: readonly Piece[], border: Border): { pieces: Piece[]; loose: number } {
  const isLoose = ({ path, enters, leaves }: Piece) =>
    !isClosed(path) && (enters === undefined || leaves === undefined);
  const whole = pieces.filter((piece) => !isLoose(piece));
  const broken = pieces.filter(isLoose);
  const starts = broken.filter(({ enters }) => enters === undefined);
  const ends = broken.filter(({ leaves }) => leaves === undefined);
  const ways: { distance: number; end?: Piece; start?: Piece }[] = [];
  for (const end of ends) {
    const [ax, ay] = [end.path.at(-2)!, end.path.at(-1)!];
    ways.push({ distance: border.nearest(ax, ay).distance, end });
    for (const start of starts)
      ways.push({ distance: Math.hypot(start.path[0]! - ax, start.path[1]! - ay), end, start });
  }
  for (const start of starts) ways.push({ distance: border.nearest(start.path[0]!, start.path[1]!).distance, start });
  ways.sort((a, b) => a.distance - b.distance);
  const led = new Set<Piece>();
  const begun = new Set<Piece>();
  const nextOf = new Map<Piece, Piece>();
  for (const { end, start } of ways) {
    if ((end && led.has(end)) || (start && begun.has(start))) continue;
    if (end) led.add(end);
    if (start) begun.add(start);
    if (end && start) nextOf.set(end, start);
    else leadToBorder(border, end, start);
  }
  return { pieces: [...whole, ...chains(broken, nextOf)], loose: starts.length + ends.length };
}

function leadToBorder(border: Border, end: Piece | undefined, start: Piece | undefined): void {
  if (end) {
    const { x, y, at } = border.nearest(end.path.at(-2)!, end.path.at(-1)!);
    push(end.path, x, y);
    end.leaves = at;
  } else if (start) {
    const { x, y, at } = border.nearest(start.path[0]!, start.path[1]!);
    start.path.unshift(x, y);
    start.enters = at;
  }
}

/** Pieces joined to those that follow them; some close. */
function chains(pieces: readonly Piece[], nextOf: ReadonlyMap<Piece, Piece>): Piece[] {
  const followers = new Set(nextOf.values());
  const used = new Set<Piece>();
  const joined: Piece[] = [];
  for (const first of [...pieces.filter((piece) => !followers.has(piece)), ...pieces]) {
    if (used.has(first)) continue;
    const chain: Piece = { path: [], enters: first.enters, leaves: undefined };
    let at: Piece | undefined = first;
    for (; at !== undefined && !used.has(at); at = nextOf.get(at)) {
      used.add(at);
      for (let i = 0; i < at.path.length; i += 2) push(chain.path, at.path[i]!, at.path[i + 1]!);
      chain.leaves = at.leaves;
    }
    if (at !== undefined) push(chain.path, chain.path[0]!, chain.path[1]!); // It ends where it began.
    if (at === undefined || isClosed(chain.path)) joined.push(chain);
  }
  return joined;
}

/**
 * Along the border, exits and entries of coastlines alternate. Those that do not fit are dropped, the
 * shortest first: they come from faulty ends.
 */
function thatFit(pieces: readonly CrossingPiece[]): CrossingPiece[] {
  const fit = [...pieces].sort((a, b) => lengthOf(b.path) - lengthOf(a.path));
  while (fit.length > 0 && !takeTurns(fit)) fit.pop();
  return fit;
}

function takeTurns(pieces: readonly CrossingPiece[]): boolean {
  const ends = pieces.flatMap(({ enters, leaves }) => [
    { at: enters, enters: true },
    { at: leaves, enters: false },
  ]);
  ends.sort((a, b) => a.at - b.at);
  return ends.every(({ enters }, i) => enters !== ends[(i + 1) % ends.length]!.enters);
}

function lengthOf(path: Path): number {
  let length = 0;
  for (let i = 2; i < path.length; i += 2) length += Math.hypot(path[i]! - path[i - 2]!, path[i + 1]! - path[i - 1]!);
  return length;
}

function closeAlong(border: Border, pieces: readonly CrossingPiece[]): number[][] {
  const used = new Uint8Array(pieces.length);
  const rings: number[][] = [];
  for (let start = 0; start < pieces.length; start++) {
    if (used[start]) continue;
    const ring: number[] = [];
    for (let at = start; !used[at];) {
      used[at] = 1;
      ring.push(...pieces[at]!.path);
      const exit = pieces[at]!.leaves;
      at = nextEntry(border, pieces, exit);
      ring.push(...border.corners(exit, pieces[at]!.enters));
    }
    ring.push(ring[0]!, ring[1]!);
    if (ring.length >= 8) rings.push(ring); // Less than a triangle is what rounding leaves of a coast at a corner.
  }
  return rings;
}

/** The first entry clockwise from the exit. */
function nextEntry(border: Border, pieces: readonly CrossingPiece[], exit: number): number {
  let next = 0;
  for (let i = 1; i < pieces.length; i++)
    if (border.ahead(exit, pieces[i]!.enters) < border.ahead(exit, pieces[next]!.enters)) next = i;
  return next;
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
