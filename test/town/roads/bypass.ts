import { distance, offset, simplified, spotAlong, type Line, type Spot } from '../plan/plane.ts';
import { polar, type Plan } from '../plan/plan.ts';
import type { Road, Stretch } from './road.ts';
import { cutWhere, type Terrain } from '../plan/terrain.ts';

/** Half the distance between the middles of the two carriageways. */
const HALF = 9;

/**
 * A motorway around the town with two carriageways, on bridges over the river and the railway. Main roads
 * pass over it and are reached by a diamond of four links; at both ends it runs into a main road. Traffic
 * keeps to the right.
 */
export function layBypass(plan: Plan, terrain: Terrain, stretches: Stretch[], newStreet: () => number): void {
  const bypass = plan.bypass;
  if (!bypass) return;
  const parts = Math.ceil(((bypass.to - bypass.from) * bypass.radius) / 30);
  const middle = Array.from({ length: parts + 1 }, (_, i) =>
    plan.warp(polar(bypass.radius, bypass.from + ((bypass.to - bypass.from) * i) / parts)),
  );
  const road: Road = { class: 'motorway', naming: 'highway', oneway: true, limit: 110, ref: 'M1', street: newStreet() };
  // Anticlockwise traffic keeps to the right of the middle line: outside. Both run together into the main
  // roads at the ends.
  const carriageway = (by: number): Spot[] =>
    offset(middle, by).map((p, i) => {
      const toEnd = Math.min(i, parts - i) / 4;
      return toEnd >= 1
        ? p
        : { x: middle[i]!.x + (p.x - middle[i]!.x) * toEnd, y: middle[i]!.y + (p.y - middle[i]!.y) * toEnd };
    });
  const outside = carriageway(-HALF);
  const inside = carriageway(HALF).reverse();
  for (const line of [outside, inside]) {
    const pieces = cutWhere(line, (p) => terrain.toRiver(p) < terrain.river.width / 2 + 9 || terrain.toRailway(p) < 14);
    for (const piece of pieces) stretches.push({ line: simplified(piece.line, 0.6), road, level: piece.apart ? 1 : 0 });
  }
  const gap = Math.min(130, (bypass.radius - plan.radius) * 0.45);
  for (const angle of plan.rays.slice(0, 3)) {
    const link: Road = { class: 'motorway_link', naming: 'none', oneway: true, limit: 60, street: 0 };
    diamond(
      outside,
      plan.warp(polar(bypass.radius, angle)),
      plan.warp(polar(bypass.radius + gap, angle)),
      gap,
      link,
      stretches,
    );
    diamond(
      inside,
      plan.warp(polar(bypass.radius, angle)),
      plan.warp(polar(bypass.radius - gap, angle)),
      gap,
      link,
      stretches,
    );
  }
}

/** The way off a carriageway to the point `at` on the crossing road, and back onto the carriageway. */
function diamond(carriageway: Line, over: Spot, at: Spot, gap: number, road: Road, stretches: Stretch[]): void {
  let along = 0;
  let nearest = Infinity;
  for (let i = 1, sum = 0; i < carriageway.length; i++) {
    sum += distance(carriageway[i - 1]!, carriageway[i]!);
    const off = distance(carriageway[i]!, over);
    if (off < nearest) {
      nearest = off;
      along = sum;
    }
  }
  const reach = gap * 2;
  const curve = (from: Spot, by: Spot, to: Spot): Spot[] =>
    Array.from({ length: 9 }, (_, i) => {
      const t = i / 8;
      const s = 1 - t;
      return {
        x: s * s * from.x + 2 * s * t * by.x + t * t * to.x,
        y: s * s * from.y + 2 * s * t * by.y + t * t * to.y,
      };
    });
  const bent = (share: number): Spot => {
    const near = spotAlong(carriageway, along + share * reach).spot;
    return { x: near.x + (at.x - over.x) * 0.75, y: near.y + (at.y - over.y) * 0.75 };
  };
  stretches.push({
    line: simplified(curve(spotAlong(carriageway, along - reach).spot, bent(-0.35), at), 0.5),
    road,
    level: 0,
  });
  stretches.push({
    line: simplified(curve(at, bent(0.35), spotAlong(carriageway, along + reach).spot), 0.5),
    road,
    level: 0,
  });
}
