import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TestResponse, type TryStation } from '../try-station.ts';

let station: TryStation;
let admin: string;
let dispatcher: { id: number; token: string };
let roads: { id: number };
let roadsAdmin: { id: number; token: string };

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  dispatcher = await station.newUser('anna', 'Dispatcher');
  roads = (await ask('POST', '/organizations', { name: 'Roads' })).json();
  const roles = (await ask('GET', '/rights')).json();
  const plain = await ask('POST', '/rights', { name: 'Local administrator', admin: true });
  roadsAdmin = await station.newUser('olga', plain.status === 200 ? 'Local administrator' : roles[0].name, {
    organizationId: roads.id,
  });
});
afterAll(() => station.stop());

const ask = (method: string, path: string, body?: unknown, as = admin): Promise<TestResponse> =>
  station.ask(method, path, { as, body });
const create = async (body: object, as = admin) => {
  const answered = await ask('POST', '/cars', body, as);
  expect(answered.status, answered.text).toBe(200);
  return answered.json();
};
const names = async (query: string, as = admin): Promise<string[]> =>
  (await ask('GET', `/cars${query}`, undefined, as)).json().map((vehicle: { name: string }) => vehicle.name);

test('a vehicle is made, read and listed in the interface’s shapes', async () => {
  const vehicle = await create({
    name: ' Van 1 ',
    carNo: 'A 123',
    glonassId: 5001,
    devphone: '+100',
    devpassword: 'secret',
    notes: 'n',
    kmNextTo: 1200,
    iconIndex: 3,
  });
  expect(vehicle).toMatchObject({
    name: 'Van 1',
    glonassId: 5001,
    devphone: '+100',
    devimei: '',
    lastUpdate: null,
    group: null,
    markId: null,
    modelId: null,
    toDelete: false,
    hasPic: false,
    driversIds: [],
    tagsIds: [],
    tags: [],
    iconIndex: 3,
    info: { id: { glonassId: 5001, data: null }, lat: null, lon: null, odometr: 0, sysData: null },
    carInfo: { carId: vehicle.id, mark: null, model: null, kmNextTo: 1200, carNo: 'A 123', notes: 'n' },
    stopped: { carId: vehicle.id, stoped: false, stopedBegin: null },
    motohours: { carId: vehicle.id, stop: 0, move: 0 },
  });
  expect(JSON.stringify(vehicle)).not.toContain('secret');
  expect((await ask('GET', `/cars/${vehicle.id}`)).json()).toEqual(vehicle);
  expect((await ask('GET', '/cars')).json()).toEqual([
    {
      id: vehicle.id,
      name: 'Van 1',
      glonassId: 5001,
      view: true,
      lastUpdate: null,
      projectPoints: false,
      onService: false,
      iconStandard: true,
      iconIndex: 3,
      toDelete: false,
      markId: null,
      modelId: null,
      groupId: null,
      speed: null,
      direction: null,
      lat: null,
      lon: null,
      carNo: 'A 123',
      organizationId: expect.any(Number),
      isStopped: false,
      tagsIds: [],
      kindId: null,
      capabilityIds: [],
      unitStatus: null,
      unitStatusSince: null,
    },
  ]);
});

test('the whole object can be read, changed in place and put back', async () => {
  const vehicle = await create({ name: 'Van 2', carNo: 'B 1' });
  const read = (await ask('GET', `/cars/${vehicle.id}`)).json();
  read.carInfo.carNo = 'B 2';
  read.carInfo.notes = 'new tyres';
  read.onService = true;
  read.motohours.move = 12.5;
  const put = await ask('PUT', `/cars/${vehicle.id}`, read);
  expect(put.status, put.text).toBe(200);
  expect(put.json()).toMatchObject({
    carInfo: { carNo: 'B 2', notes: 'new tyres' },
    onService: true,
    motohours: { move: 12.5, stop: 0 },
    glonassId: vehicle.glonassId,
  });
  expect((await ask('PUT', `/cars/${vehicle.id}`, { carNo: 'B 3' })).json()).toMatchObject({
    carInfo: { carNo: 'B 3', notes: 'new tyres' },
    onService: true,
  });
});

