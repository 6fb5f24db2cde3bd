import { expect } from 'vitest';
import type { Dijkstra } from '../dijkstra.ts';
import type { SearchContext, Trip } from '../../../../../server/geo/routing/search/find-trip.ts';

interface Step {
  readonly arc: number;
  /** Tenths of a second of what is driven of the arc. */
  readonly cost: number;
}

/**
 * Checks an alternative against each limit of README rule 6, computed again arc by arc. `oracle` searches the
 * same roads at the same costs by plain Dijkstra.
 */
export function expectGoodAlternative(
  other: Trip,
  best: Trip,
  { roads, costs, positions }: Omit<SearchContext, 'finder'>,
  oracle: Dijkstra,
  saying: string,
): void {
  const turn = (from: number, to: number): number => roads.turnBetween(from, to);
  const driven = ({ legs: [leg] }: Trip): Step[] =>
    leg!.arcs.map((arc, k, arcs) => ({
      arc,
      cost:
        k === 0
          ? positions.costToEnd(leg!.from)
          : k === arcs.length - 1
            ? positions.costBetween(arc, 0, leg!.to.at)
            : positions.drivenCosts[arc]!,
    }));
  const sum = (steps: readonly Step[]): number =>
    steps.reduce((total, { arc, cost }, k) => total + cost + (k > 0 ? turn(steps[k - 1]!.arc, arc) : 0), 0);
  const [usual, way] = [driven(best), driven(other)];
  expect(sum(usual), saying).toBe(best.cost);
  expect(sum(way), saying).toBe(other.cost);
  expect(other.cost, `${saying}: not quicker than the best`).toBeGreaterThanOrEqual(best.cost);
  expect(other.cost, `${saying}: at most 15 % longer`).toBeLessThanOrEqual(best.cost * 1.15);

  const onBest = new Set(usual.map(({ arc }) => arc));
  let shared = 0;
  way.forEach(({ arc, cost }, k) => {
    if (onBest.has(arc)) shared += cost + (k > 0 && onBest.has(way[k - 1]!.arc) ? turn(way[k - 1]!.arc, arc) : 0);
  });
  expect(shared, `${saying}: shares at most three quarters`).toBeLessThanOrEqual(best.cost * 0.75);

  const leaves = way.findIndex(({ arc }, k) => arc !== usual[k]?.arc);
  const joins = way.findIndex((_, k) =>
    way.slice(k).every(({ arc }, l) => arc === usual[usual.length - way.length + k + l]?.arc),
  );
  const end = joins < 0 ? way.length : joins;
  const detour = sum(way.slice(leaves, end));
  const replaced = sum(usual.slice(leaves, usual.length - way.length + end));
  // The turns at both ends of the part belong to it too.
  const turns = (steps: readonly Step[], last: number): number =>
    (leaves > 0 ? turn(steps[leaves - 1]!.arc, steps[leaves]!.arc) : 0) +
    (last < steps.length ? turn(steps[last - 1]!.arc, steps[last]!.arc) : 0);
  expect(detour, `${saying}: the detour is at most a tenth longer`).toBeLessThanOrEqual(
    (replaced + turns(usual, usual.length - way.length + end)) * 1.1,
  );

  const arcs = way.map(({ arc }) => arc);
  expect(new Set(arcs.map((arc) => arc >> 1)).size, `${saying}: no road twice`).toBe(arcs.length);
  expect(isLocallyBestSomewhere(), `${saying}: locally best`).toBe(true);

  /**
   * Whether over some road that the best way does not use, the way is the quickest there is from 15 % before
   * it to 15 % after it; closed roads at its ends are as they are.
   */
  function isLocallyBestSomewhere(): boolean {
    const reach = best.cost * 0.15;
    const opens = arcs.findIndex((arc) => !positions.isClosedArc(arc));
    // Open pieces of closed roads alone: there is no whole open road that a quicker one could replace.
    if (opens < 0) return true;
    const closes = arcs.findIndex((arc, k) => k > opens && positions.isClosedArc(arc));
    const stop = closes < 0 ? arcs.length - 1 : closes;
    return arcs.some((via, k) => {
      if (k < opens || k > stop || onBest.has(via)) return false;
      let [before, first] = [0, k];
      while (first > opens && before < reach)
        before += costs.arc[arcs[--first]!]! + turn(arcs[first]!, arcs[first + 1]!);
      let [after, last] = [0, k];
      while (last < stop) {
        const next = after + costs.arc[arcs[last]!]! + turn(arcs[last]!, arcs[last + 1]!);
        if (next > reach) break;
        [after, last] = [next, last + 1];
      }
      return oracle.find([{ arc: arcs[first]!, label: 0 }], arcs[last]!) === before + after;
    });
  }
}
