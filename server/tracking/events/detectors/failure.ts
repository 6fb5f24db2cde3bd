import type { Detector, Interval, Point } from './detector.ts';
import { readSensor, type VehicleContext } from '../context/vehicle-context.ts';

interface Failing {
  /** Time of the last plausible position, or of the first record without one. */
  noFixSince: number | null;
  noFix: Interval | null;
  /** Faults reported by the device, by subject. */
  told: Readonly<Record<string, Interval>>;
}

/** Parameters with which devices report faults, as decoders name them. */
const FAULTS: Readonly<Record<string, string>> = { power_cut: 'power cut', antenna_cut: 'antenna cut', fault: 'fault' };

/** Type 4: the device reports a fault, or sends records without a position for too long. */
export const failure: Detector<Failing> = {
  name: 'failure',
  start: { noFixSince: null, noFix: null, told: {} },
  lasting: ({ noFix, told }) => [...(noFix ? [noFix] : []), ...Object.values(told)],
  step(state, point, previous, context, report) {
    return {
      ...withoutFix(state, point, previous, context, report),
      told: reportedFaults(state.told, point, previous, context, report),
    };
  },
};

function withoutFix(
  state: Failing,
  point: Point,
  previous: Point | null,
  { settings }: VehicleContext,
  report: (interval: Interval) => void,
): Pick<Failing, 'noFixSince' | 'noFix'> {
  if (point.fixed) {
    if (state.noFix) report({ ...state.noFix, until: point.time });
    return { noFixSince: null, noFix: null };
  }
  const since = state.noFixSince ?? point.time;
  if (state.noFix || point.time - since < settings.noFixAfter) return { noFixSince: since, noFix: state.noFix };
  const noFix: Interval = {
    type: 4,
    subject: 'fix',
    from: since,
    until: null,
    ...placeOf(point, previous),
    info: 'no position',
    data: {},
  };
  report(noFix);
  return { noFixSince: since, noFix };
}

function reportedFaults(
  told: Failing['told'],
  point: Point,
  previous: Point | null,
  context: VehicleContext,
  report: (interval: Interval) => void,
): Failing['told'] {
  let now = told;
  const say = (subject: string, failed: boolean, info: string) => {
    const open = now[subject];
    if (failed && !open) {
      const begun: Interval = {
        type: 4,
        subject,
        from: point.time,
        until: null,
        ...placeOf(point, previous),
        info,
        data: {},
      };
      report(begun);
      // Sorted by name, so that the same faults give the same state.
      now = Object.fromEntries(Object.entries({ ...now, [subject]: begun }).sort(([a], [b]) => (a < b ? -1 : 1)));
    } else if (!failed && open) {
      report({ ...open, until: point.time });
      now = Object.fromEntries(Object.entries(now).filter(([name]) => name !== subject));
    }
  };
  for (const [name, info] of Object.entries(FAULTS)) {
    const value = point.params[name];
    if (value !== undefined) say(name, value === true || Number(value) === 1, info);
  }
  for (const sensor of context.sensors) {
    if (sensor.type !== 'failure') continue;
    const value = readSensor(sensor, point);
    if (value !== undefined) say(`sensor:${sensor.id}`, value !== 0, sensor.name);
  }
  for (const subject of Object.keys(now)) {
    if (
      subject.startsWith('sensor:') &&
      !context.sensors.some((sensor) => sensor.type === 'failure' && `sensor:${sensor.id}` === subject)
    )
      say(subject, false, '');
  }
  return now;
}

function placeOf(point: Point, previous: Point | null): { lat: number; lon: number } {
  const place = point.fixed || !previous ? point : previous;
  return { lat: place.lat, lon: place.lon };
}
