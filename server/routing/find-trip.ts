import { CLOSED } from './metric.ts';
import type { Costs } from './metric.ts';
import { samePlace } from './passages.ts';
import type { Passage, Passages } from './passages.ts';
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

/** What a trip is looked for in. */
export interface Conditions {
  readonly roads: Roads;
  readonly costs: Costs;
  readonly passages: Passages;
  readonly finder: PathFinder;
}

interface Standing {
  passage: Passage;
  total: number;
}

/**
 * The cheapest trip through places in order. A place in between is passed without turning back, so every way of passing it is kept
 * with its own cost, and the best combination over all legs wins. Where `mayTurnAt` allows it, the trip goes on in any direction at no cost.
 */
export function findTrip(places: readonly Place[], conditions: Conditions, mayTurnAt: (point: number) => boolean = () => false): Trip | undefined {
  interface Reached extends Standing {
    leg: Leg | undefined;
    before: number;
  }
  const { roads, passages } = conditions;
  let frontier: Reached[] = passages.leaving(places[0]!).map((passage) => ({ passage, total: 0, leg: undefined, before: -1 }));
  const history: Reached[][] = [frontier];
  for (let i = 1; i < places.length; i++) {
    if (samePlace(roads, places[i - 1]!, places[i]!)) {
      frontier = frontier.map(({ passage, total }, before) => ({ passage, total, leg: { from: passage, to: passage, arcs: [], cost: 0 }, before }));
      history.push(frontier);
      continue;
    }
    const next: Reached[] = [];
    const arriving = passages.arriving(places[i]!);
    // Where the trip ends, one search is enough for all ways of standing there; but a vehicle that is on the same arc already may have to come round to it.
    const inOne = i === places.length - 1 && arriving.length > 0 && !arriving.some(({ arc }) => frontier.some(({ passage }) => passage.arc === arc));
    for (const to of inOne ? [arriving] : arriving.map((passage) => [passage])) {
      const found = cheapestLeg(frontier, to, conditions);
      if (found) next.push(found);
    }
    if (next.length === 0) return undefined;
    frontier = next;
    if (i + 1 < places.length && mayTurnAt(i)) {
      const earliest = next.reduce((best, reached) => (reached.total < best.total ? reached : best));
      frontier = [...next, ...passages.leaving(places[i]!).map((passage) => ({ ...earliest, passage }))];
    }
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

/** To whichever of the passages is the cheapest; several only where none is on an arc of the frontier. */
function cheapestLeg(
  frontier: readonly Standing[],
  to: readonly Passage[],
  { roads, costs, passages, finder }: Conditions,
): { passage: Passage; total: number; leg: Leg; before: number } | undefined {
  let total = CLOSED;
  let before = -1;
  let arrival = to[0]!;
  let arcs: number[] = [];
  if (to.length === 1) {
    frontier.forEach((start, index) => {
      const straight = start.total + passages.direct(start.passage, arrival);
      if (straight >= total) return;
      total = straight;
      before = index;
      arcs = [arrival.arc];
    });
  }
  const { sources, origin } = sourcesOf(frontier, arrival.arc, roads, costs, passages);
  const targets = to.map(({ arc, cost }) => ({ arc, label: cost }));
  const found = finder.findAny(sources, targets);
  if (found < total) {
    arcs = finder.path();
    arrival = to[cheapestOn(targets, arcs.at(-1)!)]!;
    const source = cheapestOn(sources, arcs[0]!);
    ({ index: before } = origin[source]!);
    if (!origin[source]!.driven) arcs.unshift(frontier[before]!.passage.arc);
    total = found;
  }
  const start = frontier[before];
  return start && { passage: arrival, total, leg: { from: start.passage, to: arrival, arcs, cost: total - start.total }, before };
}

/**
 * Labels for the search. Usually the label of a vehicle's own arc; but where the target is on the same arc the vehicle has to come round, and where
 * the arc is closed elsewhere it has no label: then the arcs after it are the sources.
 */
function sourcesOf(
  frontier: readonly Standing[],
  target: number,
  roads: Roads,
  costs: Costs,
  passages: Passages,
): { sources: Source[]; origin: { index: number; driven: boolean }[] } {
  const { turnFirst, turnHead, turnCost } = roads.columns;
  const sources: Source[] = [];
  const origin: { index: number; driven: boolean }[] = [];
  frontier.forEach(({ passage, total }, index) => {
    const { arc } = passage;
    const end = total + passages.rest(passage);
    if (end >= CLOSED) return;
    if (arc !== target && costs.arc[arc]! < CLOSED) {
      sources.push({ arc, label: end - costs.arc[arc]! });
      origin.push({ index, driven: true });
      return;
    }
    for (let turn = turnFirst[arc]!; turn < turnFirst[arc + 1]!; turn++) {
      sources.push({ arc: turnHead[turn]!, label: end + turnCost[turn]! });
      origin.push({ index, driven: false });
    }
  });
  return { sources, origin };
}

function cheapestOn(labels: readonly Source[], arc: number): number {
  let best = -1;
  for (let i = 0; i < labels.length; i++) if (labels[i]!.arc === arc && (best < 0 || labels[i]!.label < labels[best]!.label)) best = i;
  return best;
}
