import { join } from 'node:path';
import readXlsx from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ExtractBuilder } from '../../../server/geo/territory/index.ts';
import { writePbf } from '../../town/pbf-writer.ts';
import { eventually } from '../../support/eventually.ts';
import { scratchDirectory } from '../../unit/geo/territory/extracts.ts';
import { tryStation, type TryStation } from '../try-station.ts';

/** 22:30 UTC: half an hour later a new day begins in Berlin, where it is winter. */
const BEGIN = Date.UTC(2026, 0, 15, 22, 30);
const MINUTE = 60_000;

const scratch = scratchDirectory();
let station: TryStation;
let admin: string;
let stranger: { token: string };
let van: { id: number };
let idle: { id: number };
let task: number;

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  const roads = await send('/organizations', { name: 'Roads' });
  stranger = await station.newUser('olga', 'Dispatcher', { organizationId: roads.id });
  const mark = await send('/cars/marks', { name: 'Zubr' });
  const model = await send('/cars/models', { name: 'Lift', markId: mark.id, expenseOn100km: 20, maxTank: 100 });
  van = await send('/cars', { name: 'Кран 1', carNo: 'A 1', glonassId: 5, modelId: model.id });
  idle = await send('/cars', { name: 'Van 2', glonassId: 6 });
  await send('/sensors', {
    carId: van.id,
    name: 'Fuel',
    type: 'fuel',
    input: { kind: 'adc', index: 0 },
    calibration: [
      [0, 0],
      [5, 100],
    ],
    validFrom: BEGIN,
  });
  await send('/geozones', {
    name: 'Depot',
    geometry: { type: 'Point', coordinates: [20, 50.2] },
    radius: 400,
    validFrom: BEGIN,
  });
  task = (await send('/news/', { values: { title: 'Lamp out', news_type_id: 1 } })).newsId;
  await send(`/news/${task}/update`, { assigned_car_id: van.id });
  // An hour at 60 km/h to the north, a record each minute; half an hour of standing in the middle, when 30 l
  // are filled in.
  const records = Array.from({ length: 91 }, (_, minute) => {
    const km = minute <= 30 ? minute : minute <= 60 ? 30 : minute - 30;
    const standing = minute > 30 && minute <= 60;
    const litres = 50 - km / 5 + (minute > 40 ? 30 : 0);
    return {
      glonassId: 5,
      time: BEGIN + minute * MINUTE,
      lat: 50 + km / 111.195,
      lon: 20,
      speed: standing ? 0 : 60,
      adc: [litres / 20],
    };
  });
  await send('/telemetry', records);
});
afterAll(() => station.stop());

const send = async (path: string, body: object) => (await station.ask('POST', path, { as: admin, body })).json();
const path = (kind: string, more = '') =>
  `/reports/${kind}?from=${BEGIN}&till=${BEGIN + 100 * MINUTE}&tz=Europe/Berlin${more}`;
