import { Growing } from '../../extract/growing.ts';
import { BARRIER } from './collect-pieces.ts';
import type { Pieces } from './collect-pieces.ts';
import type { WayUse } from '../rules/classify-way.ts';

/**
 * Stretches of road between junctions. Segment `s` runs over `shape[first[s]]` … `shape[first[s + 1] - 1]`.
 */
export interface Segments {
  readonly count: number;
  readonly first: Uint32Array;
  readonly shape: Uint32Array;
  /**
   * Cost from shape position `i` to `i + 1` and back in tenths of a second; 0: closed, or the last of its
   * segment.
   */
  readonly forward: Int32Array;
  readonly backward: Int32Array;
  readonly use: Uint32Array;
  /** 1: it runs against the direction in which its way is drawn. */
  readonly isAgainst: Uint8Array;
}

/**
 * Joins pieces at nodes without choices: two pieces meet, with the same name, mode and directions, and no
 * barrier or turn restriction is there. Signals stay inside a segment; they cost time, but nobody can turn.
 */
export function joinSegments(pieces: Pieces, isVia: (node: number) => boolean): Segments {
  const { count, from, to, forward, backward } = pieces;
  const nodes = pieces.nodeLat.length;
  const firstAt = new Uint32Array(nodes + 1);
  for (let p = 0; p < count; p++) {
    firstAt[from[p]! + 1]!++;
    firstAt[to[p]! + 1]!++;
  }
  for (let n = 0; n < nodes; n++) firstAt[n + 1]! += firstAt[n]!;
  const next = firstAt.slice();
  const at = new Uint32Array(count * 2);
  for (let p = 0; p < count; p++) {
    at[next[from[p]!]!++] = p;
    at[next[to[p]!]!++] = p;
  }

  const otherEnd = (p: number, node: number): number => (from[p] === node ? to[p]! : from[p]!);
  const joins = new Uint8Array(nodes);
  for (let n = 0; n < nodes; n++) {
    const start = firstAt[n]!;
    if (firstAt[n + 1]! - start !== 2 || pieces.nodeFlags[n]! & BARRIER || isVia(n)) continue;
    const p = at[start]!;
    const q = at[start + 1]!;
    // Two that lead to the same node are the two directions of one road, and this is its end.
    if (
      p === q ||
      otherEnd(p, n) === otherEnd(q, n) ||
      !alike(pieces.uses[pieces.use[p]!]!, pieces.uses[pieces.use[q]!]!, (to[p] === n) === (from[q] === n))
    )
      continue;
    const intoByP = (to[p] === n ? forward[p] : backward[p])! > 0;
    const outByP = (to[p] === n ? backward[p] : forward[p])! > 0;
    const intoByQ = (to[q] === n ? forward[q] : backward[q])! > 0;
    const outByQ = (to[q] === n ? backward[q] : forward[q])! > 0;
    if (intoByP === outByQ && outByP === intoByQ) joins[n] = 1;
  }

  const first = new Growing(Uint32Array);
  const shape = new Growing(Uint32Array);
  const along = new Growing(Int32Array);
  const against = new Growing(Int32Array);
  const use = new Growing(Uint32Array);
  const isAgainst = new Growing(Uint8Array);
  const done = new Uint8Array(count);

  const walk = (node: number, piece: number): void => {
    const start = shape.length;
    first.push(start);
    use.push(pieces.use[piece]!);
    isAgainst.push(from[piece] === node ? 0 : 1);
    let here = node;
    let p = piece;
    shape.push(here);
    for (;;) {
      done[p] = 1;
      const drawn = from[p] === here;
      along.push(drawn ? forward[p]! : backward[p]!);
      against.push(drawn ? backward[p]! : forward[p]!);
      here = drawn ? to[p]! : from[p]!;
      shape.push(here);
      if (!joins[here]) break;
      const entry = firstAt[here]!;
      const onward = at[entry] === p ? at[entry + 1]! : at[entry]!;
      if (done[onward]) break; // a ring without a junction is closed
      p = onward;
    }
    along.push(0);
    against.push(0);
    // Open in one direction only: let that be the forward one.
    if (along.values[start] !== 0) return;
    reverse(shape.values, along.values, against.values, start, shape.length);
    isAgainst.values[isAgainst.length - 1]! ^= 1;
  };
  for (let n = 0; n < nodes; n++) {
    if (joins[n]) continue;
    for (let i = firstAt[n]!; i < firstAt[n + 1]!; i++) if (!done[at[i]!]) walk(n, at[i]!);
  }
  for (let p = 0; p < count; p++) if (!done[p]) walk(from[p]!, p);

  const segments = first.length;
  first.push(shape.length);
  return {
    count: segments,
    first: first.values.slice(0, first.length),
    shape: shape.values.slice(0, shape.length),
    forward: along.values.slice(0, along.length),
    backward: against.values.slice(0, against.length),
    use: use.values.slice(0, use.length),
    isAgainst: isAgainst.values.slice(0, isAgainst.length),
  };
}

/** `isSameWay`: both are drawn in the same direction. */
function alike(a: WayUse, b: WayUse, isSameWay: boolean): boolean {
  const [mode, back] = isSameWay ? [b.mode, b.modeBackward] : [b.modeBackward, b.mode];
  if (a.mode !== mode || a.modeBackward !== back) return false;
  return a === b || (a.name === b.name && a.roundabout === b.roundabout && a.startable === b.startable);
}

function reverse(shape: Uint32Array, along: Int32Array, against: Int32Array, start: number, end: number): void {
  shape.subarray(start, end).reverse();
  const costs = along.slice(start, end - 1).reverse();
  along.set(against.slice(start, end - 1).reverse(), start);
  against.set(costs, start);
}
