import type { ArrivalPack } from './arrivals.ts';
import { marksOf, OUTCOME, outcomeOf } from './track-writer.ts';
import type { FreshSpan, NewPoints } from './unsettled.ts';

/** The points that came with one group, with the stretches that they are in; without them where something that was played again is in it, too. */
export function withPoints(spans: readonly FreshSpan[], outcomes: Uint8Array, pack: ArrivalPack): NewPoints[] {
  const accepted = new Map<number, number[]>();
  outcomes.forEach((told, index) => {
    if (outcomeOf(told) !== OUTCOME.accepted) return;
    const vehicle = pack.vehicle(index);
    const own = accepted.get(vehicle);
    if (own) own.push(index);
    else accepted.set(vehicle, [index]);
  });
  return spans.map((span) => {
    const own = accepted.get(span.vehicleId);
    return { ...span, points: own?.length === span.count ? () => own.map((index) => pack.recorded(index, marksOf(outcomes[index]!))) : undefined };
  });
}
