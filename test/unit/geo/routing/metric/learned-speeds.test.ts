import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { packAffected } from '../../../../../server/geo/routing/closures/affected-pieces.ts';
import { affectedPieces, closureCosts } from '../../../../../server/geo/routing/closures/closures.ts';
import { customize } from '../../../../../server/geo/routing/metric/customize.ts';
import { Dijkstra } from '../dijkstra.ts';
import type { Closure, LearnedSpeeds } from '../../../../../server/geo/routing/types.ts';
import { Engine } from '../../../../../server/geo/routing/search/engine.ts';
import { Hierarchy } from '../../../../../server/geo/routing/graph/hierarchy.ts';
import { startPlanner } from '../../../../../server/geo/routing/index.ts';
import { learnedCosts, learnedArcCost } from '../../../../../server/geo/routing/metric/learned-costs.ts';
import { CLOSED_COST, freeFlowCosts } from '../../../../../server/geo/routing/metric/costs.ts';
import type { Costs } from '../../../../../server/geo/routing/metric/costs.ts';
import { Router } from '../../../../../server/geo/routing/router.ts';
import { Snapper } from '../../../../../server/geo/routing/snapping/snapper.ts';
import type { Roads } from '../../../../../server/geo/territory/roads/index.ts';
import { SEED, numbers } from '../../../../support/chance.ts';
import { randomRoads } from '../random.ts';
import { drawRoads } from '../town.ts';

const root = await mkdtemp(join(tmpdir(), 'waypost-learned-'));
afterAll(() => rm(root, { recursive: true }));

const roomFor = ({ arc, forward, backward }: Costs): Costs => ({
  arc: arc.slice(),
  forward: forward.slice(),
  backward: backward.slice(),
});

/** Some roads driven more slowly, some more quickly than by their profile. */
function randomSpeeds(roads: Roads, random: () => number, version: number): LearnedSpeeds {
  const free = freeFlowCosts(roads).arc;
  const share = random();
  const arcs = Uint32Array.from(Array.from({ length: roads.arcs }, (_, arc) => arc).filter(() => random() < share));
  return {
    checksum: roads.checksum,
    version,
    arcs,
    tenths: Uint32Array.from(arcs, (arc) => Math.round(Math.min(free[arc]!, 100_000) * (0.4 + 3 * random()))),
  };
}

function randomClosures(roads: Roads, random: () => number): Closure[] {
  return Array.from({ length: Math.floor(random() * 6) }, (_, id) => {
    const node = Math.floor(random() * roads.nodes);
    return {
      id,
      geometry: {
        type: 'Point',
        coordinates: [roads.columns.nodeLon[node]! / 1e6, roads.columns.nodeLat[node]! / 1e6],
      },
      factor: [0, 0.3][id % 2]!,
    };
  });
}

/** A router under these conditions, all made from nothing. */
function fromNothing(roads: Roads, speeds: LearnedSpeeds | undefined, closures: readonly Closure[]): Router {
  const hierarchy = Hierarchy.build(roads);
  const free = freeFlowCosts(roads);
  const usual = speeds && learnedCosts(speeds, roads, free, roomFor(free));
  const affected = affectedPieces(closures, roads, new Snapper(roads));
  const engineOf = (costs: Costs): Engine => new Engine(roads, hierarchy, customize(hierarchy, roads, costs));
  const router = new Router(roads, engineOf(free));
  router.setConditions(
    affected.length > 0 ? engineOf(closureCosts(affected, roads, usual ?? free)) : undefined,
    packAffected(affected),
    usual && engineOf(usual),
  );
  return router;
}

test('a road with a learned time costs that time, every other its profile time, and closed roads stay closed', () => {
  const random = numbers(SEED);
  for (let town = 0; town < 20; town++) {
    const roads = randomRoads(random, 8, 8);
    const free = freeFlowCosts(roads);
    const speeds = randomSpeeds(roads, random, 1);
    const costs = learnedCosts(speeds, roads, free, roomFor(free));
    const expected = free.arc.slice();
    for (const [i, arc] of speeds.arcs.entries())
      if (free.arc[arc]! < CLOSED_COST) expected[arc] = learnedArcCost(arc, speeds.tenths[i]!, roads);
    expect(costs.arc, `seed ${SEED}`).toEqual(expected);
    for (let piece = 0; piece < free.forward.length; piece++) {
      expect(costs.forward[piece]! > 0).toBe(free.forward[piece]! > 0);
      expect(costs.backward[piece]! > 0).toBe(free.backward[piece]! > 0);
    }
  }
});

