import { expect, test } from 'vitest';
import { readPolyline } from '../../../../../server/geo/routing/index.ts';
import { customize } from '../../../../../server/geo/routing/metric/customize.ts';
import { Engine } from '../../../../../server/geo/routing/search/engine.ts';
import { Hierarchy } from '../../../../../server/geo/routing/graph/hierarchy.ts';
import { freeFlowCosts } from '../../../../../server/geo/routing/metric/costs.ts';
import { Router } from '../../../../../server/geo/routing/router.ts';
import { runToEnd } from '../../../../../server/geo/routing/search/run-to-end.ts';
import type { DirectionsAnswer, DirectionsForm } from '../../../../../server/geo/routing/types.ts';
import type { Roads } from '../../../../../server/geo/territory/roads/index.ts';
import { SEED, numbers } from '../../../../support/chance.ts';
import { drive, wander } from '../drives.ts';
import { randomRoads } from '../random.ts';
import { drawRoads, type Town } from '../town.ts';

const FORM: DirectionsForm = {
  steps: true,
  annotations: ['duration', 'distance', 'speed'],
  geometries: 'polyline6',
  overview: 'full',
  hints: true,
  waypoints: true,
};

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are looked into by name
function json(answer: DirectionsAnswer): any {
  if (!(answer instanceof Uint8Array)) return answer;
  return JSON.parse(new TextDecoder().decode(answer));
}

/** `type modifier exit onto road` of each step. */
function steps(town: Town, ...letters: string[]): string[] {
  const { routes } = json(town.router.directions({ points: letters.map((letter) => town.at(letter)) }, FORM));
  return routes[0].legs.flatMap((leg: { steps: Record<string, never>[] }) =>
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as it comes
    leg.steps.map(({ maneuver: { type, modifier, exit }, name }: Record<string, any>) =>
      [type, modifier, exit, name].filter((part) => part !== undefined && part !== '').join(' '),
    ),
  );
}

test('a road that divides into two ahead is a fork', () => {
  const town = drawRoads(
    `
            c
    a---b
            d
`,
    { ways: { ab: {}, bc: {}, bd: {} }, minComponent: 1 },
  );
  expect(steps(town, 'a', 'c')).toEqual(['depart ab', 'fork slight left bc', 'arrive bc']);
  expect(steps(town, 'a', 'd')).toEqual(['depart ab', 'fork slight right bd', 'arrive bd']);
});

test('turns, new names, and ends of roads have their maneuvers', () => {
  const town = drawRoads(
    `
        e
        |
    a---b---c---d
        |       |
        f   h---g---i
`,
    { ways: { ab: {}, bc: {}, cd: {}, ebf: {}, dg: {}, hgi: {} }, minComponent: 1 },
  );
  expect(steps(town, 'a', 'e')).toEqual(['depart ab', 'turn left ebf', 'arrive ebf']);
  expect(steps(town, 'a', 'f')).toEqual(['depart ab', 'turn right ebf', 'arrive ebf']);
  expect(steps(town, 'a', 'd')).toEqual(['depart ab', 'new name straight bc', 'new name straight cd', 'arrive cd']);
  expect(steps(town, 'c', 'i')).toEqual(['depart cd', 'new name right dg', 'end of road left hgi', 'arrive hgi']);
  expect(steps(town, 'c', 'h')).toEqual(['depart cd', 'new name right dg', 'end of road right hgi', 'arrive hgi']);
  // Via a dead end: the way back begins with the next leg.
  expect(steps(town, 'c', 'i', 'g')).toContain('depart hgi');
});

test('a roundabout is entered and left, with the exit and its road; a named one is a rotary', () => {
  const drawing = `
        c
        |
    a---b---d---e
        |   |
        f---g
            |
            h
`;
  const ring = (name?: string) => ({ junction: 'roundabout', ...(name !== undefined && { name }) });
  const town = drawRoads(drawing, {
    ways: { bfgdb: ring(''), ab: {}, bc: {}, de: {}, gh: {} },
    minComponent: 1,
  });
  expect(steps(town, 'a', 'h')).toEqual([
    'depart ab',
    expect.stringMatching(/^roundabout .*right 1 gh$/),
    expect.stringMatching(/^exit roundabout .*1 gh$/),
    'arrive gh',
  ]);
  expect(steps(town, 'a', 'e')[1]).toMatch(/^roundabout .*2 de$/);
  // One who turns off at once does not drive on it.
  expect(steps(town, 'a', 'c')[1]).toBe('turn left bc');
  const { routes } = json(town.router.directions({ points: ['a', 'h'].map((letter) => town.at(letter)) }, FORM));
  // It is driven counter-clockwise.
  expect(routes[0].legs[0].steps[0].driving_side).toBe('right');
  const named = drawRoads(drawing, { ways: { bdgfb: ring('Star'), ab: {}, bc: {}, de: {}, gh: {} }, minComponent: 1 });
  expect(steps(named, 'a', 'h')[1]).toMatch(/^rotary .*2 gh$/);
  const round = json(named.router.directions({ points: ['a', 'h'].map((letter) => named.at(letter)) }, FORM));
  expect(round.routes[0].legs[0].steps[1].rotary_name).toBe('Star');
  expect(round.routes[0].legs[0].steps[0].driving_side).toBe('left');
});

