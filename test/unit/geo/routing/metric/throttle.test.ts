import { expect, test } from 'vitest';
import { createThrottle, copyThrottled, fillThrottled } from '../../../../../server/geo/routing/metric/throttle.ts';
import { affectedPieces, closureCosts } from '../../../../../server/geo/routing/closures/closures.ts';
import { customize } from '../../../../../server/geo/routing/metric/customize.ts';
import type { Metric } from '../../../../../server/geo/routing/metric/customize.ts';
import { edgeLengths } from '../../../../../server/geo/routing/metric/edge-lengths.ts';
import { Hierarchy, edgeBetween } from '../../../../../server/geo/routing/graph/hierarchy.ts';
import { learnedCosts } from '../../../../../server/geo/routing/metric/learned-costs.ts';
import { freeFlowCosts } from '../../../../../server/geo/routing/metric/costs.ts';
import { Snapper } from '../../../../../server/geo/routing/snapping/snapper.ts';
import { updateMetric } from '../../../../../server/geo/routing/metric/update-metric.ts';
import { SEED, numbers } from '../../../../support/chance.ts';
import { randomRoads } from '../random.ts';

test('a breath comes after half a millisecond of work, and the time asleep is not work', () => {
  let time = 100;
  const slept: number[] = [];
  const throttle = createThrottle({
    now: () => time,
    sleep: (ms) => {
      slept.push(time);
      time += ms + 5;
    },
  });
  for (let call = 0; call < 100; call++) {
    time += 0.125;
    throttle();
  }
  expect(slept).toHaveLength(25);
  const works = slept.map((at, i) => (i === 0 ? at - 100 : at - slept[i - 1]! - 5.05));
  for (const work of works) expect(work).toBeCloseTo(0.5, 6);
});

test('what is copied and filled is so to the last number, with a breath at every piece of it', () => {
  const from = Int32Array.from({ length: 300_000 }, (_, i) => i * 3);
  const into = new Int32Array(from.length);
  let breaths = 0;
  copyThrottled(into, from, () => breaths++);
  expect([into.every((value, i) => value === from[i]), breaths]).toEqual([true, 3]);
  fillThrottled(into, 7, () => breaths++);
  expect([into.every((value) => value === 7), breaths]).toEqual([true, 6]);
});

test('working out what a closed district and learned speeds cost asks for breath by piece of road', () => {
  const random = numbers(SEED);
  const roads = randomRoads(random, 30, 30);
  const free = freeFlowCosts(roads);
  const everywhere = affectedPieces(
    [
      {
        id: 1,
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [9, 47],
              [9.1, 47],
              [9.1, 47.1],
              [9, 47.1],
              [9, 47],
            ],
          ],
        },
        factor: 0,
      },
    ],
    roads,
    new Snapper(roads),
  );
  let breaths = 0;
  closureCosts(everywhere, roads, free, undefined, () => breaths++);
  expect(everywhere.length).toBeGreaterThan(1024);
  expect(breaths).toBe(
    3 +
      Math.ceil(everywhere.length / 1024) +
      Math.ceil(new Set(everywhere.map(({ piece }) => roads.segmentOf(piece))).size / 1024),
  );
  const arcs = Uint32Array.from({ length: roads.arcs }, (_, arc) => arc);
  breaths = 0;
  learnedCosts(
    { version: 1, checksum: roads.checksum, arcs, tenths: Uint32Array.from(arcs, () => 100) },
    roads,
    free,
    freeFlowCosts(roads),
    () => breaths++,
  );
  expect(breaths).toBe(3 + 2 * Math.ceil(roads.arcs / 1024));
});

test('customizing, from nothing or after a closure, asks for breath all the time', () => {
  const roads = randomRoads(numbers(SEED), 30, 30);
  const hierarchy = Hierarchy.build(roads);
  const free = freeFlowCosts(roads);
  const counted = (work: (throttle: () => void) => void): number => {
    let breaths = 0;
    work(() => breaths++);
    return breaths;
  };
  const bare = customize(hierarchy, roads, free);
  const metric: Metric = { ...bare, lengths: edgeLengths(hierarchy, bare, roads.arcMetres) };
  const { upFirst, upHead, downFirst, downTail } = hierarchy.columns;
  let since = 0;
  let longest = 0;
  let most = 0;
  const watched = new Proxy(downTail, {
    get(target, i) {
      const z = target[Number(i)]!;
      const upper = downFirst.findLastIndex((first) => first <= Number(i));
      const triangles = upFirst[z + 1]! - edgeBetween(upFirst, upHead, z, upper) - 1;
      since += triangles;
      most = Math.max(most, triangles);
      return z;
    },
  });
  customize(
    { columns: { ...hierarchy.columns, downTail: watched } } as unknown as Hierarchy,
    roads,
    free,
    { ...bare, up: bare.up.slice(), down: bare.down.slice(), upVia: bare.upVia.slice(), downVia: bare.downVia.slice() },
    () => {
      longest = Math.max(longest, since);
      since = 0;
    },
  );
  expect(most).toBeGreaterThan(10);
  expect(Math.max(longest, since), `triangles between two breaths, seed ${SEED}`).toBeLessThanOrEqual(4096 + 2 * most);
  expect(counted((throttle) => customize(hierarchy, roads, free, undefined, throttle))).toBeGreaterThanOrEqual(
    4 + Math.ceil(roads.arcs / 4096),
  );
  expect(
    counted((throttle) => edgeLengths(hierarchy, bare, roads.arcMetres, undefined, throttle)),
  ).toBeGreaterThanOrEqual(Math.floor(hierarchy.edges / 1024));

  const { nodeLat, nodeLon } = roads.columns;
  const snapper = new Snapper(roads);
  const changedEdges = (under: Metric): number =>
    under.up.filter((cost, e) => cost !== metric.up[e] || under.down[e] !== metric.down[e]).length;
  // A road over which no quickest way between others goes changes no edge when it is closed.
  for (let node = 400; ; node++) {
    expect(node, `seed ${SEED}`).toBeLessThan(roads.nodes);
    const affected = affectedPieces(
      [{ id: 1, geometry: { type: 'Point', coordinates: [nodeLon[node]! / 1e6, nodeLat[node]! / 1e6] }, factor: 0 }],
      roads,
      snapper,
    );
    let closed = metric;
    const breaths = counted(
      (throttle) =>
        (closed = updateMetric(metric, hierarchy, roads, closureCosts(affected, roads, free), undefined, throttle)),
    );
    const changed = changedEdges(closed);
    if (changed === 0) continue;
    expect(breaths, `seed ${SEED}`).toBeGreaterThan(changed / 2);
    break;
  }
});
