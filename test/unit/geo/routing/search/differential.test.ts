import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readExtract } from '../../../../../server/geo/territory/index.ts';
import { Roads, SIGNAL, buildRoads, car } from '../../../../../server/geo/territory/roads/index.ts';
import { affectedPieces } from '../../../../../server/geo/routing/closures/closures.ts';
import { customize } from '../../../../../server/geo/routing/metric/customize.ts';
import { Dijkstra } from '../dijkstra.ts';
import { UNREACHABLE } from '../../../../../server/geo/routing/types.ts';
import type { Closure } from '../../../../../server/geo/routing/types.ts';
import { Engine } from '../../../../../server/geo/routing/search/engine.ts';
import { findTrip } from '../../../../../server/geo/routing/search/find-trip.ts';
import { Hierarchy } from '../../../../../server/geo/routing/graph/hierarchy.ts';
import { CLOSED_COST, freeFlowCosts } from '../../../../../server/geo/routing/metric/costs.ts';
import type { Costs } from '../../../../../server/geo/routing/metric/costs.ts';
import type { ArcLabel } from '../../../../../server/geo/routing/search/path-finder.ts';
import { Router } from '../../../../../server/geo/routing/router.ts';
import { Snapper } from '../../../../../server/geo/routing/snapping/snapper.ts';
import type { RoadPoint } from '../../../../../server/geo/routing/snapping/snapper.ts';
import { SEED, numbers } from '../../../../support/chance.ts';
import { LONG, times } from '../../../../support/long.ts';
import { closeRoads, randomClosures, underClosures } from '../close-roads.ts';
import { anyPlace, placeOn } from '../places.ts';
import { disturbed, randomRoads } from '../random.ts';

/**
 * Cost of a way of arcs from the beginning of the first to that of the last; fails where one does not follow
 * the other.
 */
function costOf(path: readonly number[], roads: Roads, costs: Costs): number {
  const { turnFirst, turnHead, turnCost } = roads.columns;
  let cost = 0;
  for (let i = 1; i < path.length; i++) {
    const arc = path[i - 1]!;
    const turn = turnHead.subarray(turnFirst[arc], turnFirst[arc + 1]).indexOf(path[i]!);
    expect(turn, `arc ${path[i]} follows arc ${arc}`).toBeGreaterThanOrEqual(0);
    cost += costs.arc[arc]! + turnCost[turnFirst[arc]! + turn]!;
  }
  return cost;
}

/**
 * Holds the hierarchy against plain Dijkstra: from each of `sources` random starts to `targets` random arcs.
 */
function expectEqualToDijkstra(
  roads: Roads,
  hierarchy: Hierarchy,
  costs: Costs,
  random: () => number,
  sources: number,
  targets: number,
): void {
  const engine = new Engine(roads, hierarchy, customize(hierarchy, roads, costs));
  const oracle = new Dijkstra(roads, costs);
  const any = (): number => Math.floor(random() * roads.arcs);
  for (let i = 0; i < sources; i++) {
    const starts: ArcLabel[] = Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
      arc: any(),
      label: Math.floor(random() * 100) - 50,
    }));
    const labels = oracle.all(starts);
    for (let j = 0; j < targets; j++) {
      const target = any();
      const cost = engine.find(starts, target);
      expect(cost, `seed ${SEED}`).toBe(labels[target]);
      if (cost >= CLOSED_COST) continue;
      const path = engine.path();
      expect(path.at(-1)).toBe(target);
      const start = Math.min(...starts.filter(({ arc }) => arc === path[0]).map(({ label }) => label));
      expect(start + costOf(path, roads, costs), `seed ${SEED}`).toBe(cost);
    }
  }
}

test('the hierarchy finds what plain Dijkstra finds, on random towns with closures', () => {
  const random = numbers(SEED);
  for (let town = 0; town < 30; town++) {
    const roads = randomRoads(random, 2 + Math.floor(random() * 12), 2 + Math.floor(random() * 12));
    const hierarchy = Hierarchy.build(roads);
    expectEqualToDijkstra(roads, hierarchy, freeFlowCosts(roads), random, 8, 20);
    expectEqualToDijkstra(roads, hierarchy, disturbed(roads, random), random, 8, 20);
  }
});

