import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readExtract } from '../../../server/territory/index.ts';
import { Roads, buildRoads, car, metresBetween } from '../../../server/territory/roads/index.ts';
import { customize } from '../../../server/routing/customize.ts';
import { Engine } from '../../../server/routing/engine.ts';
import { Hierarchy } from '../../../server/routing/hierarchy.ts';
import { freeCosts } from '../../../server/routing/metric.ts';
import { Router } from '../../../server/routing/router.ts';
import { SEED, chance, randomRoads } from './random.ts';
import { drawRoads } from './town.ts';

test('a second way that is nearly as quick is offered, with its own name', () => {
  const town = drawRoads(`
    s---a-------b---t
        |       |
        c-------d
  `, { grid: 400, ways: { acdb: { name: 'South', maxspeed: '36' }, ab: { name: 'North', highway: 'secondary', 'maxspeed:forward': '17' } } });
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

test('alternatives on a real town are real: little longer, different, and without a detour', async () => {
  const file = new URL('../../../../shared/data/malta.osm.pbf', import.meta.url).pathname;
  const random = chance(SEED + 4);
  const roads = existsSync(file) ? Roads.from(buildRoads(await readExtract(file), { profile: car }).bytes.buffer) : randomRoads(random, 40, 40);
  const hierarchy = Hierarchy.build(roads);
  const router = new Router(roads, new Engine(roads, hierarchy, customize(hierarchy, roads, freeCosts(roads))));
  let found = 0;
  for (let i = 0; i < 120; i++) {
    const [from, to] = [0, 1].map(() => {
      const node = Math.floor(random() * roads.nodes);
      return { lat: roads.columns.nodeLat[node]! / 1e6, lon: roads.columns.nodeLon[node]! / 1e6 };
    });
    const { route, alternative } = router.route({ points: [from!, to!], alternatives: true, unthinned: true });
    if (!route || !alternative) continue;
    found++;
    expect(alternative.time, `seed ${SEED + 4}`).toBeGreaterThanOrEqual(route.time);
    expect(alternative.time).toBeLessThanOrEqual(route.time * 1.15 + 0.1);
    const best = new Set(pairs(route.geometry));
    const other = pairs(alternative.geometry);
    // The rule counts time, at most three quarters of the best way; in length that may be a little more.
    const metres = (line: readonly (readonly [number, number])[], counts: (pair: string) => boolean): number => line.slice(1).reduce((sum, [lat, lon], k) => (counts(pairs([line[k]!, [lat, lon]])[0]!) ? sum + metresBetween(line[k]![0] * 1e6, line[k]![1] * 1e6, lat * 1e6, lon * 1e6) : sum), 0);
    expect(metres(alternative.geometry, (pair) => best.has(pair)) / metres(route.geometry, () => true), `seed ${SEED + 4}`).toBeLessThan(0.9);
    expect(new Set(other).size, 'no stretch is driven twice').toBe(other.length);
  }
  if (existsSync(file)) expect(found).toBeGreaterThan(20);
});

const pairs = (line: readonly (readonly [number, number])[]): string[] => line.slice(1).map((point, i) => `${line[i]!.join()} ${point.join()}`);
