import type { Instruction } from './trip-drawer.ts';

/**
 * The two names of a route: the road with the longest stretch, and the longest other one that the alternative
 * lacks, in travel order; 0 where missing.
 */
export function routeNames(rows: readonly Instruction[], others: readonly Instruction[] | undefined): [number, number] {
  const longest = (fits: (row: Instruction) => boolean): Instruction | undefined => {
    let best: Instruction | undefined;
    for (const row of rows) if (row.name !== 0 && (!best || row.distance > best.distance) && fits(row)) best = row;
    return best;
  };
  const first = longest(() => true);
  const second = longest((row) => row.name !== first?.name && !others?.some(({ name }) => name === row.name));
  if (!first || !second) return [first?.name ?? 0, 0];
  return first.vertex <= second.vertex ? [first.name, second.name] : [second.name, first.name];
}
