import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { tryStation, type TryStation } from '../../try-station.ts';

let station: TryStation;
let admin: string;

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  const mark = await station.ok('POST', '/cars/marks', { as: admin, body: { name: 'Kamaz' } });
  const model = { name: '43118', markId: mark.id };
  const { id: modelId } = await station.ok('POST', '/cars/models', { as: admin, body: model });
  for (const name of ['Пётр Ильин', 'Пётр Ильин', 'Anna Weiß'])
    await station.ok('POST', '/drivers', { as: admin, body: { fio: name, phone: '+7 900' } });
  const [first, , third] = await station.ok('GET', '/drivers', { as: admin });
  const crane = { name: 'Кран 1', glonassId: 77, carNo: '-5', markId: mark.id, modelId, devimei: '356307042441013' };
  await station.ok('POST', '/cars', { as: admin, body: { ...crane, driversIds: [first.id, third.id] } });
  await station.ok('POST', '/cars', { as: admin, body: { name: 'Van 2', glonassId: 78, onService: true } });
});
afterAll(() => station.stop());

async function upload(name: string, content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([content]), name);
  const response = await fetch(`${station.station.address}/fileload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin}` },
    body: form,
  });
  const answer = (await response.json()) as { data: string[] };
  return answer.data[0]!;
}

async function preview(kind: string, name: string, content: string | Uint8Array<ArrayBuffer>) {
  const uuid = await upload(name, content);
  return station.ok('POST', '/imports/previews', { as: admin, body: { uuid, kind } });
}

const rowsOf = (id: string, query = '') => station.ok('GET', `/imports/previews/${id}/rows${query}`, { as: admin });

async function confirm(id: string) {
  const { id: number } = await station.ok('POST', `/imports/previews/${id}/confirm`, { as: admin });
  return ended(number);
}

function ended(number: number) {
  return eventually(async () => {
    const entry = await station.ok('GET', `/imports/${number}`, { as: admin });
    expect(entry.state).not.toMatch(/ing$/);
    return entry;
  });
}

async function undo(number: number) {
  await station.ok('POST', `/imports/${number}/undo`, { as: admin });
  return ended(number);
}

const workbook = async (path: string) => {
  const response = await fetch(station.station.address + path, { headers: { authorization: `Bearer ${admin}` } });
  return new Uint8Array(await response.arrayBuffer());
};

test.each([
  ['vehicles', '/cars.xlsx?lang=en'],
  ['vehicles', '/cars.xlsx?lang=ru'],
  ['drivers', '/drivers.xlsx?lang=en'],
  ['drivers', '/drivers.xlsx?lang=ru'],
])('the exported workbook goes back in and changes nothing: %s, %s', async (kind, path) => {
  const { counts, rows, format, columns } = await preview(kind, 'list.xlsx', await workbook(path));
  expect({ format, counts }).toEqual({ format: 'xlsx', counts: { new: 0, changed: 0, same: rows, refused: 0 } });
  expect(rows).toBeGreaterThan(1);
  const fields = columns.map(({ field }: { field: string | null }) => field);
  for (const field of kind === 'vehicles' ? ['imei', 'plate', 'driverIds', 'onService'] : ['wire', 'extId'])
    expect(fields).toContain(field);
});

const VEHICLES = `Позывной;Гос. номер;IMEI;Марка;В ремонте;Водитель
Кран 1;A001;;;;
Новая 1;B002;356307042441021;kamaz;да;Anna Weiß
Новая 2;B003;356307042441021;;;
Новая 3;B004;;Lada;нет;
Новая 4;B005;;;вроде;Пётр Ильин
Van 2;;;;да;
`;

test('every row has its fate, and each refused cell is named with its reason', async () => {
  const { id, counts } = await preview('vehicles', 'машины.csv', VEHICLES);
  expect(counts).toEqual({ new: 1, changed: 1, same: 1, refused: 3 });
  const rows = await rowsOf(id);
  expect(rows.map(({ row, fate }: { row: number; fate: string }) => [row, fate])).toEqual([
    [2, 'changed'],
    [3, 'new'],
    [4, 'refused'],
    [5, 'refused'],
    [6, 'refused'],
    [7, 'same'],
  ]);
  expect(rows[0].changes).toEqual(['plate']);
  const faults = (await rowsOf(id, '?fate=refused')).map(({ faults }: { faults: { cell: string; text: string }[] }) =>
    faults.map(({ cell, text }) => [cell, text]),
  );
  expect(faults).toEqual([
    [['C4', 'Row 3 has “356307042441021”, too.']],
    [['D5', 'There is no “Lada”.']],
    [['E6', '“вроде” is neither yes nor no.']],
  ]);
  expect((await rowsOf(id, '?offset=1&limit=2')).map(({ row }: { row: number }) => row)).toEqual([3, 4]);
  expect((await station.ok('GET', '/cars', { as: admin })).length).toBe(2);
});

