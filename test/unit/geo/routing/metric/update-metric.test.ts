import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packAffected } from '../../../../../server/geo/routing/closures/affected-pieces.ts';
import { affectedPieces, closureCosts } from '../../../../../server/geo/routing/closures/closures.ts';
import { customize } from '../../../../../server/geo/routing/metric/customize.ts';
import type { Metric } from '../../../../../server/geo/routing/metric/customize.ts';
import type { Closure } from '../../../../../server/geo/routing/types.ts';
import { edgeLengths } from '../../../../../server/geo/routing/metric/edge-lengths.ts';
import { Engine } from '../../../../../server/geo/routing/search/engine.ts';
import { Hierarchy } from '../../../../../server/geo/routing/graph/hierarchy.ts';
import { CLOSED_COST, freeFlowCosts } from '../../../../../server/geo/routing/metric/costs.ts';
import type { Costs } from '../../../../../server/geo/routing/metric/costs.ts';
import { Router } from '../../../../../server/geo/routing/router.ts';
import { Snapper } from '../../../../../server/geo/routing/snapping/snapper.ts';
import { MetricPool, updateMetric } from '../../../../../server/geo/routing/metric/update-metric.ts';
import { readExtract } from '../../../../../server/geo/territory/index.ts';
import { Roads, buildRoads, car } from '../../../../../server/geo/territory/roads/index.ts';
import { SEED, numbers } from '../../../../support/chance.ts';
import { LONG } from '../../../../support/long.ts';
import { closeRoads } from '../close-roads.ts';
import { randomRoads } from '../random.ts';

function fromNothing(hierarchy: Hierarchy, roads: Roads, costs: Costs): Metric {
  const metric = customize(hierarchy, roads, costs);
  return { ...metric, lengths: edgeLengths(hierarchy, metric, roads.arcMetres) };
}

function expectEqual(one: Metric, other: Metric, told: string): void {
  for (const column of ['up', 'down', 'upVia', 'downVia'] as const)
    expect(Buffer.compare(bytesOf(one[column]), bytesOf(other[column])), `${told}: ${column}`).toBe(0);
  for (const column of ['up', 'down'] as const)
    expect(
      Buffer.compare(bytesOf(one.lengths![column]), bytesOf(other.lengths![column])),
      `${told}: length ${column}`,
    ).toBe(0);
}

const bytesOf = (values: Int32Array | Float32Array): Buffer =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength);

/** Closes, slows and opens again, some at a time or all; every metric is made of the one before. */
function expectEqualAfterChanges(roads: Roads, random: () => number, changes: number, told: string): void {
  const hierarchy = Hierarchy.build(roads);
  const free = freeFlowCosts(roads);
  const snapper = new Snapper(roads);
  const first = fromNothing(hierarchy, roads, free);
  const untouched = {
    ...first,
    up: first.up.slice(),
    down: first.down.slice(),
    upVia: first.upVia.slice(),
    downVia: first.downVia.slice(),
  };
  let metric = first;
  const pool = new MetricPool(first);
  let closures: Closure[] = [];
  const made = new Set<Int32Array>();
  let needed = 0;
  for (let change = 0; change < changes; change++) {
    closures = closures.filter(() => random() < 0.6);
    while (random() < 0.7) closures.push(randomClosure(roads, random, change));
    // Without closures the roads are searched as they were at first, and the next change goes on from there.
    if (random() < 0.3) closures = [];
    const affected = affectedPieces(closures, roads, snapper);
    if (affected.length === 0) {
      metric = first;
      continue;
    }
    // One to write over, and one that is searched meanwhile where a change follows another.
    needed = Math.max(needed, metric === first ? 1 : 2);
    const into = pool.spare(metric, first);
    const costs = closureCosts(affected, roads, free, into.costs);
    metric = updateMetric(metric, hierarchy, roads, costs, into);
    made.add(metric.up);
    expectEqual(metric, fromNothing(hierarchy, roads, costs), `seed ${SEED}, ${told}, change ${change}`);
  }
  expectEqual(updateMetric(metric, hierarchy, roads, free), first, `seed ${SEED}, ${told}, all lifted`);
  expect(made.size, `seed ${SEED}, ${told}: memory is written over, not taken again`).toBe(needed);
  expectEqual(first, untouched, `${told}: the metric before`);
}

function randomClosure(roads: Roads, random: () => number, id: number): Closure {
  const node = Math.floor(random() * roads.nodes);
  const [lon, lat] = [roads.columns.nodeLon[node]! / 1e6, roads.columns.nodeLat[node]! / 1e6];
  const size = 0.001 * random();
  const polygon = {
    type: 'Polygon' as const,
    coordinates: [
      [
        [lon - size, lat - size],
        [lon + size, lat - size],
        [lon + size, lat + size],
        [lon - size, lat - size],
      ],
    ],
  };
  return {
    id,
    geometry: random() < 0.7 ? { type: 'Point', coordinates: [lon, lat] } : polygon,
    factor: [0, 0, 0.3, 0.99][Math.floor(random() * 4)]!,
  };
}

test('a metric that is changed bit by bit is the one that would be made from nothing, on random towns', () => {
  const random = numbers(SEED);
  for (let town = 0; town < 12; town++)
    expectEqualAfterChanges(
      randomRoads(random, 6 + Math.floor(random() * 14), 6 + Math.floor(random() * 14)),
      random,
      12,
      `town ${town}`,
    );
});

