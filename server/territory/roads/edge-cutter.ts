export interface Cell {
  nodes: Uint32Array;
  edges: Uint32Array;
}

/** Part of the nodes at each end that a cut may not divide; the rest is where it is looked for. */
const BALANCE = 0.25;

/**
 * Cuts a road network in two by few edges: inertial flow (Schild and Sommer, "On Balanced Separators in Road Networks", 2015). Along each of four
 * directions the quarter of the nodes that comes first and the quarter that comes last are held apart by a least cut, found as a maximum flow
 * (Dinic, 1970, with capacity one in either direction); the smallest of the four is taken, the more even one where they are equal.
 */
export class EdgeCutter {
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  readonly #from: Uint32Array;
  readonly #to: Uint32Array;
  /** Number of a node within the cell at hand. */
  readonly #number: Int32Array;

  constructor(x: Float64Array, y: Float64Array, from: Uint32Array, to: Uint32Array) {
    this.#x = x;
    this.#y = y;
    this.#from = from;
    this.#to = to;
    this.#number = new Int32Array(x.length);
  }

  cut(nodes: Uint32Array, edges: Uint32Array): { cut: number[]; halves: Cell[] } {
    const flow = new UnitFlow(nodes.length, this.#locally(nodes, edges));
    let best: Uint8Array | undefined;
    let bestCut = Infinity;
    let bestSmaller = 0;
    const place = new Float64Array(nodes.length);
    const sorted = new Float64Array(nodes.length);
    const ends = Math.max(1, Math.floor(nodes.length * BALANCE));
    for (const [dx, dy] of [[1, 0], [0, 1], [0.7, 0.7], [0.7, -0.7]] as const) {
      for (let i = 0; i < nodes.length; i++) place[i] = this.#x[nodes[i]!]! * dx + this.#y[nodes[i]!]! * dy;
      sorted.set(place);
      sorted.sort();
      const low = sorted[ends - 1]!;
      const high = sorted[nodes.length - ends]!;
      // Where so many lie in one place that nothing is in between, their number stands for their place.
      if (low >= high) for (let i = 0; i < nodes.length; i++) place[i] = i;
      const size = low >= high ? flow.least(place, ends - 1, nodes.length - ends, bestCut) : flow.least(place, low, high, bestCut);
      if (size > bestCut) continue;
      const side = flow.evenSide();
      const smaller = Math.min(flow.sideSize, nodes.length - flow.sideSize);
      if (size === bestCut && smaller <= bestSmaller) continue;
      best = side.slice();
      bestCut = size;
      bestSmaller = smaller;
      if (size === 0) break;
    }
    return this.#divide(nodes, edges, best!);
  }

  /** Ends of the edges, numbered within the cell. */
  #locally(nodes: Uint32Array, edges: Uint32Array): { from: Int32Array; to: Int32Array } {
    for (let i = 0; i < nodes.length; i++) this.#number[nodes[i]!] = i;
    const from = new Int32Array(edges.length);
    const to = new Int32Array(edges.length);
    for (let i = 0; i < edges.length; i++) {
      from[i] = this.#number[this.#from[edges[i]!]!]!;
      to[i] = this.#number[this.#to[edges[i]!]!]!;
    }
    return { from, to };
  }

