import type { Chance } from '../../../server/demo/chance.ts';
import { noiseFrom } from './noise.ts';
import { turned, type Spot } from './plane.ts';

/** How a part of the town is built up. */
export type Quarter = 'old' | 'grid' | 'curved' | 'closes' | 'flats' | 'industry' | 'park';

/** A piece of the town between two rings and two rays of the plan. */
export interface Cell {
  readonly quarter: Quarter;
  /** Radii in plan metres. */
  readonly inner: number;
  readonly outer: number;
  /** Angles in radians, `from` < `to`. */
  readonly from: number;
  readonly to: number;
  /** Direction of the streets. */
  readonly grain: number;
}

/**
 * The plan of a town is drawn in plain polar coordinates (rings, rays and the cells between them); `warp`
 * then bends it into the plane. The bend is gentle enough never to fold, so what does not cross in the plan
 * does not cross in the town.
 */
export interface Plan {
  /** Of the built-up town, plan metres. */
  readonly radius: number;
  /** Half the side of the whole map. */
  readonly extent: number;
  /** From the innermost to the edge of the town. */
  readonly rings: readonly number[];
  /** Main roads out of the town, ascending angles. */
  readonly rays: readonly number[];
  /** Lesser rays between two rings only. */
  readonly shortRays: readonly { angle: number; ring: number }[];
  readonly cells: readonly Cell[];
  readonly bypass: { radius: number; from: number; to: number } | undefined;
  warp(p: Spot): Spot;
}

/** Metres between rings, and the widest a cell may be, in towns that are large enough. */
const RING_WIDTH = 950;
const CELL_WIDTH = 1100;

/**
 * Number of nodes that a square kilometre holds, houses included, as measured on drawn towns: around a small
 * town the villages weigh more.
 */
const nodesPerSquareKilometre = (nodes: number): number =>
  nodes < SMALLEST_TOWN ? 2300 : 2600 + 900 * Math.exp(-nodes / 30_000);
/** Below this it is a village: streets along a road through it. */
const SMALLEST_TOWN = 6000;

export function planTown(nodes: number, chance: Chance): Plan {
  const radius = Math.sqrt(nodes / nodesPerSquareKilometre(nodes) / Math.PI) * 1000;
  const isTown = nodes >= SMALLEST_TOWN;
  const rings = ringsOf(radius, isTown);
  const rays = raysOf(isTown, chance);
  const cells: Cell[] = [];
  const shortRays: { angle: number; ring: number }[] = [];
  cells.push({
    quarter: isTown ? 'old' : 'curved',
    inner: 0,
    outer: rings[0]!,
    from: 0,
    to: 2 * Math.PI,
    grain: chance.between(0, Math.PI),
  });
  for (let ring = 1; ring < rings.length; ring++) {
    for (let r = 0; r < rays.length; r++) {
      const start = rays[r]!;
      const end = r + 1 < rays.length ? rays[r + 1]! : rays[0]! + 2 * Math.PI;
      const middle = (rings[ring - 1]! + rings[ring]!) / 2;
      const parts = Math.max(1, Math.round(((end - start) * middle) / CELL_WIDTH));
      for (let part = 0; part < parts; part++) {
        const from = start + ((end - start) * part) / parts;
        const to = start + ((end - start) * (part + 1)) / parts;
        if (part > 0) shortRays.push({ angle: from, ring });
        // The town park is by the river, south of the middle.
        cells.push({
          quarter:
            ring === 1 && r === 4 && part === 0 ? 'park' : quarterAt(ring, rings.length, (from + to) / 2, chance),
          inner: rings[ring - 1]!,
          outer: rings[ring]!,
          from,
          to,
          grain: grainOf((from + to) / 2, chance),
        });
      }
    }
  }
  // Beyond the outer ring the town frays: here a suburb, there fields.
  if (isTown) {
    for (const edge of cells.filter((cell) => cell.outer > radius - 1)) {
      if (edge.quarter !== 'park' && chance.happens(0.6)) {
        const width = Math.min(radius * 0.26, 420) * chance.between(0.6, 1);
        cells.push({
          ...edge,
          inner: radius,
          outer: radius + width,
          quarter: edge.quarter === 'industry' ? 'industry' : chance.pick(['curved', 'closes'] as const),
        });
      }
    }
  }
  return {
    radius,
    rings,
    rays,
    shortRays,
    cells,
    extent: radius * (isTown ? 2.5 : 2),
    // Over the north, from the main road in the south-east to the one in the south-west.
    bypass: isTown ? { radius: radius * 1.36, from: rays[5]! - 2 * Math.PI, to: rays[3]! } : undefined,
    warp: warpOf(radius, chance),
  };
}