test('a device belongs to one vehicle, and is free again when that one is deleted', async () => {
  const vehicle = await create({ name: 'Van 3', glonassId: 7001, devimei: '356000000000003' });
  expect((await ask('POST', '/cars', { name: 'Van 4', glonassId: 7001 })).text).toBe(
    'glonassId 7001 belongs to another vehicle.',
  );
  expect((await ask('POST', '/cars', { name: 'Van 4', devimei: '356000000000003' })).status).toBe(400);
  expect((await ask('DELETE', `/cars/${vehicle.id}`)).status).toBe(200);
  expect((await ask('GET', `/cars/${vehicle.id}`)).status).toBe(404);
  expect((await ask('DELETE', `/cars/${vehicle.id}`)).status).toBe(404);
  expect(await names('?name=van%203')).toEqual([]);
  await create({ name: 'Van 4', glonassId: 7001, devimei: '356000000000003' });
});

test('two requests at once cannot give one device to two vehicles', async () => {
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => ask('POST', '/cars', { name: `Twin ${index}`, glonassId: 7700 })),
  );
  expect(answers.map((answered) => answered.status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
});

test('filters hold together', async () => {
  await create({ name: 'Кран 1', devphone: '+7 495', devimei: 'ABC1', glonassId: 8001 });
  await create({ name: 'Кран 2', devphone: '+7 499', glonassId: 8002, organizationId: roads.id });
  await ask('POST', '/telemetry', { glonassId: 8001, time: Date.now(), lat: 50, lon: 20, speed: 0 });
  expect(await names(`?name=${encodeURIComponent('кРАН')}`)).toEqual(['Кран 1', 'Кран 2']);
  expect(await names(`?devphone=499`)).toEqual(['Кран 2']);
  expect(await names(`?devimei=bc1`)).toEqual(['Кран 1']);
  expect(await names(`?glonassId=8002`)).toEqual(['Кран 2']);
  expect(await names(`?stopped=true`)).toEqual(['Кран 1']);
  expect(await names(`?organizations=${roads.id},99`)).toEqual(['Кран 2']);
  const [crane] = (await ask('GET', '/cars?glonassId=8001')).json();
  const group = (await ask('POST', '/cars/groups', { name: 'Cranes' })).json();
  await ask('PUT', `/cars/${crane.id}`, { onService: true, groupId: group.id });
  expect(await names(`?name=${encodeURIComponent('Кран')}&onService=true`)).toEqual(['Кран 1']);
  expect(await names(`?name=${encodeURIComponent('Кран')}&onService=false`)).toEqual(['Кран 2']);
  expect(await names(`?groups=${group.id},99`)).toEqual(['Кран 1']);
  expect(await names('?stopped=false&glonassId=8001')).toEqual([]);
  expect(await names(`?organizations=${roads.id}&stopped=true`)).toEqual([]);
  expect((await ask('GET', `/cars/count?organizations=${roads.id}`)).text).toBe('1');
  expect((await ask('GET', '/cars/count')).type).toContain('text/plain');
});

test('a vehicle without a number of a unit gets one that is free, and no answer is about a number that was not sent', async () => {
  const last = await create({ name: 'Number 1' });
  expect(last.glonassId).toBe(last.id);
  // Others have the numbers that the next vehicles would get.
  const holders = [
    await create({ name: 'Number 2', glonassId: last.id + 3 }),
    await create({ name: 'Number 3', glonassId: last.id + 4 }),
  ];
  const next = await create({ name: 'Number 4' });
  expect(next.id).toBe(last.id + 3);
  expect(next.glonassId).toBe(last.id + 5);
  const made = await Promise.all([5, 6, 7].map((number) => create({ name: `Number ${number}` })));
  const numbers = [last, ...holders, next, ...made].map(({ glonassId }) => glonassId);
  expect(new Set(numbers).size).toBe(numbers.length);
  for (const { id } of made) expect((await ask('PUT', `/cars/${id}`, { notes: 'seen' })).status).toBe(200);
});

