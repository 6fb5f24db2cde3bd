import type { Roads } from '../../territory/roads/reading.ts';
import { fillThrottled } from './throttle.ts';
import type { EdgeLengths } from './edge-lengths.ts';
import type { Hierarchy } from '../graph/hierarchy.ts';
import { NO_EDGE } from '../graph/hierarchy.ts';
import { CLOSED_COST } from './costs.ts';
import type { Costs } from './costs.ts';

/** The costs of all edges of a hierarchy, in shared memory. */
export interface Metric {
  readonly costs: Costs;
  /**
   * Least cost from the lower to the upper end of an edge through lower vertices only, and back; tenths of a
   * second.
   */
  readonly up: Int32Array;
  readonly down: Int32Array;
  /** Middle vertex of a shortcut, lower than both ends; -1 where the edge is a turn. */
  readonly upVia: Int32Array;
  readonly downVia: Int32Array;
  /** Lengths of the edges; precomputed where tables ask for distances. */
  readonly lengths?: EdgeLengths | undefined;
}

/**
 * Arcs, edges or triangles between two calls of `throttle`. The top vertices of a large network have hundreds
 * of thousands of triangles each.
 */
const THROTTLE_INTERVAL = 4096;

type EdgeCosts = Pick<Metric, 'up' | 'down' | 'upVia' | 'downVia'>;

function edgeCosts(edges: number): EdgeCosts {
  const column = (): Int32Array => new Int32Array(new SharedArrayBuffer(edges * 4));
  return { up: column(), down: column(), upVia: column(), downVia: column() };
}

/**
 * Customization: computes the costs of all shortcuts by relaxing the lower triangles of each edge, from the
 * lowest vertex up. Takes a fraction of a second for a city. Writes over the edges of `into`, if given, and
 * calls `throttle` regularly.
 */
export function customize(
  hierarchy: Hierarchy,
  roads: Roads,
  costs: Costs,
  into: EdgeCosts = edgeCosts(hierarchy.edges),
  throttle?: () => void,
): Metric {
  const { rank, upFirst, upHead, downFirst, downTail, turnEdge } = hierarchy.columns;
  const { up, down, upVia, downVia } = into;
  fillThrottled(up, CLOSED_COST, throttle);
  fillThrottled(down, CLOSED_COST, throttle);
  fillThrottled(upVia, -1, throttle);
  fillThrottled(downVia, -1, throttle);

  const { turnFirst, turnCost } = roads.columns;
  for (let arc = 0; arc < roads.arcs; arc++) {
    if (arc % THROTTLE_INTERVAL === 0) throttle?.();
    if (costs.arc[arc]! >= CLOSED_COST) continue;
    for (let turn = turnFirst[arc]!; turn < turnFirst[arc + 1]!; turn++) {
      const edge = turnEdge[turn]!;
      if (edge === NO_EDGE) continue;
      const weights = edge & 1 ? down : up;
      const cost = costs.arc[arc]! + turnCost[turn]!;
      if (cost < weights[edge >> 1]!) weights[edge >> 1] = cost;
    }
  }

  const edgeTo = new Uint32Array(rank.length);
  // Upper ends come in ascending order, so the edge to the next one is the next edge of the lower end.
  const nextEdge = upFirst.slice();
  for (let x = 0, work = 0; x < rank.length; x++) {
    work += upFirst[x + 1]! - upFirst[x]!;
    for (let e = upFirst[x]!; e < upFirst[x + 1]!; e++) edgeTo[upHead[e]!] = e;
    // Each lower neighbour `z` has an edge to `x` and edges to vertices `y` above `x`; so `x` has edges to
    // them too.
    for (let i = downFirst[x]!; i < downFirst[x + 1]!; i++) {
      const z = downTail[i]!;
      const below = nextEdge[z]!++;
      const toX = up[below]!;
      const fromX = down[below]!;
      const end = upFirst[z + 1]!;
      if ((work += end - below) >= THROTTLE_INTERVAL) {
        work = 0;
        throttle?.();
      }
      if (fromX < CLOSED_COST) {
        for (let e = below + 1; e < end; e++) {
          const cost = fromX + up[e]!;
          const over = edgeTo[upHead[e]!]!;
          if (cost < up[over]!) {
            up[over] = cost;
            upVia[over] = z;
          }
        }
      }
      if (toX < CLOSED_COST) {
        for (let e = below + 1; e < end; e++) {
          const cost = toX + down[e]!;
          const over = edgeTo[upHead[e]!]!;
          if (cost < down[over]!) {
            down[over] = cost;
            downVia[over] = z;
          }
        }
      }
    }
  }
  return { costs, up, down, upVia, downVia };
}
