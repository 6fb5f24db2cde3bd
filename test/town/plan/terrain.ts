import type { Chance } from '../../../server/demo/chance.ts';
import { noiseFrom } from './noise.ts';
import {
  densified,
  distance,
  distanceToSegment,
  insidePolygon,
  lengthOf,
  Squares,
  type Line,
  type Spot,
} from './plane.ts';
import { polar, type Plan } from './plan.ts';

/** What the streets have to give way to. All in the plane (already warped). */
export interface Terrain {
  readonly river: { line: Line; width: number };
  readonly lake: Line;
  readonly island: Line;
  readonly ponds: readonly Line[];
  readonly railway: Line;
  /** metres from the river's middle line; Infinity when far away */
  toRiver(p: Spot): number;
  toRailway(p: Spot): number;
  isWater(p: Spot, margin: number): boolean;
}

export function drawTerrain(plan: Plan, chance: Chance): Terrain {
  const river = riverOf(plan, chance.fork('river'));
  const width = widthOfRiver(plan);
  const isTown = plan.rings.length > 1;
  const lakeMiddle = polar(plan.radius * 1.78, (plan.rays[0]! + plan.rays[1]!) / 2);
  const lake = blob(lakeMiddle, plan.radius * (isTown ? 0.27 : 0.2), isTown ? 48 : 14, chance.fork('lake')).map(
    plan.warp,
  );
  const island = blob(
    { x: lakeMiddle.x + plan.radius * 0.03, y: lakeMiddle.y - plan.radius * 0.02 },
    plan.radius * 0.07,
    isTown ? 16 : 6,
    chance.fork('island'),
  ).map(plan.warp);
  const railway = railwayOf(plan, chance.fork('railway'));
  const toRiver = distanceFinder(river, 260);
  const toRailway = distanceFinder(railway, 200);
  const ponds = plan.cells
    .filter((cell) => cell.quarter === 'park')
    .map((cell) =>
      blob(
        polar((cell.inner + cell.outer) / 2, (cell.from + cell.to) / 2),
        Math.min(90, (cell.outer - cell.inner) * 0.14),
        14,
        chance,
      ).map(plan.warp),
    )
    .filter((pond) => pond.every((p) => toRiver(p) > width / 2 + 70 && toRailway(p) > 60));

  return {
    river: { line: river, width },
    lake,
    island,
    ponds,
    railway,
    toRiver,
    toRailway,
    isWater: (p, margin) =>
      toRiver(p) < width / 2 + margin || inBlob(p, lake, margin) || ponds.some((pond) => inBlob(p, pond, margin)),
  };
}

const widthOfRiver = (plan: Plan): number => Math.min(110, Math.max(14, plan.radius / 30));

/** A river meanders more in the country than in the town, where it passes south of the middle. */
function riverOf(plan: Plan, chance: Chance): Spot[] {
  const noise = noiseFrom(chance.whole(1e9));
  const { radius, extent } = plan;
  const line: Spot[] = [];
  const bend = Math.max(900, radius * 0.9);
  const step = plan.rings.length > 1 ? 45 : 90;
  for (let x = -extent * 1.02; x <= extent * 1.02; x += step) {
    const calm = Math.min(1, Math.abs(x) / radius);
    const course =
      -plan.rings[0]! -
      1.5 * widthOfRiver(plan) -
      110 +
      0.1 * radius * (1 - Math.cos(Math.min(Math.PI, Math.abs(x) / radius)));
    line.push(plan.warp({ x, y: course + (0.06 + 0.2 * calm) * Math.min(radius, 3000) * noise(x / bend, 0.5) }));
  }
  return line;
}

/** The railway passes north of the middle, nearly straight. */
function railwayOf(plan: Plan, chance: Chance): Spot[] {
  const line: Spot[] = [];
  const height = plan.rings.length > 1 ? plan.rings[0]! + 0.36 * (plan.rings[1]! - plan.rings[0]!) : plan.radius * 1.3;
  const slope = chance.between(-0.06, 0.06);
  for (let x = -plan.extent; x <= plan.extent; x += 60) {
    line.push(
      plan.warp({
        x,
        y:
          height +
          slope * x +
          0.25 * plan.radius * (1 - Math.cos(Math.min(Math.PI, (0.55 * Math.abs(x)) / plan.radius))),
      }),
    );
  }
  return line;
}

/** A rounded shape with an uneven edge, anticlockwise, not closed. */
export function blob(middle: Spot, radius: number, points: number, chance: Chance): Spot[] {
  const noise = noiseFrom(chance.whole(1e9));
  return Array.from({ length: points }, (_, i) => {
    const angle = (2 * Math.PI * i) / points;
    const far = radius * (1 + 0.42 * noise(2 + 1.5 * Math.cos(angle), 2 + 1.5 * Math.sin(angle)));
    return { x: middle.x + Math.cos(angle) * far * 1.15, y: middle.y + Math.sin(angle) * far * 0.9 };
  });
}

function inBlob(p: Spot, ring: Line, margin: number): boolean {
  if (insidePolygon(p, ring)) return true;
  for (let i = 0; i < ring.length; i++)
    if (distanceToSegment(p, ring[i]!, ring[(i + 1) % ring.length]!) < margin) return true;
  return false;
}

/** Distance to a long line, exact up to `reach` metres and Infinity beyond. */
function distanceFinder(line: Line, reach: number): (p: Spot) => number {
  const squares = new Squares(reach);
  for (let i = 1; i < line.length; i++) squares.add(i, line[i - 1]!, line[i]!, reach);
  return (p) => {
    let least = Infinity;
    for (const i of squares.near(p, p)) least = Math.min(least, distanceToSegment(p, line[i - 1]!, line[i]!));
    return least <= reach ? least : Infinity;
  };
}

interface Piece {
  line: Spot[];
  /** What `isApart` said of all of it. */
  apart: boolean;
}

/** Cuts a line where `isApart` changes, to about a metre. Joined again the pieces are the line. */
export function cutWhere(line: Line, isApart: (p: Spot) => boolean): Piece[] {
  const dense = densified(line, 9);
  if (dense.length === 0) return [];
  const pieces: Piece[] = [{ line: [dense[0]!], apart: isApart(dense[0]!) }];
  for (let i = 1; i < dense.length; i++) {
    const piece = pieces[pieces.length - 1]!;
    const apart = isApart(dense[i]!);
    if (apart !== piece.apart) {
      let low = dense[i - 1]!;
      let high = dense[i]!;
      while (distance(low, high) > 0.5) {
        const middle = { x: (low.x + high.x) / 2, y: (low.y + high.y) / 2 };
        if (isApart(middle) === piece.apart) low = middle;
        else high = middle;
      }
      piece.line.push(low);
      pieces.push({ line: [low, dense[i]!], apart });
    } else piece.line.push(dense[i]!);
  }
  return pieces.filter((piece) => lengthOf(piece.line) > 0);
}