test('everybody sees the vehicles of their own organisation, and only administrators change them', async () => {
  expect(await names('', roadsAdmin.token)).toEqual(['Кран 2']);
  const [mine] = (await ask('GET', '/cars?glonassId=8002')).json();
  const [theirs] = (await ask('GET', '/cars?glonassId=8001')).json();
  expect((await ask('GET', `/cars/${theirs.id}`, undefined, roadsAdmin.token)).status).toBe(404);
  expect((await ask('PUT', `/cars/${theirs.id}`, { name: 'x' }, roadsAdmin.token)).status).toBe(404);
  expect((await ask('PUT', `/cars/${theirs.id}`, { name: 'x' }, dispatcher.token)).status).toBe(403);
  expect((await ask('DELETE', `/cars/${theirs.id}`, undefined, dispatcher.token)).status).toBe(403);
  expect(
    (await ask('PUT', `/cars/${mine.id}`, { organizationId: theirs.organizationId }, roadsAdmin.token)).status,
  ).toBe(403);
  expect((await station.ask('GET', '/cars')).status).toBe(401);
});

test('users who see the vehicle and may change the status of tasks set the crew’s status; it survives and is in the list', async () => {
  const [vehicle] = (await ask('GET', '/cars?glonassId=8001')).json();
  const put = await ask('PUT', `/cars/${vehicle.id}/status`, { status: 3 }, dispatcher.token);
  expect(put.json()).toMatchObject({ unitStatus: 3, unitStatusSince: expect.any(Number) });
  expect((await ask('GET', '/cars?glonassId=8001')).json()[0]).toMatchObject({ unitStatus: 3, lat: 50 });
  for (const status of [-1, 10, 1.5, '3', null])
    expect((await ask('PUT', `/cars/${vehicle.id}/status`, { status })).status).toBe(400);
  expect((await ask('PUT', `/cars/${vehicle.id}/status`, { status: 3 }, roadsAdmin.token)).status).toBe(404);
  const viewer = await station.newUser('vera', 'Viewer');
  expect(await ask('PUT', `/cars/${vehicle.id}/status`, { status: 0 }, viewer.token)).toMatchObject({
    status: 403,
    text: expect.stringContaining('status of crews'),
  });
});

test('a crew that was sent to a task and has not arrived there is not set free', async () => {
  const { id, name } = await create({ name: 'Medic 3' });
  const set = (status: number, more: object = {}) =>
    ask('PUT', `/cars/${id}/status`, { status, ...more }, dispatcher.token);
  const task = (
    await ask('POST', '/news/', { action: 'put', values: { title: 'Child with a fever', news_type_id: 1 } })
  ).json().newsId;
  const update = async (body: object) => expect((await ask('POST', `/news/${task}/update`, body)).status).toBe(200);
  expect((await set(1)).status).toBe(200);
  await update({ assigned_car_id: id, assigned_status: 2 });
  const status = async () => (await ask('GET', `/cars/${id}`)).json().unitStatus;

  for (const step of [1, 2]) {
    const refused = await set(step);
    expect([refused.status, refused.text]).toEqual([
      409,
      `${name} was sent to ${task} and has not arrived there. Release it there first.`,
    ]);
  }
  expect((await set(3)).status).toBe(200);
  expect((await set(1)).status).toBe(409);
  expect(await status()).toBe(3);
  expect((await set(1, { back: true })).status).toBe(200);
  for (const step of [3, 4, 1]) expect((await set(step)).status).toBe(200);

  await update({ assigned_status: 4 });
  await update({ assigned_status: 2 }); // sent once more: that it was there before counts no longer
  expect((await set(2)).status).toBe(409);
  await update({ assigned_car_id: 0, assigned_status: 1 });
  expect((await set(2)).status).toBe(200);
});

