import readXlsx from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { tryStation, type TryStation } from '../try-station.ts';

// The station's machine stands in Berlin, as if it had been started there.
const zoneBefore = vi.hoisted(() => {
  const before = process.env['TZ'];
  process.env['TZ'] = 'Europe/Berlin';
  return before;
});

const [MINUTE, HOUR] = [60_000, 3_600_000];
/**
 * Midnight in Berlin on the days on which its clock is put back (25 hours) and forward (23 hours). New York
 * changes its own a week later, and three weeks before.
 */
const BACK = Date.UTC(2024, 9, 26, 22);
const FORWARD = Date.UTC(2025, 2, 29, 23);

let station: TryStation;
let admin: string;
const send = (path: string, body: object) => station.ok('POST', path, { as: admin, body });
const report = (kind: string, from: number, till: number, vehicle: number, more = '') =>
  station.ok('GET', `/reports/${kind}?from=${from}&till=${till}&cars=${vehicle}${more}`, { as: admin });
/** Stands for days, heard every five minutes: from the midnight before the day until a day after it. */
async function stands(glonassId: number, day: number) {
  const vehicle = await send('/cars', { name: `Van ${glonassId}`, glonassId });
  await send(
    '/telemetry',
    Array.from({ length: (74 * HOUR) / (5 * MINUTE) }, (_, i) => ({
      glonassId,
      time: day - 24 * HOUR + i * 5 * MINUTE,
      lat: 52.5,
      lon: 13.4,
      speed: 0,
    })),
  );
  return vehicle.id as number;
}
const hoursOf = ({ rows }: { rows: { day: number; standing: number }[] }) =>
  rows.map(({ day, standing }) => [new Date(day).toISOString().slice(0, 16), Math.round(standing / 360) / 10]);

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
});
afterAll(async () => {
  await station.stop();
  if (zoneBefore === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zoneBefore;
});

test('the station names its time zone', async () => {
  expect((await station.ok('GET', '/health')).zone).toBe('Europe/Berlin');
});

describe('a report by day', () => {
  test('counts 25 hours on the day on which the clock is put back, and 24 for who asks in a zone that did not change', async () => {
    const vehicle = await stands(1, BACK);
    const [from, till] = [BACK - 24 * HOUR, BACK + 49 * HOUR];
    const here = await report('mileage', from, till, vehicle);
    expect(hoursOf(here)).toEqual([
      ['2024-10-25T22:00', 23.9],
      ['2024-10-26T22:00', 25],
      ['2024-10-27T23:00', 24],
    ]);
    expect(here).toMatchObject({ zone: 'Europe/Berlin', utcOffset: 'UTC+02:00' });
    expect(hoursOf(await report('mileage', from, till, vehicle, '&tz=America/New_York'))).toEqual([
      ['2024-10-25T04:00', 5.9],
      ['2024-10-26T04:00', 24],
      ['2024-10-27T04:00', 24],
      ['2024-10-28T04:00', 19],
    ]);
  });
  test('counts 23 on the day on which it is put forward', async () => {
    const vehicle = await stands(2, FORWARD);
    const [from, till] = [FORWARD - 24 * HOUR, FORWARD + 47 * HOUR];
    expect(hoursOf(await report('mileage', from, till, vehicle))).toEqual([
      ['2025-03-28T23:00', 23.9],
      ['2025-03-29T23:00', 23],
      ['2025-03-30T22:00', 24],
    ]);
    expect(hoursOf(await report('mileage', from, till, vehicle, '&tz=America/New_York')).map(([day]) => day)).toEqual([
      '2025-03-28T04:00',
      '2025-03-29T04:00',
      '2025-03-30T04:00',
      '2025-03-31T04:00',
    ]);
  });
  test('of that day alone has one row, and its head names both offsets', async () => {
    const vehicle = await stands(3, BACK);
    expect(hoursOf(await report('mileage', BACK, BACK + 25 * HOUR, vehicle))).toEqual([['2024-10-26T22:00', 24.9]]);
    const response = await fetch(
      `${station.station.address}/reports/mileage.xlsx?from=${BACK}&till=${BACK + 25 * HOUR}&cars=${vehicle}&lang=en`,
      { headers: { authorization: `Bearer ${admin}` } },
    );
    const [sheet] = await readXlsx(Buffer.from(await response.arrayBuffer()));
    expect(sheet!.data.slice(1, 3).map(([first]) => first)).toEqual([
      '27.10.2024 00:00:00 – 28.10.2024 00:00:00',
      'Time zone: Europe/Berlin (UTC+02:00 – UTC+01:00)',
    ]);
    expect(sheet!.data[4]!.slice(0, 3)).toEqual(['Van 3', null, new Date(Date.UTC(2024, 9, 27))]);
  });
});

test('a stop through the night of the change lasts as long as it did', async () => {
  const vehicle = await stands(4, BACK);
  const stop = await eventually(async () => {
    const { rows } = await report('stops', BACK, BACK + 25 * HOUR, vehicle);
    expect(rows).toHaveLength(1);
    return rows[0];
  });
  expect(stop).toMatchObject({ from: BACK - 24 * HOUR, duration: 25 * 3600 });
});

test('a planned route is driven by instants: an hour of driving is an hour, also while the clock shows the same hour twice', async () => {
  const glonassId = 5;
  const vehicle = await send('/cars', { name: 'Tram 5', glonassId });
  // 02:30 in summer, and 02:30 again in winter: an hour apart.
  const begin = BACK + 2.5 * HOUR;
  const place = (name: string, east: number, arriveAfter: number) => ({
    name,
    lon: 13 + east,
    lat: 52,
    radius: 100,
    arriveAfter,
  });
  await send('/routes', {
    name: 'Night line',
    line: {
      type: 'LineString',
      coordinates: [
        [13, 52],
        [13.3, 52],
      ],
    },
    points: [place('Gate', 0, 0), place('Bridge', 0.15, 3600)],
    carsIds: [vehicle.id],
    from: begin,
    validFrom: begin - HOUR,
  });
  // At the Bridge five minutes after the second 02:30.
  await send(
    '/telemetry',
    Array.from({ length: 71 }, (_, minute) => ({
      glonassId,
      time: begin + (minute - 5) * MINUTE,
      lat: 52,
      lon: 13 + (0.15 * (minute - 5)) / 65,
      speed: 10,
    })).map((record) => ({ ...record, lon: Math.max(13, record.lon) })),
  );
  const rows = await eventually(async () => {
    const found = (await report('routes', BACK, BACK + 25 * HOUR, vehicle.id)).rows;
    expect(found.map(({ arrived }: { arrived: number | null }) => arrived !== null)).toEqual([true, true]);
    return found;
  });
  expect(rows).toMatchObject([
    { pointName: 'Gate', planned: begin, late: 0 },
    { pointName: 'Bridge', planned: begin + HOUR, late: expect.closeTo(5, 0), missed: false },
  ]);
  const response = await fetch(
    `${station.station.address}/reports/routes.xlsx?from=${BACK}&till=${BACK + 25 * HOUR}&cars=${vehicle.id}`,
    { headers: { authorization: `Bearer ${admin}` } },
  );
  const [sheet] = await readXlsx(Buffer.from(await response.arrayBuffer()));
  const twice = new Date(Date.UTC(2024, 9, 27, 2, 30));
  expect(sheet!.data.slice(4).map((row) => [row[3], row[4]])).toEqual([
    ['Gate', twice],
    ['Bridge', twice],
  ]);
});