  #divide(nodes: Uint32Array, edges: Uint32Array, side: Uint8Array): { cut: number[]; halves: Cell[] } {
    const sideOf = (node: number): number => side[this.#number[node]!]!;
    const cut: number[] = [];
    const kept: [number[], number[]] = [[], []];
    for (const edge of edges) {
      const half = sideOf(this.#from[edge]!);
      if (half === sideOf(this.#to[edge]!)) kept[half]!.push(edge);
      else cut.push(edge);
    }
    const halves = kept.map((inside, half) => ({ nodes: nodes.filter((node) => sideOf(node) === half), edges: Uint32Array.from(inside) }));
    return { cut, halves };
  }
}

/** Maximum flow between two sets of nodes over undirected edges of capacity one. */
class UnitFlow {
  readonly #nodes: number;
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  readonly #first: Int32Array;
  readonly #incident: Int32Array;
  /** 1: from `from` to `to`, -1: back, 0: none. */
  readonly #flow: Int8Array;
  readonly #level: Int32Array;
  readonly #cursor: Int32Array;
  readonly #queue: Int32Array;
  readonly #isSource: Uint8Array;
  readonly #isSink: Uint8Array;
  readonly #side: Uint8Array;
  sideSize = 0;

  constructor(nodes: number, { from, to }: { from: Int32Array; to: Int32Array }) {
    this.#nodes = nodes;
    this.#from = from;
    this.#to = to;
    this.#first = new Int32Array(nodes + 1);
    for (let e = 0; e < from.length; e++) {
      this.#first[from[e]! + 1]!++;
      this.#first[to[e]! + 1]!++;
    }
    for (let n = 0; n < nodes; n++) this.#first[n + 1]! += this.#first[n]!;
    const next = this.#first.slice();
    this.#incident = new Int32Array(from.length * 2);
    for (let e = 0; e < from.length; e++) {
      this.#incident[next[from[e]!]!++] = e;
      this.#incident[next[to[e]!]!++] = e;
    }
    this.#flow = new Int8Array(from.length);
    this.#level = new Int32Array(nodes);
    this.#cursor = new Int32Array(nodes);
    this.#queue = new Int32Array(nodes);
    this.#isSource = new Uint8Array(nodes);
    this.#isSink = new Uint8Array(nodes);
    this.#side = new Uint8Array(nodes);
  }

  /**
   * Size of a least cut between the nodes whose place is up to `low` and those from `high`; something greater than `enough` as soon as it is known to
   * be greater.
   */
  least(place: Float64Array, low: number, high: number, enough: number): number {
    this.#flow.fill(0);
    for (let n = 0; n < this.#nodes; n++) {
      this.#isSource[n] = place[n]! <= low ? 1 : 0;
      this.#isSink[n] = place[n]! >= high ? 1 : 0;
    }
    let flow = 0;
    while (flow <= enough && this.#levels()) {
      for (let n = 0; n < this.#nodes; n++) this.#cursor[n] = this.#first[n]!;
      for (let n = 0; n < this.#nodes && flow <= enough; n++) {
        if (!this.#isSource[n]) continue;
        while (flow <= enough && this.#augment(n)) flow++;
      }
    }
    return flow;
  }

  /** After `least`: 1 for the nodes on the source's side, of the two extreme least cuts the one that divides more evenly. */
  evenSide(): Uint8Array {
    const fromSources = this.#reach(this.#isSource, 1);
    const fromSinks = this.#reach(this.#isSink, -1);
    if (Math.min(fromSources, this.#nodes - fromSources) >= Math.min(fromSinks, this.#nodes - fromSinks)) {
      this.sideSize = this.#reach(this.#isSource, 1);
    } else {
      this.sideSize = this.#nodes - fromSinks;
      for (let n = 0; n < this.#nodes; n++) this.#side[n] = this.#side[n] ? 0 : 1;
    }
    return this.#side;
  }

  #levels(): boolean {
    const level = this.#level.fill(-1);
    let end = 0;
    for (let n = 0; n < this.#nodes; n++) {
      if (!this.#isSource[n]) continue;
      level[n] = 0;
      this.#queue[end++] = n;
    }
    let reached = false;
    for (let at = 0; at < end; at++) {
      const node = this.#queue[at]!;
      for (let i = this.#first[node]!; i < this.#first[node + 1]!; i++) {
        const edge = this.#incident[i]!;
        const other = this.#from[edge] === node ? this.#to[edge]! : this.#from[edge]!;
        if (level[other]! >= 0 || !this.#hasRoom(edge, node)) continue;
        level[other] = level[node]! + 1;
        if (this.#isSink[other]) reached = true;
        else if (!reached) this.#queue[end++] = other;
      }
    }
    return reached;
  }

  /** Sends one unit down the levels, without recursion: paths are as long as the cell is wide. */
  #augment(source: number): boolean {
    const path = this.#queue;
    let depth = 0;
    let node = source;
    for (;;) {
      if (this.#isSink[node]) break;
      let advanced = false;
      for (; this.#cursor[node]! < this.#first[node + 1]!; this.#cursor[node]!++) {
        const edge = this.#incident[this.#cursor[node]!]!;
        const other = this.#from[edge] === node ? this.#to[edge]! : this.#from[edge]!;
        if (this.#level[other] !== this.#level[node]! + 1 || !this.#hasRoom(edge, node)) continue;
        path[depth++] = edge;
        node = other;
        advanced = true;
        break;
      }
      if (advanced) continue;
      if (depth === 0) return false;
      const edge = path[--depth]!;
      node = this.#from[edge] === node ? this.#to[edge]! : this.#from[edge]!;
      this.#cursor[node]!++;
    }
    for (let i = depth - 1; i >= 0; i--) {
      const edge = path[i]!;
      if (this.#to[edge] === node) {
        this.#flow[edge]!++;
        node = this.#from[edge]!;
      } else {
        this.#flow[edge]!--;
        node = this.#to[edge]!;
      }
    }
    return true;
  }

  #hasRoom(edge: number, node: number): boolean {
    return this.#from[edge] === node ? this.#flow[edge]! < 1 : this.#flow[edge]! > -1;
  }

  /** Marks in `side` what has room from the marked nodes (`way` 1) or toward them (-1); returns how many. */
  #reach(start: Uint8Array, way: 1 | -1): number {
    const side = this.#side.fill(0);
    let end = 0;
    for (let n = 0; n < this.#nodes; n++) {
      if (!start[n]) continue;
      side[n] = 1;
      this.#queue[end++] = n;
    }
    for (let at = 0; at < end; at++) {
      const node = this.#queue[at]!;
      for (let i = this.#first[node]!; i < this.#first[node + 1]!; i++) {
        const edge = this.#incident[i]!;
        const other = this.#from[edge] === node ? this.#to[edge]! : this.#from[edge]!;
        if (side[other] || !this.#hasRoom(edge, way === 1 ? node : other)) continue;
        side[other] = 1;
        this.#queue[end++] = other;
      }
    }
    return end;
  }
}
