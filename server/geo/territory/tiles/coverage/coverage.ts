import Flatbush from 'flatbush';
import type { Path } from './border.ts';
import { Mask } from './mask.ts';
import { WORLD } from '../mercator.ts';

/** World units, the same for all four; `north` is the smaller `y`. */
export interface LandBox {
  readonly west: number;
  readonly north: number;
  readonly east: number;
  readonly south: number;
}

/** Calls its argument for each point that has data. */
export type DataPoints = (mark: (x: number, y: number) => void) => void;

/** The outline is drawn in squares of at least so many metres, and of at most so many squares a side. */
const CELL_METRES = 200;
const MAX_CELLS = 1024;
/** Gaps in the data that are narrower than twice this belong to the covered area. */
const GAP_METRES = 1500;
/** A side of the box with data along so much of it was cut there. */
const LINED = 0.5;
const EQUATOR_METRES = 40_075_016.7;

/**
 * The outlines of the area that an extract covers. If its data reach two sides of the box, that is the box.
 * Otherwise it is the area with data, including small gaps and enclosed areas, and `areas`: whole countries
 * with their waters. Places far apart have outlines of their own. Reads the points at most twice.
 */
export function coverage(box: LandBox, points: DataPoints, areas: readonly Path[]): number[][] {
  const whole = partOf(box);
  const { mask: coarse, metre } = whole;
  points((x, y) => coarse.mark(x, y));
  complete(whole, areas);
  if (coarse.cell <= CELL_METRES * metre * 1.01) return outlinesOf(whole);
  const parts = coarse.outlines().map((outline) => partOf(boxOf(outline, box)));
  markParts(parts, coarse, points);
  return parts.flatMap((part) => {
    complete(part, areas);
    return outlinesOf(part);
  });
}

export function borderOf({ west, north, east, south }: LandBox): number[] {
  return [west, north, east, north, east, south, west, south, west, north];
}

/** A box with a mask of its own, fine enough for its size. */
interface Part {
  readonly box: LandBox;
  readonly mask: Mask;
  /** World units of a metre in the middle of the box. */
  readonly metre: number;
}

function partOf(box: LandBox): Part {
  const { west, north, east, south } = box;
  const metre = metreAt((north + south) / 2);
  const cell = Math.max(CELL_METRES * metre, Math.max(east - west, south - north) / MAX_CELLS);
  const pad = (gapCells(metre, cell) + 2) * cell;
  const cells = (length: number) => Math.ceil((length + 2 * pad) / cell) + 1;
  return { box, metre, mask: new Mask(west - pad, north - pad, cell, cells(east - west), cells(south - north)) };
}

const gapCells = (metre: number, cell: number) => Math.max(2, Math.round((GAP_METRES * metre) / cell));

/** Marks each point in every part that it lies in. Neighbours in `points` mostly lie in one square of `coarse`. */
function markParts(parts: readonly Part[], coarse: Mask, points: DataPoints): void {
  if (parts.length === 0) return;
  const index = new Flatbush(parts.length);
  for (const { box } of parts) index.add(box.west, box.north, box.east, box.south);
  index.finish();
  let square = -1;
  let near: Part[] = [];
  points((x, y) => {
    const at = coarse.at(x, y);
    if (at !== square) {
      square = at;
      near = at < 0 ? [] : index.search(...coarse.boxAt(at)).map((part) => parts[part]!);
    }
    for (const { box, mask } of near)
      if (x >= box.west && x <= box.east && y >= box.north && y <= box.south) mask.mark(x, y);
  });
}

/** Covers `areas`, small gaps and enclosed areas. */
function complete({ mask, metre }: Part, areas: readonly Path[]): void {
  for (const area of areas) mask.fill(area);
  mask.close(gapCells(metre, mask.cell), 1);
  mask.fillHoles();
}

function outlinesOf({ mask, box }: Part): number[][] {
  return isCutAt(mask, box) ? [borderOf(box)] : mask.outlines();
}

/** Whether data lie along two sides of the box: a program cut it there. Other outlines only touch their box. */
function isCutAt(mask: Mask, { west, north, east, south }: LandBox): boolean {
  const inner = mask.cell / 2;
  const lined = (length: number, point: (along: number) => [number, number]) => {
    const steps = Math.max(1, Math.floor(length / mask.cell));
    let covered = 0;
    for (let i = 0; i < steps; i++) if (mask.bits[mask.at(...point(((i + 0.5) / steps) * length))]) covered++;
    return covered >= steps * LINED;
  };
  const sides = [
    lined(east - west, (along) => [west + along, north + inner]),
    lined(east - west, (along) => [west + along, south - inner]),
    lined(south - north, (along) => [west + inner, north + along]),
    lined(south - north, (along) => [east - inner, north + along]),
  ];
  return sides.filter(Boolean).length >= 2;
}

function boxOf(path: Path, within: LandBox): LandBox {
  const xs = path.filter((_, i) => i % 2 === 0);
  const ys = path.filter((_, i) => i % 2 === 1);
  const least = (values: number[]) => values.reduce((a, b) => Math.min(a, b));
  const most = (values: number[]) => values.reduce((a, b) => Math.max(a, b));
  return {
    west: Math.max(within.west, least(xs)),
    north: Math.max(within.north, least(ys)),
    east: Math.min(within.east, most(xs)),
    south: Math.min(within.south, most(ys)),
  };
}

/** World units of a metre at this `y`. */
function metreAt(y: number): number {
  return (WORLD / EQUATOR_METRES) * Math.cosh(Math.PI * (1 - (2 * y) / WORLD));
}
