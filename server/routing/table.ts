import type { Roads } from '../territory/roads/index.ts';
import { UNREACHABLE } from './door.ts';
import type { Engine } from './engine.ts';
import type { Trip } from './find-trip.ts';
import { CLOSED } from './metric.ts';
import { Passages, samePlace } from './passages.ts';
import type { Passage } from './passages.ts';
import type { Place } from './snap.ts';
import type { Labelled } from './table-search.ts';

interface TableQuestion {
  sources: readonly Place[];
  targets: readonly Place[];
  distances: boolean;
}

/** Costs in tenths of a second, and metres where asked for, between all pairs of places; `UNREACHABLE` where there is no way. */
export function makeTable(
  { sources, targets, distances }: TableQuestion,
  roads: Roads,
  engine: Engine,
  passages: Passages,
  findTrip: (from: Place, to: Place) => { trip: Trip; metres: number } | undefined,
): { times: Int32Array; distances: Int32Array } {
  const columns = targets.length;
  const times = new Int32Array(sources.length * columns).fill(UNREACHABLE);
  const metres = distances ? new Float64Array(times.length) : undefined;
  const leaving = sources.map((source) => passages.leaving(source));
  const arriving = targets.map((target) => passages.arriving(target));
  const { arc: arcCost } = engine.metric.costs;
  const isClosed = ({ arc }: Passage): boolean => arcCost[arc]! >= CLOSED;
  const metresTo = (passage: Passage): number => (distances ? metresUpTo(roads, passage) : 0);
  const start = (passage: Passage): Labelled => ({ arc: passage.arc, cost: passages.rest(passage) - arcCost[passage.arc]!, metres: -metresTo(passage) });
  const end = (passage: Passage): Labelled => ({ arc: passage.arc, cost: passage.cost, metres: metresTo(passage) });
  engine.table(
    leaving.map((all) => all.filter((passage) => !isClosed(passage)).map(start)),
    arriving.map((all) => all.filter(({ cost }) => cost < CLOSED).map(end)),
    times,
    metres,
  );
  // Labels are kept at the beginnings of arcs; two places on one and the same road, and a start on a closed one, are for the exact search.
  leaving.forEach((from, row) => {
    arriving.forEach((to, column) => {
      const cell = row * columns + column;
      if (samePlace(roads, sources[row]!, targets[column]!)) {
        // Nobody sets out in a direction in which no road leads.
        times[cell] = from.length > 0 ? 0 : UNREACHABLE;
        if (metres) metres[cell] = 0;
      } else if (from.some((one) => (isClosed(one) && one.at > 0) || to.some((other) => one.arc === other.arc))) {
        const found = findTrip(sources[row]!, targets[column]!);
        times[cell] = found?.trip.cost ?? UNREACHABLE;
        if (metres) metres[cell] = found?.metres ?? 0;
      }
    });
  });
  return {
    times,
    distances: metres ? Int32Array.from(metres, (length, cell) => (times[cell] === UNREACHABLE ? UNREACHABLE : Math.round(length))) : new Int32Array(0),
  };
}

function metresUpTo(roads: Roads, { arc, at }: Passage): number {
  if (at === 0) return 0;
  const pieces = roads.pieces(arc >> 1);
  return arc & 1 ? roads.metres(arc >> 1, pieces - at, pieces) : roads.metres(arc >> 1, 0, at);
}
