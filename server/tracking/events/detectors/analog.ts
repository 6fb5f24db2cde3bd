import type { Detector, Interval } from './detector.ts';
import { readSensor, type ContextSensor } from '../context/vehicle-context.ts';

type Beyond = Readonly<Record<string, Interval>>;

/** Type 9: a calibrated value is beyond its limits, until it is back by the hysteresis. */
export const analog: Detector<Beyond> = {
  name: 'analog',
  start: {},
  lasting: (state) => Object.values(state),
  step(state, point, previous, context, report) {
    let now = state;
    for (const sensor of context.sensors) {
      if (sensor.type !== 'analog') continue;
      const value = readSensor(sensor, point);
      if (value === undefined) continue;
      const open = now[sensor.id];
      if (open && isBack(sensor, open.data['side'] as string, value)) {
        report({ ...open, until: point.time });
        now = Object.fromEntries(Object.entries(now).filter(([id]) => id !== String(sensor.id)));
      } else if (!open) {
        const side =
          sensor.low !== null && value < sensor.low
            ? 'low'
            : sensor.high !== null && value > sensor.high
              ? 'high'
              : undefined;
        if (!side) continue;
        const place = point.fixed || !previous ? point : previous;
        const begun: Interval = {
          type: 9,
          subject: `sensor:${sensor.id}`,
          from: point.time,
          until: null,
          lat: place.lat,
          lon: place.lon,
          info: `${sensor.name}: ${round(value)}`,
          data: { sensorId: sensor.id, side, value: round(value) },
        };
        report(begun);
        now = { ...now, [sensor.id]: begun };
      }
    }
    // A removed sensor, or one that changed its type, ends its event.
    for (const [id, open] of Object.entries(now)) {
      if (context.sensors.some((sensor) => sensor.type === 'analog' && String(sensor.id) === id)) continue;
      report({ ...open, until: point.time });
      now = Object.fromEntries(Object.entries(now).filter(([other]) => other !== id));
    }
    return now;
  },
};

function isBack(sensor: ContextSensor, side: string, value: number): boolean {
  return side === 'low'
    ? sensor.low === null || value >= sensor.low + sensor.hysteresis
    : sensor.high === null || value <= sensor.high - sensor.hysteresis;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
