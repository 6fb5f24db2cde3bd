import { atOnce } from './run-to-end.ts';
import type { ClosedSearch, Standing, WayIn, WayOut } from './closed-search.ts';
import { CLOSED } from '../metric/costs.ts';
import type { Costs } from '../metric/costs.ts';
import { samePlace } from '../snapping/snapped-positions.ts';
import type { Passage, Passages } from '../snapping/snapped-positions.ts';
import type { PathFinder, Source } from './path-finder.ts';
import type { Roads } from '../../territory/roads/index.ts';
import type { Place } from '../snapping/snapper.ts';

/** One stretch of a trip, from one asked point to the next. */
export interface Leg {
  from: Passage;
  to: Passage;
  /**
   * From the arc of `from` to that of `to`; one arc when the end is straight ahead. Empty: the points are the
   * same.
   */
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
  /** Under closures: for trips that begin or end on closed roads. Without it they have no way. */
  readonly closed?: ClosedSearch | undefined;
}

interface Reached extends Standing {
  /** The leg by which it was got here, and from which of the standings before. */
  readonly leg: Leg | undefined;
  readonly before: number;
}

/**
 * The cheapest trip through places in order. A place in between is passed without turning back, so every way
 * of passing it is kept with its own cost, and the best combination over all legs wins. Where `mayTurnAt`
 * allows it, the trip goes on in any direction at no cost.
 */