test('at learned speeds the hierarchy finds what plain Dijkstra finds', () => {
  const random = numbers(SEED + 1);
  for (let town = 0; town < 15; town++) {
    const roads = randomRoads(random, 4 + Math.floor(random() * 10), 4 + Math.floor(random() * 10));
    const hierarchy = Hierarchy.build(roads);
    const free = freeFlowCosts(roads);
    const costs = learnedCosts(randomSpeeds(roads, random, 1), roads, free, roomFor(free));
    const engine = new Engine(roads, hierarchy, customize(hierarchy, roads, costs));
    const oracle = new Dijkstra(roads, costs);
    for (let i = 0; i < 10; i++) {
      const start = [{ arc: Math.floor(random() * roads.arcs), label: 0 }];
      const labels = oracle.all(start);
      for (let arc = 0; arc < roads.arcs; arc += 7) expect(engine.find(start, arc), `seed ${SEED}`).toBe(labels[arc]);
    }
  }
});

test('after any sequence of speeds and closures, answers equal those of a full customization; with neither, byte for byte as before', async () => {
  const random = numbers(SEED + 2);
  for (let town = 0; town < 3; town++) {
    const roads = randomRoads(random, 10, 10);
    const directory = await mkdtemp(join(root, 'town-'));
    await writeFile(join(directory, 'roads.bin'), new Uint8Array(roads.buffer));
    const planner = await startPlanner({ directory });
    const points = Array.from({ length: 30 }, () => ({ lat: 47 + random() * 0.01, lon: 9 + random() * 0.015 }));
    const pairs = points.slice(1).map((to, i) => ({ points: [points[i]!, to], alternatives: i % 5 === 0 }));
    const before = JSON.stringify(await Promise.all(pairs.map((pair) => planner.route(pair))));
    let speeds: LearnedSpeeds | undefined;
    let closures: Closure[] = [];
    for (let change = 1; change <= 12; change++) {
      if (random() < 0.6)
        await planner.setSpeeds((speeds = random() < 0.25 ? undefined : randomSpeeds(roads, random, change)));
      else await planner.setClosures((closures = randomClosures(roads, random)));
      const router = fromNothing(roads, speeds, closures);
      const told = `seed ${SEED}, town ${town}, change ${change}`;
      for (const pair of pairs.slice(0, 12)) expect(await planner.route(pair), told).toEqual(router.route(pair));
      const table = await planner.table({ sources: points, targets: points.slice(0, 5) });
      expect(table.times, told).toEqual(router.table({ sources: points, targets: points.slice(0, 5) }).times);
    }
    await planner.setSpeeds(undefined);
    await planner.setClosures([]);
    expect(JSON.stringify(await Promise.all(pairs.map((pair) => planner.route(pair))))).toBe(before);
    await planner.close();
  }
});

test('a route says that its times were learned; speeds of other roads have no effect until their roads are opened', async () => {
  const [town, village] = [drawRoads('a---b---c'), drawRoads('a-------b')];
  const directories = await Promise.all(
    [town, village].map(async ({ bytes }) => {
      const directory = await mkdtemp(join(root, 'drawn-'));
      await writeFile(join(directory, 'roads.bin'), bytes);
      return directory;
    }),
  );
  const ask = { points: [town.at('a'), town.at('c')] };
  const planner = await startPlanner({ directory: directories[1]! });
  const slow = {
    checksum: town.roads.checksum,
    version: 1,
    arcs: Uint32Array.from({ length: town.roads.arcs }, (_, arc) => arc),
    tenths: new Uint32Array(town.roads.arcs).fill(300),
  };
  await planner.setSpeeds(slow);
  expect((await planner.route({ points: [village.at('a'), village.at('b')] })).learnedSpeeds).toBe(false);
  await planner.open(directories[0]!);
  expect(await planner.route(ask)).toMatchObject({ learnedSpeeds: true, route: { time: 60, closures: [] } });
  expect((await planner.table({ sources: [town.at('a')], targets: [town.at('c')] })).times[0]).toBe(600);
  await planner.setSpeeds(undefined);
  expect(await planner.route(ask)).toMatchObject({ learnedSpeeds: false, route: { time: 20 } });
  await planner.close();
});
