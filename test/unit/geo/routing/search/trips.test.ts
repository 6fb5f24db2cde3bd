import { expect, test } from 'vitest';
import { ROUNDABOUT, metresBetweenMicro } from '../../../../../server/geo/territory/roads/index.ts';
import type { Roads } from '../../../../../server/geo/territory/roads/index.ts';
import { customize } from '../../../../../server/geo/routing/metric/customize.ts';
import type { Coordinate, Route } from '../../../../../server/geo/routing/types.ts';
import { Dijkstra } from '../dijkstra.ts';
import { Engine } from '../../../../../server/geo/routing/search/engine.ts';
import { findTrip } from '../../../../../server/geo/routing/search/find-trip.ts';
import { Hierarchy } from '../../../../../server/geo/routing/graph/hierarchy.ts';
import { freeFlowCosts } from '../../../../../server/geo/routing/metric/costs.ts';
import { IncomingArcs } from '../../../../../server/geo/routing/graph/incoming-arcs.ts';
import { SnappedPositions } from '../../../../../server/geo/routing/snapping/snapped-positions.ts';
import { Router } from '../../../../../server/geo/routing/router.ts';
import { Snapper, flatDistance } from '../../../../../server/geo/routing/snapping/snapper.ts';
import type { RoadPoint } from '../../../../../server/geo/routing/snapping/snapper.ts';
import { SEED, numbers } from '../../../../support/chance.ts';
import { randomRoads } from '../random.ts';

function spotsOn(roads: Roads, random: () => number, count: number): { lat: number; lon: number }[] {
  const { nodeLat, nodeLon } = roads.columns;
  return Array.from({ length: count }, () => {
    const node = Math.floor(random() * roads.nodes);
    const off = (): number => (random() < 0.4 ? 0 : Math.round((random() - 0.5) * 800));
    return { lat: nodeLat[node]! + off(), lon: nodeLon[node]! + off() };
  });
}

test('trips through several points cost the same by the hierarchy and by plain Dijkstra', () => {
  const random = numbers(SEED + 10);
  for (let town = 0; town < 15; town++) {
    const roads = randomRoads(random, 3 + Math.floor(random() * 8), 3 + Math.floor(random() * 8));
    if (roads.segments === 0) continue;
    const costs = freeFlowCosts(roads);
    const hierarchy = Hierarchy.build(roads);
    const network = new IncomingArcs(roads);
    const positions = new SnappedPositions(roads, costs, (node) => network.arcsAt(node));
    const engine = new Engine(roads, hierarchy, customize(hierarchy, roads, costs));
    const oracle = new Dijkstra(roads, costs);
    const snapper = new Snapper(roads);
    for (let i = 0; i < 20; i++) {
      const places: RoadPoint[] = spotsOn(roads, random, 2 + Math.floor(random() * 5)).map(
        ({ lat, lon }) => snapper.nearest(lat, lon)[0]!,
      );
      const quick = findTrip(places, { roads, costs, positions, finder: engine });
      const slow = findTrip(places, { roads, costs, positions, finder: oracle });
      expect(quick?.cost, `seed ${SEED + 10}`).toBe(slow?.cost);
      if (quick) expect(quick.legs.reduce((sum, leg) => sum + leg.cost, 0)).toBe(quick.cost);
    }
  }
});

/**
 * The asked points are vertices; two that are one and the same spot of the network share theirs, also when
 * they were put a micro-degree from each other.
 */
function expectVertices({ viaIndices, geometry }: Route, snapped: readonly Coordinate[]): void {
  expect(viaIndices).toHaveLength(snapped.length);
  snapped.forEach(({ lat, lon }, i) => {
    const [vertexLat, vertexLon] = geometry[viaIndices[i]!]!;
    const isShared = viaIndices[i] === viaIndices[i - 1] || isFromSpotToItself(geometry);
    const off = Math.max(Math.abs(vertexLat - lat), Math.abs(vertexLon - lon));
    expect(Math.round(off * 1e6), `point ${i}`).toBeLessThanOrEqual(isShared ? 1 : 0);
  });
}

/** Such a route has two vertices in one place. */
const isFromSpotToItself = (geometry: Route['geometry']): boolean =>
  geometry.length === 2 && String(geometry[0]) === String(geometry[1]);

