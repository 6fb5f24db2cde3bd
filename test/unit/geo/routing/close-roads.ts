import type { Roads } from '../../../../server/geo/territory/roads/index.ts';
import { packAffected } from '../../../../server/geo/routing/closures/affected-pieces.ts';
import { ClosedSearch } from '../../../../server/geo/routing/search/closed-search.ts';
import { affectedPieces, closureCosts } from '../../../../server/geo/routing/closures/closures.ts';
import { customize } from '../../../../server/geo/routing/metric/customize.ts';
import type { Closure } from '../../../../server/geo/routing/types.ts';
import { Engine } from '../../../../server/geo/routing/search/engine.ts';
import { Hierarchy } from '../../../../server/geo/routing/graph/hierarchy.ts';
import { freeFlowCosts } from '../../../../server/geo/routing/metric/costs.ts';
import { IncomingArcs } from '../../../../server/geo/routing/graph/incoming-arcs.ts';
import { SnappedPositions } from '../../../../server/geo/routing/snapping/snapped-positions.ts';
import { Router } from '../../../../server/geo/routing/router.ts';
import { Snapper } from '../../../../server/geo/routing/snapping/snapper.ts';
import { PlainTrips } from './plain-trips.ts';

/** A router over roads with closures, all made from nothing. */
export function closeRoads(roads: Roads, closures: readonly Closure[]): Router {
  const hierarchy = Hierarchy.build(roads);
  const free = freeFlowCosts(roads);
  const router = new Router(roads, new Engine(roads, hierarchy, customize(hierarchy, roads, free)));
  const affected = affectedPieces(closures, roads, new Snapper(roads));
  if (affected.length > 0)
    router.setConditions(
      new Engine(roads, hierarchy, customize(hierarchy, roads, closureCosts(affected, roads, free))),
      packAffected(affected),
    );
  return router;
}

/** The same without a router around it, and plain search to hold it against. */
export function underClosures(
  roads: Roads,
  closures: readonly Closure[],
  usual = freeFlowCosts(roads),
  hierarchy = Hierarchy.build(roads),
) {
  const network = new IncomingArcs(roads);
  const costs = closureCosts(affectedPieces(closures, roads, new Snapper(roads)), roads, usual);
  const finder = new Engine(roads, hierarchy, customize(hierarchy, roads, costs));
  const conditions = {
    roads,
    costs,
    positions: new SnappedPositions(roads, costs, (node) => network.arcsAt(node), usual),
    finder,
    closed: new ClosedSearch(roads),
  };
  return { conditions, plain: new PlainTrips(roads, costs, usual) };
}

/** A line over several roads, a polygon over some blocks, points; closed most of them. */
export function randomClosures(roads: Roads, random: () => number): Closure[] {
  const { nodeLat, nodeLon } = roads.columns;
  return Array.from({ length: 1 + Math.floor(random() * 5) }, (_, id): Closure => {
    const factor = random() < 0.75 ? 0 : 0.4;
    const node = Math.floor(random() * roads.nodes);
    const [lon, lat] = [nodeLon[node]! / 1e6, nodeLat[node]! / 1e6];
    const kind = random();
    if (kind < 0.2) return { id, factor, geometry: { type: 'Point', coordinates: [lon, lat] } };
    if (kind < 0.6) {
      const way = wayFrom(roads, Math.floor(random() * roads.arcs), 1 + Math.floor(random() * 6), random);
      return { id, factor, geometry: { type: 'LineString', coordinates: way } };
    }
    const [width, height] = [random() * 0.004, random() * 0.003];
    return {
      id,
      factor,
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [lon, lat],
            [lon + width, lat],
            [lon + width, lat + height],
            [lon, lat + height],
            [lon, lat],
          ],
        ],
      },
    };
  });
}

/** The shape of some arcs that follow each other, or a part of it. */
function wayFrom(roads: Roads, first: number, length: number, random: () => number): [number, number][] {
  const { segmentFirst, shape, nodeLat, nodeLon, turnFirst, turnHead } = roads.columns;
  const nodes: number[] = [];
  for (let arc: number | undefined = first, i = 0; arc !== undefined && i < length; i++) {
    const along = Array.from(shape.subarray(segmentFirst[arc >> 1], segmentFirst[(arc >> 1) + 1]));
    nodes.push(...(arc & 1 ? along.reverse() : along));
    const onward: number = turnFirst[arc + 1]! - turnFirst[arc]!;
    arc = onward > 0 ? turnHead[turnFirst[arc]! + Math.floor(random() * onward)] : undefined;
  }
  const cut = Math.min(nodes.length - 2, Math.floor(random() * 3));
  return nodes.slice(cut).map((node) => [nodeLon[node]! / 1e6, nodeLat[node]! / 1e6]);
}
