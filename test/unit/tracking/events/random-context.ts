import {
  DEFAULT_SETTINGS,
  EMPTY_CONTEXT,
  type EventSettings,
  type Measures,
  type Point,
  type VehicleContext,
} from '../../../../server/tracking/events/index.ts';
import { CLOSED_LIMIT, RoadLimits } from '../../../../shared/roads/road-limits.ts';
import type { LonLat, Shape } from '../../../../shared/geo/shapes.ts';
import { numbers } from '../../../support/chance.ts';
import { NOON, wildDay } from './drive.ts';

const METRE = 1 / 111_195;
const at = (x: number, y: number): [number, number] => [
  37 + (x * METRE) / Math.cos((55 * Math.PI) / 180),
  55 + y * METRE,
];

type Random = () => number;

/** A day of `wildDay` on which the emergency button is isBacklogged now and then. */
export function randomDay(seed: number, count: number): Point[] {
  const random = numbers(seed + 1);
  return wildDay(seed, count).map((point) =>
    random() < 0.02 ? { ...point, params: { ...point.params, alarm: 'sos' } } : point,
  );
}

/**
 * Some of everything around the place of `wildDay`, of which much begins, changes and ends in the course of
 * the day.
 */
export function randomContext(seed: number, until: number): VehicleContext {
  const random = numbers(seed);
  const some = <T>(least: number, most: number, make: (id: number) => readonly T[]): T[] =>
    Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, (_, i) => make(i + 1)).flat();
  return {
    ...EMPTY_CONTEXT,
    ...measuresOf(random, until),
    zones: some(1, 5, (id) =>
      versions(random, until, (part) => ({
        id,
        name: `Zone ${id}.${part}`,
        shape: shape(random),
        speedLimit: random() < 0.4 ? 20 + random() * 60 : 0,
      })),
    ),
    sensors: [
      ...some(0, 3, (id) =>
        versions(
          random,
          until,
          () =>
            ({
              id,
              name: `Switch ${id}`,
              type: random() < 0.4 ? 'ignition' : random() < 0.8 ? 'digital' : 'failure',
              input: { kind: 'input', index: Math.floor(random() * 3) },
              calibration: [],
              low: null,
              high: null,
              hysteresis: 0,
              inverted: random() < 0.2,
              debounce: random() < 0.3 ? Math.round(random() * 60_000) : null,
            }) as const,
        ),
      ),
      ...some(0, 1, () =>
        versions(
          random,
          until,
          () =>
            ({
              id: 10,
              name: 'Key',
              type: 'driver-key',
              input: { kind: 'input', index: 2 },
              calibration: [],
              low: null,
              high: null,
              hysteresis: 0,
            }) as const,
        ),
      ),
      ...some(0, 1, () =>
        versions(
          random,
          until,
          () =>
            ({
              id: 11,
              name: 'Cooler',
              type: 'analog',
              input: { kind: 'param', name: 'temp' },
              calibration: [],
              low: random() < 0.5 ? 2 : null,
              high: 4 + random() * 3,
              hysteresis: random(),
            }) as const,
        ),
      ),
      ...some(0, 2, (id) =>
        versions(
          random,
          until,
          () =>
            ({
              id: 20 + id,
              name: 'Tank',
              type: 'fuel',
              input: { kind: 'adc', index: 0 },
              calibration: [
                [0, 0],
                [1000, 80 + random() * 40],
              ],
              low: null,
              high: null,
              hysteresis: 0,
            }) as const,
        ),
      ),
    ],
    routes: some(0, 3, (id) =>
      versions(random, until, (part) => ({
        id,
        name: `Route ${id}.${part}`,
        line: line(random, 3),
        corridor: random() < 0.5 ? 100 + random() * 900 : null,
        points: some(0, 3, (point) => [
          {
            id: point,
            name: `Control ${point}`,
            lat: at(0, (random() - 0.5) * 3000)[1],
            lon: at((random() - 0.5) * 3000, 0)[0],
            radius: 50 + random() * 250,
          },
        ]),
      })),
    ),
    requests: some(0, 4, (id) =>
      versions(random, until, () => ({
        id,
        title: `Request ${id}`,
        lat: at(0, (random() - 0.5) * 2000)[1],
        lon: at((random() - 0.5) * 2000, 0)[0],
      })),
    ),
    closures: some(0, 2, (id) => versions(random, until, () => ({ id, shape: shape(random) }))),
    roads: random() < 0.7 ? versions(random, until, () => ({ id: 0, bytes: roads(random) })) : [],
  };
}

