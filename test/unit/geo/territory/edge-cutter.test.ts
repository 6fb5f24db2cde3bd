import { expect, test } from 'vitest';
import { EdgeCutter } from '../../../../server/geo/territory/roads/order/edge-cutter.ts';
import { SEED, numbers } from '../../../support/chance.ts';

interface Network {
  x: Float64Array;
  y: Float64Array;
  from: Uint32Array;
  to: Uint32Array;
}

/** Some nodes strewn over a square, and roads between any two of them, also several between the same two. */
function networkOf(chance: () => number): Network {
  const nodes = 4 + Math.floor(chance() * 7);
  const edges = 3 + Math.floor(chance() * 16);
  const network: Network = {
    x: Float64Array.from({ length: nodes }, () => Math.floor(chance() * 6)),
    y: Float64Array.from({ length: nodes }, () => Math.floor(chance() * 6)),
    from: new Uint32Array(edges),
    to: new Uint32Array(edges),
  };
  for (let e = 0; e < edges; e++) {
    network.from[e] = Math.floor(chance() * nodes);
    network.to[e] = (network.from[e]! + 1 + Math.floor(chance() * (nodes - 1))) % nodes;
  }
  return network;
}

/**
 * The fewest edges that hold the ends of one of the four directions apart, by trying every division of the
 * nodes.
 */
function fewest({ x, y, from, to }: Network): number {
  const nodes = x.length;
  const ends = Math.max(1, Math.floor(nodes / 4));
  let least = Infinity;
  for (const [dx, dy] of [
    [1, 0],
    [0, 1],
    [0.7, 0.7],
    [0.7, -0.7],
  ] as const) {
    let place = Array.from(x, (_, n) => x[n]! * dx + y[n]! * dy);
    const sorted = [...place].sort((a, b) => a - b);
    let low = sorted[ends - 1]!,
      high = sorted[nodes - ends]!;
    if (low >= high) [place, low, high] = [place.map((_, n) => n), ends - 1, nodes - ends];
    for (let side = 0; side < 2 ** nodes; side++) {
      if (place.some((at, n) => (at <= low && ((side >> n) & 1) === 0) || (at >= high && ((side >> n) & 1) === 1)))
        continue;
      let cut = 0;
      from.forEach((a, e) => {
        if (((side >> a) & 1) !== ((side >> to[e]!) & 1)) cut++;
      });
      least = Math.min(least, cut);
    }
  }
  return least;
}

test('a network is cut by as few roads as can be, and nothing of it is lost', () => {
  const chance = numbers(SEED);
  for (let round = 0; round < 150; round++) {
    const network = networkOf(chance);
    const { x, y, from, to } = network;
    const nodes = Uint32Array.from(x.keys());
    const edges = Uint32Array.from(from.keys());
    const { halves, cut } = new EdgeCutter(x, y, from, to, edges.length).cut({ nodes, edges });
    const [one, other] = halves.map((half) => new Set(half.nodes));
    const context = `round ${round}`;
    expect(
      [...one!, ...other!].sort((a, b) => a - b),
      context,
    ).toEqual([...x.keys()]);
    expect(
      [...halves[0].edges, ...halves[1].edges, ...cut].sort((a, b) => a - b),
      context,
    ).toEqual([...from.keys()]);
    expect(
      halves.every((half, h) =>
        half.edges.every((edge) => [one!, other!][h]!.has(from[edge]!) && [one!, other!][h]!.has(to[edge]!)),
      ),
      context,
    ).toBe(true);
    expect(
      cut.every((edge) => one!.has(from[edge]!) !== one!.has(to[edge]!)),
      context,
    ).toBe(true);
    expect(cut.length, context).toBe(fewest(network));
    for (const half of halves)
      expect(half.nodes.length, context).toBeGreaterThanOrEqual(Math.max(1, Math.floor(x.length / 4)));
  }
});

test('one cutter cuts one cell after the other', () => {
  // Three towns in a row, each a triangle, joined by one road each.
  const x = Float64Array.of(0, 1, 1, 10, 11, 11, 20, 21, 21);
  const y = Float64Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1);
  const roads = [
    [0, 1],
    [1, 2],
    [2, 0],
    [3, 4],
    [4, 5],
    [5, 3],
    [6, 7],
    [7, 8],
    [8, 6],
    [1, 3],
    [4, 6],
  ] as const;
  const cutter = new EdgeCutter(
    x,
    y,
    Uint32Array.from(roads, ([a]) => a),
    Uint32Array.from(roads, ([, b]) => b),
    roads.length,
  );
  const whole = cutter.cut({ nodes: Uint32Array.from(x.keys()), edges: Uint32Array.from(roads.keys()) });
  const two = whole.halves.find((half) => half.nodes.length === 6)!;
  expect(whole.cut.length).toBe(1);
  const rest = cutter.cut(two);
  expect([...whole.cut, ...rest.cut].sort((a, b) => a - b)).toEqual([9, 10]);
});
