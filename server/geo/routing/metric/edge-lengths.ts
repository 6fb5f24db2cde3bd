import type { Metric } from './customize.ts';
import { edgeBetween } from '../graph/hierarchy.ts';
import type { Hierarchy } from '../graph/hierarchy.ts';

/** Lengths in metres of the paths behind the edges of a metric, in shared memory. */
export interface EdgeLengths {
  readonly up: Float32Array;
  readonly down: Float32Array;
}

/** Edges between two calls of `throttle`. */
const THROTTLE_INTERVAL = 512;

/**
 * Sums the lengths of shortcuts from the bottom up; `arcMetres` are the lengths of arcs. Writes over `into`,
 * if given, and calls `throttle` regularly.
 */
export function edgeLengths(
  hierarchy: Hierarchy,
  metric: Metric,
  arcMetres: Float64Array,
  into?: EdgeLengths,
  throttle?: () => void,
): EdgeLengths {
  const { upFirst, upHead, arc } = hierarchy.columns;
  const { up, down } = into ?? {
    up: new Float32Array(new SharedArrayBuffer(hierarchy.edges * 4)),
    down: new Float32Array(new SharedArrayBuffer(hierarchy.edges * 4)),
  };
  for (let vertex = 0, work = 0; vertex < hierarchy.vertices; vertex++) {
    if ((work += upFirst[vertex + 1]! - upFirst[vertex]!) >= THROTTLE_INTERVAL) {
      work = 0;
      throttle?.();
    }
    for (let e = upFirst[vertex]!; e < upFirst[vertex + 1]!; e++) {
      const head = upHead[e]!;
      // A turn edge leads from the beginning of its first arc to the beginning of its second.
      const over = metric.upVia[e]!;
      up[e] =
        over < 0
          ? arcMetres[arc[vertex]!]!
          : down[edgeBetween(upFirst, upHead, over, vertex)]! + up[edgeBetween(upFirst, upHead, over, head)]!;
      const back = metric.downVia[e]!;
      down[e] =
        back < 0
          ? arcMetres[arc[head]!]!
          : down[edgeBetween(upFirst, upHead, back, head)]! + up[edgeBetween(upFirst, upHead, back, vertex)]!;
    }
  }
  return { up, down };
}
