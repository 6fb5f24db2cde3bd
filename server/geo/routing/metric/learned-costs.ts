import { SIGNAL } from '../../territory/roads/reading.ts';
import type { Roads } from '../../territory/roads/reading.ts';
import { copyThrottled } from './throttle.ts';
import type { LearnedSpeeds } from '../types.ts';
import { CLOSED_COST, sumArcCosts } from './costs.ts';
import type { Costs } from './costs.ts';

/** Arcs between two calls of `throttle`. */
const THROTTLE_INTERVAL = 1024;

/**
 * Costs at learned speeds, and free-flow costs where nothing was learned. Closed roads stay closed. Writes
 * over `into` and calls `throttle` regularly.
 */
export function learnedCosts(
  { arcs, tenths }: LearnedSpeeds,
  roads: Roads,
  freeFlow: Costs,
  into: Costs,
  throttle?: () => void,
): Costs {
  copyThrottled(into.forward, freeFlow.forward, throttle);
  copyThrottled(into.backward, freeFlow.backward, throttle);
  copyThrottled(into.arc, freeFlow.arc, throttle);
  for (let i = 0; i < arcs.length; i++) {
    if (i % THROTTLE_INTERVAL === 0) throttle?.();
    const arc = arcs[i]!;
    if (arc >= roads.arcs || freeFlow.arc[arc]! >= CLOSED_COST) continue;
    distribute(arc, tenths[i]!, roads, freeFlow, into);
  }
  for (let i = 0; i < arcs.length; i++) {
    if (i % THROTTLE_INTERVAL === 0) throttle?.();
    if (arcs[i]! < roads.arcs) sumArcCosts(roads, arcs[i]! >> 1, into.forward, into.backward, into.arc);
  }
  return into;
}

/** The cost of an arc with learned tenths of a second: at least its signals and one tenth per piece. */
export function learnedArcCost(arc: number, tenths: number, roads: Roads): number {
  return Math.max(signalCost(arc, roads) + roads.pieces(arc >> 1), Math.min(CLOSED_COST - 1, tenths));
}

/**
 * Distributes the time of an arc among its pieces in proportion to their free-flow costs; signals keep
 * theirs.
 */
function distribute(arc: number, tenths: number, roads: Roads, freeFlow: Costs, into: Costs): void {
  const { segmentFirst } = roads.columns;
  const first = segmentFirst[arc >> 1]!;
  const pieces = roads.pieces(arc >> 1);
  const [profile, costs] = arc & 1 ? [freeFlow.backward, into.backward] : [freeFlow.forward, into.forward];
  const waits = signalCost(arc, roads);
  const driven = freeFlow.arc[arc]! - waits;
  // Each piece costs at least one tenth; the rest is distributed, rounded so that the sum matches.
  const over = learnedArcCost(arc, tenths, roads) - waits - pieces;
  let passed = 0;
  let given = 0;
  for (let i = first; i < first + pieces; i++) {
    passed += profile[i]!;
    const until = Math.round((over * passed) / driven);
    costs[i] = 1 + until - given;
    given = until;
  }
}

/** Tenths of a second for the signals inside an arc. */
function signalCost(arc: number, roads: Roads): number {
  const { segmentFirst, shape, nodeFlags } = roads.columns;
  let waits = 0;
  for (let i = segmentFirst[arc >> 1]! + 1; i < segmentFirst[(arc >> 1) + 1]! - 1; i++)
    if (nodeFlags[shape[i]!]! & SIGNAL) waits += roads.facts.signal;
  return waits;
}
