import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

/** The board as it was, over a real station; tasks have a property test in test/unit/dispatch/tasks. */
let station: TryStation;
let admin: string;
let stranger: { token: string };
let car: number;
let task: number;

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  const other = await station.ok('POST', '/organizations', { as: admin, body: { name: 'Other' } });
  stranger = await station.newUser('stranger', 'Dispatcher', { organizationId: other.id });
  car = (await station.ok('POST', '/cars', { as: admin, body: { name: 'Engine 1', glonassId: 5 } })).id;
});
afterAll(() => station.stop());

const ok = (method: string, path: string, body?: object) => station.ok(method, path, { as: admin, body });
const board = (at: number, as = admin) => station.ok('GET', `/board?at=${at}`, { as });
/** A moment that lies after all that was done, and before what follows. */
async function moment(): Promise<number> {
  const at = Date.now() + 1;
  await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(at);
  return at;
}
const crewAt = async (at: number) => (await board(at)).cars.find(({ id }: { id: number }) => id === car);
const setStatus = (status: number) => ok('PUT', `/cars/${car}/status`, { status });
const place = (lat: number, time: number) =>
  ok('POST', '/telemetry', [{ glonassId: 5, time, lat, lon: 20, speed: 12 }] as never);

test('a task is on the board with the fields and units that it had', async () => {
  const before = await moment();
  const made = await ok('POST', '/news/', { values: { title: 'Smoke', news_type_id: 1, address: 'Quay 1' } });
  task = Number(made.newsId);
  const asReported = await moment();
  await ok('POST', `/news/${task}/units`, { carIds: [car] });
  const sent = await moment();
  await ok('POST', `/news/${task}/update`, { title: 'Fire, 4th floor', assigned_status: 4 });
  const closed = await moment();
  expect((await board(before)).messages).toEqual([]);
  expect((await board(asReported)).messages).toMatchObject([{ id: task, title: 'Smoke', status: 1, units: [] }]);
  expect((await board(sent)).messages).toMatchObject([
    { title: 'Smoke', status: 2, units: [{ carId: car, lead: true, clearAt: null }] },
  ]);
  expect((await board(closed)).messages).toEqual([]);
  expect(await ok('GET', `/board/news/${task}?at=${sent}`)).toMatchObject({ title: 'Smoke', address: 'Quay 1' });
  expect((await station.ask('GET', `/board/news/${task}?at=${closed}`, { as: admin })).status).toBe(404);
});

test('a vehicle has the status and the place that it had', async () => {
  const now = Date.now();
  await place(50.1, now - 7_200_000);
  await place(50.2, now - 3_600_000);
  await setStatus(2);
  const first = await moment();
  await setStatus(6);
  const second = await moment();
  await setStatus(1);
  expect(await crewAt(first)).toMatchObject({ unitStatus: 2, lat: 50.2 });
  expect(await crewAt(second)).toMatchObject({ unitStatus: 6 });
  expect(await crewAt(now - 3_700_000)).toMatchObject({ unitStatus: null, lat: 50.1, speed: 12 });
  expect(await crewAt(now - 8_000_000)).toMatchObject({ lat: null, lastUpdate: null });
  expect(await crewAt(Date.now())).toMatchObject({ unitStatus: 1 });
});

test('an alarm stands from when it was raised, as far as it was answered', async () => {
  const before = await moment();
  await setStatus(0);
  const open = async () => (await ok('GET', '/alarms'))[0];
  await expect.poll(open).toMatchObject({ state: 'unacknowledged', carId: car });
  const raised = await moment();
  await ok('POST', `/alarms/${(await open()).id}/acknowledge`, { comment: 'Called back' });
  const answered = await moment();
  expect((await board(before)).alarms).toEqual([]);
  expect((await board(raised)).alarms).toMatchObject([{ state: 'unacknowledged', carId: car }]);
  expect((await board(answered)).alarms).toMatchObject([{ state: 'acknowledged' }]);
});

test('it shows nobody more than they may see, and nothing that lies ahead', async () => {
  const { messages, cars, alarms } = await board(await moment(), stranger.token);
  expect({ messages, cars, alarms }).toEqual({ messages: [], cars: [], alarms: [] });
  for (const path of ['/board', '/board?at=soon', `/board?at=${Date.now() + 3_600_000}`])
    expect((await station.ask('GET', path, { as: admin })).status).toBe(400);
});

test('the time of a crew by status is that of its notes', async () => {
  const from = await moment();
  await setStatus(1);
  const till = await moment();
  const path = `/statistics/unit-status?from=${from}&till=${till}`;
  const { units, notedSince } = await station.ok('GET', path, { as: admin });
  expect(notedSince).toBeLessThan(from);
  expect(units).toMatchObject([{ carId: car, unknown: 0 }]);
  const whole = units[0].seconds.reduce((sum: number, one: number) => sum + one, 0);
  expect(whole).toBeCloseTo((till - from) / 1000, 6);
  expect(units[0].seconds[0] + units[0].seconds[1]).toBeCloseTo(whole, 6);
  expect((await station.ok('GET', path, { as: stranger.token })).units).toEqual([]);
  const bad = `/statistics/unit-status?from=${till}&till=${from}`;
  expect((await station.ask('GET', bad, { as: admin })).status).toBe(400);
  expect((await station.ask('GET', `${path}&cars=999`, { as: admin })).status).toBe(404);
});
