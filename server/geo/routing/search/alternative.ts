import type { Roads } from '../../territory/roads/reading.ts';
import type { Engine } from './engine.ts';
import { cheapestOn, tripTargets, sourcesOf, entriesTo, exitsFrom } from './find-trip.ts';
import type { SearchContext, Trip } from './find-trip.ts';
import type { SnappedPosition } from '../snapping/snapped-positions.ts';
import type { RoadPoint } from '../snapping/snapper.ts';

/** Limits of README rule 6, as shares of the best trip: total time, shared time, and the detour. */
const LONGER = 1.15;
const SHARED = 0.75;
const DETOUR = 1.1;
/** Range of the local optimality test on both sides of the via vertex, as a share of the best trip. */
const LOCALLY_BEST = 0.15;
/** Candidates tested, those with the longest plateaus. */
const CANDIDATES = 12;

/**
 * An admissible alternative between two points, or undefined: via vertices and plateaus after Abraham,
 * Delling, Goldberg, Werneck, "Alternative Routes in Road Networks" (2013).
 */
export function findAlternative(
  best: Trip,
  [from, to]: readonly [RoadPoint, RoadPoint],
  conditions: SearchContext & { finder: Engine },
): Trip | undefined {
  const { positions, finder, roads } = conditions;
  const [bestLeg] = best.legs;
  if (!bestLeg || bestLeg.arcs.length < 2) return undefined;
  const starts = positions.departures(from);
  const ends = positions.arrivals(to);
  if (starts.some((start) => ends.some((end) => start.arc === end.arc))) return undefined;
  const standings = starts.map((position) => ({ position, total: 0 }));
  const sources = sourcesOf(standings, -1, exitsFrom(standings, conditions), conditions);
  const targets = tripTargets(ends, entriesTo(ends, conditions));
  if (sources.length === 0 || targets.length === 0) return undefined;

  const known = timesOf(bestLeg.arcs, bestLeg.from, bestLeg.to, conditions);
  const onBest = new Set(bestLeg.arcs);
  const search = finder.viaSearch;
  const candidates: (AlternativeCandidate & { trip: Trip; rank: number })[] = [];
  for (const { cost, first, last, vertices } of search
    .plateaus(sources, targets, Math.floor(best.cost * LONGER), (arc) => onBest.has(arc))
    .slice(0, CANDIDATES)) {
    const middle = vertices.reduce((a, b) =>
      Math.abs(b.ahead * 2 - first - last) < Math.abs(a.ahead * 2 - first - last) ? b : a,
    );
    const open = search.pathOver(middle.vertex);
    const source = sources[cheapestOn(sources, open.arcs[0]!)]!;
    const target = targets[cheapestOn(targets, open.arcs.at(-1)!)]!;
    const before = source.arcsBefore();
    const arcs = [...before, ...open.arcs, ...target.arcsAfter()];
    if (visitsTwice(arcs, roads)) continue;
    const start = starts[source.origin]!;
    const end = ends[target.arrival]!;
    const times = timesOf(arcs, start, end, conditions);
    let common = 0;
    for (let i = 0; i < arcs.length; i++) if (onBest.has(arcs[i]!)) common += times[i + 1]! - Math.max(0, times[i]!);
    if (common > best.cost * SHARED || !isDetourShort(arcs, times, bestLeg.arcs, known)) continue;
    candidates.push({
      trip: { cost, legs: [{ from: start, to: end, arcs, cost }] },
      arcs,
      times,
      via: before.length + open.via,
      first: before.length,
      last: before.length + open.arcs.length - 1,
      rank: 2 * cost + common,
    });
  }
  candidates.sort((a, b) => a.rank - b.rank);
  return candidates.find((candidate) => isLocallyBest(candidate, best.cost * LOCALLY_BEST, finder))?.trip;
}

interface AlternativeCandidate {
  readonly arcs: readonly number[];
  readonly times: Float64Array;
  readonly via: number;
  /** First and last arc found by the hierarchy; before and after them are closed roads of the ends. */
  readonly first: number;
  readonly last: number;
}

/**
 * Time at the beginning of each arc, below zero for a trip that starts inside the first; last, the arrival.
 */
function timesOf(
  arcs: readonly number[],
  from: SnappedPosition,
  to: SnappedPosition,
  { costs, positions, roads }: SearchContext,
): Float64Array {
  const costOf = (arc: number): number => (positions.isClosedArc(arc) ? positions.drivenCosts : costs.arc)[arc]!;
  const times = new Float64Array(arcs.length + 1);
  times[0] = positions.costToEnd(from) - costOf(from.arc);
  for (let i = 1; i < arcs.length; i++)
    times[i] = times[i - 1]! + costOf(arcs[i - 1]!) + roads.turnBetween(arcs[i - 1]!, arcs[i]!);
  times[arcs.length] = times[arcs.length - 1]! + positions.costBetween(to.arc, 0, to.at);
  return times;
}

/** Whether the stretch between leaving and rejoining the best trip is hardly longer than the replaced one. */
function isDetourShort(
  arcs: readonly number[],
  times: Float64Array,
  best: readonly number[],
  known: Float64Array,
): boolean {
  const shorter = Math.min(arcs.length, best.length);
  let before = 0;
  while (before < shorter && arcs[before] === best[before]) before++;
  let after = 0;
  while (after < shorter - before && arcs[arcs.length - 1 - after] === best[best.length - 1 - after]) after++;
  const stretch = (all: Float64Array, count: number): number => all[count - after]! - Math.max(0, all[before]!);
  return stretch(times, arcs.length) <= stretch(known, best.length) * DETOUR;
}

/** Whether a path uses a road or a node twice. */
function visitsTwice(arcs: readonly number[], roads: Roads): boolean {
  const segments = new Set<number>();
  const nodes = new Set<number>();
  for (const arc of arcs) {
    if (segments.has(arc >> 1) || nodes.has(roads.head(arc))) return true;
    segments.add(arc >> 1);
    nodes.add(roads.head(arc));
  }
  return false;
}

/**
 * T-test of local optimality: no path between the points `reach` before and after the via vertex is faster.
 * Both points are moved to the beginnings of arcs; closed roads at the ends are left out.
 */
function isLocallyBest(
  { arcs, times, via, first, last }: AlternativeCandidate,
  reach: number,
  finder: Engine,
): boolean {
  let start = via;
  while (start > first && times[via]! - times[start]! < reach) start--;
  let end = via;
  while (end < last && times[end + 1]! - times[via]! <= reach) end++;
  return finder.find([{ arc: arcs[start]!, label: 0 }], arcs[end]!) === times[end]! - times[start]!;
}
