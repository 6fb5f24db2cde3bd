import type { Chance } from '../../../server/demo/chance.ts';
import { noiseFrom } from './noise.ts';
import { densified, distance, lengthOf, turned, type Line, type Spot } from './plane.ts';
import { inCell, type Cell, type Quarter } from './plan.ts';

/** A street of a cell, in plan coordinates. */
interface Course {
  line: Line;
  use: 'street' | 'lane' | 'close' | 'works' | 'path';
}

/** Metres between parallel streets (`along` the grain) and between their cross streets. */
const BLOCKS: Record<Quarter, { along: number; across: number }> = {
  old: { along: 95, across: 95 },
  grid: { along: 125, across: 210 },
  curved: { along: 130, across: 230 },
  closes: { along: 170, across: 330 },
  flats: { along: 210, across: 260 },
  industry: { along: 260, across: 330 },
  park: { along: 240, across: 260 },
};

/**
 * Streets that end nearer than this beside a street that runs alike would make two rows of tarmac side by
 * side.
 */
const BESIDE = 42;

/**
 * The streets that fill one cell, each a little too long at the cell's edge, so that it crosses the street
 * there.
 */
export function streetsOf(cell: Cell, chance: Chance): Course[] {
  const { along, across } = BLOCKS[cell.quarter];
  const middle = middleOf(cell);
  const reach = Math.hypot(cell.outer, (cell.to - cell.from) * cell.outer) / 2 + along;
  const bend = bendOf(cell.quarter, chance);
  const place = (u: number, v: number): Spot => {
    const p = bend({ x: u, y: v });
    const q = turned(p, cell.grain);
    return { x: q.x + middle.x, y: q.y + middle.y };
  };
  const courses: Course[] = [];
  const use = cell.quarter === 'industry' ? 'works' : cell.quarter === 'park' ? 'path' : 'street';
  const rows = marks(reach, along, chance);
  for (const row of rows) {
    const line: Spot[] = [];
    for (let u = -reach; u <= reach; u += 12) line.push(place(u, row));
    for (const piece of within(cell, line)) courses.push({ line: piece, use });
  }
  const columns = marks(reach, across, chance);
  for (let r = 0; r + 1 < rows.length; r++) {
    for (const column of columns) {
      const shift = chance.between(-0.18, 0.18) * across * (cell.quarter === 'old' ? 1 : 0.6) * (r % 2);
      const draw = chance.next();
      const stub = cell.quarter === 'closes';
      if (draw < (stub ? 0.15 : 0.16)) continue;
      const top =
        stub && draw < 0.8 ? rows[r]! + (rows[r + 1]! - rows[r]!) * chance.between(0.52, 0.68) : rows[r + 1]! + 3;
      const line: Spot[] = [];
      const bottom = rows[r]! - 3;
      for (let step = 0; step <= 12; step++) line.push(place(column + shift, bottom + ((top - bottom) * step) / 12));
      for (const piece of within(cell, line))
        courses.push({ line: piece, use: use !== 'street' ? use : top < rows[r + 1]! ? 'close' : 'lane' });
    }
  }
  return courses;
}

/** Places of parallel streets from -reach to reach, about `step` apart. */
function marks(reach: number, step: number, chance: Chance): number[] {
  const list: number[] = [];
  for (let at = -reach + chance.between(0, step); at < reach; at += step * chance.between(0.85, 1.18)) list.push(at);
  return list;
}

/**
 * Old towns are crooked at every corner, suburbs swing in wide curves, and what was drawn with a ruler is
 * straight.
 */
function bendOf(quarter: Quarter, chance: Chance): (p: Spot) => Spot {
  const strength = { old: 24, grid: 3, curved: 46, closes: 40, flats: 6, industry: 4, park: 60 }[quarter];
  const width = { old: 120, grid: 300, curved: 330, closes: 380, flats: 400, industry: 400, park: 260 }[quarter];
  const x = noiseFrom(chance.whole(1e9));
  const y = noiseFrom(chance.whole(1e9));
  return (p) => ({ x: p.x + strength * x(p.x / width, p.y / width), y: p.y + strength * y(p.x / width, p.y / width) });
}

function middleOf(cell: Cell): Spot {
  if (cell.inner === 0) return { x: 0, y: 0 };
  const radius = (cell.inner + cell.outer) / 2;
  const angle = (cell.from + cell.to) / 2;
  return { x: Math.cos(angle) * radius, y: Math.sin(angle) * radius };
}

/**
 * The pieces of the line inside the cell, lengthened by a few metres over its edge; short ones are left out.
 */
function within(cell: Cell, line: Line): Spot[][] {
  const pieces: Spot[][] = [];
  let piece: Spot[] = [];
  const dense = densified(line, 12);
  const finish = (): void => {
    if (piece.length > 1 && lengthOf(piece) > 45) pieces.push(piece);
    piece = [];
  };
  for (let i = 0; i < dense.length; i++) {
    const here = dense[i]!;
    const next = dense[Math.min(i + 1, dense.length - 1)]!;
    const before = dense[Math.max(i - 1, 0)]!;
    if (inCell(cell, here)) {
      if (runsBesideEdge(cell, here, Math.atan2(next.y - before.y, next.x - before.x))) finish();
      else {
        if (piece.length === 0 && i > 0 && !inCell(cell, before)) piece.push(...overEdge(cell, here, before));
        piece.push(here);
      }
    } else {
      if (piece.length > 0) piece.push(...overEdge(cell, piece[piece.length - 1]!, here));
      finish();
    }
  }
  finish();
  return pieces;
}

/** The spot three metres beyond the edge on the way from `inside` to `outside`. */
function overEdge(cell: Cell, inside: Spot, outside: Spot): Spot[] {
  let low = 0;
  let high = 1;
  for (let i = 0; i < 20; i++) {
    const share = (low + high) / 2;
    if (inCell(cell, { x: inside.x + (outside.x - inside.x) * share, y: inside.y + (outside.y - inside.y) * share }))
      low = share;
    else high = share;
  }
  const share = high + 3 / distance(inside, outside);
  return [{ x: inside.x + (outside.x - inside.x) * share, y: inside.y + (outside.y - inside.y) * share }];
}

function runsBesideEdge(cell: Cell, p: Spot, direction: number): boolean {
  const far = Math.hypot(p.x, p.y);
  const angle = Math.atan2(p.y, p.x);
  const across = Math.abs(Math.sin(direction - angle)); // 1: along a ring, 0: along a ray
  if (across > 0.8 && (cell.outer - far < BESIDE || (cell.inner > 0 && far - cell.inner < BESIDE))) return true;
  if (across > 0.6 || cell.to - cell.from > 6) return false;
  const turn = 2 * Math.PI;
  const past = (((angle - cell.from) % turn) + turn) % turn;
  return Math.min(past, cell.to - cell.from - past) * far < BESIDE;
}
