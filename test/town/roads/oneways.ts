import { armsOf } from './arms.ts';
import type { Chance } from '../../../server/demo/chance.ts';
import { componentsOf } from './components.ts';
import { degrees, type Chain, type Network } from './network.ts';
import { isForCars, type Road } from './road.ts';

/** Makes some side streets of the older quarters one-way, as far as everything can still be reached. */
export function withOneways(network: Network, chance: Chance): Network {
  const degree = degrees(network);
  const chains = network.chains.map((chain): Chain => {
    const { road, joints } = chain;
    const suits =
      !road.oneway &&
      (road.class === 'residential' || road.class === 'living_street') &&
      (road.houses === 'old' || road.houses === 'grid') &&
      degree[joints[0]!]! > 2 &&
      degree[joints[joints.length - 1]!]! > 2 &&
      joints.length > 2;
    if (!suits || !chance.happens(0.45)) return chain;
    return { ...chain, joints: chance.happens(0.5) ? joints : [...joints].reverse(), road: { ...road, oneway: true } };
  });
  return stronglyConnected({ spots: network.spots, chains });
}

/** A one-way that can be given up: neither that of a motorway nor that of a ring. */
export const isSideOneway = (road: Road): boolean =>
  road.oneway && !road.roundabout && road.class !== 'motorway' && road.class !== 'motorway_link';

/** Gives up one-ways, and at last roads, until every joint can be driven to from every other. */
function stronglyConnected(network: Network): Network {
  for (let round = 0; ; round++) {
    const component = strongComponents(network);
    const sizes = new Map<number, number>();
    for (const chain of network.chains)
      if (isForCars(chain.road))
        for (const joint of chain.joints) sizes.set(component[joint]!, (sizes.get(component[joint]!) ?? 0) + 1);
    const main = [...sizes].sort((a, b) => b[1] - a[1])[0]?.[0];
    if (sizes.size < 2) return network;
    const stray = (chain: Chain): boolean =>
      isForCars(chain.road) && chain.joints.some((joint) => component[joint] !== main);
    const last = round > 20;
    network = {
      spots: network.spots,
      chains: network.chains.flatMap((chain) => {
        if (!stray(chain)) return [chain];
        if (isSideOneway(chain.road)) return [{ ...chain, road: { ...chain.road, oneway: false } }];
        return last ? [] : [chain];
      }),
    };
    if (round > 40) return network;
  }
}

/** For each joint the number of its strongly connected component of car edges; -1 where no car comes. */
function strongComponents(network: Network): Int32Array {
  const arms = armsOf(network);
  const out = arms.map((here) => here.filter((arm) => arm.out).map((arm) => arm.to));
  const component = componentsOf(out);
  arms.forEach((here, joint) => {
    if (here.length === 0) component[joint] = -1;
  });
  return component;
}
