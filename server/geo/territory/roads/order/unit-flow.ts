/**
 * Maximum flow between two sets of nodes over undirected edges of capacity one (Dinic, "Algorithm for
 * solution of a problem of maximum flow in networks with power estimation", 1970). One is made for the
 * largest network and loaded with one after the other: to make its arrays again for thousands of small ones
 * would take longer than the flows.
 */
export class UnitFlow {
  /** Of the network that is loaded. */
  #nodes = 0;
  #arcs = 0;
  /**
   * Arcs that leave node `n`: `first[n]` up to `first[n + 1]`. Every edge is two arcs, each the other's twin.
   */
  readonly #first: Uint32Array;
  readonly #head: Uint32Array;
  readonly #twin: Uint32Array;
  /** Residual capacity of an arc: 0, 1 or, against a flow, 2. */
  readonly #room: Uint8Array;
  readonly #kind: Uint8Array;
  /** Sources, then sinks, with a neighbour of another kind; the others do not matter for the flow. */
  readonly #frontier: Uint32Array;
  #sources = 0;
  #sinks = 0;
  #sourceFrontier = 0;
  #sinkFrontier = 0;
  readonly #level: Int32Array;
  readonly #cursor: Uint32Array;
  readonly #queue: Uint32Array;
  readonly #fromSources: Uint8Array;
  readonly #towardSinks: Uint8Array;

  constructor(maxNodes: number, maxEdges: number) {
    this.#first = new Uint32Array(maxNodes + 2);
    this.#head = new Uint32Array(maxEdges * 2);
    this.#twin = new Uint32Array(maxEdges * 2);
    this.#room = new Uint8Array(maxEdges * 2);
    this.#kind = new Uint8Array(maxNodes);
    this.#frontier = new Uint32Array(maxNodes);
    this.#level = new Int32Array(maxNodes);
    this.#cursor = new Uint32Array(maxNodes);
    this.#queue = new Uint32Array(maxNodes);
    this.#fromSources = new Uint8Array(maxNodes);
    this.#towardSinks = new Uint8Array(maxNodes);
  }

  /**
   * Loads a network of `nodes` nodes, numbered from 0; the first `edges` entries of `from` and `to` are its
   * edges, without loops.
   */
  load(nodes: number, edges: number, from: Uint32Array, to: Uint32Array): void {
    this.#nodes = nodes;
    this.#arcs = edges * 2;
    // Counted two positions ahead, so that filling leaves each node's own start behind.
    const first = this.#first.fill(0, 0, nodes + 2);
    for (let e = 0; e < edges; e++) {
      first[from[e]! + 2]!++;
      first[to[e]! + 2]!++;
    }
    for (let n = 2; n < nodes + 2; n++) first[n]! += first[n - 1]!;
    for (let e = 0; e < edges; e++) {
      const there = first[from[e]! + 1]!++;
      const back = first[to[e]! + 1]!++;
      this.#head[there] = to[e]!;
      this.#head[back] = from[e]!;
      this.#twin[there] = back;
      this.#twin[back] = there;
    }
  }

