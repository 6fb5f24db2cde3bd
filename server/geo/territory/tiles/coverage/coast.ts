import { Area } from '../../geometry/area.ts';
import { joinDirected } from '../../geometry/rings.ts';
import type { Ring } from '../../geometry/rings.ts';
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

/** Coastlines joined at their ends, with the box of each. */
export interface Coast {
  readonly path: Path;
  readonly box: Border['box'];
}

/** Joins coastlines, given as positions in `x` and `y`. */
export function joinCoast(x: ArrayLike<number>, y: ArrayLike<number>, coastlines: readonly Ring[]): Coast[] {
  const { rings, open } = joinDirected(coastlines);
  return [...rings, ...open].map((line) => {
    const path: number[] = [];
    let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const node of line) {
      const [px, py] = [x[node]!, y[node]!];
      path.push(px, py);
      [west, north] = [Math.min(west, px), Math.min(north, py)];
      [east, south] = [Math.max(east, px), Math.max(south, py)];
    }
    return { path, box: { west, north, east, south } };
  });
}

/**
 * The sea within a border, from coastlines, which have the sea on their right. They are cut by the border; what is
 * cut is closed along it, clockwise, to where the next coastline enters. A coastline that ends within the border
 * goes on to the nearest beginning of another or to the border, whichever is nearer; `loose` counts such ends.
 */
export function seaWithin(border: Border, coasts: readonly Coast[]): { sea: Sea[]; loose: number } {
  const cutUp = coasts.filter(({ box }) => meet(box, border.box)).flatMap(({ path }) => cut(path, border));
  const { pieces, loose } = joinLoose(cutUp, border);
  const closed = pieces.filter(({ enters }) => enters === undefined).map(({ path }) => path);
  const crossing = pieces.filter(({ enters }) => enters !== undefined) as CrossingPiece[];
  const outers: Path[] = closed.filter((ring) => area2(ring) > 0);
  const islands = closed.filter((ring) => area2(ring) < 0);
  if (crossing.length > 0) outers.push(...closeAlong(border, turnsThatFit(crossing)));
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
    if (piece !== undefined && crossings.length === 0 && leavesAlong(border, ax, ay, bx, by)) {
      const { x, y, at } = border.nearest(ax, ay);
      push(piece.path, x, y);
      pieces.push({ ...piece, leaves: at });
      piece = undefined;
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
  // A coast that only just reaches in is a point; the border goes round from where it leaves to where it enters.
  return pieces.filter(({ path, enters, leaves }) => path.length >= 4 || (enters ?? leaves) !== (leaves ?? enters));
}

/** Whether a segment without a crossing leads out of the border: it runs along an edge, past its corner. */
function leavesAlong(border: Border, ax: number, ay: number, bx: number, by: number): boolean {
  return border.isNear(ax, ay, bx, by) && !border.contains(bx, by) && border.nearest(bx, by).distance > 0;
}

function meet(a: Border['box'], b: Border['box']): boolean {
  return a.east >= b.west && a.west <= b.east && a.south >= b.north && a.north <= b.south;
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

/** Where a piece enters or leaves. */
interface Turn {
  readonly piece: CrossingPiece;
  readonly enters: boolean;
  readonly at: number;
}

/**
 * Along the border, exits and entries of coastlines alternate. Pieces that do not fit are dropped, the
 * shortest first: they come from faulty ends.
 */
function turnsThatFit(pieces: readonly CrossingPiece[]): Turn[] {
  const fit = [...pieces].sort((a, b) => lengthOf(b.path) - lengthOf(a.path));
  for (; fit.length > 0; fit.pop()) {
    const turns = alternate(fit, true) ?? alternate(fit, false);
    if (turns) return turns;
  }
  return [];
}

/** Entries and exits clockwise, in turn. Where both are in one place, the turn decides which comes first. */
function alternate(pieces: readonly CrossingPiece[], startsEntering: boolean): Turn[] | undefined {
  const left = pieces.flatMap((piece): Turn[] => [
    { piece, enters: true, at: piece.enters },
    { piece, enters: false, at: piece.leaves },
  ]);
  left.sort((a, b) => a.at - b.at);
  const turns: Turn[] = [];
  for (let next = 0; next < left.length; next++) {
    const enters = startsEntering === (next % 2 === 0);
    let fitting = next;
    while (left[fitting]?.at === left[next]!.at && left[fitting]!.enters !== enters) fitting++;
    if (left[fitting]?.at !== left[next]!.at) return undefined;
    const [turn] = left.splice(fitting, 1);
    left.splice(next, 0, turn!);
    turns.push(turn!);
  }
  return turns;
}

function lengthOf(path: Path): number {
  let length = 0;
  for (let i = 2; i < path.length; i += 2) length += Math.hypot(path[i]! - path[i - 2]!, path[i + 1]! - path[i - 1]!);
  return length;
}

/** Each exit leads clockwise along the border to the entry that follows it. */
function closeAlong(border: Border, turns: readonly Turn[]): number[][] {
  const entryAfter = new Map(
    turns
      .map(({ piece }, i) => [piece, turns[(i + 1) % turns.length]!.piece] as const)
      .filter((_, i) => !turns[i]!.enters),
  );
  const used = new Set<CrossingPiece>();
  const rings: number[][] = [];
  for (const start of entryAfter.keys()) {
    if (used.has(start)) continue;
    const ring: number[] = [];
    for (let piece = start; !used.has(piece);) {
      used.add(piece);
      ring.push(...piece.path);
      const next = entryAfter.get(piece)!;
      ring.push(...border.corners(piece.leaves, next.enters));
      piece = next;
    }
    ring.push(ring[0]!, ring[1]!);
    if (ring.length >= 8) rings.push(ring); // Less than a triangle is what rounding leaves of a coast at a corner.
  }
  return rings;
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
