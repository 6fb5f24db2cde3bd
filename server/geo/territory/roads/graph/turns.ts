import { Growing } from '../../extract/growing.ts';
import { BARRIER, SIGNAL } from './collect-pieces.ts';
import type { Pieces } from './collect-pieces.ts';
import { isUTurn, turnAngle } from '../../geometry/geodesy.ts';
import type { Segments } from './join-segments.ts';
import type { Profile } from '../profiles/profile.ts';
import { permits } from './restrictions.ts';
import type { Restrictions } from './restrictions.ts';

/**
 * The turn-aware graph. Arc `2s` drives segment `s` forward, `2s + 1` backward, so `arc ^ 1` is the way back.
 * Arc `a` may be followed by `head[first[a]]` … `head[first[a + 1] - 1]`; `cost` is that of the turn alone,
 * in tenths of a second, a signal at the node included.
 */
export interface Turns {
  readonly first: Uint32Array;
  readonly head: Uint32Array;
  readonly cost: Uint16Array;
}

export function makeTurns(
  pieces: Pieces,
  segments: Segments,
  restrictions: Restrictions,
  profile: Profile,
  isLeftAt: (lat: number, lon: number) => boolean,
): Turns {
  const arcs = segments.count * 2;
  const nodes = pieces.nodeLat.length;
  const outgoing = outgoingArcs(segments, nodes);
  const into = new Uint32Array(nodes);
  for (let arc = 0; arc < arcs; arc++) if (isOpenArc(segments, arc)) into[headOf(segments, arc)]!++;

  const first = new Uint32Array(arcs + 1);
  const head = new Growing(Uint32Array, arcs * 2 + 16);
  const cost = new Growing(Uint32Array, arcs * 2 + 16);
  const signal = Math.round(profile.signal * 10);
  const { nodeLat, nodeLon } = pieces;
  for (let arc = 0; arc < arcs; arc++) {
    first[arc] = head.length;
    if (!isOpenArc(segments, arc)) continue;
    const node = headOf(segments, arc);
    const previous = beforeHead(segments, arc);
    const rules = restrictions.at.get(node);
    const barrier = (pieces.nodeFlags[node]! & BARRIER) !== 0;
    const delay = pieces.nodeFlags[node]! & SIGNAL ? signal : 0;
    const onLeft = isLeftAt(nodeLat[node]!, nodeLon[node]!);
    for (let i = outgoing.first[node]!; i < outgoing.first[node + 1]!; i++) {
      const onward = outgoing.arc[i]!;
      const next = afterTail(segments, onward);
      // By the nodes: if the directions of a road are cheapest on two ways, each is a segment.
      const back = next === previous;
      // U-turns are for dead ends, and for nodes where every other road only leads away.
      if (back ? !barrier && into[node]! > 1 : barrier) continue;
      if (!permits(rules, previous, next)) continue;
      head.push(onward);
      const angle = back
        ? 0
        : turnAngle(
            nodeLon[previous]!,
            nodeLat[previous]!,
            nodeLon[node]!,
            nodeLat[node]!,
            nodeLon[next]!,
            nodeLat[next]!,
          );
      cost.push(delay + turnCost(angle, profile, onLeft));
    }
  }
  first[arcs] = head.length;
  return {
    first,
    head: head.values.slice(0, head.length),
    cost: Uint16Array.from(cost.values.subarray(0, cost.length)),
  };
}

/**
 * Tenths of a second for a turn, growing with the square of its angle (degrees as in `turnAngle`); a U-turn
 * costs the same at every angle. With left-hand traffic a left turn costs what a right turn costs elsewhere.
 */
export function turnCost(angle: number, { turns }: Profile, onLeft = false): number {
  if (isUTurn(angle)) return Math.round(turns.uturn * 10);
  const off = Math.abs(180 - angle) / 90;
  const square = angle < 180 !== onLeft ? turns.right : turns.left;
  // Truncated, not rounded; the small addend keeps 12 from being 11.999.
  return Math.trunc(10 * square * off * off + 1e-6);
}

export function isOpenArc(segments: Segments, arc: number): boolean {
  return (arc & 1 ? segments.backward : segments.forward)[segments.first[arc >> 1]!]! > 0;
}

function headOf({ first, shape }: Segments, arc: number): number {
  return arc & 1 ? shape[first[arc >> 1]!]! : shape[first[(arc >> 1) + 1]! - 1]!;
}

/** The last node that the arc passes before its head. */
function beforeHead({ first, shape }: Segments, arc: number): number {
  return arc & 1 ? shape[first[arc >> 1]! + 1]! : shape[first[(arc >> 1) + 1]! - 2]!;
}

/** The first node that the arc reaches after its tail. */
function afterTail(segments: Segments, arc: number): number {
  return beforeHead(segments, arc ^ 1);
}

function outgoingArcs(segments: Segments, nodes: number): { first: Uint32Array; arc: Uint32Array } {
  const first = new Uint32Array(nodes + 1);
  const arcs = segments.count * 2;
  for (let arc = 0; arc < arcs; arc++) if (isOpenArc(segments, arc)) first[headOf(segments, arc ^ 1) + 1]!++;
  for (let n = 0; n < nodes; n++) first[n + 1]! += first[n]!;
  const next = first.slice();
  const arc = new Uint32Array(first[nodes]!);
  for (let a = 0; a < arcs; a++) if (isOpenArc(segments, a)) arc[next[headOf(segments, a ^ 1)]!++] = a;
  return { first, arc };
}
