import { expect, test } from 'vitest';
import { packAffected } from '../../../../../server/geo/routing/closures/affected-pieces.ts';
import { affectedPieces } from '../../../../../server/geo/routing/closures/closures.ts';
import { customize } from '../../../../../server/geo/routing/metric/customize.ts';
import { UNREACHABLE } from '../../../../../server/geo/routing/types.ts';
import type { Waypoint, Closure } from '../../../../../server/geo/routing/types.ts';
import { Engine } from '../../../../../server/geo/routing/search/engine.ts';
import { Hierarchy } from '../../../../../server/geo/routing/graph/hierarchy.ts';
import { freeFlowCosts } from '../../../../../server/geo/routing/metric/costs.ts';
import { Router } from '../../../../../server/geo/routing/router.ts';
import { Snapper } from '../../../../../server/geo/routing/snapping/snapper.ts';
import type { Roads } from '../../../../../server/geo/territory/roads/index.ts';
import { SEED, numbers } from '../../../../support/chance.ts';
import { closeRoads, underClosures } from '../close-roads.ts';
import { anyPlace, pointOf } from '../places.ts';
import { randomRoads } from '../random.ts';
import { drawRoads } from '../town.ts';

/** Tables of places that stand close together on the same few roads, as the vehicles of a depot do. */

function crowd(roads: Roads, random: () => number, count: number): Waypoint[] {
  const segments = Array.from({ length: 3 }, () => Math.floor(random() * roads.segments));
  return Array.from({ length: count }, () => {
    const segment = segments[Math.floor(random() * segments.length)]!;
    const piece = Math.floor(random() * roads.pieces(segment));
    const [lat, lon] = roads.along(roads.columns.segmentFirst[segment]! + piece, random() < 0.2 ? 0 : random());
    return {
      lat: lat / 1e6,
      lon: lon / 1e6,
      ...(random() < 0.2 && { heading: { degrees: Math.floor(random() * 360), range: 100 } }),
    };
  });
}

test('a table equals single routes where points share their roads, also under closures and with headings', () => {
  const random = numbers(SEED + 70);
  let found = 0;
  for (let town = 0; town < 25; town++) {
    const roads = randomRoads(random, 2 + Math.floor(random() * 5), 2 + Math.floor(random() * 5));
    if (roads.segments === 0) continue;
    const points = crowd(roads, random, 12);
    const closures = points.slice(0, Math.floor(random() * 4)).map(({ lat, lon }, id): Closure => ({
      id,
      geometry: { type: 'Point', coordinates: [lon, lat] },
      factor: random() < 0.5 ? 0 : 0.1,
    }));
    const router = closeRoads(roads, closures);
    const table = router.table({ sources: points, targets: points });
    if (table.snappedSources.length === 0) continue; // no road in one of the directions
    const hinted = points.map((point, i) => ({ ...point, hint: table.snappedSources[i]!.hint }));
    hinted.forEach((from, row) =>
      hinted.forEach((to, column) => {
        const { route } = router.route({ points: [from, to] });
        const cell = row * points.length + column;
        const where = `seed ${SEED + 70}, town ${town}, ${row} to ${column}`;
        expect(table.times[cell], where).toBe(route ? Math.round(route.time * 10) : UNREACHABLE);
        if (route && route.time > 0) found++;
      }),
    );
  }
  expect(found, `seed ${SEED + 70}`).toBeGreaterThan(200);
});

test('lengths are those of the ways, along the road and round the block', () => {
  const town = drawRoads(
    `
    a-1-2-3-b
    |       |
    c-------d
  `,
    { ways: { ab: { oneway: 'yes' } }, minComponent: 1 },
  );
  const points = [...'123'].map((letter) => town.at(letter));
  const { times, distances } = town.router.table({ sources: points, targets: points });
  expect([...times]).toEqual([0, 50, 100, 550, 0, 50, 500, 550, 0]);
  expect([...distances].map((metres) => Math.round(metres / 10) * 10)).toEqual([0, 50, 100, 550, 0, 50, 500, 550, 0]);
});

test('places that share a road need no search of their own for each pair: five hundred on one street of a large territory held all routes for minutes', () => {
  const town = drawRoads(`
    a-------b
    |       |
    c-------d
  `);
  class Counting extends Engine {
    searches = 0;

    override findAny(...asked: Parameters<Engine['findAny']>): number {
      this.searches++;
      return super.findAny(...asked);
    }
  }
  const hierarchy = Hierarchy.build(town.roads);
  const engine = new Counting(town.roads, hierarchy, customize(hierarchy, town.roads, freeFlowCosts(town.roads)));
  const router = new Router(town.roads, engine);
  const [from, to] = [town.at('a'), town.at('b')];
  const points = Array.from({ length: 40 }, (_, i) => ({
    lat: from.lat,
    lon: from.lon + ((to.lon - from.lon) * i) / 39,
  }));
  const { times } = router.table({ sources: points, targets: points });
  expect(times[39]).toBe(200);
  expect(engine.searches).toBe(0);
});

test('a table in slices uses the closures under which it began, whatever changes in between', () => {
  const random = numbers(SEED + 71);
  const roads = randomRoads(random, 24, 24);
  const everywhere: Closure = {
    id: 1,
    factor: 0,
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [9, 47],
          [9.03, 47],
          [9.03, 47.03],
          [9, 47.03],
          [9, 47],
        ],
      ],
    },
  };
  const { conditions } = underClosures(roads, [everywhere]);
  const { conditions: others } = underClosures(roads, []);
  const closedMetric = conditions.finder.metric;
  const router = new Router(roads, others.finder);
  router.setConditions(conditions.finder, packAffected(affectedPieces([everywhere], roads, new Snapper(roads))));
  const sources = crowd(roads, random, 50).map(({ lat, lon }) => ({ lat, lon }));
  const targets = Array.from({ length: 50 }, () => pointOf(anyPlace(roads, random), roads));
  const request = { sources, targets };
  const expected = router.table(request);
  const steps = router.tableInSlices(request);
  let slices = 1;
  for (; ; slices++) {
    // As the next closures do it: the same engine under another metric, and a question that is answered at
    // once.
    conditions.finder.setMetric(slices === 1 ? closedMetric : others.finder.metric);
    const step = steps.next();
    conditions.finder.setMetric(closedMetric);
    expect(router.table({ sources: targets.slice(0, 2), targets: sources.slice(0, 2) }).times).toHaveLength(4);
    if (!step.done) continue;
    expect(step.value, `seed ${SEED + 71}`).toEqual(expected);
    break;
  }
  expect(slices).toBeGreaterThan(2);
});
