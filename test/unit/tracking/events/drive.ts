import {
  DEFAULT_SETTINGS,
  EMPTY_CONTEXT,
  type Point,
  type VehicleContext,
} from '../../../../server/tracking/events/index.ts';
import { numbers } from '../../../support/chance.ts';

export const NOON = Date.UTC(2026, 10, 20, 12);
const METRE = 1 / 111_195;

/**
 * A day of one vehicle that has everything in it: zones driven through and lingered in, stops, gaps, jumps,
 * lost fixes, switches, fuel.
 */
export function wildDay(seed: number, count: number): Point[] {
  const random = numbers(seed);
  const points: Point[] = [];
  let [time, x, y, heading, speed] = [NOON, 0, 0, 0, 0];
  let [inputs, fuel, temperature] = [0, 60, 4];
  let mood: 'drive' | 'stand' | 'blind' = 'drive';
  for (let i = 0; i < count; i++) {
    if (random() < 0.06) mood = (['drive', 'drive', 'stand', 'blind'] as const)[Math.floor(random() * 4)]!;
    if (random() < 0.02) time += Math.round(random() * 40 * 60_000);
    time += 1000 + Math.round(random() * 50_000);
    if (mood === 'drive') {
      speed = Math.min(130, Math.max(4, speed + (random() - 0.45) * 40));
      heading = (heading + (random() - 0.5) * 90 + 360) % 360;
      const metres = (speed / 3.6) * 25;
      x += Math.sin((heading * Math.PI) / 180) * metres;
      y += Math.cos((heading * Math.PI) / 180) * metres;
      if (Math.hypot(x, y) > 3000) heading = (Math.atan2(-x, -y) * 180) / Math.PI;
      fuel -= 0.02;
    } else if (mood === 'stand') {
      speed = random() * 2;
      if (random() < 0.05) fuel = Math.min(100, Math.max(3, fuel + (random() < 0.6 ? 1 : -1) * (8 + random() * 40)));
    }
    if (random() < 0.08) inputs ^= 1 << Math.floor(random() * 3);
    temperature += (random() - 0.5) * 2;
    const jump = random() < 0.01 ? 2 : 0;
    points.push({
      time,
      lat: 55 + y * METRE + jump,
      lon: 37 + (x * METRE) / Math.cos((55 * Math.PI) / 180),
      speed,
      direction: Math.round(heading),
      fixed: mood !== 'blind' && random() > 0.02,
      inputs,
      adc: [Math.round((fuel + (random() - 0.5) * 3) * 10)],
      params: random() < 0.03 ? { power_cut: random() < 0.5 } : random() < 0.5 ? { temp: temperature } : {},
    });
  }
  return points;
}

const at = (x: number, y: number): [number, number] => [
  37 + (x * METRE) / Math.cos((55 * Math.PI) / 180),
  55 + y * METRE,
];
const square = (x: number, y: number, half: number) => [
  at(x - half, y - half),
  at(x + half, y - half),
  at(x + half, y + half),
  at(x - half, y + half),
];

/**
 * Something of each kind around the place of `wildDay`; one zone is edited, and a route and a request end, in
 * the course of it.
 */
export function wildContext(): VehicleContext {
  const hour = (n: number) => NOON + n * 3_600_000;
  const always = { validFrom: 0, validUntil: null };
  return {
    ...EMPTY_CONTEXT,
    settings: { ...DEFAULT_SETTINGS, speedLimit: 90 },
    tankLitres: 100,
    zones: [
      { id: 1, name: 'Depot', shape: { kind: 'circle', center: at(0, 0), radius: 400 }, speedLimit: 20, ...always },
      {
        id: 2,
        name: 'Centre',
        shape: { kind: 'polygon', rings: [square(900, 300, 500), square(900, 300, 150)] },
        speedLimit: 50,
        validFrom: 0,
        validUntil: hour(3),
      },
      {
        id: 2,
        name: 'Centre',
        shape: { kind: 'polygon', rings: [square(700, 100, 700)] },
        speedLimit: 40,
        validFrom: hour(3),
        validUntil: hour(9),
      },
      {
        id: 3,
        name: 'Embankment',
        shape: { kind: 'corridor', line: [at(-2000, -500), at(0, -700), at(2000, -300)], width: 120 },
        speedLimit: 0,
        ...always,
      },
    ],
    sensors: [
      {
        id: 11,
        name: 'Ignition',
        type: 'ignition',
        input: { kind: 'input', index: 0 },
        calibration: [],
        low: null,
        high: null,
        hysteresis: 0,
        ...always,
      },
      {
        id: 12,
        name: 'Door',
        type: 'digital',
        input: { kind: 'input', index: 1 },
        calibration: [],
        low: null,
        high: null,
        hysteresis: 0,
        ...always,
      },
      {
        id: 13,
        name: 'Key',
        type: 'driver-key',
        input: { kind: 'input', index: 2 },
        calibration: [],
        low: null,
        high: null,
        hysteresis: 0,
        ...always,
      },
      {
        id: 14,
        name: 'Cooler',
        type: 'analog',
        input: { kind: 'param', name: 'temp' },
        calibration: [],
        low: 2,
        high: 6,
        hysteresis: 0.5,
        ...always,
      },
      {
        id: 15,
        name: 'Tank',
        type: 'fuel',
        input: { kind: 'adc', index: 0 },
        calibration: [
          [0, 0],
          [1000, 100],
        ],
        low: null,
        high: null,
        hysteresis: 0,
        ...always,
      },
    ],
    routes: [
      {
        id: 21,
        name: 'Round',
        line: [at(-1500, 0), at(0, 200), at(1500, 0)],
        points: [{ id: 31, name: 'Gate', lat: at(0, 200)[1], lon: at(0, 200)[0], radius: 120 }],
        validFrom: 0,
        validUntil: hour(8),
      },
    ],
    requests: [
      { id: 41, title: 'Tree on the road', lat: at(50, 50)[1], lon: at(50, 50)[0], validFrom: 0, validUntil: hour(10) },
    ],
  };
}
