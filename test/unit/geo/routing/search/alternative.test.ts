import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readExtract } from '../../../../../server/geo/territory/index.ts';
import { Roads, buildRoads, car, metresBetweenMicro } from '../../../../../server/geo/territory/roads/index.ts';
import { findAlternative } from '../../../../../server/geo/routing/search/alternative.ts';
import { customize } from '../../../../../server/geo/routing/metric/customize.ts';
import { Dijkstra } from '../dijkstra.ts';
import { Engine } from '../../../../../server/geo/routing/search/engine.ts';
import { findTrip } from '../../../../../server/geo/routing/search/find-trip.ts';
import { Hierarchy } from '../../../../../server/geo/routing/graph/hierarchy.ts';
import { freeFlowCosts } from '../../../../../server/geo/routing/metric/costs.ts';
import { IncomingArcs } from '../../../../../server/geo/routing/graph/incoming-arcs.ts';
import { SnappedPositions } from '../../../../../server/geo/routing/snapping/snapped-positions.ts';
import { Router } from '../../../../../server/geo/routing/router.ts';
import { Snapper } from '../../../../../server/geo/routing/snapping/snapper.ts';
import { SEED, numbers } from '../../../../support/chance.ts';
import { expectGoodAlternative } from './alternative-rules.ts';
import { randomRoads } from '../random.ts';
import { drawRoads } from '../town.ts';

test('a second way that is nearly as quick is offered, with its own name', () => {
  const town = drawRoads(
    `
    s---a-------b---t
        |       |
        c-------d
  `,
    {
      grid: 400,
      ways: {
        acdb: { name: 'South', maxspeed: '36' },
        ab: { 'name': 'North', 'highway': 'secondary', 'maxspeed:forward': '17' },
      },
    },
  );
  const { route, alternative } = town.router.route({ points: [town.at('s'), town.at('t')], alternatives: true });
  expect(route?.names).toContain('South');
  expect(alternative?.names).toContain('North');
  expect(alternative!.time).toBeGreaterThan(route!.time);
  expect(alternative!.viaIndices).toEqual([0, alternative!.geometry.length - 1]);
  expect(town.answer('s', 't').alternative).toBeUndefined();
});

test('no alternative is made of a long way round, or of turning back', () => {
  const town = drawRoads(`
    s---a---b---t
        |   |
        |   |
        c---d
        |
        e
  `);
  expect(town.router.route({ points: [town.at('s'), town.at('t')], alternatives: true }).alternative).toBeUndefined();
});

test('a route that shares more than three quarters of the time is no alternative, one that shares less is', () => {
  // The lens takes 30.0 s on one side and 32.7 s on the other, the road behind it 10 s.
  const lens = (speedBefore: string): unknown => {
    const town = drawRoads(
      `
      s---a---b---t
          |   |
          c---d
    `,
      { ways: { sa: { maxspeed: speedBefore }, ab: { maxspeed: '11' }, acdb: {} } },
    );
    return town.router.route({ points: [town.at('s'), town.at('t')], alternatives: true }).alternative;
  };
  expect(lens('5')).toBeDefined(); // 72 + 10 of 112 s: 73 %
  expect(lens('4')).toBeUndefined(); // 90 + 10 of 130 s: 77 %
});

test('a route that is not the quickest over 15 % of the best one to both sides of its middle is no alternative', () => {
  // North takes 62.6 s and South 60 s; 31.3 s to both sides of x.
  const lens = (speedBefore: string): unknown => {
    const town = drawRoads(
      `
                              u     v
                              |     |
      s---------------a-------x-----y-b---t
                      |               |
                      c---------------d
    `,
      { ways: { sa: { maxspeed: speedBefore }, axyb: { maxspeed: '23' }, acdb: {} } },
    );
    return town.router.route({ points: [town.at('s'), town.at('t')], alternatives: true }).alternative;
  };
  expect(lens('11')).toBeDefined(); // 15 % of 201 s are 30.2 s
  expect(lens('10')).toBeUndefined(); // of 214 s, 32.1 s: around x there is a quicker way
});

