import type { Roads } from '../../territory/roads/reading.ts';

/** The arcs that end at each node; independent of costs. */
export class IncomingArcs {
  readonly #first: Uint32Array;
  readonly #arcs: Uint32Array;
  /** How many segment ends meet at a node, at most 255. */
  readonly degree: Uint8Array;

  constructor(roads: Roads) {
    this.degree = new Uint8Array(roads.nodes);
    const first = new Uint32Array(roads.nodes + 1);
    for (let arc = 0; arc < roads.arcs; arc++) {
      const node = roads.head(arc);
      if (this.degree[node]! < 255) this.degree[node]!++;
      first[node + 1]!++;
    }
    for (let node = 0; node < roads.nodes; node++) first[node + 1]! += first[node]!;
    const next = first.slice();
    this.#arcs = new Uint32Array(first[roads.nodes]!);
    for (let arc = 0; arc < roads.arcs; arc++) this.#arcs[next[roads.head(arc)]!++] = arc;
    this.#first = first;
  }

  /** Arcs that end at a node, closed ones included. */
  arcsAt(node: number): Uint32Array {
    return this.#arcs.subarray(this.#first[node], this.#first[node + 1]);
  }
}