function ringsOf(radius: number, isTown: boolean): number[] {
  if (!isTown) return [radius];
  const core = Math.min(520, radius * 0.3);
  const bands = Math.max(2, Math.round((radius - core) / RING_WIDTH));
  return Array.from({ length: bands + 1 }, (_, band) => core + ((radius - core) * band) / bands);
}

/** The river leaves the town near 0 and π, so no main road does. */
function raysOf(isTown: boolean, chance: Chance): number[] {
  const even = isTown ? [0.72, 1.5, 2.4, 3.85, 4.7, 5.55] : [0.75, 2.9, 4.9];
  return even.map((angle) => angle + chance.between(-0.12, 0.12));
}

/**
 * Industry lies in the north beyond the railway; parks are few; the edge of the town is houses with gardens.
 */
function quarterAt(ring: number, rings: number, angle: number, chance: Chance): Quarter {
  const height = Math.sin(angle);
  const outer = ring / (rings - 1);
  if (outer > 0.6 && height > 0.75) return 'industry';
  if (chance.happens(ring === 1 ? 0.14 : 0.08)) return 'park';
  if (outer <= 0.5) return chance.pick(['grid', 'grid', 'flats', 'old'] as const);
  return chance.pick(['grid', 'curved', 'curved', 'closes', 'closes', 'flats'] as const);
}

/** Streets mostly run along the ray or a little off it. */
function grainOf(angle: number, chance: Chance): number {
  return angle + (chance.happens(0.6) ? chance.between(-0.12, 0.12) : chance.between(-0.8, 0.8));
}

function warpOf(radius: number, chance: Chance): (p: Spot) => Spot {
  const turn = chance.between(-0.5, 0.5);
  const wideX = noiseFrom(chance.whole(1e9));
  const wideY = noiseFrom(chance.whole(1e9));
  const closeX = noiseFrom(chance.whole(1e9));
  const closeY = noiseFrom(chance.whole(1e9));
  const wide = 1.3 * radius;
  const close = Math.min(0.4 * radius, 1500);
  return ({ x, y }) =>
    turned(
      {
        x: 1.15 * x + 0.15 * radius * wideX(x / wide, y / wide) + 0.07 * close * closeX(x / close, y / close),
        y: 0.9 * y + 0.15 * radius * wideY(x / wide, y / wide) + 0.07 * close * closeY(x / close, y / close),
      },
      turn,
    );
}

export const polar = (radius: number, angle: number): Spot => ({
  x: Math.cos(angle) * radius,
  y: Math.sin(angle) * radius,
});

/** Whether a plan spot lies within the cell. */
export function inCell(cell: Cell, p: Spot): boolean {
  const far = Math.hypot(p.x, p.y);
  if (far < cell.inner || far >= cell.outer) return false;
  const angle = Math.atan2(p.y, p.x);
  const turn = 2 * Math.PI;
  const past = (((angle - cell.from) % turn) + turn) % turn;
  return past < cell.to - cell.from || cell.to - cell.from >= turn - 1e-9;
}

/** The outline of a cell in the plan, anticlockwise, its points `step` metres apart. */
export function outlineOf(cell: Cell, step: number): Spot[] {
  const arc = (radius: number, from: number, to: number): Spot[] => {
    const parts = Math.max(2, Math.ceil((Math.abs(to - from) * radius) / step));
    return Array.from({ length: parts }, (_, i) => polar(radius, from + ((to - from) * i) / parts));
  };
  if (cell.inner === 0) return arc(cell.outer, cell.from, cell.to);
  return [
    ...arc(cell.outer, cell.from, cell.to),
    polar(cell.outer, cell.to),
    ...arc(cell.inner, cell.to, cell.from),
    polar(cell.inner, cell.from),
  ];
}