test('rows of a fate are found wherever they are in a long file', async () => {
  const notes = 'x'.repeat(1_000);
  const rows = Array.from({ length: 450 }, (_, at) => `Long ${at},${at % 200 === 199 ? 'Nobody' : ''},${notes}`);
  const { id, counts } = await preview('vehicles', 'long.csv', `Name,Driver,Notes\n${rows.join('\n')}\n`);
  expect(counts).toEqual({ new: 448, changed: 0, same: 0, refused: 2 });
  const numbers = async (query: string) => (await rowsOf(id, query)).map(({ row }: { row: number }) => row);
  expect(await numbers('?fate=refused')).toEqual([201, 401]);
  expect(await numbers('?fate=new&offset=198&limit=3')).toEqual([200, 202, 203]);
  expect(await numbers('?offset=449')).toEqual([451]);
  expect((await rowsOf(id, '?offset=400&limit=1'))[0].cells.slice(0, 2)).toEqual(['Long 400', '']);
});

test('what is confirmed is written, and one undo takes the whole back', async () => {
  const shown = async () => ({
    cars: (await station.ok('GET', '/cars', { as: admin })).map(
      ({ name, carNo, onService }: { name: string; carNo: string; onService: boolean }) => [name, carNo, onService],
    ),
    workbook: Buffer.from(await workbook('/cars.xlsx?tz=UTC')).length,
  });
  const before = await shown();
  const { id } = await preview('vehicles', 'машины.csv', VEHICLES);
  const entry = await confirm(id);
  expect(entry).toMatchObject({ state: 'done', rows: 6, done: 6, created: 1, changed: 1, refused: 3, left: 0 });
  expect(entry).toMatchObject({ file: 'машины.csv', kind: 'vehicles' });
  const cars = await station.ok('GET', '/cars?name=Новая', { as: admin });
  expect(cars).toMatchObject([{ name: 'Новая 1', carNo: 'B002' }]);
  expect(await station.ok('GET', `/cars/${cars[0].id}`, { as: admin })).toMatchObject({
    devimei: '356307042441021',
    onService: true,
  });
  expect((await station.ask('POST', `/imports/previews/${id}/confirm`, { as: admin })).status).toBe(404);

  expect(await undo(entry.id)).toMatchObject({ state: 'undone', left: 0 });
  expect(await shown()).toEqual(before);
  expect((await station.ask('POST', `/imports/${entry.id}/undo`, { as: admin })).status).toBe(409);
});

test('an undo leaves what somebody changed since', async () => {
  const { id } = await preview('drivers', 'd.csv', 'Full name,Phone,Notes\nAnna Weiß,555,from the list\n');
  const entry = await confirm(id);
  const [anna] = await station.ok('GET', '/drivers?fio=Anna', { as: admin });
  await station.ok('PUT', `/drivers/${anna.id}`, { as: admin, body: { phone: '777' } });
  expect(await undo(entry.id)).toMatchObject({ state: 'undone', left: 1 });
  expect(await station.ok('GET', `/drivers/${anna.id}`, { as: admin })).toMatchObject({ phone: '777', notes: '' });
});

test('columns are mapped by hand, with a value for empty cells, and the next file is mapped the same', async () => {
  const file = 'Beschreibung\tOrt\nUnfall\tHauptstraße 1\nBrand\t\n';
  const types = await station.ok('GET', '/newstype', { as: admin });
  const type = types.newstype[0];
  const first = await preview('tasks', 'tasks.tsv', file);
  expect(first.columns).toMatchObject([
    { head: 'Beschreibung', field: null, example: 'Unfall' },
    { head: 'Ort', field: null },
  ]);
  expect(first.counts).toEqual({ new: 0, changed: 0, same: 0, refused: 2 });
  const refused = await station.ask('PUT', `/imports/previews/${first.id}`, {
    as: admin,
    body: { columns: ['title', 'title'] },
  });
  expect([refused.status, refused.text]).toEqual([400, 'Two columns are title. Leave one of them out.']);
  const { counts, values } = await station.ok('PUT', `/imports/previews/${first.id}`, {
    as: admin,
    body: { columns: ['title', 'address'], values: { typeId: type.name, address: 'Unknown' } },
  });
  expect([counts, values.address]).toEqual([{ new: 2, changed: 0, same: 0, refused: 0 }, 'Unknown']);
  const entry = await confirm(first.id);
  expect(entry).toMatchObject({ state: 'done', created: 2 });
  const { news_list: list } = await station.ok('GET', '/news/listAfterId/0/10', { as: admin });
  const places: string[] = [];
  for (const { id: newsId, title } of list) {
    const { news_data: task } = await station.ok('GET', `/news/${newsId}`, { as: admin });
    places.push(`${title}: ${task.address}`);
  }
  expect(places.sort()).toEqual(['Brand: Unknown', 'Unfall: Hauptstraße 1']);
  expect((await preview('tasks', 'more.tsv', file)).columns).toMatchObject([{ field: 'title' }, { field: 'address' }]);
  await undo(entry.id);
  expect((await station.ok('GET', '/news/listAfterId/0/10', { as: admin })).news_list).toEqual([]);
});