test.each([
  ['no name', {}],
  ['an empty name', { name: ' ' }],
  ['a name of 101 characters', { name: 'x'.repeat(101) }],
  ['an unknown group', { name: 'x', groupId: 99 }],
  ['an unknown mark', { name: 'x', markId: 99 }],
  ['an unknown model', { name: 'x', modelId: 99 }],
  ['an unknown driver', { name: 'x', driversIds: [99] }],
  ['drivers that are no list', { name: 'x', driversIds: 5 }],
  ['an unknown organisation', { name: 'x', organizationId: 99 }],
  ['a glonassId of zero', { name: 'x', glonassId: 0 }],
  ['a glonassId that is none', { name: 'x', glonassId: 'abc' }],
])('%s is a 400 with the reason in plain text', async (_name, body) => {
  const answered = await ask('POST', '/cars', body);
  expect(answered.status).toBe(400);
  expect(answered.type).toContain('text/plain');
  expect(answered.text).toMatch(/./);
});

test('a track is read by time', async () => {
  const vehicle = await create({ name: 'Van 7', glonassId: 9001 });
  const noon = Date.UTC(2026, 0, 1, 12);
  await ask(
    'POST',
    '/telemetry',
    [0, 10, 20].map((second) => ({
      glonassId: 9001,
      time: noon + second * 1000,
      lat: 50 + second / 100_000,
      lon: 20,
      speed: 5,
    })),
  );
  const track = (await ask('GET', `/cars/${vehicle.id}/track?from=${noon + 10_000}&till=${noon + 20_000}`)).json();
  expect(track).toEqual([
    { time: noon + 10_000, lat: 50.0001, lon: 20, speed: 5, direction: 0, height: 0, marks: [] },
    { time: noon + 20_000, lat: 50.0002, lon: 20, speed: 5, direction: 0, height: 0, marks: [] },
  ]);
  expect((await ask('GET', `/cars/${vehicle.id}/track`)).status).toBe(400);
  expect((await ask('GET', `/cars/${vehicle.id}/track?from=5&till=1`)).status).toBe(400);
  expect((await ask('GET', `/cars/${vehicle.id}/track?from=1&till=5`, undefined, roadsAdmin.token)).status).toBe(404);
});