export function findTrip(
  places: readonly Place[],
  conditions: Conditions,
  mayTurnAt: (point: number) => boolean = () => false,
): Trip | undefined {
  const { roads, passages } = conditions;
  let frontier: Reached[] = passages
    .standing(places[0]!)
    .map((passage) => ({ passage, total: 0, leg: undefined, before: -1 }));
  const history: Reached[][] = [frontier];
  for (let i = 1; i < places.length; i++) {
    const next = samePlace(roads, places[i - 1]!, places[i]!)
      ? frontier.map(({ passage, total }, before): Reached => ({
          passage,
          total,
          leg: { from: passage, to: passage, arcs: [], cost: 0 },
          before,
        }))
      : cheapestLegs(frontier, passages.arriving(places[i]!), i === places.length - 1, conditions);
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

/** To each of the passages; where the trip ends, to one of them at least. */
function cheapestLegs(
  frontier: readonly Standing[],
  arriving: readonly Passage[],
  isLast: boolean,
  conditions: Conditions,
): Reached[] {
  const out = waysOut(frontier, conditions);
  // Where the trip ends, one search is enough for all ways of standing there; but a vehicle that is on the
  // same arc already may have to come round to it.
  const inOne =
    isLast && arriving.length > 0 && !arriving.some(({ arc }) => frontier.some(({ passage }) => passage.arc === arc));
  const reached: Reached[] = [];
  for (const to of inOne ? [arriving] : arriving.map((passage) => [passage])) {
    const found = cheapestLeg(frontier, out, to, conditions);
    if (found) reached.push(found);
  }
  return reached;
}

/** To whichever of the passages is the cheapest; several only where none is on an arc of the frontier. */
function cheapestLeg(
  frontier: readonly Standing[],
  out: WayOut | undefined,
  to: readonly Passage[],
  conditions: Conditions,
): Reached | undefined {
  const { passages, finder } = conditions;
  let total = CLOSED;
  let before = -1;
  let arrival = 0;
  let way: () => number[] = () => [];
  const take = (cost: number, standing: number, passage: number, arcs: () => number[]): void => {
    if (cost >= total) return;
    total = cost;
    before = standing;
    arrival = passage;
    way = arcs;
  };
  if (to.length === 1)
    frontier.forEach((start, index) =>
      take(start.total + passages.direct(start.passage, to[0]!), index, 0, () => [to[0]!.arc]),
    );
  const into = waysIn(to, conditions);
  if (out) overClosedRoads(out, to, into, conditions, take);
  const sources = startsOf(frontier, to[0]!.arc, out, conditions);
  const targets = endsOf(to, into);
  const found = finder.findAny(sources, targets);
  if (found < total) {
    const open = finder.path();
    const source = sources[cheapestOn(sources, open[0]!)]!;
    const target = targets[cheapestOn(targets, open.at(-1)!)]!;
    take(found, source.standing, target.passage, () => [...source.before(), ...open, ...target.after()]);
  }
  const start = frontier[before];
  return (
    start && {
      passage: to[arrival]!,
      total,
      leg: { from: start.passage, to: to[arrival]!, arcs: way(), cost: total - start.total },
      before,
    }
  );
}

/**
 * Tells the ways that never need the hierarchy: where closed roads lead from the start to the end, with no
 * more open road between than is part of a closed arc.
 */
function overClosedRoads(
  out: WayOut,
  to: readonly Passage[],
  into: WayIn | undefined,
  { passages }: Conditions,
  tell: (cost: number, standing: number, passage: number, arcs: () => number[]) => void,
): void {
  to.forEach((passage, index) => {
    const { arc } = passage;
    const cost = passages.closedArrival(out.cost(arc), passage);
    if (cost < CLOSED) tell(cost, out.to(arc).standing, index, () => [...out.arcs(out.to(arc)), arc]);
  });
  if (!into) return;
  for (const entered of out.entered) {
    into.after(entered, (next, cost) =>
      tell(entered.cost + cost, entered.standing, into.from(next).passage, () => [
        ...out.arcs(entered),
        next,
        ...into.arcs(into.from(next)),
      ]),
    );
  }
}

/**
 * The ways over closed roads by which the standings come to open road; undefined where none goes on over
 * such.
 */
export function waysOut(standings: readonly Standing[], { passages, closed }: Conditions): WayOut | undefined {
  return closed && atOnce(closed.leave(standings, passages));
}

/**
 * The ways over closed roads to a place, of which these are the passages; undefined where it is on open road.
 */
export function waysIn(to: readonly Passage[], { passages, closed }: Conditions): WayIn | undefined {
  return closed && atOnce(closed.enter(to, passages));
}

interface Start extends Source {
  readonly standing: number;
  /** The arcs driven before. */
  readonly before: () => number[];
}

interface End extends Source {
  readonly passage: number;
  /** The arcs driven afterwards. */
  readonly after: () => number[];
}

const nothing = (): number[] => [];

/**
 * Labels for the search. Usually the label of a vehicle's own arc; but where the target is on the same arc
 * the vehicle has to come round: then the arcs after it are the sources. Where it goes on over closed road
 * the ways out are the sources.
 */
export function startsOf(
  frontier: readonly Standing[],
  target: number,
  out: WayOut | undefined,
  { roads, costs, passages }: Conditions,
): Start[] {
  const { turnFirst, turnHead, turnCost } = roads.columns;
  const sources: Start[] = [];
  frontier.forEach(({ passage, total }, standing) => {
    const { arc } = passage;
    if (passages.goesOnClosed(passage)) return;
    const end = total + passages.rest(passage);
    if (arc !== target) {
      sources.push({ arc, label: end - costs.arc[arc]!, standing, before: nothing });
      return;
    }
    for (let turn = turnFirst[arc]!; turn < turnFirst[arc + 1]!; turn++) {
      sources.push({ arc: turnHead[turn]!, label: end + turnCost[turn]!, standing, before: () => [arc] });
    }
  });
  for (const exit of out?.exits ?? [])
    sources.push({ arc: exit.arc, label: exit.label, standing: exit.standing, before: () => out!.arcs(exit) });
  return sources;
}

/** Where the search ends: the arcs of the passages themselves, or those by which one comes to them. */
export function endsOf(to: readonly Passage[], into: WayIn | undefined): End[] {
  if (into)
    return into.entries.map((entry) => ({
      arc: entry.arc,
      label: entry.label,
      passage: entry.passage,
      after: () => into.arcs(entry),
    }));
  const ends: End[] = [];
  to.forEach(({ arc, cost }, passage) => {
    if (cost < CLOSED) ends.push({ arc, label: cost, passage, after: nothing });
  });
  return ends;
}

export function cheapestOn(labels: readonly Source[], arc: number): number {
  let best = -1;
  for (let i = 0; i < labels.length; i++)
    if (labels[i]!.arc === arc && (best < 0 || labels[i]!.label < labels[best]!.label)) best = i;
  return best;
}
