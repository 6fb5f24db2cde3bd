import { runToEnd } from './run-to-end.ts';
import type { ClosedSearch, FrontierLabel, EntrySearch, ExitSearch } from './closed-search.ts';
import { CLOSED_COST } from '../metric/costs.ts';
import type { Costs } from '../metric/costs.ts';
import { isSamePoint } from '../snapping/snapped-positions.ts';
import type { SnappedPosition, SnappedPositions } from '../snapping/snapped-positions.ts';
import type { PathFinder, ArcLabel } from './path-finder.ts';
import type { Roads } from '../../territory/roads/reading.ts';
import type { RoadPoint } from '../snapping/snapper.ts';

/** A leg of a trip, from one query point to the next. */
export interface TripLeg {
  from: SnappedPosition;
  to: SnappedPosition;
  /**
   * Arcs from that of `from` to that of `to`; one arc when the end is straight ahead, empty when the points
   * are the same.
   */
  arcs: number[];
  cost: number;
}

export interface Trip {
  legs: TripLeg[];
  /** tenths of a second */
  cost: number;
}

/** The graph and metric in which a trip is searched. */
export interface SearchContext {
  readonly roads: Roads;
  readonly costs: Costs;
  readonly positions: SnappedPositions;
  readonly finder: PathFinder;
  /** Under closures: for trips that start or end on closed roads, which are unreachable without it. */
  readonly closed?: ClosedSearch | undefined;
}

interface TripLabel extends FrontierLabel {
  /** The leg to here, and the index of the label before it. */
  readonly leg: TripLeg | undefined;
  readonly predecessor: number;
}

/**
 * The cheapest trip through points in order. A via point is passed without turning back, so every position
 * there keeps its own cost, and the best combination over all legs wins (README rule 8). Where `mayTurnAt`
 * allows it, the trip continues in any direction at no cost.
 */
export function findTrip(
  places: readonly RoadPoint[],
  conditions: SearchContext,
  mayTurnAt: (point: number) => boolean = () => false,
): Trip | undefined {
  const { roads, positions } = conditions;
  let frontier: TripLabel[] = positions
    .starts(places[0]!)
    .map((position) => ({ position, total: 0, leg: undefined, predecessor: -1 }));
  const history: TripLabel[][] = [frontier];
  for (let i = 1; i < places.length; i++) {
    const next = isSamePoint(roads, places[i - 1]!, places[i]!)
      ? frontier.map(({ position, total }, predecessor): TripLabel => ({
          position,
          total,
          leg: { from: position, to: position, arcs: [], cost: 0 },
          predecessor,
        }))
      : cheapestLegs(frontier, positions.arrivals(places[i]!), i === places.length - 1, conditions);
    if (next.length === 0) return undefined;
    frontier = next;
    if (i + 1 < places.length && mayTurnAt(i)) {
      const earliest = next.reduce((best, reached) => (reached.total < best.total ? reached : best));
      frontier = [...next, ...positions.departures(places[i]!).map((position) => ({ ...earliest, position }))];
    }
    history.push(frontier);
  }

  let best = 0;
  for (let i = 1; i < frontier.length; i++) if (frontier[i]!.total < frontier[best]!.total) best = i;
  const cost = frontier[best]?.total;
  if (cost === undefined) return undefined;
  const legs: TripLeg[] = [];
  for (let i = history.length - 1, at = best; i > 0; i--) {
    const reached = history[i]![at]!;
    legs.push(reached.leg!);
    at = reached.predecessor;
  }
  return { legs: legs.reverse(), cost };
}

/** Cheapest legs to each position; at the last point, to at least one. */
function cheapestLegs(
  frontier: readonly FrontierLabel[],
  arriving: readonly SnappedPosition[],
  isLast: boolean,
  conditions: SearchContext,
): TripLabel[] {
  const out = exitsFrom(frontier, conditions);
  // At the last point one search covers all positions, unless a vehicle on the same arc may have to come
  // round to it.
  const inOne =
    isLast && arriving.length > 0 && !arriving.some(({ arc }) => frontier.some(({ position }) => position.arc === arc));
  const reached: TripLabel[] = [];
  for (const to of inOne ? [arriving] : arriving.map((position) => [position])) {
    const found = cheapestLeg(frontier, out, to, conditions);
    if (found) reached.push(found);
  }
  return reached;
}

