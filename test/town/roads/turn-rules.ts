import { armsOf, turnOf } from './arms.ts';
import type { Chance } from '../../../server/demo/chance.ts';
import { componentsOf } from './components.ts';
import type { Network } from './network.ts';
import { isSideOneway } from './oneways.ts';
import { rankOf } from './road.ts';

export type Restriction = 'no_left_turn' | 'no_right_turn' | 'no_u_turn' | 'only_straight_on';

/** A turn that is forbidden or the only one allowed; both edges are named by the joint at their far end. */
export interface TurnRule {
  readonly via: number;
  readonly from: number;
  readonly to: number;
  readonly restriction: Restriction;
}

/** Turns that are not allowed, at plain crossings of a larger street with lesser ones. */
export function turnRulesOf(network: Network, chance: Chance): TurnRule[] {
  const rules: TurnRule[] = [];
  armsOf(network).forEach((here, via) => {
    if (
      here.length !== 4 ||
      here.some((arm) => arm.chain.road.roundabout || arm.chain.road.oneway || arm.chain.level === 1)
    )
      return;
    const ordered = [...here].sort((a, b) => turnOf(a.angle) - turnOf(b.angle));
    const main = ordered.findIndex((arm) => rankOf(arm.chain.road) <= 3);
    if (
      main < 0 ||
      rankOf(ordered[(main + 2) % 4]!.chain.road) > 3 ||
      rankOf(ordered[(main + 1) % 4]!.chain.road) <= 3 ||
      !chance.happens(0.4)
    )
      return;
    // Seen from above, anticlockwise: coming in along `main`, the next arm anticlockwise is to the right, the
    // one before to the left.
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
 * Turns have to leave every direction of every street reachable, and a way out of it. Where they do not,
 * rules at that place are given up first, then one-ways. A driver turns round at dead ends only.
 */
export function withAllTurnsReachable(
  network: Network,
  rules: readonly TurnRule[],
): { network: Network; rules: TurnRule[] } {
  let kept = [...rules];
  for (let round = 0; round < 20; round++) {
    const arcs = strandedArcs(network, kept);
    if (arcs.length === 0) break;
    const stranded = new Set(arcs.flatMap(({ from, to }) => [from, to]));
    const fewer = kept.filter((rule) => !stranded.has(rule.via));
    if (fewer.length === kept.length)
      network = {
        spots: network.spots,
        chains: network.chains.map((chain) =>
          isSideOneway(chain.road) && chain.joints.some((joint) => stranded.has(joint))
            ? { ...chain, road: { ...chain.road, oneway: false } }
            : chain,
        ),
      };
    kept = fewer;
  }
  return { network, rules: kept };
}

/** Directions of street pieces outside the largest strongly connected part of the graph of turns. */
function strandedArcs(network: Network, rules: readonly TurnRule[]): { from: number; to: number }[] {
  const arms = armsOf(network);
  const arcs: { from: number; to: number }[] = [];
  const leaving: number[][] = arms.map(() => []);
  arms.forEach((here, from) => {
    for (const arm of here)
      if (arm.out) {
        leaving[from]!.push(arcs.length);
        arcs.push({ from, to: arm.to });
      }
  });
  const rulesAt = new Map<number, TurnRule[]>();
  for (const rule of rules) rulesAt.set(rule.via, [...(rulesAt.get(rule.via) ?? []), rule]);
  const turns = arcs.map(({ from, to }) =>
    leaving[to]!.filter((next) => {
      const on = arcs[next]!.to;
      if (on === from && leaving[to]!.length > 1) return false;
      return (rulesAt.get(to) ?? []).every(
        (rule) => rule.from !== from || (rule.restriction.startsWith('only_') ? rule.to === on : rule.to !== on),
      );
    }),
  );
  const component = componentsOf(turns);
  const sizes = new Map<number, number>();
  for (const one of component) sizes.set(one, (sizes.get(one) ?? 0) + 1);
  const main = [...sizes].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [-1, 0])[0];
  return arcs.filter((_, arc) => component[arc] !== main);
}
