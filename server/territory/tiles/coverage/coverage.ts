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
/** Gaps in the data that are narrower than twice this belong to what is covered. */
const GAP_METRES = 1500;
/** A side of the box with data along so much of it was cut there. */
const LINED = 0.5;
const EQUATOR_METRES = 40_075_016.7;

/**
 * The outlines of what an extract covers. Where its data reach two sides of the box, that is the box. Elsewhere, it is
 * where data lie, with small gaps and enclosed areas, and `areas`: whole countries with their waters. Places far
 * apart have outlines of their own.
 */
export function coverage(box: LandBox, points: DataPoints, areas: readonly Path[]): number[][] {
  const metre = metreAt((box.north + box.south) / 2);
  const coarse = maskOver(box, metre, points, areas);
  if (coarse.cell <= CELL_METRES * metre * 1.01) return outlinesOf(coarse, box);
  return coarse.outlines().flatMap((outline) => {
    const part = boxOf(outline, box);
    const partMetre = metreAt((part.north + part.south) / 2);
    const within: DataPoints = (mark) =>
      points((x, y) => {
        if (x >= part.west && x <= part.east && y >= part.north && y <= part.south) mark(x, y);
      });
    return outlinesOf(maskOver(part, partMetre, within, areas), part);
  });
}

export function borderOf({ west, north, east, south }: LandBox): number[] {
  return [west, north, east, north, east, south, west, south, west, north];
}

function outlinesOf(mask: Mask, box: LandBox): number[][] {
  return isCutAt(mask, box) ? [borderOf(box)] : mask.outlines();
}

function maskOver(box: LandBox, metre: number, points: DataPoints, areas: readonly Path[]): Mask {
  const cell = Math.max(CELL_METRES * metre, Math.max(box.east - box.west, box.south - box.north) / MAX_CELLS);
  const radius = Math.max(2, Math.round((GAP_METRES * metre) / cell));
  const pad = (radius + 2) * cell;
  const cells = (length: number) => Math.ceil((length + 2 * pad) / cell) + 1;
  const mask = new Mask(
    box.west - pad,
    box.north - pad,
    cell,
    cells(box.east - box.west),
    cells(box.south - box.north),
  );
  points((x, y) => mask.mark(x, y));
  for (const area of areas) mask.fill(area);
  mask.close(radius, 1);
  mask.fillHoles();
  return mask;
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