/** Cheapest leg to any of the positions; several only where none is on an arc of the frontier. */
function cheapestLeg(
  frontier: readonly FrontierLabel[],
  out: ExitSearch | undefined,
  to: readonly SnappedPosition[],
  conditions: SearchContext,
): TripLabel | undefined {
  const { positions, finder } = conditions;
  let total = CLOSED_COST;
  let before = -1;
  let arrival = 0;
  let way: () => number[] = () => [];
  const take = (cost: number, standing: number, position: number, arcs: () => number[]): void => {
    if (cost >= total) return;
    total = cost;
    before = standing;
    arrival = position;
    way = arcs;
  };
  if (to.length === 1)
    frontier.forEach((start, index) =>
      take(start.total + positions.directCost(start.position, to[0]!), index, 0, () => [to[0]!.arc]),
    );
  const into = entriesTo(to, conditions);
  if (out) visitClosedLegs(out, to, into, conditions, take);
  const sources = sourcesOf(frontier, to[0]!.arc, out, conditions);
  const targets = tripTargets(to, into);
  const found = finder.findAny(sources, targets);
  if (found < total) {
    const open = finder.path();
    const source = sources[cheapestOn(sources, open[0]!)]!;
    const target = targets[cheapestOn(targets, open.at(-1)!)]!;
    take(found, source.origin, target.arrival, () => [...source.arcsBefore(), ...open, ...target.arcsAfter()]);
  }
  const start = frontier[before];
  return (
    start && {
      position: to[arrival]!,
      total,
      leg: { from: start.position, to: to[arrival]!, arcs: way(), cost: total - start.total },
      predecessor: before,
    }
  );
}

/**
 * Visits legs without the hierarchy: closed roads from start to end, with no more open road than part of an
 * arc.
 */
function visitClosedLegs(
  out: ExitSearch,
  to: readonly SnappedPosition[],
  into: EntrySearch | undefined,
  { positions }: SearchContext,
  visit: (cost: number, standing: number, position: number, arcs: () => number[]) => void,
): void {
  to.forEach((position, index) => {
    const { arc } = position;
    const cost = positions.arrivalOverClosed(out.cost(arc), position);
    if (cost < CLOSED_COST) visit(cost, out.originOf(arc).origin, index, () => [...out.arcs(out.originOf(arc)), arc]);
  });
  if (!into) return;
  for (const entered of out.reentries) {
    into.visitReentry(entered, (next, cost) =>
      visit(entered.cost + cost, entered.origin, into.targetOf(next).arrival, () => [
        ...out.arcs(entered),
        next,
        ...into.arcs(into.targetOf(next)),
      ]),
    );
  }
}

/**
 * Exits of the labels to open road over closed roads; undefined where no label continues over closed road.
 */
export function exitsFrom(
  standings: readonly FrontierLabel[],
  { positions, closed }: SearchContext,
): ExitSearch | undefined {
  return closed && runToEnd(closed.exits(standings, positions));
}

/** Entries to a point's positions over closed roads; undefined where the point is on open road. */
export function entriesTo(
  to: readonly SnappedPosition[],
  { positions, closed }: SearchContext,
): EntrySearch | undefined {
  return closed && runToEnd(closed.entries(to, positions));
}

interface TripSource extends ArcLabel {
  readonly origin: number;
  /** Arcs before it. */
  readonly arcsBefore: () => number[];
}

interface TripTarget extends ArcLabel {
  readonly arrival: number;
  /** Arcs after it. */
  readonly arcsAfter: () => number[];
}

const noArcs = (): number[] => [];

/**
 * Source labels for the search: usually the vehicle's own arc. Where the target is on that arc, the vehicle
 * comes round, so the arcs after it are the sources; where it continues over closed road, the exits are.
 */
export function sourcesOf(
  frontier: readonly FrontierLabel[],
  target: number,
  out: ExitSearch | undefined,
  { roads, costs, positions }: SearchContext,
): TripSource[] {
  const { turnFirst, turnHead, turnCost } = roads.columns;
  const sources: TripSource[] = [];
  frontier.forEach(({ position, total }, index) => {
    const { arc } = position;
    if (positions.continuesOnClosed(position)) return;
    const end = total + positions.costToEnd(position);
    if (arc !== target) {
      sources.push({ arc, label: end - costs.arc[arc]!, origin: index, arcsBefore: noArcs });
      return;
    }
    for (let turn = turnFirst[arc]!; turn < turnFirst[arc + 1]!; turn++) {
      sources.push({ arc: turnHead[turn]!, label: end + turnCost[turn]!, origin: index, arcsBefore: () => [arc] });
    }
  });
  for (const exit of out?.exits ?? [])
    sources.push({ arc: exit.arc, label: exit.label, origin: exit.origin, arcsBefore: () => out!.arcs(exit) });
  return sources;
}

/** Target labels for the search: the arcs of the positions, or the entries. */
export function tripTargets(to: readonly SnappedPosition[], into: EntrySearch | undefined): TripTarget[] {
  if (into)
    return into.entries.map((entry) => ({
      arc: entry.arc,
      label: entry.label,
      arrival: entry.arrival,
      arcsAfter: () => into.arcs(entry),
    }));
  const ends: TripTarget[] = [];
  to.forEach(({ arc, cost }, arrival) => {
    if (cost < CLOSED_COST) ends.push({ arc, label: cost, arrival, arcsAfter: noArcs });
  });
  return ends;
}

export function cheapestOn(labels: readonly ArcLabel[], arc: number): number {
  let best = -1;
  for (let i = 0; i < labels.length; i++)
    if (labels[i]!.arc === arc && (best < 0 || labels[i]!.label < labels[best]!.label)) best = i;
  return best;
}