test('a bad file is refused in words', async () => {
  const answered = async (name: string, content: string | Uint8Array<ArrayBuffer>) => {
    const uuid = await upload(name, content);
    const { status, text } = await station.ask('POST', '/imports/previews', {
      as: admin,
      body: { uuid, kind: 'vehicles' },
    });
    return `${status} ${text}`;
  };
  expect(await answered('a.csv', 'Name\n')).toBe('400 The file has no rows below its header.');
  expect(await answered('a.zip', Uint8Array.from(Buffer.from('PK\x03\x04 no zip')))).toMatch(/^400 The file cannot be/);
  expect(await answered('a.html', '<html><body>x</body></html>')).toMatch(/^400 The file must be a workbook/);
  expect(await answered('a.json', '{"a":1}')).toMatch(/^400 The file is JSON/);
  const cut = (await workbook('/cars.xlsx')).slice(0, 1500);
  expect(await answered('cut.xlsx', cut)).toMatch(/^400 The file cannot be read/);
  expect((await preview('vehicles', 'b.csv', 'Name,Plate\nX,1\n')).counts.new).toBe(1);
});

const GEOJSON = JSON.stringify({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { Name: 'Old town', maxspeed: 30 },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [14.5, 35.9],
            [14.6, 35.9],
            [14.6, 36],
            [14.5, 35.9],
          ],
        ],
      },
    },
    { type: 'Feature', properties: { Name: 'Depot' }, geometry: { type: 'Point', coordinates: [14.5, 35.9] } },
    { type: 'Feature', properties: { Name: 'Sea' }, geometry: { type: 'Point', coordinates: [214.5, 35.9] } },
  ],
});

test('geozones from GeoJSON, a second time the same, and back', async () => {
  const first = await preview('geozones', 'zones.geojson', GEOJSON);
  expect(first.counts).toEqual({ new: 2, changed: 0, same: 0, refused: 1 });
  const [refused] = await rowsOf(first.id, '?fate=refused');
  expect(refused.faults).toMatchObject([{ cell: 'A3', refusal: { code: 'field.wrongBecause' } }]);
  const entry = await confirm(first.id);
  expect(entry.created).toBe(2);
  expect((await preview('geozones', 'zones.geojson', GEOJSON)).counts).toMatchObject({ same: 2, refused: 1 });
  await undo(entry.id);
  expect(await station.ok('GET', '/geozones', { as: admin })).toEqual([]);
});

const KML = `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>Bridge</name>
<description><![CDATA[Repair <b>works</b>]]></description><ExtendedData><Data name="starttime"><value>2026-12-01T06:00:00Z
</value></Data></ExtendedData><LineString><coordinates>14.51,35.9,0 14.52,35.91,0</coordinates></LineString></Placemark>
</Document></kml>`;
const GPX = `<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><rte><name>Round 1</name><desc>South</desc>
<rtept lat="35.9" lon="14.5"/><rtept lat="35.91" lon="14.52"/></rte></gpx>`;

test('closures from KML, routes from GPX, organizations and people from CSV', async () => {
  const closure = await confirm((await preview('closures', 'c.kml', KML)).id);
  expect(closure).toMatchObject({ created: 1, refused: 0 });
  expect(await station.ok('GET', '/closures', { as: admin })).toMatchObject([
    { name: 'Bridge', reason: 'Repair <b>works</b>', from: Date.UTC(2026, 11, 1, 6) },
  ]);
  const route = await confirm((await preview('routes', 'r.gpx', GPX)).id);
  expect(route).toMatchObject({ created: 1, refused: 0 });
  const organization = await confirm((await preview('organizations', 'o.csv', 'Name,ИНН\nNorth,77\n')).id);
  expect(organization).toMatchObject({ created: 1, refused: 0 });
  const people = 'Login,Full name,Role,Organization\nnina,Nina,Dispatcher,North\nadmin,Admin,,\nbad login,X,,\n';
  const users = await preview('users', 'people.csv', people);
  expect(users.counts).toMatchObject({ new: 1, refused: 1 });
  const written = await confirm(users.id);
  expect(await station.ok('GET', '/users', { as: admin })).toContainEqual(
    expect.objectContaining({ login: 'nina', fio: 'Nina' }),
  );
  expect((await station.ask('POST', '/auth/login', { body: { login: 'nina', password: '' } })).status).toBe(401);
  for (const { id } of [written, organization, route, closure]) expect(await undo(id)).toMatchObject({ left: 0 });
  expect(await station.ok('GET', '/closures', { as: admin })).toEqual([]);
});