  /**
   * Size of a least cut between the nodes with a position up to `low` and those from `high`; a greater number
   * than `enough` as soon as it must exceed that.
   */
  least(place: Float64Array, low: number, high: number, enough: number): number {
    this.#room.fill(1, 0, this.#arcs);
    this.#place(place, low, high);
    let flow = 0;
    while (flow <= enough && this.#levels()) {
      for (let i = 0; i < this.#sourceFrontier && flow <= enough; i++) {
        while (flow <= enough && this.#augment(this.#frontier[i]!)) flow++;
      }
    }
    return flow;
  }

  /**
   * After `least`: marks the nodes on one side of a least cut with 1, of the two extreme ones the one that
   * divides more evenly. Which these are does not depend on the flow that was found. `size` is that of the
   * marked side.
   */
  evenSide(): { side: Uint8Array; size: number } {
    const fromSources = this.#reachFromSources();
    const towardSinks = this.#reachTowardSinks();
    if (Math.min(fromSources, this.#nodes - fromSources) >= Math.min(towardSinks, this.#nodes - towardSinks))
      return { side: this.#fromSources, size: fromSources };
    const side = this.#towardSinks;
    for (let n = 0; n < this.#nodes; n++) side[n] = side[n]! ^ 1;
    return { side, size: this.#nodes - towardSinks };
  }

  #place(place: Float64Array, low: number, high: number): void {
    const kind = this.#kind;
    this.#sources = this.#sinks = this.#sourceFrontier = 0;
    for (let n = 0; n < this.#nodes; n++) {
      const at = place[n]!;
      if (at <= low) {
        kind[n] = SOURCE;
        this.#sources++;
      } else if (at >= high) {
        kind[n] = SINK;
        this.#sinks++;
      } else {
        kind[n] = BETWEEN;
      }
    }
    let end = 0;
    for (let n = 0; n < this.#nodes; n++)
      if (kind[n] === SOURCE && this.#hasOtherNeighbour(n)) this.#frontier[end++] = n;
    this.#sourceFrontier = end;
    for (let n = 0; n < this.#nodes; n++) if (kind[n] === SINK && this.#hasOtherNeighbour(n)) this.#frontier[end++] = n;
    this.#sinkFrontier = end;
  }

  #hasOtherNeighbour(node: number): boolean {
    const own = this.#kind[node]!;
    for (let arc = this.#first[node]!; arc < this.#first[node + 1]!; arc++)
      if (this.#kind[this.#head[arc]!] !== own) return true;
    return false;
  }

  #levels(): boolean {
    const first = this.#first;
    const head = this.#head;
    const room = this.#room;
    const kind = this.#kind;
    const queue = this.#queue;
    const level = this.#level.fill(-1, 0, this.#nodes);
    let end = 0;
    for (; end < this.#sourceFrontier; end++) {
      const node = (queue[end] = this.#frontier[end]!);
      level[node] = 0;
      this.#cursor[node] = first[node]!;
    }
    let reached = false;
    for (let at = 0; at < end; at++) {
      const node = queue[at]!;
      const onward = level[node]! + 1;
      for (let arc = first[node]!; arc < first[node + 1]!; arc++) {
        const other = head[arc]!;
        if (level[other]! >= 0 || room[arc] === 0 || kind[other] === SOURCE) continue;
        level[other] = onward;
        this.#cursor[other] = first[other]!;
        if (kind[other] === SINK) reached = true;
        else if (!reached) queue[end++] = other;
      }
    }
    return reached;
  }

  /** Sends one unit down the levels, without recursion: paths are as long as the cell is wide. */
  #augment(source: number): boolean {
    const path = this.#queue;
    let depth = 0;
    let node = source;
    while (this.#kind[node] !== SINK) {
      const arc = this.#down(node);
      if (arc >= 0) {
        path[depth++] = arc;
        node = this.#head[arc]!;
        continue;
      }
      if (depth === 0) return false;
      node = this.#head[this.#twin[path[--depth]!]!]!;
      this.#cursor[node]!++;
    }
    while (depth > 0) {
      const arc = path[--depth]!;
      this.#room[arc]!--;
      this.#room[this.#twin[arc]!]!++;
    }
    return true;
  }

  /**
   * The next arc of a node that leads a level down and has capacity, or -1; earlier ones are never examined
   * again.
   */
  #down(node: number): number {
    const end = this.#first[node + 1]!;
    const onward = this.#level[node]! + 1;
    let arc = this.#cursor[node]!;
    while (arc < end && (this.#level[this.#head[arc]!] !== onward || this.#room[arc] === 0)) arc++;
    this.#cursor[node] = arc;
    return arc < end ? arc : -1;
  }

  #reachFromSources(): number {
    const side = this.#fromSources;
    for (let n = 0; n < this.#nodes; n++) side[n] = this.#kind[n] === SOURCE ? 1 : 0;
    let end = 0;
    for (; end < this.#sourceFrontier; end++) this.#queue[end] = this.#frontier[end]!;
    for (let at = 0; at < end; at++) {
      const node = this.#queue[at]!;
      for (let arc = this.#first[node]!; arc < this.#first[node + 1]!; arc++) {
        const other = this.#head[arc]!;
        if (side[other] || this.#room[arc] === 0) continue;
        side[other] = 1;
        this.#queue[end++] = other;
      }
    }
    return this.#sources + end - this.#sourceFrontier;
  }

  #reachTowardSinks(): number {
    const side = this.#towardSinks;
    for (let n = 0; n < this.#nodes; n++) side[n] = this.#kind[n] === SINK ? 1 : 0;
    let end = 0;
    for (let i = this.#sourceFrontier; i < this.#sinkFrontier; i++) this.#queue[end++] = this.#frontier[i]!;
    const frontier = end;
    for (let at = 0; at < end; at++) {
      const node = this.#queue[at]!;
      for (let arc = this.#first[node]!; arc < this.#first[node + 1]!; arc++) {
        const other = this.#head[arc]!;
        if (side[other] || this.#room[this.#twin[arc]!] === 0) continue;
        side[other] = 1;
        this.#queue[end++] = other;
      }
    }
    return this.#sinks + end - frontier;
  }
}

const BETWEEN = 0;
const SOURCE = 1;
const SINK = 2;