function routerOf(roads: Roads): Router {
  const hierarchy = Hierarchy.build(roads);
  return new Router(roads, new Engine(roads, hierarchy, customize(hierarchy, roads, freeFlowCosts(roads))));
}

function pointsOn(roads: Roads, random: () => number, count: number): { lat: number; lon: number }[] {
  const { nodeLat, nodeLon } = roads.columns;
  const off = (): number => (random() - 0.5) * 0.0008;
  return Array.from({ length: count }, () => {
    const node = Math.floor(random() * roads.nodes);
    return { lat: nodeLat[node]! / 1e6 + off(), lon: nodeLon[node]! / 1e6 + off() };
  });
}

test('a route of the dialect is the route of the planner, and its parts add up', () => {
  const random = numbers(SEED + 60);
  for (let town = 0; town < 8; town++) {
    const roads = randomRoads(random, 4 + Math.floor(random() * 6), 4 + Math.floor(random() * 6));
    if (roads.segments === 0) continue;
    const router = routerOf(roads);
    for (let i = 0; i < 12; i++) {
      const points = pointsOn(roads, random, 2 + Math.floor(random() * 4)).map((point) => ({
        ...point,
        uturn: random() < 0.3,
      }));
      const { route } = router.route({ points, fullGeometry: true });
      const answer = json(router.directions({ points }, FORM));
      const note = `seed ${SEED}, town ${town}, question ${i}`;
      if (!route) {
        expect(answer.code, note).toBe('NoRoute');
        continue;
      }
      const [found] = answer.routes;
      expect(found.duration, note).toBeCloseTo(route.time, 6);
      expect(found.distance, note).toBeCloseTo(route.distance, 0);
      expect(found.legs, note).toHaveLength(points.length - 1);
      expect(answer.waypoints).toHaveLength(points.length);
      for (const leg of found.legs) expectSound(leg, note);
      // Legs joined at all inner points are one leg of the same way.
      const whole = json(router.directions({ points, legsAt: [0, points.length - 1] }, FORM)).routes[0];
      expect(whole.legs, note).toHaveLength(1);
      expect(whole.duration, note).toBeCloseTo(route.time, 6);
      expectSound(whole.legs[0], note);
      expect(verticesOf(whole.geometry), note).toEqual(verticesOf(found.geometry));
    }
  }
});

