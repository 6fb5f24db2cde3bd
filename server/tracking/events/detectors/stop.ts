import type { Detector, Interval } from './detector.ts';

interface StopState {
  /** When and where standing began; null while driving. */
  since: { time: number; lat: number; lon: number } | null;
  open: Interval | null;
}

/** Type 1: below walking speed for some minutes is a stop; longer, a parking, as `info` says. */
export const stop: Detector<StopState> = {
  name: 'stop',
  start: { since: null, open: null },
  lasting: ({ open }) => (open ? [open] : []),
  step(state, point, _previous, { settings }, report) {
    if (!point.fixed) return state;
    if (point.speed >= settings.standingSpeed) {
      if (state.open) report({ ...state.open, until: point.time });
      return { since: null, open: null };
    }
    const since = state.since ?? { time: point.time, lat: point.lat, lon: point.lon };
    const stood = point.time - since.time;
    if (stood < settings.stopAfter) return { since, open: null };
    const info = stood >= settings.parkingAfter ? 'parking' : 'stop';
    if (state.open?.info === info) return state;
    const open: Interval = {
      type: 1,
      subject: '',
      from: since.time,
      until: null,
      lat: since.lat,
      lon: since.lon,
      info,
      data: {},
    };
    report(open);
    return { since, open };
  },
};
