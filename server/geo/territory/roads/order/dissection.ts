import { lonDifference } from '../../geometry/geodesy.ts';
import { EdgeCutter } from './edge-cutter.ts';
import type { Cell } from './edge-cutter.ts';
import type { Segments } from '../graph/join-segments.ts';
import { isOpenArc } from '../graph/turns.ts';

/** Cells with at most this many nodes are not cut any further. */
const SMALLEST = 3;

/**
 * The order in which arcs are contracted, least important first, by nested dissection (George, "Nested
 * dissection of a regular finite element mesh", 1973): the junctions are cut in two by few roads, the arcs of
 * these roads are the most important ones, and each half is ordered likewise. Two arcs in different halves
 * share no junction, so the cut roads separate the turn-aware graph as well (Buchhold, Wagner, Zeitz,
 * Zündorf, "Customizable Contraction Hierarchies with Turn Costs", 2020). Depends on the shape of the roads
 * only.
 */
export function contractionOrder(
  segments: Segments,
  nodeLat: Int32Array,
  nodeLon: Int32Array,
  report: (done: number) => void = () => {},
): Uint32Array {
  const { first, shape, count } = segments;
  const order = new Uint32Array(count * 2);
  // Ranks are given from the top: a cut ranks above the parts that it separates.
  let next = order.length;
  const rank = (segment: number): void => {
    order[--next] = segment * 2 + 1;
    order[--next] = segment * 2;
  };

  const local = new Int32Array(nodeLat.length).fill(-1);
  const junctions: number[] = [];
  const from = new Uint32Array(count);
  const to = new Uint32Array(count);
  const number = (node: number): number => {
    if (local[node]! < 0) {
      local[node] = junctions.length;
      junctions.push(node);
    }
    return local[node]!;
  };
  const edges: number[] = [];
  const loops: number[] = [];
  for (let segment = 0; segment < count; segment++) {
    from[segment] = number(shape[first[segment]!]!);
    to[segment] = number(shape[first[segment + 1]! - 1]!);
    if (from[segment] === to[segment] || !(isOpenArc(segments, segment * 2) || isOpenArc(segments, segment * 2 + 1)))
      loops.push(segment);
    else edges.push(segment);
  }

  const x = new Float64Array(junctions.length);
  const y = new Float64Array(junctions.length);
  const middle = nodeLon.length > 0 ? nodeLon[0]! : 0;
  for (let j = 0; j < junctions.length; j++) {
    y[j] = nodeLat[junctions[j]!]!;
    x[j] = lonDifference(middle, nodeLon[junctions[j]!]!) * Math.cos((y[j]! * 1e-6 * Math.PI) / 180);
  }

  const cutter = new EdgeCutter(x, y, from, to, edges.length);
  const cells: Cell[] = [{ nodes: Uint32Array.from(junctions.keys()), edges: Uint32Array.from(edges) }];
  let ranked = 0;
  while (cells.length > 0) {
    const cell = cells.pop()!;
    if (cell.nodes.length <= SMALLEST || cell.edges.length <= 2) {
      for (const edge of cell.edges) rank(edge);
      ranked += cell.edges.length;
      continue;
    }
    const { cut, halves } = cutter.cut(cell);
    for (const edge of cut) rank(edge);
    ranked += cut.length;
    for (const half of halves) if (half.edges.length > 0) cells.push(half);
    if ((ranked & 63) === 0) report(ranked / edges.length);
  }
  // A loop touches only the roads at its own junction: contracted first, it adds nothing to the others.
  for (const segment of loops) rank(segment);
  return order;
}
