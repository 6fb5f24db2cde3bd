import type { Chance } from '../../../server/demo/chance.ts';
import { nameTags, type Name, type TownNames } from './names.ts';
import { distance, distanceToSegment, offset, simplified, turned, type Line, type Spot } from '../plan/plane.ts';
import { outlineOf, polar, type Plan, type Quarter } from '../plan/plan.ts';
import type { Network } from '../roads/network.ts';
import type { Village } from '../roads/lay-roads.ts';
import { blob, type Terrain } from '../plan/terrain.ts';

/** A closed shape on the map, its ring not closed; `hole` makes it a multipolygon. */
export interface Area {
  readonly ring: Line;
  readonly hole?: Line;
  readonly tags: Readonly<Record<string, string>>;
}

const LANDUSE: Record<Quarter, Record<string, string>> = {
  old: { landuse: 'residential' },
  grid: { landuse: 'residential' },
  curved: { landuse: 'residential' },
  closes: { landuse: 'residential' },
  flats: { landuse: 'residential' },
  industry: { landuse: 'industrial' },
  park: { leisure: 'park' },
};

export function drawAreas(
  plan: Plan,
  terrain: Terrain,
  villages: readonly (Village & { name: Name })[],
  network: Network,
  isCyrillic: (p: Spot) => boolean,
  namer: TownNames,
  chance: Chance,
): Area[] {
  const areas: Area[] = [];
  for (const cell of plan.cells) {
    const ring = simplified(outlineOf(cell, 40).map(plan.warp), 3);
    areas.push({
      ring,
      tags:
        cell.quarter === 'park'
          ? { ...LANDUSE.park, ...nameTags(namer.park(), isCyrillic(ring[0]!)) }
          : LANDUSE[cell.quarter],
    });
  }
  for (const village of villages)
    areas.push({ ring: blob(village.middle, village.radius, 14, chance), tags: { landuse: 'residential' } });
  const half = terrain.river.width / 2;
  const left = simplified(offset(terrain.river.line, half), 1.5);
  const right = simplified(offset(terrain.river.line, -half), 1.5);
  areas.push({
    ring: [...left, ...right.reverse()],
    tags: { natural: 'water', water: 'river', ...nameTags(namer.river, false) },
  });
  areas.push({
    ring: terrain.lake,
    hole: terrain.island,
    tags: { natural: 'water', water: 'lake', ...nameTags(namer.lake, false) },
  });
  areas.push({
    ring: terrain.island.map((p, i) => ({
      x: p.x + (terrain.island[(i + terrain.island.length / 2) % terrain.island.length]!.x - p.x) * 0.06,
      y: p.y + (terrain.island[(i + terrain.island.length / 2) % terrain.island.length]!.y - p.y) * 0.06,
    })),
    tags: { natural: 'wood' },
  });
  for (const pond of terrain.ponds) areas.push({ ring: pond, tags: { natural: 'water', water: 'pond' } });
  areas.push(...countryside(plan, terrain, villages, network, chance));
  return areas;
}

/**
 * Woods, meadows and fields between the town and the edge of the map, clear of houses, water and one another.
 */
function countryside(
  plan: Plan,
  terrain: Terrain,
  villages: readonly Village[],
  network: Network,
  chance: Chance,
): Area[] {
  const areas: Area[] = [];
  const taken: { middle: Spot; radius: number }[] = villages.map(({ middle, radius }) => ({
    middle,
    radius: radius * 1.2,
  }));
  const lakeMiddle = terrain.lake.reduce(
    (sum, p) => ({ x: sum.x + p.x / terrain.lake.length, y: sum.y + p.y / terrain.lake.length }),
    { x: 0, y: 0 },
  );
  taken.push({ middle: lakeMiddle, radius: Math.max(...terrain.lake.map((p) => distance(p, lakeMiddle))) });
  const main = network.chains.filter(({ road }) => road.class !== 'residential' && road.class !== 'footway');
  const clearOfRoads = (p: Spot, radius: number): boolean =>
    main.every(({ joints }) =>
      joints.every(
        (joint, i) =>
          i === 0 || distanceToSegment(p, network.spots[joints[i - 1]!]!, network.spots[joint]!) > radius * 0.72,
      ),
    );
  const kinds: Record<string, string>[] = [
    { landuse: 'forest' },
    { landuse: 'forest' },
    { landuse: 'forest' },
    { landuse: 'farmland' },
    { landuse: 'farmland' },
    { landuse: 'meadow' },
    { natural: 'scrub' },
    { landuse: 'allotments' },
  ];
  const tries = plan.rings.length > 1 ? 260 : 4;
  for (let i = 0; i < tries; i++) {
    const radius = plan.radius * chance.between(0.1, 0.42);
    const angle = chance.between(0, 2 * Math.PI);
    const middle = plan.warp(polar(plan.radius * chance.between(1.5, 2.5), angle));
    if (taken.some((other) => distance(other.middle, middle) < (other.radius + radius) * 0.98)) continue;
    if (
      terrain.toRiver(middle) < radius ||
      terrain.toRailway(middle) < Math.min(190, radius * 0.8) ||
      !clearOfRoads(middle, radius)
    )
      continue;
    taken.push({ middle, radius });
    const tags = chance.pick(kinds);
    const ring =
      tags['landuse'] === 'farmland'
        ? (
            [
              [-1, -0.7],
              [1, -0.7],
              [0.9, 0.7],
              [-0.95, 0.65],
            ] as const
          )
            .map(([u, v]) => turned({ x: u * radius * 0.85, y: v * radius * 0.85 }, angle))
            .map((p) => ({ x: p.x + middle.x, y: p.y + middle.y }))
        : blob(middle, radius * 0.86, plan.rings.length > 1 ? 22 : 9, chance);
    areas.push({ ring, tags });
  }
  return areas;
}
