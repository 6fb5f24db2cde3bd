import { CLOSED } from './metric.ts';
import type { Costs } from './metric.ts';
import { Passages, samePlace } from './passages.ts';
import type { Passage } from './passages.ts';
import type { PathFinder, Source } from './path-finder.ts';
import type { Roads } from '../territory/roads/index.ts';
import type { Place } from './snap.ts';

/** One stretch of a trip, from one asked point to the next. */
export interface Leg {
  from: Passage;
  to: Passage;
  /** From the arc of `from` to that of `to`; one arc when the end is straight ahead. Empty: the points are the same. */
  arcs: number[];
  cost: number;
}

export interface Trip {
  legs: Leg[];
  /** tenths of a second */
  cost: number;
}

/**
 * The cheapest trip through places in order. A place in between is passed without turning back, so every way of passing it is kept
 * with its own cost, and the best combination over all legs wins.
 */
export function findTrip(places: readonly Place[], roads: Roads, costs: Costs, passages: Passages, finder: PathFinder): Trip | undefined {
  interface Reached {
    passage: Passage;
    total: number;
    leg: Leg | undefined;
    before: number;
  }
  let frontier: Reached[] = passages.leaving(places[0]!).map((passage) => ({ passage, total: 0, leg: undefined, before: -1 }));
  const history: Reached[][] = [frontier];
  for (let i = 1; i < places.length; i++) {
    if (samePlace(roads, places[i - 1]!, places[i]!)) {
      frontier = frontier.map(({ passage, total }, before) => ({ passage, total, leg: { from: passage, to: passage, arcs: [], cost: 0 }, before }));
      history.push(frontier);
      continue;
    }
    const next: Reached[] = [];
    for (const to of passages.arriving(places[i]!)) {
      const found = cheapestLeg(frontier, to, roads, costs, finder);
      if (found) next.push(found);
    }
    if (next.length === 0) return undefined;
    frontier = next;
    history.push(frontier);
  }

  let best = 0;
  for (let i = 1; i < frontier.length; i++) if (frontier[i]!.total < frontier[best]!.total) best = i;
  const cost = frontier[best]?.total;
  if (cost === undefined) return undefined;
  const legs: Leg[] = [];
  for (let i = history.length - 1, at = best; i > 0; i--) {
    const reached = history[i]![at]!;
    legs.push(reached.leg!);
    at = reached.before;
  }
  return { legs: legs.reverse(), cost };
}

function cheapestLeg(
  frontier: readonly { passage: Passage; total: number }[],
  to: Passage,
  roads: Roads,
  costs: Costs,
  finder: PathFinder,
): { passage: Passage; total: number; leg: Leg; before: number } | undefined {
  if (to.cost >= CLOSED) return undefined;
  const { sources, origin } = sourcesToward(frontier, to, roads, costs);
  const label = finder.find(sources, to.arc);
  if (label >= CLOSED) return undefined;
  const arcs = finder.path();
  const source = cheapestSource(sources, arcs[0]!);
  const before = origin[source]!.index;
  const start = frontier[before]!;
  if (!origin[source]!.direct) arcs.unshift(start.passage.arc);
  const total = label + to.cost;
  return { passage: to, total, leg: { from: start.passage, to, arcs, cost: total - start.total }, before };
}

/**
 * Labels for the search. Who stands past the target on its own arc has to come round: instead of the arc, the arcs after it are sources.
 * The same holds for an arc that is closed somewhere ahead of its beginning but not ahead of the vehicle.
 */
export function sourcesToward(
  frontier: readonly { passage: Passage; total: number }[],
  to: Passage | undefined,
  roads: Roads,
  costs: Costs,
): { sources: Source[]; origin: { index: number; direct: boolean }[] } {
  const sources: Source[] = [];
  const origin: { index: number; direct: boolean }[] = [];
  frontier.forEach(({ passage, total }, index) => {
    if (passage.cost >= CLOSED) return;
    const ahead = to !== undefined && Passages.ahead(passage, to);
    if (ahead || (passage.arc !== to?.arc && costs.arc[passage.arc]! < CLOSED)) {
      sources.push({ arc: passage.arc, label: total - passage.cost });
      origin.push({ index, direct: true });
      return;
    }
    if (costs.arc[passage.arc]! >= CLOSED) return;
    const { turnFirst, turnHead, turnCost } = roads.columns;
    for (let turn = turnFirst[passage.arc]!; turn < turnFirst[passage.arc + 1]!; turn++) {
      sources.push({ arc: turnHead[turn]!, label: total - passage.cost + costs.arc[passage.arc]! + turnCost[turn]! });
      origin.push({ index, direct: false });
    }
  });
  return { sources, origin };
}

function cheapestSource(sources: readonly Source[], arc: number): number {
  let best = -1;
  for (let i = 0; i < sources.length; i++) if (sources[i]!.arc === arc && (best < 0 || sources[i]!.label < sources[best]!.label)) best = i;
  return best;
}