test('a table holds the same as one route after the other, with closures and without', () => {
  const random = numbers(SEED + 1);
  for (let town = 0; town < 10; town++) {
    const roads = randomRoads(random, 3 + Math.floor(random() * 8), 3 + Math.floor(random() * 8));
    if (roads.segments === 0) continue;
    const { nodeLat, nodeLon } = roads.columns;
    const router = closeRoads(roads, town % 2 ? randomClosures(roads, random) : []);
    const points = Array.from({ length: 14 }, () => {
      const node = Math.floor(random() * roads.nodes);
      const off = random() < 0.3 ? 0 : Math.round(random() * 300);
      return { lat: (nodeLat[node]! + off) / 1e6, lon: (nodeLon[node]! - off) / 1e6 };
    });
    const table = router.table({ sources: points, targets: points });
    const hints = table.snappedSources.map(({ hint }, i) => ({ ...points[i]!, hint }));
    points.forEach((_, row) =>
      points.forEach((_, column) => {
        const { route } = router.route({ points: [hints[row]!, hints[column]!] });
        const cell = row * points.length + column;
        expect(table.times[cell], `seed ${SEED}, town ${town}, ${row} to ${column}`).toBe(
          route ? Math.round(route.time * 10) : UNREACHABLE,
        );
        expect(table.distances[cell] === UNREACHABLE).toBe(route === undefined);
      }),
    );
  }
});

/**
 * Tenths of a second of the turn from `a` over `b` to `c`, by the written rule of the car: scalar and vector
 * product in the Mercator plane instead of two angles.
 */
function ruledTurn(
  [a, b, c]: readonly [number, number, number],
  { nodeLat, nodeLon, nodeFlags }: Roads['columns'],
  side: 'left' | 'right',
): number[] {
  const x = (node: number): number => nodeLon[node]! * 1e-6 * (Math.PI / 180);
  const y = (node: number): number => Math.asinh(Math.tan(nodeLat[node]! * 1e-6 * (Math.PI / 180)));
  const [ax, ay, cx, cy] = [x(a) - x(b), y(a) - y(b), x(c) - x(b), y(c) - y(b)];
  // Off the way back, 0 to 180; the way back is behind, so what lies to the left of it is a turn to the
  // right.
  const off = Math.abs(Math.atan2(ax * cy - ay * cx, ax * cx + ay * cy)) * (180 / Math.PI);
  const isRight = ax * cy - ay * cx > 0;
  const signal = nodeFlags[b]! & SIGNAL ? 20 : 0;
  const costs = (angle: number): number => {
    if (a === c || (isRight ? angle < 23 : angle <= 24)) return signal + 200;
    const share = ((180 - angle) / 90) ** 2 * 10;
    // Turns to the side on which people drive cross nobody's way.
    return signal + Math.floor(isRight === (side === 'right') ? share / 1.2 : share * 1.2);
  };
  // On the border between two costs the last digit of an angle decides: either is right.
  return [costs(off - 1e-6), costs(off), costs(off + 1e-6)];
}

function expectRuledTurns(roads: Roads, side: 'left' | 'right', hint: string): number {
  const { turnFirst, turnHead, turnCost, segmentFirst, shape } = roads.columns;
  const beside = (arc: number, fromEnd: boolean): number =>
    shape[(arc & 1) === (fromEnd ? 1 : 0) ? segmentFirst[arc >> 1]! + 1 : segmentFirst[(arc >> 1) + 1]! - 2]!;
  let uturns = 0;
  for (let arc = 0; arc < roads.arcs; arc++) {
    for (let turn = turnFirst[arc]!; turn < turnFirst[arc + 1]!; turn++) {
      const over = [beside(arc, true), roads.head(arc), beside(turnHead[turn]!, false)] as const;
      const ruled = ruledTurn(over, roads.columns, side);
      if (!ruled.includes(turnCost[turn]!))
        expect.fail(
          `${hint}: turn ${arc} to ${turnHead[turn]} over ${over.join(' ')} costs ${turnCost[turn]}, not ${ruled.join(' or ')}`,
        );
      if (over[0] !== over[2] && ruled[1]! >= 200) uturns++;
    }
  }
  return uturns;
}

test('every turn costs what the rule says, on random towns', () => {
  const random = numbers(SEED + 5);
  let uturns = 0;
  for (let town = 0; town < 40; town++) {
    const drivesOn = town % 2 ? 'left' : 'right';
    const [width, height] = [2 + Math.floor(random() * 12), 2 + Math.floor(random() * 12)];
    const roads = randomRoads(random, width, height, { ...car, drivesOn });
    uturns += expectRuledTurns(roads, drivesOn, `seed ${SEED + 5}, town ${town}`);
  }
  expect(uturns).toBeGreaterThan(0);
});

const EXTRACTS = {
  'the demo town': '../../../../../resources/demo/town.osm.pbf',
  ...Object.fromEntries(
    ['monaco', 'liechtenstein', 'malta', 'patchwork'].map((name) => [
      name,
      `../../../../../../shared/data/${name}.osm.pbf`,
    ]),
  ),
};

/** Pairs of points: with the usual weights, and under closures. */
const PAIRS = times(400, 10_000);
const CLOSED_PAIRS = times(200, 10_000);

/** The roads of the extract that was read last: its tests follow each other. */
let read: { readonly file: string; readonly roads: Roads } | undefined;
async function roadsOf(file: string): Promise<Roads> {
  if (read?.file !== file)
    read = { file, roads: Roads.from(buildRoads(await readExtract(file), { profile: car }).bytes.buffer) };
  return read.roads;
}

