import type { Roads } from '../../../server/territory/roads/index.ts';
import { packAffected } from '../../../server/routing/affected.ts';
import { affectedBy, costsUnder } from '../../../server/routing/closures.ts';
import { customize } from '../../../server/routing/customize.ts';
import type { Closure } from '../../../server/routing/door.ts';
import { Engine } from '../../../server/routing/engine.ts';
import { Hierarchy } from '../../../server/routing/hierarchy.ts';
import { freeCosts } from '../../../server/routing/metric.ts';
import { Router } from '../../../server/routing/router.ts';
import { Snapper } from '../../../server/routing/snap.ts';

/** A router over roads with closures, all made from nothing. */
export function closeRoads(roads: Roads, closures: readonly Closure[]): Router {
  const hierarchy = Hierarchy.build(roads);
  const free = freeCosts(roads);
  const router = new Router(roads, new Engine(roads, hierarchy, customize(hierarchy, roads, free)));
  const affected = affectedBy(closures, roads, new Snapper(roads));
  if (affected.length > 0) router.setTraffic(new Engine(roads, hierarchy, customize(hierarchy, roads, costsUnder(affected, roads, free))), packAffected(affected));
  return router;
}
