import { expect, test } from 'vitest';
import { chanceFrom } from '../../../server/demo/chance.ts';
import { SimulatedCrew, type Errand, type CrewRequest } from '../../../server/demo/simulate/crew.ts';
import { movedByMetres } from '../../../server/demo/simulate/position.ts';
import { planTrip } from '../../../server/demo/simulate/trip.ts';
import { airDistance } from '../../../shared/geo/geometry.ts';
import { AT_BASE, EN_ROUTE, FREE, ON_SCENE, OUT_OF_SERVICE } from '../../../shared/fleet/unit-status.ts';

const BASE = { lat: 56.2, lon: 18.9 };
const place = movedByMetres(BASE, 600, 200);
const errand: Errand = { taskId: 12, place, since: 1000 };
const newCrew = (habits = {}): SimulatedCrew =>
  new SimulatedCrew(7001, BASE, { base: BASE, outOfService: false, roams: false, ...habits }, chanceFrom(5));
const straightTo = (from: { lat: number; lon: number }, to: { lat: number; lon: number }) =>
  planTrip(
    [from, to],
    [{ position: 0, distance: airDistance(from, to), time: airDistance(from, to) / 12 }],
    chanceFrom(1),
  );

/**
 * Lets time pass by the second, answering what the crew wishes; the wishes and the statuses that it went
 * through.
 */
function live(
  crew: SimulatedCrew,
  from: number,
  seconds: number,
): { wishes: CrewRequest['kind'][]; statuses: number[] } {
  const wishes: CrewRequest['kind'][] = [];
  const statuses: number[] = [crew.status];
  for (let now = from; now < from + seconds; now++) {
    const wish = crew.step(1, now);
    if (wish) wishes.push(wish.kind);
    if (wish?.kind === 'way-to-task') crew.take(straightTo(crew.position, wish.errand.place), wish.errand, now);
    if (wish?.kind === 'way-to-roam')
      crew.take(straightTo(crew.position, movedByMetres(BASE, -400, 0)), undefined, now);
    if (crew.status !== statuses.at(-1)) statuses.push(crew.status);
  }
  return { wishes, statuses };
}

test('a crew that is sent says so at once, drives there, works, reports, and is free', () => {
  const crew = newCrew();
  expect(crew.status).toBe(AT_BASE);
  crew.sendTo([errand], 0);
  expect(crew.status).toBe(EN_ROUTE);
  const { wishes, statuses } = live(crew, 0, 90);
  expect(statuses).toEqual([EN_ROUTE, ON_SCENE]);
  expect(airDistance(crew.position, place)).toBeLessThan(1);
  expect(live(crew, 90, 300)).toEqual({ wishes: ['report'], statuses: [ON_SCENE, FREE] });
  expect(wishes).toEqual(['way-to-task']);
});

test('a roaming crew leaves what it does for a task, and roams on afterwards', () => {
  const crew = newCrew({ roams: true });
  live(crew, 0, 120);
  crew.sendTo([errand], 120);
  const { wishes } = live(crew, 120, 900);
  expect(wishes.slice(0, 3)).toEqual(['way-to-task', 'report', 'way-to-roam']);
});

test('a task that is taken away is left', () => {
  const crew = newCrew();
  crew.sendTo([errand], 0);
  live(crew, 0, 20);
  crew.sendTo([], 20);
  const there = crew.position;
  expect(crew.status).toBe(FREE);
  expect(live(crew, 20, 60).wishes).toEqual([]);
  expect(crew.position).toEqual(there);
});

test('of several tasks the one that was assigned first is served first, and being sent again changes nothing', () => {
  const crew = newCrew();
  const later = { taskId: 13, place: movedByMetres(BASE, 0, -500), since: 2000 };
  crew.sendTo([later, errand], 0);
  live(crew, 0, 30);
  const before = crew.duty;
  crew.sendTo([later, errand], 30);
  expect(crew.duty).toBe(before);
  const { wishes } = live(crew, 30, 1200);
  expect(wishes).toEqual(['report', 'way-to-task', 'report']);
  expect(airDistance(crew.position, later.place)).toBeLessThan(1);
});

test('a place that moves is followed', () => {
  const crew = newCrew();
  crew.sendTo([errand], 0);
  live(crew, 0, 10);
  const elsewhere = { ...errand, place: movedByMetres(BASE, -300, 0) };
  crew.sendTo([elsewhere], 10);
  live(crew, 10, 60);
  expect(airDistance(crew.position, elsewhere.place)).toBeLessThan(1);
});

test('a crew out of service stays where it is', () => {
  const crew = newCrew({ outOfService: true, roams: true });
  crew.sendTo([errand], 0);
  expect(live(crew, 0, 300).wishes).toEqual([]);
  expect(crew.status).toBe(OUT_OF_SERVICE);
});

test('a way that comes too late for its task is not taken', () => {
  const crew = newCrew();
  crew.sendTo([errand], 0);
  crew.sendTo([], 1);
  crew.take(straightTo(BASE, place), errand, 2);
  expect(crew.duty.kind).toBe('parked');
});

test('receivers err by about three metres, and hold still when the vehicle stands', () => {
  const crews = Array.from(
    { length: 400 },
    (_, i) => new SimulatedCrew(i, BASE, { base: BASE, outOfService: false, roams: false }, chanceFrom(i)),
  );
  const errors = crews.map((crew) => airDistance(crew.fix().position, BASE));
  const squares = errors.reduce((sum, error) => sum + error * error, 0) / errors.length;
  expect(Math.sqrt(squares / 2)).toBeGreaterThan(2.6);
  expect(Math.sqrt(squares / 2)).toBeLessThan(3.4);
  expect(crews[0].fix().position).toEqual(crews[0].fix().position);
});