/** A leg to the same point doubles it. */
function verticesOf(geometry: string): string[] {
  return readPolyline(geometry)!
    .map((point) => point.join())
    .filter((point, i, all) => point !== all[i - 1]);
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as it comes
function expectSound(leg: any, note: string): void {
  const { steps, annotation } = leg;
  const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
  expect(sum(steps.map(({ duration }: { duration: number }) => duration)), note).toBeCloseTo(leg.duration, 6);
  expect(Math.abs(sum(steps.map(({ distance }: { distance: number }) => distance)) - leg.distance), note).toBeLessThan(
    0.06 * steps.length + 0.1,
  );
  expect(sum(annotation.distance), note).toBeCloseTo(leg.distance, 0);
  expect(sum(annotation.duration), note).toBeLessThanOrEqual(leg.duration + 1e-6);
  expect(steps[0].maneuver.type, note).toBe('depart');
  expect(steps.at(-1).maneuver.type, note).toBe('arrive');
  expect(steps.at(-1).distance, note).toBe(0);
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as it comes
  steps.forEach((step: any, i: number) => {
    const line = readPolyline(step.geometry)!;
    expect(line.length, note).toBeGreaterThanOrEqual(2);
    expect([line[0]![1] / 1e6, line[0]![0] / 1e6], note).toEqual(step.maneuver.location);
    const next = steps[i + 1];
    if (next) expect([line.at(-1)![1] / 1e6, line.at(-1)![0] / 1e6], note).toEqual(next.maneuver.location);
    expect(step.intersections.length, note).toBeGreaterThan(0);
    for (const { bearings, entry, in: arriving, out, location } of step.intersections) {
      expect(entry, note).toHaveLength(bearings.length);
      expect(bearings, note).toEqual([...bearings].sort((a: number, b: number) => a - b));
      expect(location, note).toHaveLength(2);
      for (const index of [arriving, out])
        if (index !== undefined) expect(index >= 0 && index < bearings.length, note).toBe(true);
      if (out !== undefined) expect(entry[out], note).toBe(true);
    }
  });
}

test('a trip is the cheapest order, under every combination of options', () => {
  const random = numbers(SEED + 61);
  const roads = randomRoads(random, 7, 7);
  const router = routerOf(roads);
  for (let i = 0; i < 12; i++) {
    const points = pointsOn(roads, random, 5);
    const { times } = router.table({ sources: points, targets: points, distances: false });
    for (const [roundtrip, fromFirst, toLast] of [
      [true, false, false],
      [true, true, false],
      [true, true, true],
      [true, false, true],
      [false, true, true],
      [false, true, false],
      [false, false, true],
      [false, false, false],
    ] as const) {
      const note = `seed ${SEED}, question ${i}, ${roundtrip} ${fromFirst} ${toLast}`;
      const costs = permutations([0, 1, 2, 3, 4])
        .filter((order) => (!fromFirst || order[0] === 0) && (!toLast || order[4] === 4))
        .map((order) => {
          const legs = roundtrip ? [...order, order[0]!] : order;
          return legs.slice(1).reduce((sum, to, k) => sum + times[legs[k]! * 5 + to]!, 0);
        });
      const best = Math.min(...costs);
      const answer = json(runToEnd(router.trip({ points, roundtrip, fromFirst, toLast }, FORM)));
      if (best >= 2147483647) {
        expect(answer.code, note).toBe('NoTrips');
        continue;
      }
      const [trip] = answer.trips;
      expect(trip.legs, note).toHaveLength(roundtrip ? 5 : 4);
      expect(Math.round(trip.duration * 10), note).toBe(best);
      const order: number[] = answer.waypoints.map(({ waypoint_index }: { waypoint_index: number }) => waypoint_index);
      expect([...order].sort(), note).toEqual([0, 1, 2, 3, 4]);
      if (fromFirst) expect(order[0], note).toBe(0);
      if (toLast) expect(order[4], note).toBe(4);
    }
  }
});

function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
}

test('a track is matched to the roads that were driven, with its times or without', () => {
  const random = numbers(SEED + 62);
  const roads = randomRoads(random, 14, 14);
  const router = routerOf(roads);
  let [driven, found, tracks] = [0, 0, 0];
  // In some networks most walks come to a dead end.
  for (let i = 0; tracks < 12 && i < 1_000; i++) {
    const arcs = wander(roads, random, 20);
    if (!arcs) continue;
    tracks++;
    const { fixes } = drive(roads, arcs, random, { every: 5, noise: 4 });
    const points = fixes.map(({ time, lat, lon }) => ({
      lat,
      lon,
      ...(i % 2 === 0 && { time: Math.round(time / 1000) }),
    }));
    const answer = json(runToEnd(router.match({ points, ignoreGaps: false, tidy: i % 3 === 0 }, FORM)));
    const note = `seed ${SEED}, track ${i}`;
    expect(answer.code, note).toBe('Ok');
    expect(answer.tracepoints, note).toHaveLength(points.length);
    for (const { legs, confidence } of answer.matchings) {
      expect(confidence > 0 && confidence <= 1, note).toBe(true);
      for (const leg of legs) expectSound(leg, note);
      found += legs.reduce((sum: number, { distance }: { distance: number }) => sum + distance, 0);
    }
    for (const point of answer.tracepoints) if (point) expect(point.distance, note).toBeLessThan(50);
    driven += arcs.reduce((sum, arc) => sum + roads.arcMetres[arc]!, 0);
  }
  expect(tracks, `seed ${SEED}`).toBe(12);
  // The last fix stands somewhere on the last arc.
  expect(Math.abs(found / driven - 1), `seed ${SEED}`).toBeLessThan(0.12);
});