const report = async (kind: string, more = '', as = admin) => {
  const answered = await station.ask('GET', path(kind, more), { as });
  expect(answered.status, answered.text).toBe(200);
  return answered.json();
};
/** Events are worked out after the answer to those who send. */
async function whenThere(kind: string, rows: number) {
  for (;;) {
    const found = await report(kind);
    if (found.rows.length >= rows) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('mileage: by day of the zone, driving and standing, fuel by norm, totals', async () => {
  const mileage = await report('mileage');
  expect(mileage).toMatchObject({
    kind: 'mileage',
    title: 'Mileage',
    zone: 'Europe/Berlin',
    utcOffset: 'UTC+01:00',
    from: BEGIN,
  });
  expect(mileage.rows).toMatchObject([
    {
      carId: van.id,
      carName: 'Кран 1',
      carNo: 'A 1',
      day: Date.UTC(2026, 0, 14, 23),
      km: expect.closeTo(29, 0),
      moving: 29 * 60,
      standing: 0,
      averageSpeed: expect.closeTo(60, 0),
      topSpeed: 60,
    },
    { day: Date.UTC(2026, 0, 15, 23), moving: 32 * 60, standing: 29 * 60 },
  ]);
  expect(mileage.totals).toMatchObject({ km: expect.closeTo(60, 0), moving: 61 * 60, standing: 29 * 60 });
  expect(mileage.totals.fuelNorm).toBeCloseTo(12, 0);
});

test('stops, geozone visits and fills come from the events of the vehicle', async () => {
  const stops = await whenThere('stops', 1);
  expect(stops.rows).toMatchObject([
    {
      from: BEGIN + 31 * MINUTE,
      till: BEGIN + 61 * MINUTE,
      duration: 30 * 60,
      parking: true,
      lat: expect.closeTo(50 + 30 / 111.195, 6),
    },
  ]);
  const visits = await whenThere('geozones', 1);
  expect(visits.rows).toMatchObject([{ zoneName: 'Depot', carName: 'Кран 1' }]);
  for (let fuel = await report('fuel'); ; fuel = await report('fuel')) {
    if (fuel.rows[0].fills === 0) continue;
    expect(fuel.rows).toMatchObject([{ carId: van.id, fills: 1, drains: 0, filled: expect.closeTo(30, -1), norm: 20 }]);
    const { startLitres, endLitres, filled, used } = fuel.rows[0];
    expect(used).toBeCloseTo(startLitres + filled - endLitres, 1);
    break;
  }
});

test('tasks: for those who may see them, with the times of each step', async () => {
  const now = Date.now();
  const of = (as: string) =>
    station.ask('GET', `/reports/tasks?from=${now - 60 * MINUTE}&till=${now + MINUTE}`, { as });
  expect((await of(admin)).json().rows).toMatchObject([
    { newsId: task, title: 'Lamp out', carId: van.id, done: null, taken: null, overdue: false },
  ]);
  await station.ask('POST', `/news/${task}/update`, { as: admin, body: { assigned_status: 4 } });
  const [row] = (await of(admin)).json().rows;
  expect(row.done).toBeGreaterThanOrEqual(row.assigned);
  expect(row.taken).toBe(Math.round((row.done - row.assigned) / 1000));
  expect((await of(stranger.token)).json().rows).toEqual([]);
});

test('tasks: the vehicle that serves it now, since it was given to it; by the rules of who asks', async () => {
  const now = Date.now();
  const { newsId } = await send('/news/', { values: { title: 'Tree on the road', news_type_id: 1 } });
  await send(`/news/${newsId}/update`, { assigned_car_id: idle.id });
  const given = Date.now();
  await send(`/news/${newsId}/update`, { assigned_car_id: van.id });
  await send(`/news/${newsId}/update`, { text: 'Two lanes' });
  const from = now - 60 * MINUTE;
  const rowsFor = async (as: string) =>
    (await station.ok('GET', `/reports/tasks?from=${from}&till=${Date.now() + MINUTE}`, { as })).rows.map(
      ({ newsId: id, carId: vehicleId }: { newsId: number; carId: number }) => [id, vehicleId],
    );
  const { rows } = await station.ok('GET', `/reports/tasks?from=${from}&till=${Date.now() + MINUTE}`, { as: admin });
  const row = rows.find((one: { newsId: number }) => one.newsId === newsId);
  expect(row).toMatchObject({ carId: van.id, title: 'Tree on the road', done: null });
  expect(row.assigned).toBeGreaterThanOrEqual(given);
  // Who may see only what is assigned sees no more here.
  const { state } = await send('/news/states', { name: 'Assigned', field: 'assigned_status', value: 2 });
  const role = await send('/rights', {
    name: 'Of the assigned',
    accesses: [{ capability_id: 1, states: [Number(state.id)] }],
  });
  const clerk = await station.newUser('clara', 'Of the assigned', { groupId: role.id });
  const before = await rowsFor(clerk.token);
  expect(before).toEqual((await rowsFor(admin)).filter(([id]: [number]) => id !== task));
  expect(before).toContainEqual([newsId, van.id]);
  await send(`/news/${newsId}/update`, { assigned_status: 4 });
  expect(await rowsFor(clerk.token)).toEqual([]);
});

test('every report has its columns, in both languages', async () => {
  const SPAN = ['from', 'till', 'duration'];
  const columns: Record<string, string[]> = {
    mileage: ['day', 'km', 'moving', 'standing', 'engine', 'averageSpeed', 'topSpeed', 'fuelNorm'],
    stops: [...SPAN, 'parking', 'address', 'lat', 'lon'],
    fuel: ['startLitres', 'filled', 'fills', 'drained', 'drains', 'endLitres', 'used', 'km', 'per100', 'norm'],
    speeding: [...SPAN, 'limit', 'topSpeed', 'lat', 'lon'],
    geozones: ['zoneName', ...SPAN],
    routes: ['routeName', 'pointName', 'planned', 'arrived', 'left', 'late', 'missed'],
  };
  for (const [kind, names] of Object.entries(columns)) {
    const [english, russian] = [await report(kind, '&lang=en'), await report(kind, '&lang=ru')];
    expect(
      english.columns.map(({ name }: { name: string }) => name),
      kind,
    ).toEqual(['carName', 'carNo', ...names]);
    for (const { name, title } of english.columns) expect(title, `${kind} ${name}`).toMatch(/^[A-Z]|^l\/100/);
    for (const { name, title } of russian.columns) expect(title, `${kind} ${name}`).toMatch(/[а-я]/i);
    for (const row of english.rows)
      expect(Object.keys(row).sort(), kind).toEqual(
        expect.arrayContaining(['carId', 'carName', 'carNo', ...names].sort()),
      );
  }
});

test('the same as a workbook, with the zone above the table', async () => {
  const response = await fetch(
    `${station.station.address}${path('mileage', '&lang=ru').replace('mileage?', 'mileage.xlsx?')}`,
    { headers: { authorization: `Bearer ${admin}` } },
  );
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="mileage.xlsx"');
  const [sheet] = await readXlsx(Buffer.from(await response.arrayBuffer()));
  expect(sheet!.sheet).toBe('Пробег');
  expect(sheet!.data.slice(0, 3).map(([first]) => first)).toEqual([
    'Пробег',
    '15.01.2026 23:30:00 – 16.01.2026 01:10:00',
    'Часовой пояс: Europe/Berlin (UTC+01:00)',
  ]);
  expect(sheet!.data[3]!.slice(0, 4)).toEqual(['Машина', 'Гос. номер', 'День', 'Пробег, км']);
  // midnight by the clock of the zone
  expect(sheet!.data[4]!.slice(0, 3)).toEqual(['Кран 1', 'A 1', new Date(Date.UTC(2026, 0, 15))]);
  expect(sheet!.data.length).toBe(6);
});

test('the same on paper', async () => {
  for (const kind of ['mileage', 'stops', 'fuel', 'speeding', 'geozones', 'routes', 'tasks']) {
    const response = await fetch(
      `${station.station.address}${path(kind, '&lang=ru').replace(`${kind}?`, `${kind}.pdf?`)}`,
      { headers: { authorization: `Bearer ${admin}` } },
    );
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  }
});

test('invalid requests, and data that the caller may not see, are refused', async () => {
  const ask = (query: string, as = admin) => station.ask('GET', `/reports/mileage?${query}`, { as });
  expect((await ask(`from=5&till=5`)).status).toBe(400);
  expect((await ask(`from=0&till=${400 * 86_400_000}`)).status).toBe(400);
  expect((await ask(`from=0&till=1&tz=Moon/Base`)).status).toBe(400);
  expect((await ask(`from=0&till=1&cars=999`)).status).toBe(404);
  expect((await ask(`from=0&till=1&cars=${van.id}`, stranger.token)).status).toBe(404);
  expect((await report('mileage', '', stranger.token)).rows).toEqual([]);
  expect((await report('mileage', `&cars=${idle.id}`)).rows).toEqual([]);
  // Of groups and organisations, as in the list of vehicles; a vehicle that these leave out is left out, and
  // nobody's fault.
  const group = await send('/cars/groups', { name: 'Cranes' });
  await station.ask('PUT', `/cars/${van.id}`, { as: admin, body: { groupId: group.id } });
  const { organizationId } = (await station.ask('GET', '/users/current', { as: admin })).json();
  const days = async (more: string) => (await report('mileage', more)).rows.length;
  expect([
    await days(`&groups=${group.id}`),
    await days('&groups=999'),
    await days(`&organizations=${organizationId}`),
    await days('&organizations=999'),
    await days(`&groups=999&cars=${van.id}`),
    await days(`&groups=${group.id}&cars=${van.id}`),
  ]).toEqual([2, 0, 2, 0, 0, 2]);
  expect((await station.ask('GET', '/reports/nothing?from=0&till=1', { as: admin })).status).toBe(404);
});

test('trips of a deleted vehicle stay in the reports; open ones end with the deletion, and nothing later is reported', async () => {
  const group = await send('/cars/groups', { name: 'Hired' });
  const hired = await send('/cars', { name: 'Hired van', carNo: 'H 1', glonassId: 77, groupId: group.id });
  const begin = Date.now() - 120 * MINUTE;
  // Half an hour of driving, then it stands.
  await send(
    '/telemetry',
    Array.from({ length: 61 }, (_, minute) => ({
      glonassId: 77,
      time: begin + minute * MINUTE,
      lat: 51 + Math.min(minute, 30) / 111.195,
      lon: 21,
      speed: minute <= 30 ? 60 : 0,
    })),
  );
  const { newsId } = await send('/news/', { values: { title: 'Sand to be brought', news_type_id: 1 } });
  await send(`/news/${newsId}/update`, { assigned_car_id: hired.id });
  const of = async (kind: string, from = begin, more = `&cars=${hired.id}`, as = admin) =>
    (await station.ok('GET', `/reports/${kind}?from=${from}&till=${Date.now() + 60 * MINUTE}${more}`, { as })).rows;
  await eventually(async () => expect(await of('stops')).toMatchObject([{ from: begin + 31 * MINUTE, till: null }]));
  const before = Date.now();
  expect((await station.ask('DELETE', `/cars/${hired.id}`, { as: admin })).status).toBe(200);
  const after = Date.now();

  for (const more of [`&cars=${hired.id}`, `&groups=${group.id}`])
    expect(
      (await of('mileage', begin, more)).reduce((sum: number, { km }: { km: number }) => sum + km, 0),
      more,
    ).toBeCloseTo(30, 0);
  expect(
    (await of('mileage', begin, '')).some(
      ({ carName: vehicleName }: { carName: string }) => vehicleName === 'Hired van',
    ),
  ).toBe(true);
  const [stop, ...rest] = await of('stops');
  expect(rest).toEqual([]);
  expect(stop.till).toBeGreaterThanOrEqual(before);
  expect(stop.till).toBeLessThanOrEqual(after);
  expect(stop.duration).toBe(Math.round((stop.till - stop.from) / 1000));
  expect(await of('tasks')).toMatchObject([{ newsId, carId: hired.id }]);
  expect(await of('stops', after + 1)).toEqual([]);
  expect(
    (await station.ask('GET', `/reports/mileage?from=${begin}&till=${after}&cars=${hired.id}`, { as: stranger.token }))
      .status,
  ).toBe(404);
  expect(await of('mileage', begin, '', stranger.token)).toEqual([]);

  // Its device goes on in another vehicle, whose way is its own.
  const next = await send('/cars', { name: 'Next van', glonassId: 77 });
  await send(
    '/telemetry',
    [0, 1].map((minute) => ({
      glonassId: 77,
      time: after + 1000 + minute * MINUTE,
      lat: 52 + minute / 111.195,
      lon: 21,
      speed: 60,
    })),
  );
  expect(await of('mileage', after + 1)).toEqual([]);
  expect(await of('mileage', after + 1, `&cars=${next.id}`)).toHaveLength(1);
});

test('many reports at once take their turns', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => station.ask('GET', path('mileage'), { as: admin })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
});

test('a silence of more than five minutes is neither driving nor standing, but the kilometres over it count', async () => {
  const begin = BEGIN - 10 * 24 * 60 * MINUTE;
  const minutes = [0, 1, 6, 12, 13];
  await send(
    '/telemetry',
    minutes.map((minute) => ({
      glonassId: 5,
      time: begin + minute * MINUTE,
      lat: 50 + minute / 111.195,
      lon: 20,
      speed: 60,
    })),
  );
  const { rows } = (
    await station.ask('GET', `/reports/mileage?from=${begin}&till=${begin + 60 * MINUTE}`, { as: admin })
  ).json();
  expect(rows).toMatchObject([{ km: expect.closeTo(13, 0), moving: 7 * 60, standing: 0 }]);
});

test('stops have the address of the territory, on the screen, in the workbook and on paper; without one the coordinates', async () => {
  const [bare] = (await whenThere('stops', 1)).rows;
  expect(bare).toMatchObject({ address: null, lat: expect.closeTo(50.27, 2) });
  const paperOf = async () =>
    (
      await fetch(`${station.station.address}${path('stops').replace('stops?', 'stops.pdf?')}`, {
        headers: { authorization: `Bearer ${admin}` },
      })
    ).bytes();
  const barePaper = await paperOf();

  const builder = new ExtractBuilder();
  const { lat, lon } = bare;
  builder
    .node(1, lat, lon - 0.01)
    .node(2, lat, lon + 0.01)
    .node(3, lat + 0.0003, lon, { 'addr:street': 'Long Road', 'addr:housenumber': '12' });
  builder.way(1, [1, 2], { highway: 'residential', name: 'Long Road' });
  const file = join(scratch, 'road.osm.pbf');
  await writePbf(builder.build(), file);
  await send('/territory', { path: file, name: 'Road' });
  await eventually(async () =>
    expect((await station.ask('GET', '/territory', { as: admin })).json()).toMatchObject({
      name: 'Road',
      import: { state: 'done' },
    }),
  );

  const { rows, columns } = await report('stops', '&lang=ru');
  expect(rows).toMatchObject([{ address: 'Long Road 12', lat }]);
  expect(columns).toContainEqual({ name: 'address', kind: 'text', title: 'Адрес' });
  const response = await fetch(`${station.station.address}${path('stops').replace('stops?', 'stops.xlsx?')}`, {
    headers: { authorization: `Bearer ${admin}` },
  });
  const [sheet] = await readXlsx(Buffer.from(await response.arrayBuffer()));
  expect(sheet!.data[4]![sheet!.data[3]!.indexOf('Address')]).toBe('Long Road 12');
  // The words of a paper are packed; those of an address take room.
  expect((await paperOf()).length).toBeGreaterThan(barePaper.length + 20);
});
