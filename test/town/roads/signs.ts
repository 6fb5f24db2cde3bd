import { armsOf } from './arms.ts';
import type { Chance } from '../../../server/demo/chance.ts';
import type { Network } from './network.ts';
import { rankOf } from './road.ts';

/** What stands at the joints: lights at crossings of larger streets, barriers where the railway crosses. */
export function signsOf(network: Network, chance: Chance): Map<number, string> {
  const arms = armsOf(network);
  const rails = new Set(network.chains.filter((chain) => chain.road.class === 'rail').flatMap((chain) => chain.joints));
  const signs = new Map<number, string>();
  arms.forEach((here, joint) => {
    if (here.length === 0) return;
    if (rails.has(joint)) {
      signs.set(joint, 'level_crossing');
      return;
    }
    const roads = here.map((arm) => arm.chain.road);
    if (
      roads.some(
        (road) =>
          road.roundabout || road.class === 'motorway' || road.class === 'motorway_link' || (road.limit ?? 0) > 60,
      )
    )
      return;
    const large = roads.filter((road) => rankOf(road) <= 3).length;
    if (here.length >= 3 && large >= 2 && roads.filter((road) => rankOf(road) <= 5).length >= 3 && chance.happens(0.8))
      signs.set(joint, 'traffic_signals');
    else if (here.length >= 4 && large >= 2 && chance.happens(0.25)) signs.set(joint, 'crossing');
    else if (here.length === 1 && roads[0]!.naming === 'close' && chance.happens(0.6))
      signs.set(joint, 'turning_circle');
  });
  return signs;
}
