import { expect, test } from 'vitest';
import { chanceFrom } from '../../../server/demo/chance.ts';
import { movedByMetres, type GroundPosition } from '../../../server/demo/simulate/position.ts';
import {
  AT_START,
  startedFrom,
  driveOn,
  hasReachedEnd,
  planTrip,
  whereOn,
  type TripProgress,
  type PlannedTrip,
} from '../../../server/demo/simulate/trip.ts';
import { airDistance } from '../../../shared/geo/geometry.ts';
import { SEED } from '../../support/chance.ts';

const START = { lat: 56.2, lon: 18.9 };

/** A line of metres east and north from the start. */
const line = (...steps: [number, number][]): GroundPosition[] =>
  steps.map(([east, north]) => movedByMetres(START, east, north));
const never = { ...chanceFrom(1), happens: () => false };

/** Speeds, each second, until it arrives. */
function drive(trip: PlannedTrip, step = 1): { speeds: number[]; motion: TripProgress; seconds: number } {
  const speeds: number[] = [];
  let motion = AT_START;
  while (!hasReachedEnd(trip, motion) && speeds.length < 10_000) {
    motion = driveOn(trip, motion, step);
    speeds.push(motion.speed);
  }
  return { speeds, motion, seconds: speeds.length * step };
}

test('a straight road is driven about as fast as the router says', () => {
  const trip = planTrip(
    line([0, 0], [1000, 0]),
    [
      { position: 0, distance: 1000, time: 80 },
      { position: 1, distance: 0, time: 0 },
    ],
    never,
  );
  const { speeds, seconds } = drive(trip);
  expect(Math.max(...speeds)).toBeCloseTo((1000 / 80) * 1.15, 0);
  expect(seconds).toBeGreaterThan(70);
  expect(seconds).toBeLessThan(92);
});

test('a vehicle speeds up, slows down for a corner, and stops at the end', () => {
  const trip = planTrip(line([0, 0], [300, 0], [300, 300]), [{ position: 0, distance: 600, time: 40 }], never);
  const { speeds } = drive(trip, 0.5);
  expect(speeds[0]).toBeLessThan(2);
  const middle = speeds.slice(10, -10);
  expect(Math.min(...middle)).toBeLessThan(6);
  expect(Math.max(...middle)).toBeGreaterThan(14);
  expect(speeds.at(-1)).toBe(0);
});

test('no vehicle brakes or speeds up harder than a vehicle can, on any route', () => {
  for (let round = 0; round < 40; round++) {
    const chance = chanceFrom(SEED + round);
    const points: [number, number][] = [[0, 0]];
    const legs = [];
    for (let i = 0; i < 30; i++) {
      const [east, north] = points[i];
      points.push([east + chance.between(-150, 150), north + chance.between(-150, 150)]);
      if (i % 3 === 0) legs.push({ position: i, distance: 400, time: chance.between(12, 90) });
    }
    const trip = planTrip(line(...points), legs, chance);
    let before = 0;
    let farthest = 0;
    const wrong: string[] = [];
    for (let motion = AT_START, seconds = 0; !hasReachedEnd(trip, motion); seconds += 0.5) {
      if (seconds > 5000) wrong.push('it never arrives');
      if (wrong.length > 0) break;
      motion = driveOn(trip, motion, 0.5);
      if (motion.along < farthest) wrong.push(`back from ${farthest} to ${motion.along} m`);
      farthest = motion.along;
      if (motion.speed - before > 1) wrong.push(`from ${before} up to ${motion.speed} m/s`);
      // Half a second of braking, and the last step from walking pace.
      if (before - motion.speed > 2.4) wrong.push(`from ${before} down to ${motion.speed} m/s`);
      before = motion.speed;
    }
    expect(wrong, `seed ${SEED}, round ${round}`).toEqual([]);
  }
});

test('lights are waited at, once', () => {
  const always = { ...chanceFrom(1), happens: () => true, between: () => 10 };
  const legs = [
    { position: 0, distance: 200, time: 20 },
    { position: 1, distance: 200, time: 20 },
  ];
  const waiting = drive(planTrip(line([0, 0], [200, 0], [400, 0]), legs, always));
  const passing = drive(planTrip(line([0, 0], [200, 0], [400, 0]), legs, never));
  expect(waiting.seconds - passing.seconds).toBeGreaterThan(9);
  expect(waiting.seconds - passing.seconds).toBeLessThan(30);
});

test('driving in many small steps or in one large one ends at the same place', () => {
  const trip = planTrip(line([0, 0], [500, 40], [900, 500]), [{ position: 0, distance: 1100, time: 90 }], never);
  let small = AT_START;
  for (let i = 0; i < 120; i++) small = driveOn(trip, small, 0.5);
  expect(driveOn(trip, AT_START, 60).along).toBeCloseTo(small.along, 6);
});

test('the course is where the vehicle goes, and the position lies on the way', () => {
  const trip = planTrip(line([0, 0], [0, 500], [500, 500]), [{ position: 0, distance: 1000, time: 80 }], never);
  expect(whereOn(trip, { ...AT_START, along: 250 }).course).toBeCloseTo(0, 0);
  expect(whereOn(trip, { ...AT_START, along: 750 }).course).toBeCloseTo(90, 0);
  expect(airDistance(whereOn(trip, { ...AT_START, along: 250 }).position, movedByMetres(START, 0, 250))).toBeLessThan(
    1,
  );
});

test('a shared way can be begun from beside its start without a jump', () => {
  const trip = planTrip(line([0, 0], [500, 0]), [{ position: 0, distance: 500, time: 40 }], never);
  const own = startedFrom(trip, movedByMetres(START, 0, 60));
  expect(airDistance(whereOn(own, AT_START).position, movedByMetres(START, 0, 60))).toBeLessThan(0.1);
  const { motion } = drive(own);
  expect(airDistance(whereOn(own, motion).position, movedByMetres(START, 500, 0))).toBeLessThan(0.1);
  expect(startedFrom(trip, START)).toBe(trip);
});