for (const [name, path] of [
  ['the demo town', '../../../../../resources/demo/town.osm.pbf'],
  ['malta', '../../../../../shared/data/malta.osm.pbf'],
] as const) {
  const file = new URL(path, import.meta.url).pathname;
  test.skipIf(!existsSync(file) || (name === 'malta' && !LONG))(
    `a metric that is changed bit by bit is the one that would be made from nothing, on ${name}`,
    async () => {
      const { bytes } = buildRoads(await readExtract(file), { profile: car });
      expectEqualAfterChanges(Roads.from(bytes.buffer), numbers(SEED + 1), 25, name);
    },
  );
}

test('scattered changes, few or many, give the metric of a full customization', async () => {
  const roads = Roads.from(
    buildRoads(await readExtract(new URL('../../../../../resources/demo/town.osm.pbf', import.meta.url).pathname), {
      profile: car,
    }).bytes.buffer,
  );
  const hierarchy = Hierarchy.build(roads);
  const free = freeFlowCosts(roads);
  const random = numbers(SEED + 3);
  let metric = fromNothing(hierarchy, roads, free);
  for (const share of [0.0005, 0.004, 0.008, 0.012, 0.018, 0.05, 0.5]) {
    const costs = {
      ...free,
      arc: free.arc.map((cost) =>
        random() < share && cost < CLOSED_COST ? Math.max(1, Math.round(cost * 2 * random())) : cost,
      ),
    };
    metric = updateMetric(metric, hierarchy, roads, costs);
    expectEqual(metric, fromNothing(hierarchy, roads, costs), `seed ${SEED}, ${share} of all arcs`);
    metric = updateMetric(metric, hierarchy, roads, free);
  }
});

test('after any sequence of closures, routes and tables equal those of a full customization', () => {
  const random = numbers(SEED + 2);
  for (let town = 0; town < 6; town++) {
    const roads = randomRoads(random, 10, 10);
    const hierarchy = Hierarchy.build(roads);
    const free = freeFlowCosts(roads);
    const snapper = new Snapper(roads);
    let metric = fromNothing(hierarchy, roads, free);
    const engine = new Engine(roads, hierarchy, metric);
    const router = new Router(roads, new Engine(roads, hierarchy, metric));
    for (let change = 0; change < 5; change++) {
      const closures = Array.from({ length: Math.floor(random() * 8) }, (_, id) => randomClosure(roads, random, id));
      const affected = affectedPieces(closures, roads, snapper);
      metric = updateMetric(metric, hierarchy, roads, closureCosts(affected, roads, free));
      engine.setMetric(metric);
      router.setConditions(affected.length > 0 ? engine : undefined, packAffected(affected));
      const fresh = closeRoads(roads, closures);
      const points = Array.from({ length: 10 }, () => {
        const node = Math.floor(random() * roads.nodes);
        return {
          lat: (roads.columns.nodeLat[node]! + Math.round(random() * 300)) / 1e6,
          lon: roads.columns.nodeLon[node]! / 1e6,
        };
      });
      expect(router.table({ sources: points, targets: points }), `seed ${SEED}`).toEqual(
        fresh.table({ sources: points, targets: points }),
      );
      for (const to of points) {
        const question = { points: [points[0]!, to], alternatives: true };
        expect(router.route(question), `seed ${SEED}`).toEqual(fresh.route(question));
      }
    }
  }
});

test('memory of metrics that are searched no more serves closures and learned speeds alike', () => {
  const roads = randomRoads(numbers(SEED + 7), 6, 6);
  const free = fromNothing(Hierarchy.build(roads), roads, freeFlowCosts(roads));
  const pool = new MetricPool(free);
  const closed = pool.spare(free);
  const learned = pool.spare(closed, free);
  expect(learned.up).not.toBe(closed.up);
  expect(pool.spare(learned).up, 'closures were lifted').toBe(closed.up);
  const [nextLearned] = [pool.spare(closed, learned)];
  const nextClosed = pool.spare(closed, learned, nextLearned);
  expect(new Set([free, closed, learned, nextLearned, nextClosed].map(({ up }) => up)).size).toBe(5);
  expect(pool.spare(nextClosed, nextLearned).up).toBe(closed.up);
});

test('memory for the next change is made ready ahead of it, and what a change writes meanwhile stays', () => {
  const roads = randomRoads(numbers(SEED + 8), 6, 6);
  const free = fromNothing(Hierarchy.build(roads), roads, freeFlowCosts(roads));
  const pool = new MetricPool(free);
  const steps = pool.preallocate(free);
  expect(steps.next().done).toBe(false);
  const spare = pool.spare(free);
  for (const column of ['up', 'down', 'upVia', 'downVia'] as const) spare[column].set(free[column]);
  spare.lengths!.up.set(free.lengths!.up);
  spare.lengths!.down.set(free.lengths!.down);
  expect([...steps].length).toBeGreaterThan(0);
  expectEqual(spare, free, `seed ${SEED + 8}`);
  expect(pool.spare(free)).toBe(spare);
  expect([...pool.preallocate(free)], 'it is ready').toEqual([]);
});
