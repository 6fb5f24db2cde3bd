import { expect, test } from 'vitest';
import { breather } from '../../../server/routing/breather.ts';
import { affectedBy, costsUnder } from '../../../server/routing/closures.ts';
import { customize } from '../../../server/routing/customize.ts';
import type { Metric } from '../../../server/routing/customize.ts';
import { edgeLengths } from '../../../server/routing/edge-lengths.ts';
import { Hierarchy } from '../../../server/routing/hierarchy.ts';
import { freeCosts } from '../../../server/routing/metric.ts';
import { Snapper } from '../../../server/routing/snap.ts';
import { updateMetric } from '../../../server/routing/update-metric.ts';
import { SEED, numbers } from '../../chance.ts';
import { randomRoads } from './random.ts';

test('a breath comes after half a millisecond of work, and the time asleep is not work', () => {
  let time = 100;
  const slept: number[] = [];
  const breathe = breather({
    now: () => time,
    sleep: (ms) => {
      slept.push(time);
      time += ms + 5;
    },
  });
  for (let call = 0; call < 100; call++) {
    time += 0.125;
    breathe();
  }
  expect(slept).toHaveLength(25);
  const works = slept.map((at, i) => (i === 0 ? at - 100 : at - slept[i - 1]! - 5.05));
  for (const work of works) expect(work).toBeCloseTo(0.5, 6);
});

test('customizing, from nothing or after a closure, asks for breath all the time', () => {
  const roads = randomRoads(numbers(SEED), 30, 30);
  const hierarchy = Hierarchy.build(roads);
  const free = freeCosts(roads);
  const counted = (work: (breathe: () => void) => void): number => {
    let breaths = 0;
    work(() => breaths++);
    return breaths;
  };
  const bare = customize(hierarchy, roads, free);
  const metric: Metric = { ...bare, lengths: edgeLengths(hierarchy, bare, roads.arcMetres) };
  expect(counted((breathe) => customize(hierarchy, roads, free, undefined, breathe))).toBeGreaterThanOrEqual(hierarchy.vertices / 16);
  expect(counted((breathe) => edgeLengths(hierarchy, bare, roads.arcMetres, undefined, breathe))).toBeGreaterThanOrEqual(hierarchy.vertices / 64);

  const { nodeLat, nodeLon } = roads.columns;
  const snapper = new Snapper(roads);
  const changedEdges = (under: Metric): number => under.up.filter((cost, e) => cost !== metric.up[e] || under.down[e] !== metric.down[e]).length;
  // A road over which no quickest way between others goes changes no edge when it is closed.
  for (let node = 400; ; node++) {
    expect(node, `seed ${SEED}`).toBeLessThan(roads.nodes);
    const affected = affectedBy([{ id: 1, geometry: { type: 'Point', coordinates: [nodeLon[node]! / 1e6, nodeLat[node]! / 1e6] }, factor: 0 }], roads, snapper);
    let closed = metric;
    const breaths = counted((breathe) => (closed = updateMetric(metric, hierarchy, roads, costsUnder(affected, roads, free), undefined, breathe)));
    const changed = changedEdges(closed);
    if (changed === 0) continue;
    expect(breaths, `seed ${SEED}`).toBeGreaterThan(changed / 2);
    break;
  }
});
