/**
 * Answers the one question that routing is made of: the cheapest way in the turn-aware graph.
 *
 * A label is the cost at the *beginning* of an arc. A trip that starts inside an arc enters it with a label
 * below zero, and one that ends inside adds what it drives of the last arc; so ends inside arcs need no nodes
 * of their own.
 */
export interface PathFinder {
  /**
   * Least label of `target` when each of `sources` has its label already; `CLOSED` when it cannot be reached.
   * A source that is the target counts as it is.
   */
  find(sources: readonly ArcLabel[], target: number): number;
  /**
   * Least sum of the label of a target and what driving on from its beginning costs, which is its own label,
   * zero at least.
   */
  findAny(sources: readonly ArcLabel[], targets: readonly ArcLabel[]): number;
  /** The arcs of the way just found, from the source to the target. */
  path(): number[];
}

export interface ArcLabel {
  readonly arc: number;
  readonly label: number;
}
