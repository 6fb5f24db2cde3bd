import type { MapWriter } from '../map-writer.ts';
import { nameTags, type Name, type TownNames } from './names.ts';
import { polar, type Plan } from '../plan/plan.ts';
import type { Spot } from '../plan/plane.ts';

/**
 * The boundary of the town and, within it, the middle and one district between each two main roads;
 * neighbours share their border.
 */
export function drawDistricts(
  map: MapWriter,
  plan: Plan,
  town: Name,
  { centre, around }: TownNames['districts'],
  isCyrillic: (p: Spot) => boolean,
): void {
  const limit = plan.radius * 1.27;
  const count = plan.rays.length;
  const corners = (radius: number): number[] =>
    plan.rays.map((angle) => map.node(plan.warp(polar(radius, angle + 0.05))));
  const outer = corners(limit);
  const inner = corners(plan.rings[0]! * 1.04);
  const tags = { boundary: 'administrative', admin_level: '9' };
  const arcs = (radius: number, ends: number[], level: string): number[] =>
    ends.map((start, r) => {
      const from = plan.rays[r]! + 0.05;
      const to = (r + 1 < count ? plan.rays[r + 1]! : plan.rays[0]! + 2 * Math.PI) + 0.05;
      const parts = 7;
      const between = Array.from({ length: parts - 1 }, (_, i) =>
        map.node(plan.warp(polar(radius, from + ((to - from) * (i + 1)) / parts))),
      );
      return map.way([start, ...between, ends[(r + 1) % count]!], { ...tags, admin_level: level });
    });
  const outerArcs = arcs(limit, outer, '8');
  const isTown = plan.rings.length > 1;
  map.relation(
    outerArcs.map((id) => ({ type: 'way', id, role: 'outer' })),
    { type: 'boundary', boundary: 'administrative', admin_level: '8', ...nameTags(town, false) },
  );
  if (!isTown) return;
  const innerArcs = arcs(plan.rings[0]! * 1.04, inner, '9');
  const borders = inner.map((start, r) => map.way([start, outer[r]!], tags));
  const district = (name: Name, members: number[], middle: Spot): void => {
    map.relation(
      members.map((id) => ({ type: 'way', id, role: 'outer' })),
      { type: 'boundary', ...tags, ...nameTags(name, isCyrillic(middle)) },
    );
    map.spot(middle, { place: 'suburb', ...nameTags(name, isCyrillic(middle)) });
  };
  district(centre, innerArcs, plan.warp(polar(plan.rings[0]! * 0.35, 1)));
  for (let r = 0; r < count; r++) {
    const next = (r + 1) % count;
    const angle = (plan.rays[r]! + (next === 0 ? plan.rays[0]! + 2 * Math.PI : plan.rays[next]!)) / 2;
    district(
      around[r % around.length]!,
      [borders[r]!, outerArcs[r]!, borders[next]!, innerArcs[r]!],
      plan.warp(polar(plan.radius * 0.68, angle)),
    );
  }
}
