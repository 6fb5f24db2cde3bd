import { bearingMicro, turnAngle } from '../../territory/roads/reading.ts';
import type { Roads } from '../../territory/roads/reading.ts';
import type { IncomingArcs } from '../graph/incoming-arcs.ts';
import type { Crossing } from './trace-leg.ts';

/** A road that leads away from a crossing. */
export interface CrossingRoad {
  /** The arc away from the crossing. */
  readonly arc: number;
  /** Whole degrees from north, 0 to 359. */
  readonly bearing: number;
  /** Whether one may drive in here, coming from the road of the crossing. */
  readonly entry: boolean;
  /** Angle from the road one comes on, counter-clockwise: 180 is straight on, less is to the right. */
  readonly angle: number;
}

export interface Intersection {
  /** By bearing. */
  readonly roads: readonly CrossingRoad[];
  /** Indexes of the road one comes on, and of the one that one takes. */
  readonly in: number;
  readonly out: number;
}

/** Whole degrees, 0 to 359. */
export function wholeBearing(bearing: number): number {
  return Math.round(bearing) % 360;
}

/** The last node before the head of an arc. */
function beforeHead(arc: number, roads: Roads): number {
  const { segmentFirst, shape } = roads.columns;
  return arc & 1 ? shape[segmentFirst[arc >> 1]! + 1]! : shape[segmentFirst[(arc >> 1) + 1]! - 2]!;
}

/** Counter-clockwise angle of a turn, 180 straight on. */
export function angleOf(from: number, onto: number, roads: Roads): number {
  const { nodeLat, nodeLon } = roads.columns;
  const before = beforeHead(from, roads);
  const node = roads.head(from);
  const after = beforeHead(onto ^ 1, roads);
  return turnAngle(
    nodeLon[before]!,
    nodeLat[before]!,
    nodeLon[node]!,
    nodeLat[node]!,
    nodeLon[after]!,
    nodeLat[after]!,
  );
}

/** Whether a crossing leads back over the piece that one came on. */
export function goesBack({ from, onto }: Crossing, roads: Roads): boolean {
  return roads.head(from) !== roads.tail(onto) || beforeHead(from, roads) === beforeHead(onto ^ 1, roads);
}

/** All roads at a crossing. The two directions of one road may be separate segments and count once. */
export function intersectionAt({ from, onto }: Crossing, roads: Roads, incoming: IncomingArcs): Intersection {
  const { nodeLat, nodeLon, turnFirst, turnHead } = roads.columns;
  const node = roads.head(from);
  const allowed = turnHead.subarray(turnFirst[from], turnFirst[from + 1]);
  const byNeighbour = new Map<number, CrossingRoad>();
  for (const arriving of incoming.arcsAt(node)) {
    const arc = arriving ^ 1;
    const neighbour = beforeHead(arriving, roads);
    const entry = allowed.includes(arc);
    const known = byNeighbour.get(neighbour);
    if (known && (known.entry || !entry)) continue;
    const bearing = wholeBearing(
      bearingMicro(nodeLon[node]!, nodeLat[node]!, nodeLon[neighbour]!, nodeLat[neighbour]!),
    );
    byNeighbour.set(neighbour, { arc, bearing, entry, angle: angleOf(from, arc, roads) });
  }
  const all = [...byNeighbour].sort(([, one], [, other]) => one.bearing - other.bearing);
  const indexOf = (neighbour: number): number => all.findIndex(([node]) => node === neighbour);
  return {
    roads: all.map(([, road]) => road),
    in: indexOf(beforeHead(from, roads)),
    out: indexOf(beforeHead(onto ^ 1, roads)),
  };
}
