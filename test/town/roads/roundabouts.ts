import { armsOf, turnOf, type Arm } from './arms.ts';
import type { Chance } from '../../../server/demo/chance.ts';
import type { Chain, Network } from './network.ts';
import { distance, distanceToSegment, Squares, towards, type Spot } from '../plan/plane.ts';
import { isForCars, rankOf, type Road } from './road.ts';

const RADIUS = 19;

/** What an arm is joined to instead of the middle of its crossing. */
interface Mouth {
  readonly arm: Arm;
  readonly joint: number;
}

/** Replaces some crossings of larger streets by roundabouts, driven anticlockwise. */
export function withRoundabouts(network: Network, share: number, chance: Chance): Network {
  const spots = [...network.spots];
  const rings = new Map<number, readonly Mouth[]>();
  for (const { joint, arms } of chooseCrossings(network, share, chance)) {
    rings.set(
      joint,
      arms.map((arm) => {
        spots.push(towards(network.spots[joint]!, arm.angle, RADIUS));
        return { arm, joint: spots.length - 1 };
      }),
    );
  }
  const chains = network.chains.flatMap((chain) => cutAtRings(chain, rings));
  for (const [joint, mouths] of rings) chains.push(ringOf(mouths, network.spots[joint]!, spots));
  return { spots, chains };
}

/** Crossings that become roundabouts, each with its arms anticlockwise; no arm is shared by two. */
function chooseCrossings(network: Network, share: number, chance: Chance): { joint: number; arms: Arm[] }[] {
  const arms = armsOf(network);
  const taken = new Set<number>();
  for (const chain of network.chains)
    if (!isForCars(chain.road) || chain.level === 1) for (const joint of chain.joints) taken.add(joint);
  const isClear = clearanceIn(network);
  const suits = (joint: number): boolean => {
    const here = arms[joint]!;
    if (
      here.length < 3 ||
      here.length > 5 ||
      taken.has(joint) ||
      here.some((arm) => arm.length < RADIUS * 2.2 || arm.chain.road.oneway || taken.has(arm.to))
    )
      return false;
    if (here.filter((arm) => rankOf(arm.chain.road) <= 5).length < 3) return false;
    const angles = here.map((arm) => turnOf(arm.angle)).sort((a, b) => a - b);
    return angles.every((angle, i) => turnOf(angles[(i + 1) % angles.length]! - angle) > 0.6) && isClear(joint);
  };
  const chosen: { joint: number; arms: Arm[] }[] = [];
  for (let joint = 0; joint < arms.length; joint++) {
    if (!suits(joint) || !chance.happens(share)) continue;
    if (chosen.some((other) => distance(network.spots[other.joint]!, network.spots[joint]!) < RADIUS * 2.4)) continue;
    chosen.push({ joint, arms: [...arms[joint]!].sort((a, b) => turnOf(a.angle) - turnOf(b.angle)) });
    for (const arm of arms[joint]!) taken.add(arm.to);
    taken.add(joint);
  }
  return chosen;
}

/** Tells of a joint whether no street passes where the ring would lie but those that meet in it. */
function clearanceIn(network: Network): (joint: number) => boolean {
  const squares = new Squares(60);
  const edges: { from: number; to: number }[] = [];
  for (const { joints } of network.chains) {
    for (let i = 1; i < joints.length; i++) {
      squares.add(edges.length, network.spots[joints[i - 1]!]!, network.spots[joints[i]!]!, RADIUS * 1.5);
      edges.push({ from: joints[i - 1]!, to: joints[i]! });
    }
  }
  return (joint) =>
    squares.near(network.spots[joint]!, network.spots[joint]!).every((e) => {
      const { from, to } = edges[e]!;
      return (
        from === joint ||
        to === joint ||
        distanceToSegment(network.spots[joint]!, network.spots[from]!, network.spots[to]!) > RADIUS * 1.4
      );
    });
}

/** The pieces of a street between roundabouts; each ends at the ring, and no longer in its middle. */
function cutAtRings(chain: Chain, rings: ReadonlyMap<number, readonly Mouth[]>): Chain[] {
  if (!isForCars(chain.road)) return [chain];
  let run: number[] = [];
  const runs: number[][] = [];
  chain.joints.forEach((joint, i) => {
    const ring = rings.get(joint);
    if (!ring) {
      run.push(joint);
      return;
    }
    const at = (neighbour: number): number =>
      ring.find(({ arm }) => arm.chain === chain && arm.to === neighbour)!.joint;
    if (i > 0) {
      run.push(at(chain.joints[i - 1]!));
      runs.push(run);
    }
    run = i + 1 < chain.joints.length ? [at(chain.joints[i + 1]!)] : [];
  });
  if (run.length > 1) runs.push(run);
  return runs.map((joints) => ({ ...chain, joints }));
}

/** The ring itself, closed; the points between its mouths are added to `spots`. */
function ringOf(mouths: readonly Mouth[], middle: Spot, spots: Spot[]): Chain {
  const joints: number[] = [];
  mouths.forEach(({ arm, joint: first }, i) => {
    joints.push(first);
    const gap = turnOf(mouths[(i + 1) % mouths.length]!.arm.angle - arm.angle);
    const parts = Math.ceil(gap / 0.7);
    for (let part = 1; part < parts; part++) {
      spots.push(towards(middle, arm.angle + (gap * part) / parts, RADIUS));
      joints.push(spots.length - 1);
    }
  });
  const best = mouths.map(({ arm }) => arm.chain.road).sort((a, b) => rankOf(a) - rankOf(b))[0]!;
  const road: Road = { class: best.class, naming: 'none', oneway: true, limit: 30, roundabout: true, street: 0 };
  return { road, level: 0, joints: [...joints, joints[0]!] };
}