test('km to maintenance and motor hours run on from telemetry, by the coefficients of the model', async () => {
  const mark = (await ask('POST', '/cars/marks', { name: 'Zubr' })).json();
  const model = (
    await ask('POST', '/cars/models', { name: 'Lift', markId: mark.id, motohoursStop: 0.5, motohoursMove: 2 })
  ).json();
  const vehicle = await create({ name: 'Lift 1', glonassId: 9100, modelId: model.id, kmNextTo: 100 });
  const begin = Date.now() - 7_200_000;
  expect(
    (
      await ask('POST', '/sensors', {
        carId: vehicle.id,
        name: 'Ignition',
        type: 'ignition',
        input: { kind: 'input', index: 0 },
        validFrom: begin,
      })
    ).status,
  ).toBe(200);
  const send = (records: [minute: number, km: number, on: number][]) =>
    ask(
      'POST',
      '/telemetry',
      records.map(([minute, km, on]) => ({
        glonassId: 9100,
        time: begin + minute * 60_000,
        lat: 50 + km / 111.195,
        lon: 20,
        speed: minute < 10 ? 0 : 60,
        inputs: on,
      })),
    );
  await send([
    [0, 0, 1],
    [6, 0, 1],
    [12, 6, 1],
    [18, 12, 1],
  ]);
  const shown = (await ask('GET', `/cars/${vehicle.id}`)).json();
  // 6 min standing × 0.5, 12 min driving × 2
  expect(shown.motohours).toEqual({ carId: vehicle.id, stop: 0.05, move: 0.4 });
  expect(shown.info.odometr).toBeCloseTo(12, 2);
  expect(shown.carInfo.kmNextTo).toBeCloseTo(88, 2);
  // A whole object that was read before more came in changes none of it when it is put back.
  await send([[24, 18, 1]]);
  const put = (
    await ask('PUT', `/cars/${vehicle.id}`, { ...shown, carInfo: { ...shown.carInfo, notes: 'oiled' } })
  ).json();
  expect([put.carInfo.notes, put.motohours.move]).toEqual(['oiled', 0.6]);
  expect(put.carInfo.kmNextTo).toBeCloseTo(82, 2);
  // What is meant is taken.
  const set = (await ask('PUT', `/cars/${vehicle.id}`, { kmNextTo: 10_000, motohours: { move: 500 } })).json();
  expect([set.carInfo.kmNextTo, set.motohours.move, set.motohours.stop]).toEqual([10_000, 500, 0.05]);
  await send([[30, 24, 1]]);
  const later = (await ask('GET', `/cars/${vehicle.id}`)).json();
  expect(later.carInfo.kmNextTo).toBeCloseTo(9994, 2);
  expect(later.motohours.move).toBeCloseTo(500.2, 3);
  expect((await ask('PUT', `/cars/${vehicle.id}`, { kmNextTo: null })).json().carInfo.kmNextTo).toBeNull();
});

test('what was set can be cleared again: in both shapes, and in lists', async () => {
  const mark = (await ask('POST', '/cars/marks', { name: 'Clear' })).json();
  const model = (await ask('POST', '/cars/models', { name: 'Clear 1', markId: mark.id })).json();
  const group = (await ask('POST', '/cars/groups', { name: 'Clear' })).json();
  const driver = (await ask('POST', '/drivers', { fio: 'Ivan' })).json();
  const tag = (await ask('POST', '/cars/tags', { name: 'Clear', color: '#112233' })).json();
  const set = {
    carNo: 'A 1',
    devphone: '+1',
    devimei: '356307042441999',
    notes: 'n',
    kmNextTo: 500,
    markId: mark.id,
    modelId: model.id,
    groupId: group.id,
    driversIds: [driver.id],
    tagsIds: [tag.id],
  };
  const vehicle = await create({ name: 'Clear me', glonassId: 9700, ...set });
  const { carNo: vehicleNo, notes, kmNextTo, groupId, ...plain } = set;
  expect(vehicle).toMatchObject({ ...plain, group: { id: groupId }, carInfo: { carNo: vehicleNo, notes, kmNextTo } });

  const cleared = (
    await ask('PUT', `/cars/${vehicle.id}`, {
      carNo: '',
      devphone: '',
      devimei: '',
      notes: '',
      kmNextTo: null,
      markId: null,
      modelId: null,
      groupId: null,
      driversIds: [],
      tagsIds: [],
    })
  ).json();
  const nothing = { devphone: '', devimei: '', markId: null, modelId: null, group: null, driversIds: [], tagsIds: [] };
  expect(cleared).toMatchObject({
    ...nothing,
    carInfo: { carNo: '', notes: '', kmNextTo: null, mark: null, model: null },
  });
  expect((await ask('GET', `/cars/${vehicle.id}`)).json()).toEqual(cleared);
  await create({ name: 'Has it now', glonassId: 9701, devimei: '356307042441999' });

  await ask('PUT', `/cars/${vehicle.id}`, { carInfo: { carNo: 'B 2', notes: 'm', kmNextTo: 70 } });
  const again = (await ask('PUT', `/cars/${vehicle.id}`, { carInfo: { carNo: '', notes: '', kmNextTo: null } })).json();
  expect(again.carInfo).toMatchObject({ carNo: '', notes: '', kmNextTo: null });
});