/** One to three versions that follow each other, maybe with a gap, maybe with an end. */
function versions<T extends object>(
  random: Random,
  until: number,
  make: (part: number) => T,
): (T & { validFrom: number; validUntil: number | null })[] {
  const bounds = Array.from(
    { length: Math.floor(random() * 3) },
    () => NOON + Math.floor(random() * (until - NOON)),
  ).sort((a, b) => a - b);
  const begins = [random() < 0.7 ? 0 : NOON + Math.floor(random() * (until - NOON) * 0.3), ...bounds].sort(
    (a, b) => a - b,
  );
  return begins
    .map((validFrom, i) => {
      const next = begins[i + 1] ?? (random() < 0.3 ? until : null);
      return {
        ...make(i),
        validFrom,
        validUntil: next !== null && next > validFrom && random() < 0.1 ? Math.floor((validFrom + next) / 2) : next,
      };
    })
    .filter(({ validFrom, validUntil }) => validUntil === null || validUntil > validFrom);
}

function shape(random: Random): Shape {
  const [x, y] = [(random() - 0.5) * 3000, (random() - 0.5) * 3000];
  const size = 100 + random() * 900;
  if (random() < 0.4) return { kind: 'circle', center: at(x, y), radius: size };
  if (random() < 0.4) return { kind: 'corridor', line: line(random, 2), width: 30 + random() * 200 };
  const ring = (radius: number): LonLat[] =>
    Array.from({ length: 6 }, (_, i) =>
      at(
        x + Math.cos((i / 6) * 2 * Math.PI) * radius * (0.6 + random() * 0.8),
        y + Math.sin((i / 6) * 2 * Math.PI) * radius,
      ),
    );
  return { kind: 'polygon', rings: random() < 0.3 ? [ring(size), ring(size / 4)] : [ring(size)] };
}

function line(random: Random, corners: number): LonLat[] {
  return Array.from({ length: corners }, () => at((random() - 0.5) * 4000, (random() - 0.5) * 4000));
}

/** A network of long straight roads, so dense that most fixes are near one. */
function roads(random: Random): ArrayBuffer {
  const lines = Array.from({ length: 400 }, () => line(random, 2));
  const column = (end: 0 | 1, of: 0 | 1) => Int32Array.from(lines, (one) => Math.round(one[end]![of] * 1e6));
  const limits = () =>
    Uint8Array.from(lines, () => (random() < 0.2 ? 0 : random() < 0.1 ? CLOSED_LIMIT : 20 + Math.floor(random() * 80)));
  return RoadLimits.pack({
    fromLat: column(0, 1),
    fromLon: column(0, 0),
    toLat: column(1, 1),
    toLon: column(1, 0),
    along: limits(),
    against: limits(),
  }).buffer;
}

function measuresOf(random: Random, until: number): Pick<VehicleContext, 'settings' | 'tankLitres' | 'measures'> {
  const settings = (): EventSettings => ({
    ...DEFAULT_SETTINGS,
    speedLimit: random() < 0.7 ? 40 + random() * 60 : 0,
    stopAfter: Math.round(random() * 5 * 60_000),
    lostAfter: Math.round((1 + random() * 14) * 60_000),
    turnAngle: 20 + random() * 40,
    zoneMargin: random() * 60,
    requestRadius: 80 + random() * 150,
    longStopAfter: Math.round((1 + random() * 6) * 60_000),
    corridor: 100 + random() * 400,
  });
  const measures: Measures[] = versions(random, until, () => ({
    settings: settings(),
    tankLitres: 60 + random() * 60,
  }));
  const last = measures.at(-1);
  return { settings: last?.settings ?? settings(), tankLitres: last?.tankLitres ?? 80, measures };
}

/** Zones in a row to the east, the first around the origin of random days; polygons of so many corners. */
export function zonesInARow(count: number, corners: number): VehicleContext['zones'] {
  const ring = (i: number) =>
    Array.from({ length: corners }, (_, k): [number, number] => [
      37 + i / 100 + 0.004 * Math.cos((2 * Math.PI * k) / corners),
      55 + 0.004 * Math.sin((2 * Math.PI * k) / corners),
    ]);
  return Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    name: `Zone ${i + 1}`,
    shape: { kind: 'polygon' as const, rings: [ring(i)] },
    speedLimit: 0,
    validFrom: 0,
    validUntil: null,
  }));
}
