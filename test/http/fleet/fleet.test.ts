import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { tryStation, type TestResponse, type TryStation } from '../try-station.ts';

let station: TryStation;
let admin: string;
let dispatcher: { id: number; token: string };
let roads: { id: number };
let roadsAdmin: { id: number; token: string };
let home: number;

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  dispatcher = await station.newUser('anna', 'Dispatcher');
  home = (await ask('GET', '/users/current')).json().organizationId;
  roads = (await ask('POST', '/organizations', { name: 'Roads' })).json();
  await ask('POST', '/rights', { name: 'Local administrator', admin: true });
  roadsAdmin = await station.newUser('olga', 'Local administrator', { organizationId: roads.id });
});
afterAll(() => station.stop());

const ask = (method: string, path: string, body?: unknown, as = admin): Promise<TestResponse> =>
  station.ask(method, path, { as, body });
const done = async (method: string, path: string, body?: unknown, as = admin) => {
  const answered = await ask(method, path, body, as);
  expect(answered.status, `${method} ${path}: ${answered.text}`).toBe(200);
  return answered.text === '' ? undefined : answered.json();
};
const refusal = async (method: string, path: string, body?: unknown, as = admin): Promise<[number, string]> => {
  const answered = await ask(method, path, body, as);
  expect(answered.type).toContain('text/plain');
  return [answered.status, answered.text];
};

async function upload(bytes: Buffer, name: string, as = admin): Promise<string> {
  const form = new FormData();
  form.set('name', name);
  form.set('file', new Blob([new Uint8Array(bytes)]), name);
  const response = await fetch(`${station.station.address}/fileload?token=${as}`, { method: 'POST', body: form });
  return ((await response.json()) as { data: [string] }).data[0];
}
const photo = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3070b0' } })
    .jpeg()
    .toBuffer();