for (const [name, path] of Object.entries(EXTRACTS)) {
  const file = new URL(path, import.meta.url).pathname;
  // Three countries take a minute to read: only in the long form.
  const tooLong = name === 'patchwork' && !LONG;
  test.skipIf(!existsSync(file) || tooLong)(
    `the hierarchy finds what plain Dijkstra finds, on ${name}`,
    { timeout: 3_600_000 },
    async () => {
      const roads = await roadsOf(file);
      const hierarchy = Hierarchy.build(roads);
      const random = numbers(SEED + 2);
      // Patchwork has places of both sides.
      if (name !== 'patchwork') expectRuledTurns(roads, name === 'malta' ? 'left' : 'right', name);
      expectEqualToDijkstra(roads, hierarchy, freeFlowCosts(roads), random, PAIRS / 100, 100);
      expectEqualToDijkstra(roads, hierarchy, disturbed(roads, random), random, CLOSED_PAIRS / 100, 100);
    },
  );

  // Plain search over the pieces of Malta takes longer than the three others together.
  test.skipIf(!existsSync(file) || tooLong || (name === 'malta' && !LONG))(
    `out of closures and into them the ways are those of plain search, on ${name}`,
    { timeout: 3_600_000 },
    async () => {
      const roads = await roadsOf(file);
      const random = numbers(SEED + 4);
      const { closures, pieces } = closedQuarters(roads, random);
      const { conditions, plain } = underClosures(roads, closures);
      const isClosed = (place: RoadPoint): boolean =>
        conditions.positions.departures(place).some((position) => position.isClosed);
      const shut = Array.from({ length: 300 }, () =>
        placeOn(roads, pieces[Math.floor(random() * pieces.length)]!, random),
      ).filter(isClosed);
      const others = Array.from({ length: 300 }, () => anyPlace(roads, random)).filter((place) => !isClosed(place));
      expect(
        [shut.length, others.length].map((count) => count > 100),
        `seed ${SEED + 4}`,
      ).toEqual([true, true]);
      let found = 0;
      for (let i = 0; i < CLOSED_PAIRS / 25; i++) {
        const any = (from: readonly RoadPoint[]): RoadPoint => from[Math.floor(random() * from.length)]!;
        const trip = [
          any(i % 3 === 0 ? others : shut),
          ...(i % 5 === 0 ? [any(shut)] : []),
          any(i % 3 === 1 ? others : shut),
        ];
        const way = findTrip(trip, conditions);
        expect(way?.cost, `seed ${SEED + 4}, ${i}`).toBe(plain.cost(trip));
        if (way) expect(plain.follow(way, trip), `seed ${SEED + 4}, ${i}`).toBe(way.cost);
        if (way) found++;
      }
      expect(found).toBeGreaterThan(0);
    },
  );
}

/**
 * Lines and polygons over roads, up to half a kilometre wide, and the pieces of road that they close: at least 30.
 */
function closedQuarters(roads: Roads, random: () => number): { closures: Closure[]; pieces: number[] } {
  const snapper = new Snapper(roads);
  const closures: Closure[] = [];
  const pieces = new Set<number>();
  for (let round = 0; round < 3 || pieces.size < 30; round++) {
    for (const closure of randomClosures(roads, random))
      closures.push({ ...closure, id: closures.length, factor: closures.length % 5 === 0 ? 0.3 : 0 });
    for (const { piece, factor } of affectedPieces(closures, roads, snapper)) if (factor === 0) pieces.add(piece);
  }
  return { closures, pieces: [...pieces] };
}

test('table distances are those of the routes, on roads as crooked as real ones', async () => {
  const roads = Roads.from(
    buildRoads(await readExtract(new URL(EXTRACTS['the demo town'], import.meta.url).pathname), { profile: car }).bytes
      .buffer,
  );
  const hierarchy = Hierarchy.build(roads);
  const router = new Router(roads, new Engine(roads, hierarchy, customize(hierarchy, roads, freeFlowCosts(roads))));
  const random = numbers(SEED + 3);
  const points = Array.from({ length: 25 }, () => {
    const node = Math.floor(random() * roads.nodes);
    return { lat: roads.columns.nodeLat[node]! / 1e6, lon: roads.columns.nodeLon[node]! / 1e6 };
  });
  const table = router.table({ sources: points, targets: points });
  let other = 0;
  points.forEach((from, row) =>
    points.forEach((to, column) => {
      const { route } = router.route({
        points: [
          { ...from, hint: table.snappedSources[row]!.hint },
          { ...to, hint: table.snappedTargets[column]!.hint },
        ],
      });
      const distance = table.distances[row * points.length + column]!;
      // Two ways of equal time may differ in length; that is rare on real roads.
      if (route && Math.abs(distance - route.distance) > 1.5) other++;
    }),
  );
  expect(other, `seed ${SEED}`).toBeLessThan(points.length * points.length * 0.03);
});