test('every rule of alternatives holds for those that are found, reckoned again by plain search', () => {
  let found = 0;
  for (let seed = SEED; seed < SEED + 6; seed++)
    found += checkAlternatives(randomRoads(numbers(seed), 35, 35), numbers(seed + 100), 60, `seed ${seed}`);
  expect(found, `seed ${SEED}`).toBeGreaterThan(10);
});

/** Checks alternatives between random points against each limit of README rule 6; returns how many it found. */
function checkAlternatives(roads: Roads, random: () => number, count: number, saying: string): number {
  const hierarchy = Hierarchy.build(roads);
  const costs = freeFlowCosts(roads);
  const network = new IncomingArcs(roads);
  const finder = new Engine(roads, hierarchy, customize(hierarchy, roads, costs));
  const positions = new SnappedPositions(roads, costs, (node) => network.arcsAt(node));
  const snapper = new Snapper(roads);
  const dijkstra = new Dijkstra(roads, costs);
  let found = 0;
  for (let i = 0; i < count; i++) {
    const [from, to] = [0, 1].map(() => {
      const node = Math.floor(random() * roads.nodes);
      return snapper.nearest(roads.columns.nodeLat[node]!, roads.columns.nodeLon[node]!)[0]!;
    });
    const best = findTrip([from!, to!], { roads, costs, positions, finder });
    const other = best && findAlternative(best, [from!, to!], { roads, costs, positions, finder });
    if (!best || !other) continue;
    found++;
    expectGoodAlternative(other, best, { roads, costs, positions }, dijkstra, saying);
  }
  return found;
}

test('alternatives on a real town are real: little longer, different, and without a detour', async () => {
  const file = new URL('../../../../../shared/data/malta.osm.pbf', import.meta.url).pathname;
  const random = numbers(SEED + 4);
  const roads = existsSync(file)
    ? Roads.from(buildRoads(await readExtract(file), { profile: car }).bytes.buffer)
    : randomRoads(random, 40, 40);
  const hierarchy = Hierarchy.build(roads);
  const router = new Router(roads, new Engine(roads, hierarchy, customize(hierarchy, roads, freeFlowCosts(roads))));
  // How many there are depends on where the random places lie; of sixty there were nine once.
  if (existsSync(file)) expect(checkAlternatives(roads, numbers(SEED + 5), 180, `seed ${SEED}`)).toBeGreaterThan(10);
  let found = 0;
  for (let i = 0; i < 240; i++) {
    const [from, to] = [0, 1].map(() => {
      const node = Math.floor(random() * roads.nodes);
      return { lat: roads.columns.nodeLat[node]! / 1e6, lon: roads.columns.nodeLon[node]! / 1e6 };
    });
    const { route, alternative } = router.route({ points: [from!, to!], alternatives: true, fullGeometry: true });
    if (!route || !alternative) continue;
    found++;
    expect(alternative.time, `seed ${SEED + 4}`).toBeGreaterThanOrEqual(route.time);
    expect(alternative.time).toBeLessThanOrEqual(route.time * 1.15 + 0.1);
    const best = new Set(pairs(route.geometry));
    const other = pairs(alternative.geometry);
    // The rule counts time, at most three quarters of the best way; in length that may be a little more.
    const metres = (line: readonly (readonly [number, number])[], counts: (pair: string) => boolean): number =>
      line
        .slice(1)
        .reduce(
          (sum, [lat, lon], k) =>
            counts(pairs([line[k]!, [lat, lon]])[0]!)
              ? sum + metresBetweenMicro(line[k]![1] * 1e6, line[k]![0] * 1e6, lon * 1e6, lat * 1e6)
              : sum,
          0,
        );
    expect(
      metres(alternative.geometry, (pair) => best.has(pair)) / metres(route.geometry, () => true),
      `seed ${SEED + 4}`,
    ).toBeLessThan(0.9);
    expect(new Set(other).size, 'no stretch is driven twice').toBe(other.length);
  }
  if (existsSync(file)) expect(found, `seed ${SEED + 4}`).toBeGreaterThan(20);
});

const pairs = (line: readonly (readonly [number, number])[]): string[] =>
  line.slice(1).map((point, i) => `${line[i]!.join()} ${point.join()}`);
