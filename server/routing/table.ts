import type { Roads } from '../territory/roads/index.ts';
import { UNREACHABLE } from './door.ts';
import type { Engine } from './engine.ts';
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
export function makeTable({ sources, targets, distances }: TableQuestion, roads: Roads, engine: Engine, passages: Passages): { times: Int32Array; distances: Int32Array } {
  const columns = targets.length;
  const times = new Int32Array(sources.length * columns).fill(UNREACHABLE);
  const metres = distances ? new Float64Array(times.length) : undefined;
  const leaving = sources.map((source) => passages.leaving(source));
  const arriving = targets.map((target) => passages.arriving(target));
  const { arc: arcCost } = engine.metric.costs;
  const { turnFirst, turnHead, turnCost } = roads.columns;
  const metresTo = (passage: Passage): number => (distances ? metresUpTo(roads, passage) : 0);
  const start = (passage: Passage): Labelled => ({ arc: passage.arc, cost: passages.rest(passage) - arcCost[passage.arc]!, metres: -metresTo(passage) });
  const end = (passage: Passage): Labelled => ({ arc: passage.arc, cost: passage.cost, metres: metresTo(passage) });
  /** Driven off its own road, so that what is found there is the time of coming round to it. */
  const driveOff = (passage: Passage): Labelled[] => {
    const cost = passages.rest(passage);
    if (cost >= CLOSED) return [];
    const left = distances ? roads.arcMetres[passage.arc]! - metresTo(passage) : 0;
    return Array.from(turnHead.subarray(turnFirst[passage.arc], turnFirst[passage.arc + 1]), (arc, i) => ({ arc, cost: cost + turnCost[turnFirst[passage.arc]! + i]!, metres: left }));
  };
  // A label at the beginning of an arc says nothing of a start behind the end on the same one, nor of a start on a closed one.
  const arrivedAt = new Map<number, Place[]>();
  arriving.forEach((all, column) => {
    for (const { arc } of all) {
      const places = arrivedAt.get(arc);
      if (places) places.push(targets[column]!);
      else arrivedAt.set(arc, [targets[column]!]);
    }
  });
  const drivesOff = leaving.map((all, row) => all.some(({ arc }) => arcCost[arc]! >= CLOSED || arrivedAt.get(arc)?.some((target) => !samePlace(roads, sources[row]!, target))));
  engine.table(
    leaving.map((all, row) => (drivesOff[row] ? all.flatMap(driveOff) : all.map(start))),
    arriving.map((all) => all.filter(({ cost }) => cost < CLOSED).map(end)),
    times,
    metres,
  );
  leaving.forEach((from, row) => {
    arriving.forEach((to, column) => {
      const cell = row * columns + column;
      if (samePlace(roads, sources[row]!, targets[column]!)) {
        // Nobody sets out in a direction in which no road leads.
        times[cell] = from.length > 0 ? 0 : UNREACHABLE;
        if (metres) metres[cell] = 0;
      } else if (drivesOff[row]) {
        for (const one of from) for (const other of to) {
          if (one.arc !== other.arc) continue;
          const straight = passages.direct(one, other);
          if (straight >= CLOSED || straight > times[cell]!) continue;
          times[cell] = straight;
          if (metres) metres[cell] = metresTo(other) - metresTo(one);
        }
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