test('geometry, rows and summary of a route agree with each other', () => {
  const random = numbers(SEED + 11);
  let ringless = 0;
  for (let town = 0; town < 15; town++) {
    const size = 3 + Math.floor(random() * 9);
    const roads = randomRoads(random, size, size);
    if (roads.segments === 0) continue;
    // Of rings the rows do not tell: in every other town they are roads as others.
    if (town % 2) roads.columns.segmentFlags.forEach((flags, segment, all) => (all[segment] = flags & ~ROUNDABOUT));
    const hierarchy = Hierarchy.build(roads);
    const rings = roads.columns.segmentFlags.some((flags) => flags & ROUNDABOUT);
    const router = new Router(roads, new Engine(roads, hierarchy, customize(hierarchy, roads, freeFlowCosts(roads))));
    for (let i = 0; i < 20; i++) {
      const points = spotsOn(roads, random, 2 + Math.floor(random() * 3)).map(({ lat, lon }) => ({
        lat: lat / 1e6,
        lon: lon / 1e6,
      }));
      const { route, snapped } = router.route({ points, fullGeometry: true });
      if (!route) continue;
      const length = route.geometry
        .slice(1)
        .reduce(
          (sum, [lat, lon], k) =>
            sum + metresBetweenMicro(route.geometry[k]![1] * 1e6, route.geometry[k]![0] * 1e6, lon * 1e6, lat * 1e6),
          0,
        );
      expect(length, `seed ${SEED + 11}`).toBeCloseTo(route.distance, 3);
      expectVertices(route, snapped);
      const hasRing =
        route.steps.some(({ code }) => code.startsWith('11')) ||
        route.steps.some(({ distance }, k) => distance === 0 && k + 1 < route.steps.length);
      const told = route.steps.reduce((sum, step) => sum + step.distance, 0);
      const seconds = route.steps.reduce((sum, step) => sum + step.time, 0);
      if (hasRing) expect(told).toBeLessThanOrEqual(route.distance + 0.01);
      expect(seconds).toBeLessThanOrEqual(route.time + 0.05);
      if (!rings) {
        expect(told, `seed ${SEED + 11}`).toBeCloseTo(route.distance, 6);
        expect(seconds, `seed ${SEED + 11}`).toBeCloseTo(route.time, 6);
        ringless++;
      }
      expect(route.steps[0]).toMatchObject({ code: '10', position: 0 });
      expect(route.steps.filter(({ code }) => code === '9')).toHaveLength(points.length - 2);
      expect(route.steps.at(-1)).toMatchObject({
        code: '15',
        position: route.geometry.length - 1,
        distance: 0,
        time: 0,
      });
      const thin = router.route({ points, z: 10 }).route!;
      expect(thin).toMatchObject({ time: route.time, distance: route.distance });
      expect(thin.geometry.length).toBeLessThanOrEqual(route.geometry.length);
      expectVertices(thin, snapped);
    }
  }
  expect(ringless, `seed ${SEED + 11}`).toBeGreaterThan(0);
});

test('the nearest road is the nearest of all roads', () => {
  const random = numbers(SEED + 12);
  for (let town = 0; town < 10; town++) {
    const roads = randomRoads(random, 3 + Math.floor(random() * 8), 3 + Math.floor(random() * 8));
    if (roads.segments === 0) continue;
    const snapper = new Snapper(roads);
    // Far away, too, on the other side of the equator and of the globe.
    const far = Array.from({ length: 20 }, () => ({
      lat: Math.round((random() - 0.5) * 180e6),
      lon: Math.round((random() - 0.5) * 360e6),
    }));
    for (const { lat, lon } of [...spotsOn(roads, random, 30), ...far]) {
      const [found, ...others] = snapper.nearest(lat, lon, 5);
      const all = snapper.nearest(lat, lon, roads.segments);
      expect(new Set(all.map(({ segment }) => segment)).size, `seed ${SEED + 12}`).toBe(roads.segments);
      expect(found!.distance).toBe(Math.min(...all.map(({ distance }) => distance)));
      expect([found!, ...others].map(({ distance }) => distance)).toEqual(
        all.slice(0, others.length + 1).map(({ distance }) => distance),
      );
      const node = snapper.nearestNode(lat, lon)!;
      const { nodeLat, nodeLon } = roads.columns;
      const least = Math.min(...Array.from(nodeLat, (_, n) => flatDistance(lat, lon, nodeLat[n]!, nodeLon[n]!)));
      expect(flatDistance(lat, lon, nodeLat[node]!, nodeLon[node]!)).toBe(least);
    }
  }
});

test('the pieces within a box are those whose own boxes touch it, each once, and so are the roads', () => {
  const random = numbers(SEED + 13);
  for (let town = 0; town < 8; town++) {
    const roads = randomRoads(random, 2 + Math.floor(random() * 8), 2 + Math.floor(random() * 8));
    const { segmentFirst, shape, nodeLat, nodeLon } = roads.columns;
    const pieces = Array.from({ length: roads.segments }, (_, s) =>
      Array.from({ length: roads.pieces(s) }, (_, k) => segmentFirst[s]! + k),
    ).flat();
    const snapper = new Snapper(roads);
    const ascending = (numbers: number[]): number[] => numbers.sort((a, b) => a - b);
    expect(ascending(snapper.piecesWithin(-90e6, -180e6, 90e6, 180e6)), `seed ${SEED + 13}`).toEqual(pieces);
    for (let i = 0; i < 30 && pieces.length > 0; i++) {
      // Corners on nodes, so that boxes often touch by an edge only.
      const corner = (): number => shape[pieces[Math.floor(random() * pieces.length)]!]!;
      const [a, b] = [corner(), corner()];
      const [south, north] = ascending([nodeLat[a]!, nodeLat[b]!]) as [number, number];
      const [west, east] = ascending([nodeLon[a]!, nodeLon[b]!]) as [number, number];
      const touching = pieces.filter((piece) => {
        const [from, to] = [shape[piece]!, shape[piece + 1]!];
        return (
          Math.min(nodeLat[from]!, nodeLat[to]!) <= north &&
          Math.max(nodeLat[from]!, nodeLat[to]!) >= south &&
          Math.min(nodeLon[from]!, nodeLon[to]!) <= east &&
          Math.max(nodeLon[from]!, nodeLon[to]!) >= west
        );
      });
      expect(ascending(snapper.piecesWithin(south, west, north, east)), `seed ${SEED + 13}`).toEqual(touching);
      const segments = [...new Set(touching.map((piece) => roads.segmentOf(piece)))];
      expect(ascending(snapper.within(south, west, north, east, Infinity)), `seed ${SEED + 13}`).toEqual(
        ascending(segments),
      );
      expect(snapper.within(south, west, north, east, 2)).toHaveLength(Math.min(2, segments.length));
    }
  }
});
