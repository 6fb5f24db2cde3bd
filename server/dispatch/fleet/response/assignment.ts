/**
 * Fills places with candidates, each at most once (rule 4): as many places as possible, then the largest cost as small
 * as possible, then the smallest sum. Exact for every size.
 *
 * The largest cost is found by bisection over the costs, with augmenting paths as the test (Burkard, Dell'Amico,
 * Martello, "Assignment Problems", 2009, section 6.2); the sum among what is below it by successive shortest paths
 * (Ahuja, Magnanti, Orlin, "Network Flows", 1993, section 9.7).
 *
 * @param costs for each place the cost of each candidate; Infinity: it does not fill the place
 * @returns the candidate of each place
 */
export function cheapestAssignment(costs: readonly (readonly number[])[]): (number | undefined)[] {
  const edges = costs.map((row) => cheapest(row, costs.length));
  const size = largestMatching(edges, Infinity);
  if (size === 0) return costs.map(() => undefined);
  const levels = [...new Set(edges.flatMap((row) => row.map(({ cost }) => cost)))].sort((a, b) => a - b);
  let [low, high] = [0, levels.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (largestMatching(edges, levels[middle]!) === size) high = middle;
    else low = middle + 1;
  }
  const limit = levels[low]!;
  return cheapestMatching(
    edges.map((row) => row.filter(({ cost }) => cost <= limit)),
    size,
  );
}

interface Edge {
  readonly candidate: number;
  readonly cost: number;
}

/**
 * The candidates of a place that can matter: as many of its cheapest as there are places. A solution with another one
 * leaves one of these free, and with that one it is no worse.
 */
function cheapest(row: readonly number[], count: number): Edge[] {
  const edges: Edge[] = [];
  for (const [candidate, cost] of row.entries()) if (cost < Infinity) edges.push({ candidate, cost });
  return edges.sort((a, b) => a.cost - b.cost || a.candidate - b.candidate).slice(0, count);
}

/** How many places can be filled within a cost. */
function largestMatching(edges: readonly (readonly Edge[])[], limit: number): number {
  const placeOf = new Map<number, number>();
  const augment = (place: number, visited: Set<number>): boolean => {
    for (const { candidate, cost } of edges[place]!) {
      if (cost > limit || visited.has(candidate)) continue;
      visited.add(candidate);
      const holder = placeOf.get(candidate);
      if (holder === undefined || augment(holder, visited)) {
        placeOf.set(candidate, place);
        return true;
      }
    }
    return false;
  };
  return edges.reduce((size, _, place) => size + Number(augment(place, new Set())), 0);
}

/** The matching of this size with the smallest sum; each shortest path fills one more place. */
function cheapestMatching(edges: readonly (readonly Edge[])[], size: number): (number | undefined)[] {
  const chosen: (Edge | undefined)[] = edges.map(() => undefined);
  const placeOf = new Map<number, number>();
  for (let filled = 0; filled < size; filled++) {
    // Bellman and Ford from the places without a candidate: a candidate in use leads back to its place.
    const reach = edges.map((_, place) => (chosen[place] ? Infinity : 0));
    const came = new Map<number, { readonly from: number; readonly sum: number; readonly edge: Edge }>();
    for (let changed = true; changed;) {
      changed = false;
      for (const [place, row] of edges.entries()) {
        for (const edge of row) {
          const sum = reach[place]! + edge.cost;
          if (edge === chosen[place] || sum >= (came.get(edge.candidate)?.sum ?? Infinity)) continue;
          came.set(edge.candidate, { from: place, sum, edge });
          changed = true;
          const holder = placeOf.get(edge.candidate);
          if (holder !== undefined) reach[holder] = sum - chosen[holder]!.cost;
        }
      }
    }
    let end: number | undefined;
    for (const [candidate, { sum }] of came)
      if (!placeOf.has(candidate) && (end === undefined || sum < came.get(end)!.sum)) end = candidate;
    // Back along the path: each of its places takes the candidate ahead of it and frees the one behind it.
    while (end !== undefined) {
      const { from, edge }: { from: number; edge: Edge } = came.get(end)!;
      const freed: number | undefined = chosen[from]?.candidate;
      chosen[from] = edge;
      placeOf.set(edge.candidate, from);
      end = freed;
    }
  }
  return chosen.map((edge) => edge?.candidate);
}
