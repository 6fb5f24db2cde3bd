import readXlsx from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

let station: TryStation;
let admin: string;
let dispatcher: { token: string };
const NOON = Date.UTC(2026, 6, 1, 12, 30, 15);

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  dispatcher = await station.newUser('anna', 'Dispatcher');
  const ask = async (path: string, body: object) => (await station.ask('POST', path, { as: admin, body })).json();
  const mark = await ask('/cars/marks', { name: 'Kamaz' });
  const model = await ask('/cars/models', { name: '43118', markId: mark.id, expenseOn100km: 33.5, maxTank: 350 });
  await ask('/drivers', { fio: '=cmd|calc', phone: '+7 900', wire: 'K1' });
  await ask('/drivers', { fio: 'Пётр Ильин' });
  await ask('/cars', {
    name: 'Кран 1',
    glonassId: 77,
    carNo: '-5',
    modelId: model.id,
    markId: mark.id,
    onService: true,
  });
  await ask('/cars', { name: 'Van 2', glonassId: 78 });
  await ask('/telemetry', { glonassId: 77, time: NOON, lat: 55.5, lon: 37.25, speed: 42.34 });
});
afterAll(() => station.stop());

async function read(
  path: string,
  as = admin,
  headers: Record<string, string> = {},
): Promise<{ type: string; name: string; sheet: string; rows: unknown[][] }> {
  const response = await fetch(`${station.station.address}${path}`, {
    headers: { authorization: `Bearer ${as}`, ...headers },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.status, bytes.toString('utf8', 0, 200)).toBe(200);
  const [sheet] = await readXlsx(bytes);
  return {
    type: response.headers.get('content-type')!,
    name: response.headers.get('content-disposition')!,
    sheet: sheet!.sheet,
    rows: sheet!.data,
  };
}

test('vehicles: one row for each, real dates in the zone asked for, filters as in the list', async () => {
  const { type, name, sheet, rows } = await read('/cars.xlsx?tz=Europe/Berlin');
  expect([type, name, sheet]).toEqual(['application/vnd.ms-excel', 'attachment; filename="vehicles.xlsx"', 'Vehicles']);
  const [header, crane, van] = rows;
  const cell = (row: unknown[], head: string) => row[header!.findIndex((one) => String(one).startsWith(head))];
  expect(header).toContain('Last record (Europe/Berlin)');
  expect(rows.length).toBe(3);
  expect(
    ['Name', 'Plate', 'Unit number', 'Maker', 'Model', 'On maintenance', 'Last record', 'Speed', 'Latitude'].map(
      (head) => cell(crane!, head),
    ),
  ).toEqual(['Кран 1', "'-5", 77, 'Kamaz', '43118', true, new Date(NOON + 2 * 3_600_000), 42.3, 55.5]);
  expect([cell(van!, 'Last record'), cell(van!, 'On maintenance')]).toEqual([null, false]);
  expect((await read('/cars.xlsx?name=van')).rows.map((row) => row[1])).toEqual(['Name', 'Van 2']);
});

test('heads are in the language asked for, else in the browser’s', async () => {
  expect((await read('/drivers.xlsx?lang=ru')).rows[0]!.slice(1, 3)).toEqual(['ФИО', 'Телефон']);
  expect((await read('/drivers.xlsx', admin, { 'accept-language': 'ru-RU,ru;q=0.9,en;q=0.8' })).sheet).toBe('Водители');
  expect((await read('/drivers.xlsx', admin, { 'accept-language': 'de' })).sheet).toBe('Drivers');
});

test('drivers, models and users; text that looks like a formula is not one', async () => {
  const drivers = await read('/drivers.xlsx');
  expect(drivers.rows.slice(1).map((row) => [row[1], row[2]])).toEqual([
    ["'=cmd|calc", "'+7 900"],
    ['Пётр Ильин', null],
  ]);
  expect((await read('/drivers.xlsx?wire=K1')).rows.length).toBe(2);
  expect((await read('/cars/models.xlsx?maxTank=350')).rows[1]!.slice(1, 5)).toEqual(['Kamaz', '43118', 33.5, 350]);
  expect((await read('/cars/models.xlsx?maxTank=1')).rows.length).toBe(1);
  const users = await read('/users.xlsx');
  expect(users.type).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
  expect(users.rows.map((row) => row[1])).toEqual(['Login', 'admin', 'anna']);
  expect((await station.ask('GET', '/users.xlsx', { as: dispatcher.token })).status).toBe(403);
  expect((await station.ask('GET', '/cars.xlsx')).status).toBe(401);
  expect((await station.ask('GET', '/cars.xlsx?tz=Moon/Base', { as: admin })).status).toBe(400);
  expect((await station.ask('GET', '/cars.xlsx?lang=xx', { as: admin })).status).toBe(400);
});
