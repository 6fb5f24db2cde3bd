import { MISSING } from '../../extract/extract.ts';
import type { OsmExtract } from '../../extract/extract.ts';
import { Growing } from '../../extract/growing.ts';
import { metresBetweenMicro } from '../../geometry/geodesy.ts';
import { alongHilbertCurve } from '../../geometry/hilbert.ts';
import { isBarrier, isSignal } from '../rules/judge-node.ts';
import { classifyWay } from '../rules/classify-way.ts';
import type { WayUse } from '../rules/classify-way.ts';
import type { Profile } from '../profiles/profile.ts';

export const SIGNAL = 1;
export const BARRIER = 2;

/**
 * The roads of one vehicle before they are joined into segments: straight pieces between neighbouring nodes.
 */
export interface Pieces {
  readonly count: number;
  /**
   * Road nodes that the piece joins, and the costs with and against this direction in tenths of a second; 0:
   * closed.
   */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly forward: Int32Array;
  readonly backward: Int32Array;
  /** Which of `uses` it has. */
  readonly use: Uint32Array;
  readonly uses: readonly WayUse[];
  /** Road nodes, micro-degrees. */
  readonly nodeLat: Int32Array;
  readonly nodeLon: Int32Array;
  readonly nodeFlags: Uint8Array;
  /** Road node by its position in the extract; `MISSING` where that is on no road. */
  readonly roadNode: Uint32Array;
  /** Posted limits that cannot be read and therefore count as forbidding; at most `MAX_DOUBTS`. */
  readonly doubts: readonly UnreadableLimit[];
}

/** A posted limit that cannot be read. */
export interface UnreadableLimit {
  /** `maxheight=…` */
  readonly tag: string;
  /** Of the road; empty when unnamed, or at a gate. */
  readonly name: string;
  /** micro-degrees */
  readonly lat: number;
  readonly lon: number;
}

const MAX_DOUBTS = 500;

/** A way without any of these keys is no road for any profile. */
export const ROAD_KEYS = ['highway', 'route', 'bridge'];

/** Splits the ways that the vehicle can use. Drops pieces to missing nodes and from a node to itself. */
export function collectPieces(extract: OsmExtract, profile: Profile): Pieces {
  const { nodes, ways } = extract;
  const uses: WayUse[] = [];
  const from = new Growing(Uint32Array);
  const to = new Growing(Uint32Array);
  const forward = new Growing(Int32Array);
  const backward = new Growing(Int32Array);
  const use = new Growing(Uint32Array);
  const roadNode = new Uint32Array(nodes.count).fill(MISSING);
  const doubts: UnreadableLimit[] = [];
  const doubtBetween =
    (a: number, b: number, name: string) =>
    (tag: string): void => {
      if (a === MISSING || b === MISSING || doubts.length >= MAX_DOUBTS) return;
      doubts.push({
        tag,
        name,
        lat: micro((nodes.lat[a]! + nodes.lat[b]!) / 2),
        lon: micro((nodes.lon[a]! + nodes.lon[b]!) / 2),
      });
    };

  for (const way of ways.having(...ROAD_KEYS)) {
    const first = ways.first[way]!;
    const end = ways.first[way + 1]!;
    if (end - first < 2) continue;
    const tags = ways.tags(way);
    const middle = (first + end - 1) >> 1;
    const verdict = classifyWay(
      tags,
      profile,
      doubtBetween(ways.refs[middle]!, ways.refs[middle + 1]!, tags.name ?? ''),
    );
    if (!verdict) continue;
    const shared =
      verdict.duration === undefined ? undefined : sharedCost(verdict.duration, piecesOf(ways.refs, first, end));
    for (let i = first; i + 1 < end; i++) {
      const a = ways.refs[i]!;
      const b = ways.refs[i + 1]!;
      if (a === MISSING || b === MISSING || a === b) continue;
      const metres =
        shared === undefined
          ? metresBetweenMicro(micro(nodes.lon[a]!), micro(nodes.lat[a]!), micro(nodes.lon[b]!), micro(nodes.lat[b]!))
          : 0;
      from.push(a);
      to.push(b);
      forward.push(verdict.forward > 0 ? (shared ?? pieceCost(metres, verdict.forward)) : 0);
      backward.push(verdict.backward > 0 ? (shared ?? pieceCost(metres, verdict.backward)) : 0);
      use.push(uses.length);
      roadNode[a] = roadNode[b] = 0;
    }
    uses.push(verdict);
  }

  const { nodeLat, nodeLon } = numberNodes(nodes, roadNode);
  const nodeFlags = new Uint8Array(nodeLat.length);
  for (const i of nodes.tagged) {
    const n = roadNode[i]!;
    if (n === MISSING) continue;
    const tags = nodes.tags(i)!;
    nodeFlags[n] = (isSignal(tags) ? SIGNAL : 0) | (isBarrier(tags, profile, doubtBetween(i, i, '')) ? BARRIER : 0);
  }
  for (let p = 0; p < from.length; p++) {
    from.values[p] = roadNode[from.values[p]!]!;
    to.values[p] = roadNode[to.values[p]!]!;
  }
  const pieces = {
    count: from.length,
    from: from.values.subarray(0, from.length),
    to: to.values.subarray(0, to.length),
    forward: forward.values.subarray(0, forward.length),
    backward: backward.values.subarray(0, backward.length),
    use: use.values.subarray(0, use.length),
    uses,
    nodeLat,
    nodeLon,
    nodeFlags,
    roadNode,
    doubts,
  };
  return { ...pieces, ...cheapestBetweenNeighbours(pieces) };
}

