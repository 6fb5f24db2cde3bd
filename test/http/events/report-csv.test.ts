import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

/** 22:30 UTC: half an hour later a new day begins in Berlin, where it is winter. */
const BEGIN = Date.UTC(2026, 0, 15, 22, 30);
const MINUTE = 60_000;

let at: TryStation;
let as: string;
/** Of a program. */
let key: string;
beforeAll(async () => {
  at = await tryStation();
  as = await at.signIn();
  await at.ok('POST', '/cars', { as, body: { name: 'Кран "1"; 2', carNo: 'A 1', glonassId: 5 } });
  const records = Array.from({ length: 61 }, (_, minute) => ({
    ...{ glonassId: 5, time: BEGIN + minute * MINUTE, lon: 20, lat: 50 + Math.min(minute, 40) / 111.195 },
    speed: minute < 40 ? 60 : 0,
  }));
  await at.ok('POST', '/telemetry', { as, body: records });
  ({ token: key } = await at.ok('POST', '/auth/keys', { as, body: { name: 'Power BI', scopes: ['read'] } }));
});
afterAll(() => at.stop());

const query = `from=${BEGIN}&till=${BEGIN + 100 * MINUTE}&tz=Europe/Berlin&lang=ru`;
const tableOf = (text: string) => parse(text, { bom: true }) as string[][];

test('a program reads a report as CSV by a link with its key', async () => {
  const { status, headers, text } = await at.ask('GET', `/reports/mileage.csv?${query}&token=${key}`);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(headers.get('content-disposition')).toBe('attachment; filename="mileage.csv"');
  const [head, ...rows] = tableOf(text);
  const json = await at.ok('GET', `/reports/mileage?${query}`, { as });
  expect(head).toEqual(json.columns.map(({ title }: { title: string }) => title));
  const days = rows.map((row) => row.slice(0, 5));
  const expected = json.rows.map(({ km, moving }: { km: number; moving: number }) => [String(km), String(moving)]);
  expect(days.map((row) => row.slice(0, 3))).toEqual([
    ['Кран "1"; 2', 'A 1', '2026-01-15'],
    ['Кран "1"; 2', 'A 1', '2026-01-16'],
  ]);
  expect(days.map((row) => row.slice(3))).toEqual(expected);
});

test('times are in UTC, and flags are words', async () => {
  const stops = async () => (await at.ok('GET', `/reports/stops?${query}`, { as })).rows as { from: number }[];
  // Events are worked out after the answer to those who send.
  await expect.poll(async () => (await stops()).length).toBe(1);
  const { text } = await at.ask('GET', `/reports/stops.csv?${query}`, { as: key });
  const [, row] = tableOf(text);
  expect(row![2]).toBe(new Date((await stops())[0]!.from).toISOString());
  expect(row![5]).toMatch(/^(true|false)$/);
});

test('the last days are asked for without dates: today and those before it, by the clock of the zone', async () => {
  const of = async (query: string) =>
    (await at.ask('GET', `/reports/mileage?tz=Europe/Berlin&${query}`, { as })).json();
  const { from, till } = await of('days=1');
  const berlin = (at: number) => new Date(at).toLocaleString('sv', { timeZone: 'Europe/Berlin' });
  expect(berlin(from)).toBe(`${berlin(till).slice(0, 10)} 00:00:00`);
  expect(Date.now() - till).toBeLessThan(60_000);
  const year = await of('days=366');
  expect(berlin(year.from).slice(11)).toBe('00:00:00');
  expect(Math.round((from - year.from) / 86_400_000)).toBe(365);
  for (const wrong of ['days=0', 'days=367', 'days=x', 'from=0', 'till=5', ''])
    expect((await at.ask('GET', `/reports/mileage?${wrong}`, { as })).status, wrong).toBe(400);
});
