import readXlsx from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

/** Response times (rules S1 to S7 of server/dispatch/tasks); the figures themselves have a property test. */
const HOUR = 3_600_000;

let station: TryStation;
let admin: string;
let stranger: { token: string };
let engine: { id: number };
let task: number;
let now: number;

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  const other = await station.ok('POST', '/organizations', { as: admin, body: { name: 'Water company' } });
  stranger = await station.newUser('stranger', 'Dispatcher', { organizationId: other.id });
  engine = await station.ok('POST', '/cars', { as: admin, body: { name: 'Engine 1', glonassId: 5 } });
  const body = { values: { title: '=Fire, "large"', news_type_id: 1, priority: 1 } };
  task = (await station.ok('POST', '/news/', { as: admin, body })).newsId;
  await station.ok('POST', `/news/${task}/units`, { as: admin, body: { carIds: [engine.id] } });
  now = Date.now();
});
afterAll(() => station.stop());

const period = () => `from=${now - HOUR}&till=${now + HOUR}&tz=Europe/Berlin`;
const figures = (more = '', as = admin) => station.ok('GET', `/statistics/response-times?${period()}${more}`, { as });
const rows = (more = '', as = admin) =>
  station.ok('GET', `/statistics/response-times/messages?${period()}${more}`, { as });

test('a sent unit is in the figures, and its message behind them', async () => {
  const found = await figures();
  const sent = found.priorities[1].stages.find(({ stage }: { stage: string }) => stage === 'sent');
  expect(sent).toMatchObject({ count: 1, kept: 1, missed: 0 });
  expect(sent.p50).toBeLessThan(60);
  expect(found.departments).toEqual([{ departmentId: expect.any(Number), messages: 1 }]);
  expect(found.units).toMatchObject([{ carId: engine.id, runs: 1 }]);
  expect((await rows('&stage=sent&priorities=1')).rows).toMatchObject([{ newsId: task, carIds: [engine.id] }]);
  expect(await rows('&stage=response')).toEqual({ rows: [], more: false });
});

test('nobody sees messages or vehicles of others in figures', async () => {
  expect((await figures('', stranger.token)).priorities[0].messages).toBe(0);
  expect((await rows('', stranger.token)).rows).toEqual([]);
  const path = `/statistics/response-times?${period()}&cars=${engine.id}`;
  expect((await station.ask('GET', path, { as: stranger.token })).status).toBe(404);
  const csv = await station.ask('GET', `/statistics/response-times.csv?${period()}`, { as: stranger.token });
  expect(csv.text.trim().split('\r\n')).toHaveLength(1);
});

test('files have the messages, and no formula', async () => {
  const csv = await station.ask('GET', `/statistics/response-times.csv?${period()}&lang=en`, { as: admin });
  expect(csv.text).toContain(`${task},"'=Fire, ""large""",`);
  const address = `${station.station.address}/statistics/response-times.xlsx?${period()}&lang=ru`;
  const answered = await fetch(address, { headers: { Authorization: `Bearer ${admin}` } });
  const sheet = await readXlsx(Buffer.from(await answered.arrayBuffer()));
  expect(JSON.stringify(sheet)).toContain('От вызова до отправки');
  expect(JSON.stringify(sheet)).toContain('Engine 1');
});

test('refuses periods that are empty or too long, and unknown zones', async () => {
  for (const wrong of [`from=5&till=5`, `from=0&till=${400 * 24 * HOUR}`, `from=0&till=5&tz=Mars`, 'from=1'])
    expect((await station.ask('GET', `/statistics/response-times?${wrong}`, { as: admin })).status, wrong).toBe(400);
});