/** Cost of `metres` at `speed` km/h in whole tenths of a second, at least one. */
function pieceCost(metres: number, speed: number): number {
  return Math.min(MOST, Math.max(1, Math.round((metres * 10) / (speed / 3.6))));
}

/** A duration belongs to the whole way: every piece gets the same share, whatever its length. */
function sharedCost(seconds: number, pieces: number): number {
  return Math.min(MOST, Math.max(1, Math.round((seconds * 10) / Math.max(1, pieces))));
}

/** A hundred days and more: a mistyped tag must not overflow sums of costs in 32 bits. */
const MOST = 100_000_000;

function piecesOf(refs: Uint32Array, first: number, end: number): number {
  let pieces = 0;
  for (let i = first; i + 1 < end; i++) if (refs[i] !== refs[i + 1]) pieces++;
  return pieces;
}

/**
 * Numbers the present nodes of `roadNode` along a Hilbert curve. Ids of an extract show when a node was
 * drawn, not where; segments are numbered by their nodes, so roads that a query visits in sequence are close
 * in memory.
 */
function numberNodes(
  { count, lat, lon }: OsmExtract['nodes'],
  roadNode: Uint32Array,
): Pick<Pieces, 'nodeLat' | 'nodeLon'> {
  const used = new Growing(Uint32Array);
  for (let i = 0; i < count; i++) if (roadNode[i] !== MISSING) used.push(i);
  const nodes = used.values.subarray(0, used.length);
  const order = alongHilbertCurve(
    Int32Array.from(nodes, (i) => lat[i]!),
    Int32Array.from(nodes, (i) => lon[i]!),
  );
  order.forEach((position, n) => (roadNode[nodes[position]!] = n));
  return {
    nodeLat: Int32Array.from(order, (position) => micro(lat[nodes[position]!]!)),
    nodeLon: Int32Array.from(order, (position) => micro(lon[nodes[position]!]!)),
  };
}

const micro = (tenths: number): number => Math.round(tenths / 10);

/**
 * Of several pieces between the same two nodes only the cheapest of each direction stays, because turn
 * restrictions name only nodes. If the directions are cheapest on different ways, two one-way pieces remain.
 */
function cheapestBetweenNeighbours(
  all: Pick<Pieces, 'count' | 'from' | 'to' | 'forward' | 'backward' | 'use' | 'nodeLat'>,
): Pick<Pieces, 'count' | 'from' | 'to' | 'forward' | 'backward' | 'use'> {
  const nodes = all.nodeLat.length;
  const first = new Uint32Array(nodes + 1);
  for (let p = 0; p < all.count; p++) first[Math.min(all.from[p]!, all.to[p]!) + 1]!++;
  for (let n = 0; n < nodes; n++) first[n + 1]! += first[n]!;
  const next = first.slice();
  const grouped = new Uint32Array(all.count);
  for (let p = 0; p < all.count; p++) grouped[next[Math.min(all.from[p]!, all.to[p]!)]!++] = p;

  // A piece that is dearer in one direction keeps the other; one that is dearer in both is removed.
  const forward = all.forward.slice();
  const backward = all.backward.slice();
  for (let n = 0; n < nodes; n++) {
    for (let i = first[n]!; i < first[n + 1]!; i++) {
      for (let j = first[n]!; j < i; j++) {
        const p = grouped[j]!;
        const q = grouped[i]!;
        const same = all.from[p] === all.from[q] && all.to[p] === all.to[q];
        if (!same && !(all.from[p] === all.to[q] && all.to[p] === all.from[q])) continue;
        keepCheaper(forward, p, same ? forward : backward, q);
        keepCheaper(backward, p, same ? backward : forward, q);
      }
    }
  }
  let kept = 0;
  const from = new Uint32Array(all.count);
  const to = new Uint32Array(all.count);
  const use = new Uint32Array(all.count);
  for (let p = 0; p < all.count; p++) {
    if (forward[p] === 0 && backward[p] === 0) continue;
    from[kept] = all.from[p]!;
    to[kept] = all.to[p]!;
    use[kept] = all.use[p]!;
    forward[kept] = forward[p]!;
    backward[kept] = backward[p]!;
    kept++;
  }
  return {
    count: kept,
    from: from.subarray(0, kept),
    to: to.subarray(0, kept),
    use: use.subarray(0, kept),
    forward: forward.subarray(0, kept),
    backward: backward.subarray(0, kept),
  };
}

/** Closes the dearer of two costs of the same direction; of equal ones the earlier stays. */
function keepCheaper(costs: Int32Array, p: number, others: Int32Array, q: number): void {
  if (costs[p] === 0 || others[q] === 0) return;
  if (others[q]! < costs[p]!) costs[p] = 0;
  else others[q] = 0;
}
