import type { Chance } from './chance.ts';
import { degrees, type Chain, type Network } from './network.ts';
import { angleOf, distance, distanceToSegment, Squares, towards } from './plane.ts';
import { isForCars, rankOf, type Road } from './road.ts';

export type Restriction = 'no_left_turn' | 'no_right_turn' | 'no_u_turn' | 'only_straight_on';

/** A turn that is forbidden or the only one allowed; both edges are named by the joint at their far end. */
export interface TurnRule {
  readonly via: number;
  readonly from: number;
  readonly to: number;
  readonly restriction: Restriction;
}

/** An edge of the net as seen from one of its joints. */
interface Arm {
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
function armsOf(network: Network): Arm[][] {
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

const RADIUS = 19;

/** Replaces some crossings of larger streets by roundabouts, driven anticlockwise. */
export function withRoundabouts(network: Network, share: number, chance: Chance): Network {
  const arms = armsOf(network);
  const taken = new Set<number>();
  for (const chain of network.chains) if (!isForCars(chain.road) || chain.level === 1) for (const joint of chain.joints) taken.add(joint);
  const squares = new Squares(60);
  const edges: { from: number; to: number }[] = [];
  for (const { joints } of network.chains) {
    for (let i = 1; i < joints.length; i++) {
      squares.add(edges.length, network.spots[joints[i - 1]!]!, network.spots[joints[i]!]!, RADIUS * 1.5);
      edges.push({ from: joints[i - 1]!, to: joints[i]! });
    }
  }
  /** No street passes where the ring would lie but those that meet in it. */
  const isClear = (joint: number): boolean => squares.near(network.spots[joint]!, network.spots[joint]!).every((e) => {
    const { from, to } = edges[e]!;
    return from === joint || to === joint || distanceToSegment(network.spots[joint]!, network.spots[from]!, network.spots[to]!) > RADIUS * 1.4;
  });
  const suits = (joint: number): boolean => {
    const here = arms[joint]!;
    if (here.length < 3 || here.length > 5 || taken.has(joint) || here.some((arm) => arm.length < RADIUS * 2.2 || arm.chain.road.oneway || taken.has(arm.to))) return false;
    if (here.filter((arm) => rankOf(arm.chain.road) <= 5).length < 3) return false;
    const angles = here.map((arm) => turnOf(arm.angle)).sort((a, b) => a - b);
    return angles.every((angle, i) => turnOf(angles[(i + 1) % angles.length]! - angle) > 0.6) && isClear(joint);
  };
  const spots = [...network.spots];
  const chosen = new Map<number, { arm: Arm; joint: number }[]>();
  for (let joint = 0; joint < arms.length; joint++) {
    if (!suits(joint) || !chance.happens(share)) continue;
    if ([...chosen.keys()].some((other) => distance(network.spots[other]!, network.spots[joint]!) < RADIUS * 2.4)) continue;
    const ring = [...arms[joint]!].sort((a, b) => turnOf(a.angle) - turnOf(b.angle)).map((arm) => {
      spots.push(towards(network.spots[joint]!, arm.angle, RADIUS));
      return { arm, joint: spots.length - 1 };
    });
    chosen.set(joint, ring);
    for (const arm of arms[joint]!) taken.add(arm.to);
    taken.add(joint);
  }
  const chains: Chain[] = network.chains.flatMap((chain) => {
    if (!isForCars(chain.road)) return [chain];
    let run: number[] = [];
    const runs: number[][] = [];
    chain.joints.forEach((joint, i) => {
      const ring = chosen.get(joint);
      if (!ring) { run.push(joint); return; }
      const at = (neighbour: number): number => ring.find(({ arm }) => arm.chain === chain && arm.to === neighbour)!.joint;
      if (i > 0) { run.push(at(chain.joints[i - 1]!)); runs.push(run); }
      run = i + 1 < chain.joints.length ? [at(chain.joints[i + 1]!)] : [];
    });
    if (run.length > 1) runs.push(run);
    return runs.map((joints) => ({ ...chain, joints }));
  });
  for (const [joint, ring] of chosen) {
    const joints: number[] = [];
    ring.forEach(({ arm, joint: first }, i) => {
      joints.push(first);
      const gap = turnOf(ring[(i + 1) % ring.length]!.arm.angle - arm.angle);
      const parts = Math.ceil(gap / 0.7);
      for (let part = 1; part < parts; part++) {
        spots.push(towards(network.spots[joint]!, arm.angle + (gap * part) / parts, RADIUS));
        joints.push(spots.length - 1);
      }
    });
    const best = ring.map(({ arm }) => arm.chain.road).sort((a, b) => rankOf(a) - rankOf(b))[0]!;
    const road: Road = { class: best.class, naming: 'none', oneway: true, limit: 30, roundabout: true, street: 0 };
    chains.push({ road, level: 0, joints: [...joints, joints[0]!] });
  }
  return { spots, chains };
}

/** An angle within 0 and 2π. */
export const turnOf = (angle: number): number => ((angle % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI);

/** Makes some side streets of the older quarters one-way, as far as everything can still be reached. */
export function withOneways(network: Network, chance: Chance): Network {
  const degree = degrees(network);
  const chains = network.chains.map((chain): Chain => {
    const { road, joints } = chain;
    const suits = !road.oneway && (road.class === 'residential' || road.class === 'living_street') && (road.houses === 'old' || road.houses === 'grid')
      && degree[joints[0]!]! > 2 && degree[joints[joints.length - 1]!]! > 2 && joints.length > 2;
    if (!suits || !chance.happens(0.45)) return chain;
    return { ...chain, joints: chance.happens(0.5) ? joints : [...joints].reverse(), road: { ...road, oneway: true } };
  });
  return stronglyConnected({ spots: network.spots, chains });
}

/** Gives up one-ways, and at last roads, until every joint can be driven to from every other. */
function stronglyConnected(network: Network): Network {
  for (let round = 0; ; round++) {
    const component = strongComponents(network);
    const sizes = new Map<number, number>();
    for (const chain of network.chains) if (isForCars(chain.road)) for (const joint of chain.joints) sizes.set(component[joint]!, (sizes.get(component[joint]!) ?? 0) + 1);
    const main = [...sizes].sort((a, b) => b[1] - a[1])[0]?.[0];
    if (sizes.size < 2) return network;
    const stray = (chain: Chain): boolean => isForCars(chain.road) && chain.joints.some((joint) => component[joint] !== main);
    const last = round > 20;
    network = {
      spots: network.spots,
      chains: network.chains.flatMap((chain) => {
        if (!stray(chain)) return [chain];
        if (chain.road.oneway && chain.road.class !== 'motorway' && chain.road.class !== 'motorway_link' && !chain.road.roundabout) return [{ ...chain, road: { ...chain.road, oneway: false } }];
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
  arms.forEach((here, joint) => { if (here.length === 0) component[joint] = -1; });
  return component;
}

/** Tarjan (1972), without recursion: the strongly connected component of each vertex of a graph. */
function componentsOf(next: readonly (readonly number[])[]): Int32Array {
  const count = next.length;
  const index = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const component = new Int32Array(count).fill(-1);
  const open: number[] = [];
  let numbered = 0;
  let components = 0;
  for (let root = 0; root < count; root++) {
    if (index[root]! >= 0) continue;
    const work: { vertex: number; at: number }[] = [{ vertex: root, at: 0 }];
    while (work.length > 0) {
      const top = work[work.length - 1]!;
      const { vertex } = top;
      if (top.at === 0) { index[vertex] = low[vertex] = numbered++; open.push(vertex); }
      let descended = false;
      while (top.at < next[vertex]!.length) {
        const to = next[vertex]![top.at++]!;
        if (index[to]! < 0) { work.push({ vertex: to, at: 0 }); descended = true; break; }
        if (component[to]! < 0) low[vertex] = Math.min(low[vertex]!, index[to]!);
      }
      // A vertex without a way on is done at its first visit.
      if (descended) continue;
      work.pop();
      if (work.length > 0) low[work[work.length - 1]!.vertex] = Math.min(low[work[work.length - 1]!.vertex]!, low[vertex]!);
      if (low[vertex] !== index[vertex]) continue;
      for (let member = open.pop()!; ; member = open.pop()!) {
        component[member] = components;
        if (member === vertex) break;
      }
      components++;
    }
  }
  return component;
}

/** What stands at the joints: lights at crossings of larger streets, barriers where the railway crosses. */
export function signsOf(network: Network, chance: Chance): Map<number, string> {
  const arms = armsOf(network);
  const rails = new Set(network.chains.filter((chain) => chain.road.class === 'rail').flatMap((chain) => chain.joints));
  const signs = new Map<number, string>();
  arms.forEach((here, joint) => {
    if (here.length === 0) return;
    if (rails.has(joint)) { signs.set(joint, 'level_crossing'); return; }
    const roads = here.map((arm) => arm.chain.road);
    if (roads.some((road) => road.roundabout || road.class === 'motorway' || road.class === 'motorway_link' || (road.limit ?? 0) > 60)) return;
    const large = roads.filter((road) => rankOf(road) <= 3).length;
    if (here.length >= 3 && large >= 2 && roads.filter((road) => rankOf(road) <= 5).length >= 3 && chance.happens(0.8)) signs.set(joint, 'traffic_signals');
    else if (here.length >= 4 && large >= 2 && chance.happens(0.25)) signs.set(joint, 'crossing');
    else if (here.length === 1 && roads[0]!.naming === 'close' && chance.happens(0.6)) signs.set(joint, 'turning_circle');
  });
  return signs;
}

/** Turns that are not allowed, at plain crossings of a larger street with lesser ones. */
export function turnRulesOf(network: Network, chance: Chance): TurnRule[] {
  const rules: TurnRule[] = [];
  armsOf(network).forEach((here, via) => {
    if (here.length !== 4 || here.some((arm) => arm.chain.road.roundabout || arm.chain.road.oneway || arm.chain.level === 1)) return;
    const ordered = [...here].sort((a, b) => turnOf(a.angle) - turnOf(b.angle));
    const main = ordered.findIndex((arm) => rankOf(arm.chain.road) <= 3);
    if (main < 0 || rankOf(ordered[(main + 2) % 4]!.chain.road) > 3 || rankOf(ordered[(main + 1) % 4]!.chain.road) <= 3 || !chance.happens(0.4)) return;
    // Seen from above, anticlockwise: coming in along `main`, the next arm anticlockwise is to the right, the one before to the left.
    const after = (step: number) => ordered[(main + step) % 4]!.to;
    const [come, right, ahead, left] = [after(0), after(1), after(2), after(3)];
    const draw = chance.next();
    if (draw < 0.55) rules.push({ via, from: come, to: left, restriction: 'no_left_turn' });
    else if (draw < 0.75) rules.push({ via, from: come, to: ahead, restriction: 'only_straight_on' });
    else if (draw < 0.9) rules.push({ via, from: right, to: ahead, restriction: 'no_left_turn' });
    else rules.push({ via, from: come, to: come, restriction: 'no_u_turn' });
  });
  return rules;
}

/**
 * Turns have to leave every direction of every street reachable, and a way out of it. Where they do not, rules at that place are given
 * up first, then one-ways. A driver turns round at dead ends only.
 */
export function withAllTurnsReachable(network: Network, rules: readonly TurnRule[]): { network: Network; rules: TurnRule[] } {
  let kept = [...rules];
  for (let round = 0; round < 20; round++) {
    const arcs = strandedArcs(network, kept);
    if (arcs.length === 0) break;
    const stranded = new Set(arcs.flatMap(({ from, to }) => [from, to]));
    const fewer = kept.filter((rule) => !stranded.has(rule.via));
    if (fewer.length === kept.length) network = { spots: network.spots, chains: network.chains.map((chain) => (isSideOneway(chain.road) && chain.joints.some((joint) => stranded.has(joint)) ? { ...chain, road: { ...chain.road, oneway: false } } : chain)) };
    kept = fewer;
  }
  return { network, rules: kept };
}

const isSideOneway = (road: Road): boolean => road.oneway && !road.roundabout && road.class !== 'motorway' && road.class !== 'motorway_link';

/** Directions of street pieces outside the largest strongly connected part of the graph of turns. */
function strandedArcs(network: Network, rules: readonly TurnRule[]): { from: number; to: number }[] {
  const arms = armsOf(network);
  const arcs: { from: number; to: number }[] = [];
  const leaving: number[][] = arms.map(() => []);
  arms.forEach((here, from) => {
    for (const arm of here) if (arm.out) { leaving[from]!.push(arcs.length); arcs.push({ from, to: arm.to }); }
  });
  const rulesAt = new Map<number, TurnRule[]>();
  for (const rule of rules) rulesAt.set(rule.via, [...(rulesAt.get(rule.via) ?? []), rule]);
  const turns = arcs.map(({ from, to }) => leaving[to]!.filter((next) => {
    const on = arcs[next]!.to;
    if (on === from && leaving[to]!.length > 1) return false;
    return (rulesAt.get(to) ?? []).every((rule) => rule.from !== from || (rule.restriction.startsWith('only_') ? rule.to === on : rule.to !== on));
  }));
  const component = componentsOf(turns);
  const sizes = new Map<number, number>();
  for (const one of component) sizes.set(one, (sizes.get(one) ?? 0) + 1);
  const main = [...sizes].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [-1, 0])[0];
  return arcs.filter((_, arc) => component[arc] !== main);
}
