import type { Detector, Interval, Point } from './detector.ts';

interface Heard {
  last: { time: number; lat: number; lon: number } | null;
}

/**
 * Type 2: no record for some minutes. It ends at the next record's own time, not its arrival: records sent
 * later from a black box shorten or delete it.
 */
export const signal: Detector<Heard> = {
  name: 'signal',
  start: { last: null },
  lasting: () => [],
  step({ last }, point, _previous, { settings }, report) {
    if (last && settings.lostAfter > 0 && point.time - last.time >= settings.lostAfter) report(lost(last, point.time));
    return { last: placeOf(point, last) };
  },
  silence({ last }, now, { settings }) {
    return last && settings.lostAfter > 0 && now - last.time >= settings.lostAfter ? [lost(last, null)] : [];
  },
};

function lost(last: { time: number; lat: number; lon: number }, until: number | null): Interval {
  return { type: 2, subject: '', from: last.time, until, lat: last.lat, lon: last.lon, info: 'no signal', data: {} };
}

/** A record without a fix proves contact, at the last known place. */
function placeOf(point: Point, last: Heard['last']): Heard['last'] {
  return point.fixed || !last ? { time: point.time, lat: point.lat, lon: point.lon } : { ...last, time: point.time };
}
