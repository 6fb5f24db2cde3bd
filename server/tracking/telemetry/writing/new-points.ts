import type { IncomingBatch } from '../tracks/incoming-fixes.ts';
import { UNPLACED } from '../tracks/plausible.ts';
import { marksOf, OUTCOME, writeOutcome } from './write-orders.ts';
import type { FreshSpan, NewPoints } from '../tracks/unprocessed-spans.ts';

/**
 * Adds the points of one group to each span. Omits spans with more new points (replayed entries, points after
 * a late one), and points with the position of the one before.
 */
export function withPoints(spans: readonly FreshSpan[], outcomes: Uint16Array, pack: IncomingBatch): NewPoints[] {
  const accepted = new Map<number, number[]>();
  outcomes.forEach((outcome, index) => {
    if (writeOutcome(outcome) !== OUTCOME.accepted) return;
    const vehicle = pack.vehicle(index);
    const own = accepted.get(vehicle);
    if (own) own.push(index);
    else accepted.set(vehicle, [index]);
  });
  return spans.map((span) => {
    const own = accepted.get(span.vehicleId);
    const whole = own?.length === span.count && own.every((index) => (marksOf(outcomes[index]!) & UNPLACED) === 0);
    return {
      ...span,
      points: whole ? () => own.map((index) => pack.recorded(index, marksOf(outcomes[index]!))) : undefined,
    };
  });
}
