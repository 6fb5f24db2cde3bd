import { UNREACHABLE } from './door.ts';
import type { Trip } from './find-trip.ts';
import type { Place } from './snap.ts';

/** Costs (and distances, where asked for) between all pairs, one trip at a time. */
export function makeTable(
  sources: readonly Place[],
  targets: readonly Place[],
  findTrip: (from: Place, to: Place) => Trip | undefined,
  metresOf: ((trip: Trip, places: readonly Place[]) => number) | undefined,
): { times: Int32Array; distances: Int32Array } {
  const times = new Int32Array(sources.length * targets.length).fill(UNREACHABLE);
  const distances = new Int32Array(metresOf ? times.length : 0).fill(UNREACHABLE);
  sources.forEach((source, row) =>
    targets.forEach((target, column) => {
      const trip = findTrip(source, target);
      if (!trip) return;
      const cell = row * targets.length + column;
      times[cell] = trip.cost;
      if (metresOf) distances[cell] = Math.round(metresOf(trip, [source, target]));
    }),
  );
  return { times, distances };
}