async function picture(
  path: string,
  as = admin,
): Promise<{ status: number; type: string; width: number; height: number }> {
  const response = await fetch(`${station.station.address}${path}?token=${as}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const { width = 0, height = 0 } = response.ok ? await sharp(bytes).metadata() : {};
  return { status: response.status, type: response.headers.get('content-type') ?? '', width, height };
}

test('makers and models: shapes, filters, count, a maker with models stays', async () => {
  const mark = await done('POST', '/cars/marks', { name: 'Kamaz' });
  const other = await done('POST', '/cars/marks', { name: 'Gaz' });
  const model = await done('POST', '/cars/models', {
    name: '43118',
    markId: mark.id,
    expenseOn100km: 33.5,
    maxTank: 350,
    motohoursStop: 0.5,
  });
  expect(model).toEqual({
    id: model.id,
    name: '43118',
    expenseOn100km: 33.5,
    maxTank: 350,
    motohoursStop: 0.5,
    motohoursMove: null,
    markId: mark.id,
    mark: { id: mark.id, name: 'Kamaz' },
  });
  const gazelle = await done('POST', '/cars/models', {
    name: 'Gazelle',
    markId: other.id,
    expenseOn100km: 12,
    maxTank: 64,
  });
  const { mark: _mark, ...listed } = model;
  expect(await done('GET', `/cars/models?mark=${mark.id}`)).toEqual([listed]);
  expect(await done('GET', '/cars/marks?name=KAM')).toEqual([mark]);
  expect((await done('GET', '/cars/models?name=GAZ')).map(({ id }: { id: number }) => id)).toEqual([gazelle.id]);
  expect((await done('GET', '/cars/models?expenseOn100km=33.5&maxTank=350&motohoursStop=0.5')).length).toBe(1);
  expect((await done('GET', `/cars/models?mark=${mark.id},${other.id}&motohoursMove=1`)).length).toBe(0);
  expect((await ask('GET', `/cars/models/count?mark=${other.id}`)).text).toBe('1');
  expect(await done('GET', `/cars/marks/${mark.id}/models`)).toEqual([listed]);
  expect(await done('PUT', `/cars/models/${model.id}`, { motohoursStop: null, maxTank: 400 })).toMatchObject({
    name: '43118',
    motohoursStop: null,
    maxTank: 400,
    expenseOn100km: 33.5,
  });
  expect(await refusal('DELETE', `/cars/marks/${mark.id}`)).toEqual([400, 'Kamaz still has models.']);
  const vehicle = await done('POST', '/cars', { name: 'Truck 1', modelId: model.id, markId: mark.id });
  expect(vehicle.carInfo.model).toMatchObject({ id: model.id, maxTank: 400, mark: { name: 'Kamaz' } });
  expect((await ask('DELETE', `/cars/models/${model.id}`)).text).toBe('');
  expect((await ask('DELETE', `/cars/models/${model.id}`)).status).toBe(404);
  expect((await ask('GET', `/cars/marks/999/models`)).status).toBe(404);
  await done('DELETE', `/cars/marks/${mark.id}`);
  expect((await done('PUT', `/cars/${vehicle.id}`, { notes: 'still of its model' })).modelId).toBe(model.id);
  expect((await refusal('POST', '/cars/models', { name: 'x', markId: 999 }))[0]).toBe(400);
  expect((await refusal('POST', '/cars/models', { name: 'x', markId: other.id, maxTank: -1 }))[0]).toBe(400);
  expect((await refusal('POST', '/cars/models', { name: 'x', markId: other.id }, dispatcher.token))[0]).toBe(403);
});

test('groups are their organisation’s, tags everybody’s', async () => {
  const group = await done('POST', '/cars/groups', { name: 'Winter', organizationId: roads.id, notes: 'n' });
  expect(group).toEqual({
    id: group.id,
    name: 'Winter',
    notes: 'n',
    extGroup: '',
    view: true,
    organizationId: roads.id,
  });
  const mine = await done('POST', '/cars/groups', { name: 'Duty' });
  expect((await done('GET', '/cars/groups', undefined, roadsAdmin.token)).map(({ id }: { id: number }) => id)).toEqual([
    group.id,
  ]);
  expect((await ask('GET', `/cars/groups/${mine.id}`, undefined, roadsAdmin.token)).status).toBe(404);
  expect((await ask('PUT', `/cars/groups/${mine.id}`, { name: 'x' }, roadsAdmin.token)).status).toBe(404);
  expect((await refusal('PUT', `/cars/groups/${group.id}`, { organizationId: home }, roadsAdmin.token))[0]).toBe(403);
  expect(await refusal('PUT', `/cars/groups/${group.id}`, { organizationId: 999 })).toEqual([
    400,
    'The organisation 999 does not exist.',
  ]);
  expect([
    await done('GET', '/cars/groups?name=WIN'),
    await done('GET', `/cars/groups?organizations=${roads.id}`),
  ]).toEqual([[group], [group]]);
  expect((await refusal('PUT', `/cars/groups/${mine.id}`, { name: 'x' }, dispatcher.token))[0]).toBe(403);
  const tag = await done('POST', '/cars/tags', { name: 'Crane', color: 'blue' });
  const vehicle = await done('POST', '/cars', { name: 'Truck 2', groupId: mine.id, tagsIds: [tag.id] });
  expect(vehicle).toMatchObject({
    group: { id: mine.id, name: 'Duty' },
    tags: [{ id: tag.id, name: 'Crane', color: 'blue' }],
  });
  expect(await done('GET', '/cars/tags', undefined, roadsAdmin.token)).toEqual([tag]);
  await done('DELETE', `/cars/tags/${tag.id}`);
  expect((await ask('GET', `/cars/tags/${tag.id}`)).status).toBe(404);
});

test('drivers: list shape, detail, filters, one key for one driver', async () => {
  const driver = await done('POST', '/drivers', {
    fio: ' Пётр Ильин ',
    phone: '+7 900',
    notes: 'night',
    orgId: roads.id,
  });
  expect(driver).toEqual({
    id: driver.id,
    fio: 'Пётр Ильин',
    phone: '+7 900',
    notes: 'night',
    hasPhoto: false,
    orgId: roads.id,
  });
  const anna = await done('POST', '/drivers', { fio: 'Anna Berg', wire: 'KEY-1', extId: 'E1' });
  expect(anna.orgId).toBe(home);
  expect(await done('GET', `/drivers/${anna.id}`)).toEqual({ ...anna, wire: 'KEY-1', extId: 'E1' });
  expect(await done('GET', `/drivers?fio=${encodeURIComponent('ИЛЬ')}`)).toEqual([driver]);
  expect(await done('GET', '/drivers?wire=KEY-1&hasPhoto=false')).toEqual([anna]);
  expect([
    await done('GET', '/drivers?extId=E1'),
    await done('GET', '/drivers?notes=NIGHT'),
    await done('GET', '/drivers?phone=900'),
    await done('GET', '/drivers?hasPhoto=true'),
  ]).toEqual([[anna], [driver], [driver], []]);
  expect(await done('GET', `/drivers?organizations=${roads.id}`)).toEqual([driver]);
  expect(await done('GET', '/drivers/all')).toEqual([driver, anna]);
  expect(await done('GET', '/drivers/all', undefined, roadsAdmin.token)).toEqual([driver]);
  expect((await ask('GET', `/drivers/${anna.id}`, undefined, roadsAdmin.token)).status).toBe(404);
  expect(await refusal('PUT', `/drivers/${driver.id}`, { wire: 'KEY-1' })).toEqual([
    400,
    'wire KEY-1 belongs to another driver.',
  ]);
  expect(await refusal('POST', '/drivers', { fio: ' ' })).toEqual([400, 'fio is missing.']);
  expect((await refusal('POST', '/drivers', { phone: '1' }))[0]).toBe(400);
  expect((await refusal('POST', '/drivers', { fio: 'x', orgId: 999 }))[0]).toBe(400);
  expect(await done('PUT', `/drivers/${driver.id}`, { notes: null, phone: '1' })).toMatchObject({
    phone: '1',
    notes: 'night',
  });
  expect((await refusal('DELETE', `/drivers/${anna.id}`, undefined, dispatcher.token))[0]).toBe(403);
  expect((await ask('DELETE', `/drivers/${anna.id}`)).text).toBe('');
  expect((await ask('GET', `/drivers/${anna.id}`)).status).toBe(404);
  expect(await done('PUT', `/drivers/${driver.id}`, { wire: 'KEY-1' })).toMatchObject({ id: driver.id });
});

test('pictures of vehicles and drivers come as PNG, whole and small, and go away', async () => {
  const vehicle = await done('POST', '/cars', {
    name: 'Truck 3',
    pic: await upload(await photo(400, 200), 'truck.jpg'),
  });
  expect(vehicle.hasPic).toBe(true);
  expect(await picture(`/cars/${vehicle.id}/pic`)).toEqual({ status: 200, type: 'image/png', width: 400, height: 200 });
  expect(await picture(`/cars/${vehicle.id}/thumb`)).toEqual({
    status: 200,
    type: 'image/png',
    width: 160,
    height: 80,
  });
  expect((await picture(`/cars/${vehicle.id}/pic`, roadsAdmin.token)).status).toBe(404);
  expect(
    await done('PUT', `/cars/${vehicle.id}/pic`, { fileName: await upload(await photo(80, 80), 'b.jpg') }),
  ).toEqual({
    message: 'ok',
    status: 200,
  });
  expect(await picture(`/cars/${vehicle.id}/pic`)).toMatchObject({ width: 80, height: 80 });
  expect((await refusal('PUT', `/cars/${vehicle.id}/pic`, { fileName: 'nothing.png' }))[0]).toBe(400);
  expect(
    (
      await refusal('PUT', `/cars/${vehicle.id}/pic`, { fileName: await upload(Buffer.from('no picture'), 'a.txt') })
    )[0],
  ).toBe(400);
  expect((await refusal('PUT', `/cars/999/pic`, { fileName: 'x' }))[0]).toBe(404);
  expect((await ask('DELETE', `/cars/${vehicle.id}/pic`)).text).toBe('');
  expect((await picture(`/cars/${vehicle.id}/pic`)).status).toBe(404);
  expect((await refusal('DELETE', `/cars/${vehicle.id}/pic`))[0]).toBe(404);
  const driver = await done('POST', '/drivers', { fio: 'Ivan' });
  expect((await picture(`/drivers/${driver.id}/photo`)).status).toBe(404);
  await done('PUT', `/drivers/${driver.id}/photo`, { fileName: await upload(await photo(300, 400), 'ivan.jpg') });
  expect(await picture(`/drivers/${driver.id}/photo`)).toEqual({
    status: 200,
    type: 'image/png',
    width: 300,
    height: 400,
  });
  expect(await done('GET', '/drivers?hasPhoto=true')).toMatchObject([{ id: driver.id, hasPhoto: true }]);
  await done('DELETE', `/drivers/${driver.id}/photo`);
  expect((await done('GET', `/drivers/${driver.id}`)).hasPhoto).toBe(false);
});

test('icons: everybody’s and an organisation’s own, who may change them, and their view', async () => {
  const icon = await done('POST', '/dictionary/icons', {
    name: 'Truck',
    uuid: await upload(await photo(48, 32), 'truck.jpg'),
  });
  expect(icon).toEqual({ id: icon.id, name: 'Truck', width: 48, height: 32 });
  const own = await done(
    'POST',
    '/dictionary/icons',
    { name: 'Plough', uuid: await upload(await photo(20, 20), 'p.jpg', roadsAdmin.token) },
    roadsAdmin.token,
  );
  expect(await done('GET', '/dictionary/icons', undefined, roadsAdmin.token)).toEqual([
    { ...icon, ownerOrganizationId: null },
    { ...own, ownerOrganizationId: roads.id },
  ]);
  expect(await done('GET', '/dictionary/icons/editable', undefined, roadsAdmin.token)).toEqual([
    { ...own, ownerOrganizationId: roads.id },
  ]);
  expect((await refusal('PUT', `/dictionary/icons/${icon.id}`, { name: 'x' }, roadsAdmin.token))[0]).toBe(403);
  expect((await refusal('GET', '/dictionary/icons', undefined, dispatcher.token))[0]).toBe(403);
  expect(await picture(`/dictionary/icons/${icon.id}/view`, dispatcher.token)).toEqual({
    status: 200,
    type: 'image/jpeg',
    width: 48,
    height: 32,
  });
  expect(
    await done(
      'PUT',
      `/dictionary/icons/${own.id}`,
      { id: own.id, name: 'Snow plough', uuid: await upload(await photo(24, 24), 'q.jpg', roadsAdmin.token) },
      roadsAdmin.token,
    ),
  ).toEqual({ id: own.id, name: 'Snow plough', width: 24, height: 24 });
  expect(await done('DELETE', `/dictionary/icons/${own.id}`)).toEqual({ delete: true });
  expect((await ask('GET', `/dictionary/icons/${own.id}/view`)).status).toBe(404);
  expect(
    (
      await refusal('POST', '/dictionary/icons', { name: 'big', uuid: await upload(await photo(2000, 10), 'r.jpg') })
    )[0],
  ).toBe(400);
  expect((await refusal('POST', '/dictionary/icons', { name: 'x', uuid: 'nothing' }))[0]).toBe(400);
});

test('a vehicle takes an icon of the dictionary only when it is there', async () => {
  const icon = await done('POST', '/dictionary/icons', {
    name: 'Bus',
    uuid: await upload(await photo(32, 32), 'bus.jpg'),
  });
  const vehicle = await done('POST', '/cars', { name: 'Drawn 1', iconStandard: false, iconIndex: icon.id });
  expect(vehicle).toMatchObject({ iconStandard: false, iconIndex: icon.id });
  for (const body of [{ iconIndex: 999_999 }, { iconIndex: 999_999, iconStandard: false }])
    expect(await refusal('PUT', `/cars/${vehicle.id}`, body)).toEqual([400, 'iconIndex 999999 does not exist.']);
  expect(await refusal('POST', '/cars', { name: 'Drawn 2', iconStandard: false, iconIndex: 999_999 })).toEqual([
    400,
    'iconIndex 999999 does not exist.',
  ]);
  // The standard icons are the reader's own.
  expect(await done('PUT', `/cars/${vehicle.id}`, { iconStandard: true, iconIndex: 3 })).toMatchObject({
    iconIndex: 3,
  });
  expect((await refusal('PUT', `/cars/${vehicle.id}`, { iconStandard: false, iconIndex: 999_998 }))[0]).toBe(400);
  await done('PUT', `/cars/${vehicle.id}`, { iconStandard: false, iconIndex: icon.id });
  await done('DELETE', `/dictionary/icons/${icon.id}`);
  await done('PUT', `/cars/${vehicle.id}`, { name: 'Drawn on' }); // what it has may stay
});

test('custom fields of vehicles: definitions by format, values on the vehicle', async () => {
  const crane = await done('POST', '/cars/customfields', { name: 'Стрела, м', format: 'float', defaultValue: 12.5 });
  expect(crane).toEqual({
    id: crane.id,
    name: 'Стрела, м',
    translit: 'strela_m',
    format: 'float',
    groupName: '',
    possibleValues: null,
    regexp: null,
    minLength: null,
    maxLength: null,
    isRequired: false,
    defaultValue: 12.5,
    visible: true,
    order: null,
  });
  const kind = await done('POST', '/cars/customfields', {
    name: 'Kind',
    format: 'list',
    possibleValues: ['tipper', 'crane'],
    isRequired: true,
    defaultValue: 'tipper',
    order: 1,
  });
  const code = await done('POST', '/cars/customfields', {
    name: 'Code',
    format: 'string',
    regexp: '^[A-Z]+$',
    minLength: 2,
    maxLength: 4,
  });
  expect((await done('GET', '/cars/customfields')).map(({ translit }: { translit: string }) => translit)).toEqual([
    'kind',
    'strela_m',
    'code',
  ]);
  for (const [body, said] of [
    [{ name: 'x', format: 'int', regexp: 'a' }, /regexp/],
    [{ name: 'x', format: 'date', defaultValue: '2026-01-01' }, /defaultValue/],
    [{ name: 'x', format: 'list' }, /possibleValues/],
    [{ name: 'x', format: 'int', defaultValue: '5' }, /defaultValue must be a number/],
    [{ name: 'x', format: 'geometry' }, /format/],
    [{ name: 'x', format: 'string', minLength: 5, maxLength: 1 }, /minLength/],
    [{ format: 'int' }, /name/],
  ] as const) {
    const [status, text] = await refusal('POST', '/cars/customfields', body);
    expect([status, text], JSON.stringify(body)).toEqual([400, expect.stringMatching(said)]);
  }
  const vehicle = await done('POST', '/cars', { name: 'Truck 4', customFields: { code: 'AB' } });
  expect(vehicle.customFields).toEqual({ kind: 'tipper', strela_m: 12.5, code: 'AB' });
  expect(
    (await done('PUT', `/cars/${vehicle.id}`, { customFields: { strela_m: null, kind: 'crane' } })).customFields,
  ).toEqual({ kind: 'crane', strela_m: null, code: 'AB' });
  expect(await refusal('PUT', `/cars/${vehicle.id}`, { customFields: { code: 'abc' } })).toEqual([
    400,
    'Code is not written as this field asks, for example ABC.',
  ]);
  expect((await refusal('PUT', `/cars/${vehicle.id}`, { customFields: { kind: null } }))[0]).toBe(400);
  expect(await refusal('PUT', `/cars/${vehicle.id}`, { customFields: { unknown: 1 } })).toEqual([
    400,
    'customFields.unknown does not exist.',
  ]);
  expect((await refusal('PUT', `/cars/customfields/${code.id}`, { format: 'int' }))[0]).toBe(400);
  expect(await done('PUT', `/cars/customfields/${code.id}`, { ...code, name: 'Codes' })).toEqual({
    ...code,
    name: 'Codes',
  });
  await done('DELETE', `/cars/customfields/${code.id}`);
  expect((await done('GET', `/cars/${vehicle.id}`)).customFields).toEqual({ kind: 'crane', strela_m: null });
  await done('DELETE', `/cars/customfields/${kind.id}`);
  expect((await ask('DELETE', `/cars/customfields/${kind.id}`)).status).toBe(404);
  const again = await done('POST', '/cars/customfields', { name: 'Code', format: 'string' });
  expect(again.translit).toBe('code_2');
  for (const field of [crane, again]) await done('DELETE', `/cars/customfields/${field.id}`);
});

test('geozones: three shapes, and an edit keeps what was', async () => {
  const square = {
    type: 'Polygon',
    coordinates: [
      [
        [37, 55],
        [37.01, 55],
        [37.01, 55.01],
        [37, 55.01],
        [37, 55],
      ],
    ],
  };
  const depot = await done('POST', '/geozones', {
    name: 'Depot',
    geometry: square,
    speedLimit: 20,
    color: 'blue',
    validFrom: 1000,
  });
  expect(depot).toEqual({
    id: depot.id,
    name: 'Depot',
    shape: 'polygon',
    geometry: square,
    radius: null,
    width: null,
    speedLimit: 20,
    validFrom: 1000,
    organizationId: home,
    notes: '',
    color: 'blue',
    view: true,
    district: false,
  });
  const circle = await done('POST', '/geozones', {
    name: 'School',
    geometry: { type: 'Point', coordinates: [37, 55] },
    radius: 300,
    organizationId: roads.id,
  });
  expect(circle).toMatchObject({
    shape: 'circle',
    radius: 300,
    geometry: { type: 'Point', coordinates: [37, 55] },
    speedLimit: null,
  });
  expect(
    await done('POST', '/geozones', {
      name: 'M4',
      geometry: {
        type: 'LineString',
        coordinates: [
          [37, 55, 200],
          [38, 55],
        ],
      },
      width: 60,
    }),
  ).toMatchObject({
    shape: 'corridor',
    width: 60,
    geometry: {
      coordinates: [
        [37, 55],
        [38, 55],
      ],
    },
  });
  expect((await done('PUT', `/geozones/${circle.id}`, { radius: 500 }, roadsAdmin.token)).radius).toBe(500);
  const before = Date.now();
  const changed = await done('PUT', `/geozones/${depot.id}`, { speedLimit: 30 });
  expect(changed).toMatchObject({ speedLimit: 30, geometry: square });
  expect(changed.validFrom).toBeGreaterThanOrEqual(before);
  await done('PUT', `/geozones/${depot.id}`, { notes: 'only a note' });
  expect(await done('GET', `/geozones/${depot.id}/versions`)).toMatchObject([
    { speedLimit: 20, validFrom: 1000, validTill: changed.validFrom },
    { speedLimit: 30, validFrom: changed.validFrom, validTill: null },
  ]);
  expect((await refusal('PUT', `/geozones/${depot.id}`, { speedLimit: 40, validFrom: 2000 }))[0]).toBe(400);
  expect((await done('GET', '/geozones?name=dep')).map(({ id }: { id: number }) => id)).toEqual([depot.id]);
  expect((await done('GET', '/geozones', undefined, roadsAdmin.token)).map(({ id }: { id: number }) => id)).toEqual([
    circle.id,
  ]);
  expect((await ask('GET', `/geozones/${depot.id}`, undefined, roadsAdmin.token)).status).toBe(404);
  expect((await refusal('POST', '/geozones', { name: 'x', geometry: square }, dispatcher.token))[0]).toBe(403);
  for (const body of [
    { name: 'x' },
    { geometry: square },
    { name: 'x', geometry: { type: 'Point', coordinates: [37, 55] } },
    {
      name: 'x',
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 1],
          ],
        ],
      },
    },
    {
      name: 'x',
      geometry: {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [1, 1],
        ],
      },
    },
    { name: 'x', geometry: { type: 'Point', coordinates: [370, 55] }, radius: 5 },
  ]) {
    expect((await refusal('POST', '/geozones', body))[0], JSON.stringify(body)).toBe(400);
  }
  await done('DELETE', `/geozones/${depot.id}`);
  expect((await ask('GET', `/geozones/${depot.id}`)).status).toBe(404);
});

test('whoever may sign in reads the lists; only administrators write them', async () => {
  const [line, geometry] = [
    {
      type: 'LineString',
      coordinates: [
        [37, 55],
        [37.1, 55.1],
      ],
    },
    { type: 'Point', coordinates: [37, 55] },
  ];
  const bodies = {
    '/cars/marks': { name: 'Ural' },
    '/cars/models': { name: 'M', markId: 1 },
    '/cars/groups': { name: 'G' },
    '/cars/tags': { name: 'T' },
    '/cars/customfields': { name: 'F', format: 'int' },
    '/drivers': { fio: 'D' },
    '/geozones': { name: 'Z', geometry, radius: 50 },
    '/routes': { name: 'R', line },
    '/sensors': { carId: 1, name: 'S', type: 'analog', input: { kind: 'adc', index: 0 } },
  };
  // One of each, too, and what it was.
  const { id: vehicleId } = await done('POST', '/cars', { name: 'Read by all', glonassId: 77_001 });
  for (const [path, more] of [
    ['/drivers', {}],
    ['/geozones', {}],
    ['/routes', {}],
    ['/sensors', { carId: vehicleId }],
  ] as const) {
    const { id } = await done('POST', path, { ...bodies[path], ...more });
    for (const one of path === '/drivers' ? [''] : ['', '/versions'])
      expect((await ask('GET', `${path}/${id}${one}`, undefined, dispatcher.token)).status, path + one).toBe(200);
    await done('DELETE', `${path}/${id}`);
  }
  await done('DELETE', `/cars/${vehicleId}`);
  for (const [path, body] of Object.entries(bodies)) {
    expect((await ask('GET', path, undefined, dispatcher.token)).status, path).toBe(200);
    expect((await ask('POST', path, body, dispatcher.token)).status, path).toBe(403);
    for (const method of ['PUT', 'DELETE'])
      expect(
        (await ask(method, `${path}/1`, method === 'PUT' ? { name: 'x' } : undefined, dispatcher.token)).status,
        `${method} ${path}`,
      ).toBe(403);
  }
});

test('planned routes: control points keep their ids, vehicles are the organisation’s', async () => {
  const line = {
    type: 'LineString',
    coordinates: [
      [37, 55],
      [37.1, 55.1],
    ],
  };
  const vehicle = await done('POST', '/cars', { name: 'Bus 1' });
  const foreign = await done('POST', '/cars', { name: 'Bus 2', organizationId: roads.id });
  const planned = await done('POST', '/routes', {
    name: 'Line 5',
    line,
    carsIds: [vehicle.id],
    from: 1000,
    till: 9000,
    points: [
      { name: 'A', lat: 55, lon: 37 },
      { name: 'B', lat: 55.1, lon: 37.1, radius: 80, arriveAfter: 600 },
    ],
  });
  expect(planned).toMatchObject({
    name: 'Line 5',
    line,
    carsIds: [vehicle.id],
    from: 1000,
    till: 9000,
    corridor: null,
    points: [
      { id: 1, name: 'A', radius: 50, arriveAfter: null },
      { id: 2, name: 'B', radius: 80, arriveAfter: 600 },
    ],
  });
  const [a, b] = planned.points;
  const changed = await done('PUT', `/routes/${planned.id}`, { points: [b, { name: 'C', lat: 55.05, lon: 37.05 }] });
  expect(changed.points).toMatchObject([
    { id: b.id, name: 'B' },
    { id: 3, name: 'C' },
  ]);
  expect((await refusal('PUT', `/routes/${planned.id}`, { points: [a] }))[0]).toBe(400);
  expect((await refusal('PUT', `/routes/${planned.id}`, { points: [b, b] }))[1]).toMatch(/^points\[1\]\.id 2 .*twice/);
  expect(await refusal('PUT', `/routes/${planned.id}`, { organizationId: 999_999 })).toEqual([
    400,
    'The organisation 999999 does not exist.',
  ]);
  expect(await refusal('PUT', `/routes/${planned.id}`, { points: [b, { ...b, id: undefined, name: ' ' }] })).toEqual([
    400,
    'points[1].name is missing.',
  ]);
  expect((await done('PUT', `/routes/${planned.id}`, { points: [{ name: 'D', lat: 55, lon: 37 }] })).points[0].id).toBe(
    4,
  );
  expect(
    (await done('GET', `/routes/${planned.id}/versions`)).map(({ points }: { points: { name: string }[] }) =>
      points.map(({ name }) => name).join(''),
    ),
  ).toEqual(['AB', 'BC', 'D']);
  expect((await done('GET', `/routes?cars=${vehicle.id}`)).length).toBe(1);
  expect((await done('GET', `/routes?cars=${foreign.id}`)).length).toBe(0);
  expect((await refusal('PUT', `/routes/${planned.id}`, { carsIds: [foreign.id] }))[0]).toBe(400);
  expect((await refusal('PUT', `/routes/${planned.id}`, { till: 500 }))[0]).toBe(400);
  expect(
    (await refusal('POST', '/routes', { name: 'x', line: { type: 'LineString', coordinates: [[37, 55]] } }))[0],
  ).toBe(400);
  expect((await ask('GET', `/routes/${planned.id}`, undefined, roadsAdmin.token)).status).toBe(404);
  await done('DELETE', `/routes/${planned.id}`);
  expect((await done('GET', '/routes')).length).toBe(0);
});

test('what is planned for later comes into force at its time; an edit of today neither waits for it nor takes it away', async () => {
  const later = Date.now() + 3_600_000;
  const school = await done('POST', '/geozones', {
    name: 'School',
    geometry: { type: 'Point', coordinates: [37, 55] },
    radius: 300,
    speedLimit: 30,
  });
  expect(
    await done('PUT', `/geozones/${school.id}`, { speedLimit: 20, name: 'Closed school', validFrom: later }),
  ).toMatchObject({ name: 'School', speedLimit: 30, validFrom: school.validFrom });
  const before = Date.now();
  const widened = await done('PUT', `/geozones/${school.id}`, { radius: 500 });
  expect(widened).toMatchObject({ name: 'School', radius: 500, speedLimit: 30 });
  expect([widened.validFrom >= before, widened.validFrom <= Date.now()]).toEqual([true, true]);
  expect(await done('GET', `/geozones/${school.id}/versions`)).toMatchObject([
    { radius: 300, speedLimit: 30, validTill: widened.validFrom },
    { radius: 500, speedLimit: 30, validFrom: widened.validFrom, validTill: later },
    { name: 'Closed school', radius: 500, speedLimit: 20, validFrom: later, validTill: null },
  ]);
  // with that of another test
  expect([
    (await done('GET', '/geozones?name=closed')).length,
    (await done('GET', '/geozones?name=school')).length,
  ]).toEqual([0, 2]);
  await done('PUT', `/geozones/${school.id}`, { speedLimit: 30, name: 'School', validFrom: later });
  expect(
    (await done('GET', `/geozones/${school.id}/versions`)).map(({ validTill }: { validTill: number }) => validTill),
  ).toEqual([widened.validFrom, null]);
  const soon = Date.now() + 700;
  await done('PUT', `/geozones/${school.id}`, { speedLimit: 10, name: 'Play street', validFrom: soon });
  await eventually(async () =>
    expect(await done('GET', `/geozones/${school.id}`)).toMatchObject({
      name: 'Play street',
      speedLimit: 10,
      validFrom: soon,
    }),
  );
  expect((await done('GET', '/geozones?name=play')).map(({ id }: { id: number }) => id)).toEqual([school.id]);
  await done('DELETE', `/geozones/${school.id}`);
});

test('planned routes and sensors to come: shown as they are now, corrected before they begin, their vehicles those of then', async () => {
  const later = Date.now() + 3_600_000;
  const line = {
    type: 'LineString',
    coordinates: [
      [37, 55],
      [37.1, 55.1],
    ],
  };
  const [bus, van] = [await done('POST', '/cars', { name: 'Bus 7' }), await done('POST', '/cars', { name: 'Van 7' })];
  const route = await done('POST', '/routes', {
    name: 'Line 7',
    line,
    carsIds: [bus.id],
    points: [{ name: 'A', lat: 55, lon: 37 }],
  });
  expect(await done('PUT', `/routes/${route.id}`, { carsIds: [van.id], from: later, validFrom: later })).toMatchObject({
    carsIds: [bus.id],
    from: null,
  });
  const listed = async (vehicle: { id: number }) => (await done('GET', `/routes?cars=${vehicle.id}`)).length;
  expect([await listed(bus), await listed(van)]).toEqual([1, 0]);
  // then it would be
  expect((await refusal('PUT', `/routes/${route.id}`, { till: later }))[1]).toBe('till must be later than from.');
  expect(
    await done('PUT', `/routes/${route.id}`, { points: [...route.points, { name: 'B', lat: 55.1, lon: 37.1 }] }),
  ).toMatchObject({ carsIds: [bus.id] });
  expect(
    (await done('GET', `/routes/${route.id}/versions`)).map(
      ({ carsIds: vehicleIds, points }: { carsIds: number[]; points: { id: number }[] }) => [
        vehicleIds,
        points.map(({ id }) => id),
      ],
    ),
  ).toEqual([
    [[bus.id], [1]],
    [[bus.id], [1, 2]],
    [[van.id], [1, 2]],
  ]);

  const tank = await done('POST', '/sensors', {
    carId: bus.id,
    name: 'Tank',
    type: 'fuel',
    input: { kind: 'adc', index: 0 },
    low: 5,
    validFrom: later,
  });
  expect(await done('PUT', `/sensors/${tank.id}`, { low: 8 })).toMatchObject({ low: 8, validFrom: later });
  expect((await done('GET', `/sensors/${tank.id}/versions`)).length).toBe(1);
  expect((await refusal('PUT', `/sensors/${tank.id}`, { low: 9, validFrom: 1000 }))[1]).toBe(
    'validFrom is in the past, and what is changed has not begun yet.',
  );
  await done('PUT', `/sensors/${tank.id}`, { high: 50, validFrom: later + 1000 });
  // of the second one
  expect(await refusal('PUT', `/sensors/${tank.id}`, { low: 60 })).toEqual([400, 'high must be greater than low.']);
  expect(await done('GET', `/sensors/${tank.id}`)).toMatchObject({
    low: 8,
    high: null,
    planned: [
      { low: 8, high: null, validFrom: later },
      { low: 8, high: 50, validFrom: later + 1000 },
    ],
  });
  // A plan that leaves a point out is taken away again by what held before, with that point.
  const before = await done('GET', `/routes/${route.id}`);
  await done('PUT', `/routes/${route.id}`, { points: [], validFrom: later + 5000 });
  await done('PUT', `/routes/${route.id}`, { points: before.points, validFrom: later + 5000 });
  expect(
    (await done('GET', `/routes/${route.id}/versions`)).map(({ validFrom }: { validFrom: number }) => validFrom),
  ).not.toContain(later + 5000);
  await done('DELETE', `/routes/${route.id}`);
});

test('sensors: input, calibration, versions; they are seen with their vehicle', async () => {
  const vehicle = await done('POST', '/cars', { name: 'Tank 1' });
  const sensor = await done('POST', '/sensors', {
    carId: vehicle.id,
    name: 'Fuel',
    type: 'fuel',
    unit: 'l',
    input: { kind: 'adc', index: 0 },
    calibration: [
      [0, 0],
      [2.5, 40],
      [5, 70],
    ],
  });
  expect(sensor).toMatchObject({
    carId: vehicle.id,
    name: 'Fuel',
    type: 'fuel',
    unit: 'l',
    input: { kind: 'adc', index: 0 },
    inverted: false,
    calibration: [
      [0, 0],
      [2.5, 40],
      [5, 70],
    ],
    low: null,
    high: null,
    hysteresis: 0,
    debounce: null,
  });
  expect(
    (
      await done('PUT', `/sensors/${sensor.id}`, {
        calibration: [
          [0, 5],
          [5, 75],
        ],
      })
    ).calibration,
  ).toEqual([
    [0, 5],
    [5, 75],
  ]);
  expect((await done('GET', `/sensors/${sensor.id}/versions`)).length).toBe(2);
  expect((await done('GET', `/sensors?cars=${vehicle.id}`)).length).toBe(1);
  expect((await done('GET', '/sensors')).map(({ id }: { id: number }) => id)).toContain(sensor.id);
  expect((await refusal('PUT', `/sensors/${sensor.id}`, { carId: vehicle.id + 1 }))[1]).toMatch(/^carId cannot change/);
  expect((await done('PUT', `/sensors/${sensor.id}`, { carId: vehicle.id, unit: 'gal' })).unit).toBe('gal');
  const bit = (index: number) => ({
    carId: vehicle.id,
    name: 'Door',
    type: 'digital',
    input: { kind: 'input', index },
  });
  expect((await done('POST', '/sensors', bit(31))).input).toEqual({ kind: 'input', index: 31 });
  expect((await refusal('POST', '/sensors', bit(32)))[1]).toMatch(/^input\.index of a digital input/);
  expect(await done('GET', '/sensors', undefined, roadsAdmin.token)).toEqual([]);
  expect((await ask('GET', `/sensors/${sensor.id}`, undefined, roadsAdmin.token)).status).toBe(404);
  const base = { carId: vehicle.id, name: 'x', type: 'analog', input: { kind: 'adc', index: 0 } };
  for (const wrong of [
    { carId: 999 },
    { type: 'magic' },
    { input: { kind: 'input', index: 40 } },
    { input: { kind: 'param' } },
    { calibration: [[1, 1]] },
    {
      calibration: [
        [2, 1],
        [1, 2],
      ],
    },
    { low: 5, high: 1 },
    { hysteresis: -1 },
  ]) {
    expect((await refusal('POST', '/sensors', { ...base, ...wrong }))[0], JSON.stringify(wrong)).toBe(400);
  }
  // What one may not see does not exist in a body either: the answer is the one to a number that nobody has.
  const refused = (await refusal('POST', '/sensors', { ...base, carId: 999 }, roadsAdmin.token))[1] as string;
  expect(await refusal('POST', '/sensors', base, roadsAdmin.token)).toEqual([
    400,
    refused.replace('999', String(vehicle.id)),
  ]);
  expect((await ask('GET', `/sensors?cars=${vehicle.id}`)).json()).toHaveLength(2);
  const line = {
    type: 'LineString',
    coordinates: [
      [0, 0],
      [0, 0.01],
    ],
  };
  const routed = (vehicleIds: number[]) =>
    refusal('POST', '/routes', { name: 'x', line, organizationId: home, carsIds: vehicleIds }, roadsAdmin.token);
  expect((await routed([vehicle.id]))[0]).toBe((await routed([999]))[0]);
  const own = await done('POST', '/routes', { name: 'Own', line }, roadsAdmin.token);
  const moved = (vehicleIds: number[]) =>
    refusal('PUT', `/routes/${own.id}`, { organizationId: home, carsIds: vehicleIds }, roadsAdmin.token);
  expect((await moved([vehicle.id]))[0]).toBe((await moved([999]))[0]);
  await done('DELETE', `/cars/${vehicle.id}`);
  expect((await ask('GET', `/sensors/${sensor.id}`)).status).toBe(404);
});
