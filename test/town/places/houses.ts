import type { Chance } from '../../../server/demo/chance.ts';
import type { Network } from '../roads/network.ts';
import {
  between,
  distance,
  insidePolygon,
  lengthOf,
  shareOfFoot,
  spotAlong,
  Squares,
  towards,
  type Spot,
} from '../plan/plane.ts';
import type { Quarter } from '../plan/plan.ts';
import type { Street } from './streets.ts';
import type { Terrain } from '../plan/terrain.ts';

export interface House {
  readonly street: Street;
  readonly number: string;
  readonly quarter: Quarter | 'village';
  /** Corners of the building, anticlockwise. */
  readonly outline: readonly Spot[];
  readonly middle: Spot;
  /** On the street side of the building. */
  readonly door: Spot;
  /** How the address is drawn: on the building, on a node at its door, or on a node alone. */
  readonly drawn: 'building' | 'door' | 'node';
}

/** Metres: along the street per house, width along it, depth, and from the road's middle to the front. */
const LOTS: Record<
  Quarter | 'village',
  { front: number; width: [number, number]; depth: [number, number]; setback: [number, number] }
> = {
  old: { front: 19, width: [13, 18], depth: [9, 13], setback: [7, 8] },
  grid: { front: 22, width: [10, 16], depth: [9, 12], setback: [10, 14] },
  curved: { front: 26, width: [9, 14], depth: [8, 11], setback: [11, 17] },
  closes: { front: 25, width: [9, 13], depth: [8, 11], setback: [10, 15] },
  flats: { front: 62, width: [34, 54], depth: [12, 14], setback: [15, 22] },
  industry: { front: 85, width: [34, 66], depth: [22, 44], setback: [18, 26] },
  park: { front: 90, width: [10, 14], depth: [8, 10], setback: [10, 14] },
  village: { front: 32, width: [9, 13], depth: [8, 10], setback: [10, 15] },
};

/** A lot on which a house may stand; its number is fixed even where nothing is built. */
type Lot = House;

/** Every place for a house along the streets: even numbers on the right, odd ones on the left, going up. */
export function lotsAlong(
  streets: readonly Street[],
  network: Network,
  terrain: Terrain,
  chance: Chance,
  numbered: Numbering = plainNumber,
): Lot[] {
  const roads = new Squares(50);
  const edges: { a: Spot; b: Spot; half: number }[] = [];
  for (const { joints, road } of network.chains) {
    const half =
      { motorway: 16, trunk: 8, primary: 7.5, secondary: 6.5, tertiary: 6 }[road.class as string] ??
      (road.class === 'rail' ? 9 : road.class === 'footway' ? 2 : 4.5);
    for (let i = 1; i < joints.length; i++) {
      const edge = { a: network.spots[joints[i - 1]!]!, b: network.spots[joints[i]!]!, half };
      roads.add(edges.length, edge.a, edge.b, 9);
      edges.push(edge);
    }
  }
  const lots: Lot[] = [];
  const built = new Squares(40);
  const isFree = (outline: readonly Spot[], middle: Spot): boolean => {
    const reach = distance(middle, outline[0]!);
    const corner = { x: reach, y: reach };
    const low = { x: middle.x - corner.x, y: middle.y - corner.y };
    const high = { x: middle.x + corner.x, y: middle.y + corner.y };
    for (const e of roads.near(low, high)) if (gap(outline, edges[e]!.a, edges[e]!.b) < edges[e]!.half) return false;
    for (const other of built.near(low, high)) if (overlap(outline, lots[other]!.outline)) return false;
    return !outline.some((p) => terrain.isWater(p, 7));
  };
  for (const street of streets) {
    const next = { right: 2, left: 1 };
    const lettered = { right: false, left: false };
    for (const { chain, joints } of street.chains) {
      const quarter = chain.road.houses;
      if (quarter === undefined || chain.level === 1) continue;
      const line = joints.map((joint) => network.spots[joint]!);
      const length = lengthOf(line);
      const { front, width, depth, setback } = LOTS[quarter];
      for (const side of ['right', 'left'] as const) {
        for (let along = front * 0.6; along < length - 6; along += front * chance.between(0.92, 1.12)) {
          const { spot, angle } = spotAlong(line, along);
          const out = side === 'right' ? angle - Math.PI / 2 : angle + Math.PI / 2;
          const wide = Math.min(front * 0.88, chance.between(...width));
          const deep = chance.between(...depth);
          const back = chance.between(...setback);
          const door = towards(spot, out, back + 0.4);
          const middle = towards(spot, out, back + deep / 2);
          const outline = buildingOutline(
            middle,
            angle + chance.between(-0.03, 0.03),
            wide,
            deep,
            quarter === 'flats' && chance.happens(0.3),
          );
          const draw = chance.next();
          if (!isFree(outline, middle)) continue;
          const letter =
            quarter !== 'flats' && quarter !== 'industry' && chance.happens(0.03) && !lettered[side] && next[side] > 2;
          lettered[side] = letter;
          const { number, takes } = numbered(letter ? next[side] - 2 : next[side], letter, street);
          built.add(
            lots.length,
            { x: middle.x - wide, y: middle.y - wide },
            { x: middle.x + wide, y: middle.y + wide },
          );
          lots.push({
            street,
            number,
            quarter,
            outline,
            middle,
            door,
            drawn: draw < 0.86 ? 'building' : draw < 0.95 ? 'door' : 'node',
          });
          if (!letter) next[side] += takes;
        }
      }
    }
  }
  return lots;
}

