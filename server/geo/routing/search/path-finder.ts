/**
 * Finds the cheapest path in the turn-aware graph.
 *
 * A label is the cost at the *beginning* of an arc. A trip that starts inside an arc enters it with a label
 * below zero; one that ends inside adds what it drives of the last arc. So ends inside arcs need no nodes.
 */
export interface PathFinder {
  /**
   * Least label of `target` given the labels of `sources`; `CLOSED` when unreachable. A source that is the
   * target keeps its label.
   */
  find(sources: readonly ArcLabel[], target: number): number;
  /**
   * Least sum of a target's label and its own cost (`label`, at least 0) of driving on from its beginning.
   */
  findAny(sources: readonly ArcLabel[], targets: readonly ArcLabel[]): number;
  /** Arcs of the path found last, from source to target. */
  path(): number[];
}

export interface ArcLabel {
  readonly arc: number;
  readonly label: number;
}
