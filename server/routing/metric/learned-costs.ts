import { SIGNAL } from '../../territory/roads/index.ts';
import type { Roads } from '../../territory/roads/index.ts';
import { copyTo } from './throttle.ts';
import type { LearnedSpeeds } from '../types.ts';
import { CLOSED, arcCosts } from './costs.ts';
import type { Costs } from './costs.ts';

/** Arcs between two breaths. */
const OFTEN = 1024;

/**
 * The costs of the roads at learned speeds; where none were learned, those of the profile. What nobody may
 * drive stays closed. Written over `into`. `breathe` is called time and again.
 */
export function learnedCosts(
  { arcs, tenths }: LearnedSpeeds,
  roads: Roads,
  free: Costs,
  into: Costs,
  breathe?: () => void,
): Costs {
  copyTo(into.forward, free.forward, breathe);
  copyTo(into.backward, free.backward, breathe);
  copyTo(into.arc, free.arc, breathe);
  for (let i = 0; i < arcs.length; i++) {
    if (i % OFTEN === 0) breathe?.();
    const arc = arcs[i]!;
    if (arc >= roads.arcs || free.arc[arc]! >= CLOSED) continue;
    spread(arc, tenths[i]!, roads, free, into);
  }
  for (let i = 0; i < arcs.length; i++) {
    if (i % OFTEN === 0) breathe?.();
    if (arcs[i]! < roads.arcs) arcCosts(roads, arcs[i]! >> 1, into.forward, into.backward, into.arc);
  }
  return into;
}

/**
 * What an arc costs for which so many tenths of a second were learned: no less than its signals and the least
 * of every piece.
 */
export function learnedTenths(arc: number, tenths: number, roads: Roads): number {
  return Math.max(signals(arc, roads) + roads.pieces(arc >> 1), Math.min(CLOSED - 1, tenths));
}

/** Shares the time of an arc out among its pieces as they share it by the profile; signals keep theirs. */
function spread(arc: number, tenths: number, roads: Roads, free: Costs, into: Costs): void {
  const { segmentFirst } = roads.columns;
  const first = segmentFirst[arc >> 1]!;
  const pieces = roads.pieces(arc >> 1);
  const [usual, costs] = arc & 1 ? [free.backward, into.backward] : [free.forward, into.forward];
  const waits = signals(arc, roads);
  const driven = free.arc[arc]! - waits;
  // Every piece costs something; what is over that is shared out, rounded so that the sum is met.
  const over = learnedTenths(arc, tenths, roads) - waits - pieces;
  let passed = 0;
  let given = 0;
  for (let i = first; i < first + pieces; i++) {
    passed += usual[i]!;
    const till = Math.round((over * passed) / driven);
    costs[i] = 1 + till - given;
    given = till;
  }
}

/** Tenths of a second of the signals inside an arc. */
function signals(arc: number, roads: Roads): number {
  const { segmentFirst, shape, nodeFlags } = roads.columns;
  let waits = 0;
  for (let i = segmentFirst[arc >> 1]! + 1; i < segmentFirst[(arc >> 1) + 1]! - 1; i++)
    if (nodeFlags[shape[i]!]! & SIGNAL) waits += roads.facts.signal;
  return waits;
}