/** The number on a house, and how many are then taken; `lettered`: between that house and the next. */
export type Numbering = (value: number, lettered: boolean, street: Street) => { number: string; takes: number };

const plainNumber: Numbering = (value, lettered, { cyrillic }) => ({
  number: lettered ? `${value}${cyrillic ? 'А' : 'A'}` : String(value),
  takes: 2,
});

/** Nodes that a house takes on the map. */
export const nodesOf = (house: House): number =>
  house.drawn === 'node' ? 1 : house.outline.length + (house.drawn === 'door' ? 1 : 0);

/** A rectangle along `angle`, or an L where a wing is added. */
function buildingOutline(middle: Spot, angle: number, wide: number, deep: number, wing: boolean): Spot[] {
  const at = (u: number, v: number): Spot => towards(towards(middle, angle, u * wide), angle + Math.PI / 2, v * deep);
  const half = 0.5;
  if (!wing) return [at(-half, -half), at(half, -half), at(half, half), at(-half, half)];
  const inner = half - deep / wide;
  return [at(-half, -half), at(half, -half), at(half, 1.6), at(inner, 1.6), at(inner, half), at(-half, half)];
}

/** Distance between a convex-ish outline and a segment; 0 when they touch. */
function gap(outline: readonly Spot[], a: Spot, b: Spot): number {
  let least = Infinity;
  for (let i = 0; i < outline.length; i++) {
    const p = outline[i]!;
    const q = outline[(i + 1) % outline.length]!;
    least = Math.min(
      least,
      distance(p, between(a, b, shareOfFoot(p, a, b))),
      distance(a, between(p, q, shareOfFoot(a, p, q))),
      distance(b, between(p, q, shareOfFoot(b, p, q))),
    );
    if (side(a, b, p) !== side(a, b, q) && side(p, q, a) !== side(p, q, b)) return 0;
  }
  return least;
}

const side = (a: Spot, b: Spot, p: Spot): boolean => (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > 0;

function overlap(one: readonly Spot[], other: readonly Spot[]): boolean {
  for (let i = 0; i < one.length; i++) if (gap(other, one[i]!, one[(i + 1) % one.length]!) < 2) return true;
  return insidePolygon(one[0]!, other) || insidePolygon(other[0]!, one);
}
