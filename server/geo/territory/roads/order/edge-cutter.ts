import { UnitFlow } from './unit-flow.ts';

/**
 * Part of a road network. Both lists are views of longer ones, so dividing a cell means sorting its part of
 * them.
 */
export interface Cell {
  readonly nodes: Uint32Array;
  readonly edges: Uint32Array;
}

/** Share of the nodes at each end that a cut may not divide. */
const BALANCE = 0.25;
const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [0.7, 0.7],
  [0.7, -0.7],
] as const;

/**
 * Cuts a road network in two by few edges: inertial flow (Schild and Sommer, "On Balanced Separators in Road
 * Networks", 2015). Along each of four directions the quarter of the nodes that comes first and the quarter
 * that comes last are held apart by a least cut, found as a maximum flow; the smallest of the four is taken,
 * the more even one where they are equal.
 */
export class EdgeCutter {
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  readonly #from: Uint32Array;
  readonly #to: Uint32Array;
  /** Number of a node within the current cell, and the ends of its edges in such numbers. */
  readonly #number: Uint32Array;
  readonly #localFrom: Uint32Array;
  readonly #localTo: Uint32Array;
  readonly #place: Float64Array;
  readonly #parted: Float64Array;
  readonly #side: Uint8Array;
  readonly #moved: Uint32Array;
  readonly #flow: UnitFlow;

  /** `x`, `y` by node, ends by edge; `maxEdges` is that of the largest cell. */
  constructor(x: Float64Array, y: Float64Array, from: Uint32Array, to: Uint32Array, maxEdges: number) {
    this.#x = x;
    this.#y = y;
    this.#from = from;
    this.#to = to;
    this.#number = new Uint32Array(x.length);
    this.#localFrom = new Uint32Array(maxEdges);
    this.#localTo = new Uint32Array(maxEdges);
    this.#place = new Float64Array(x.length);
    this.#parted = new Float64Array(x.length);
    this.#side = new Uint8Array(x.length);
    this.#moved = new Uint32Array(Math.max(x.length, maxEdges));
    this.#flow = new UnitFlow(x.length, maxEdges);
  }

  /** Reorders the cell's lists: those of one half, then those of the other, and the cut edges last. */
  cut(cell: Cell): { halves: [Cell, Cell]; cut: Uint32Array } {
    const { nodes, edges } = cell;
    const count = nodes.length;
    const place = this.#place;
    this.#load(cell);
    let bestCut = Infinity;
    let bestSmaller = 0;
    const ends = Math.max(1, Math.floor(count * BALANCE));
    for (const [dx, dy] of DIRECTIONS) {
      for (let i = 0; i < count; i++) place[i] = this.#x[nodes[i]!]! * dx + this.#y[nodes[i]!]! * dy;
      for (let i = 0; i < count; i++) this.#parted[i] = place[i]!;
      let low = nth(this.#parted, 0, count - 1, ends - 1);
      let high = nth(this.#parted, ends, count - 1, count - ends);
      if (low >= high) {
        // If too many share one coordinate, their index replaces it.
        for (let i = 0; i < count; i++) place[i] = i;
        low = ends - 1;
        high = count - ends;
      }
      const size = this.#flow.least(place, low, high, bestCut);
      if (size > bestCut) continue;
      const { side, size: sideSize } = this.#flow.evenSide();
      const smaller = Math.min(sideSize, count - sideSize);
      if (size === bestCut && smaller <= bestSmaller) continue;
      for (let i = 0; i < count; i++) this.#side[i] = side[i]!;
      bestCut = size;
      bestSmaller = smaller;
      if (size === 0) break;
    }
    const [firstEdges, secondEdges] = this.#divideEdges(edges);
    const firstNodes = this.#divideNodes(nodes);
    return {
      halves: [
        { nodes: nodes.subarray(0, firstNodes), edges: edges.subarray(0, firstEdges) },
        { nodes: nodes.subarray(firstNodes), edges: edges.subarray(firstEdges, secondEdges) },
      ],
      cut: edges.subarray(secondEdges),
    };
  }

  #load({ nodes, edges }: Cell): void {
    for (let i = 0; i < nodes.length; i++) this.#number[nodes[i]!] = i;
    for (let i = 0; i < edges.length; i++) {
      this.#localFrom[i] = this.#number[this.#from[edges[i]!]!]!;
      this.#localTo[i] = this.#number[this.#to[edges[i]!]!]!;
    }
    this.#flow.load(nodes.length, edges.length, this.#localFrom, this.#localTo);
  }

  /** Where the second half's edges begin and where they end. */
  #divideEdges(edges: Uint32Array): [second: number, cut: number] {
    const side = this.#side;
    const moved = this.#moved;
    let first = 0;
    let second = 0;
    let cut = edges.length;
    // The first half's go to their place at once, the others wait: the second half's from the front, the cut
    // ones, backwards, from the end.
    for (let i = 0; i < edges.length; i++) {
      const half = side[this.#localFrom[i]!]!;
      if (half !== side[this.#localTo[i]!]!) moved[--cut] = edges[i]!;
      else if (half === 0) edges[first++] = edges[i]!;
      else moved[second++] = edges[i]!;
    }
    edges.set(moved.subarray(0, second), first);
    for (let i = first + second, from = edges.length; i < edges.length; i++) edges[i] = moved[--from]!;
    return [first, first + second];
  }

  /** Where the second half's nodes begin. */
  #divideNodes(nodes: Uint32Array): number {
    let first = 0;
    let second = 0;
    for (let i = 0; i < nodes.length; i++) {
      if (this.#side[i] === 0) nodes[first++] = nodes[i]!;
      else this.#moved[second++] = nodes[i]!;
    }
    nodes.set(this.#moved.subarray(0, second), first);
    return first;
  }
}

/**
 * The value at position `n` if `values[first]` … `values[last]` were sorted; afterwards none before it is
 * greater and none behind it smaller (Hoare, "Algorithm 65: Find", 1961).
 */
function nth(values: Float64Array, first: number, last: number, n: number): number {
  while (first < last) {
    const pivot = values[(first + last) >> 1]!;
    let i = first;
    let j = last;
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i > j) break;
      const swapped = values[i]!;
      values[i++] = values[j]!;
      values[j--] = swapped;
    }
    if (n <= j) last = j;
    else if (n >= i) first = i;
    else break;
  }
  return values[n]!;
}
