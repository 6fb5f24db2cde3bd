import { airDistance } from '../../../../shared/geo/geometry.ts';
import type { Detector, Interval, Point, ReportInterval } from './detector.ts';
import { readSensor, type ContextSensor, type VehicleContext } from '../context/vehicle-context.ts';

interface FuelLevel {
  time: number;
  litres: number;
  lat: number;
  lon: number;
}

interface Tank {
  /** The last raw levels, for the median. */
  raw: readonly number[];
  /** Smoothed levels within the window, oldest first. */
  levels: readonly FuelLevel[];
  /** A change in progress: it grows until the level rests. */
  open: Interval | null;
  /** Level at which the change began. */
  base: number;
  /** Last time the change grew. */
  grewAt: number;
}

type Tanks = Readonly<Record<string, Tank>>;

const EMPTY: Tank = { raw: [], levels: [], open: null, base: 0, grewAt: 0 };
/** Points of the median: sloshing and the dip at the engine's start are shorter. */
const MEDIAN_OF = 5;
/** Metres. A vehicle this far away after a gap has driven and burnt the missing fuel. */
const UNSEEN_WAY = 300;

/**
 * Types 10 and 11: while standing, the calibrated, smoothed level rises or falls within minutes by more than
 * a share of the tank or some litres.
 */
export const fuel: Detector<Tanks> = {
  name: 'fuel',
  start: {},
  lasting: (state) => Object.values(state).flatMap(({ open }) => (open ? [open] : [])),
  step(state, point, _previous, context, report) {
    let now = state;
    for (const sensor of context.sensors) {
      if (sensor.type !== 'fuel') continue;
      const litres = readSensor(sensor, point);
      if (litres === undefined) continue;
      now = { ...now, [sensor.id]: measured(now[sensor.id] ?? EMPTY, litres, sensor, point, context, report) };
    }
    for (const [id, tank] of Object.entries(now)) {
      if (context.sensors.some((sensor) => sensor.type === 'fuel' && String(sensor.id) === id)) continue;
      if (tank.open) report({ ...tank.open, until: tank.grewAt });
      now = Object.fromEntries(Object.entries(now).filter(([other]) => other !== id));
    }
    return now;
  },
};

function measured(
  tank: Tank,
  litres: number,
  sensor: ContextSensor,
  point: Point,
  context: VehicleContext,
  report: ReportInterval,
): Tank {
  const { settings } = context;
  if (tank.levels.length > 0 && isElsewhere(tank.levels.at(-1)!, point, settings.fuelWithin)) {
    if (tank.open) report({ ...tank.open, until: tank.grewAt });
    return { ...EMPTY, raw: [litres] };
  }
  const raw = [...tank.raw, litres].slice(-MEDIAN_OF);
  // With fewer the median could be the dip itself.
  if (raw.length < MEDIAN_OF) return { ...tank, raw };
  const level = median(raw);
  const here: FuelLevel = { time: point.time, litres: level, lat: point.lat, lon: point.lon };
  const levels = [...tank.levels.filter(({ time }) => time >= point.time - settings.fuelWithin), here];
  const standing = !point.fixed || point.speed < settings.standingSpeed;
  if (tank.open) return changing(tank, raw, levels, here, standing, settings.fuelWithin, report);

  const least =
    context.tankLitres > 0
      ? Math.min(settings.fuelLitres, settings.fuelShare * context.tankLitres)
      : settings.fuelLitres;
  const before = levels.reduce(
    (furthest, one) => (Math.abs(level - one.litres) > Math.abs(level - furthest.litres) ? one : furthest),
    here,
  );
  const change = level - before.litres;
  if (!standing || Math.abs(change) <= least) return { raw, levels, open: null, base: 0, grewAt: 0 };
  // It began when the level last had its old value, not when the window began.
  const begun = levels.findLast(({ litres }) => Math.abs(level - litres) >= Math.abs(change) * 0.9)!;
  const open = interval(sensor, begun, change);
  report(open);
  return { raw, levels, open, base: before.litres, grewAt: point.time };
}

/** Whether the vehicle moved during a gap in its levels. */
function isElsewhere(last: FuelLevel, point: Point, within: number): boolean {
  return point.fixed && point.time - last.time > within && airDistance(last, point) > UNSEEN_WAY;
}

/**
 * While it continues in the same direction the event grows; when the vehicle drives off or the level rests
 * for one window, the event ends with its last growth.
 */
function changing(
  tank: Tank,
  raw: readonly number[],
  levels: readonly FuelLevel[],
  here: FuelLevel,
  standing: boolean,
  within: number,
  report: ReportInterval,
): Tank {
  const open = tank.open!;
  const change = here.litres - tank.base;
  const known = open.data['litres'] as number;
  const grows = Math.sign(change) === (open.type === 10 ? 1 : -1) && Math.abs(change) > known + 0.5;
  if (standing && grows) {
    const grown = {
      ...open,
      info: words(open.type, Math.abs(change)),
      data: { ...open.data, litres: round(Math.abs(change)) },
    };
    report(grown);
    return { raw, levels, open: grown, base: tank.base, grewAt: here.time };
  }
  if (standing && here.time - tank.grewAt < within) return { ...tank, raw, levels };
  report({ ...open, until: tank.grewAt });
  return { raw, levels: [here], open: null, base: 0, grewAt: 0 };
}

function interval(sensor: ContextSensor, before: FuelLevel, change: number): Interval {
  const type = change > 0 ? 10 : 11;
  const litres = round(Math.abs(change));
  return {
    type,
    subject: `sensor:${sensor.id}`,
    from: before.time,
    until: null,
    lat: before.lat,
    lon: before.lon,
    info: words(type, litres),
    data: { sensorId: sensor.id, litres },
  };
}

function words(type: number, litres: number): string {
  return `${type === 10 ? 'filled' : 'drained'} ${round(litres)} l`;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
