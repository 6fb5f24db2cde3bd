import type { Chain, Network } from './network.ts';
import { angleOf, distance } from '../plan/plane.ts';
import { isForCars } from './road.ts';

/** An edge of the net as seen from one of its joints. */
export interface Arm {
  readonly chain: Chain;
  /** The joint at the other end. */
  readonly to: number;
  readonly angle: number;
  readonly length: number;
  /** Whether a car may drive out of the joint along it, and into the joint. */
  readonly out: boolean;
  readonly in: boolean;
}

/** The car edges at every joint. */
export function armsOf(network: Network): Arm[][] {
  const arms: Arm[][] = network.spots.map(() => []);
  for (const chain of network.chains) {
    if (!isForCars(chain.road)) continue;
    for (let i = 1; i < chain.joints.length; i++) {
      const [a, b] = [chain.joints[i - 1]!, chain.joints[i]!];
      const length = distance(network.spots[a]!, network.spots[b]!);
      const angle = angleOf(network.spots[a]!, network.spots[b]!);
      arms[a]!.push({ chain, to: b, angle, length, out: true, in: !chain.road.oneway });
      arms[b]!.push({ chain, to: a, angle: angle + Math.PI, length, out: !chain.road.oneway, in: true });
    }
  }
  return arms;
}

/** An angle within 0 and 2π. */
export const turnOf = (angle: number): number => ((angle % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI);
