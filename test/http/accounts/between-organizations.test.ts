import { afterAll, beforeAll, expect, test } from 'vitest';
import { pngOf } from '../png.ts';
import { tryStation, type TryStation } from '../try-station.ts';

/** Two organisations, each with an administrator who sees no other, and one who sees both. */
let at: TryStation;
let admin: string;
let ours: string;
let theirs: string;
let roads: { id: number };
/** What is theirs. */
let driver: { id: number };
let group: { id: number };
let vehicle: { id: number };
let tag: { id: number };

beforeAll(async () => {
  at = await tryStation();
  admin = await at.signIn();
  roads = await at.ok('POST', '/organizations', { as: admin, body: { name: 'Roads' } });
  await at.ok('POST', '/rights', { as: admin, body: { name: 'Own administrator', admin: true } });
  ours = (await at.newUser('ours', 'Own administrator')).token;
  theirs = (await at.newUser('theirs', 'Own administrator', { organizationId: roads.id })).token;
  driver = await at.ok('POST', '/drivers', { as: theirs, body: { fio: 'Theodora Secret' } });
  group = await at.ok('POST', '/cars/groups', { as: theirs, body: { name: 'Secret group' } });
  tag = await at.ok('POST', '/cars/tags', { as: theirs, body: { name: 'Secret tag' } });
  vehicle = await at.ok('POST', '/cars', { as: theirs, body: { name: 'Secret van' } });
});
afterAll(() => at.stop());

async function upload(as: string): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(pngOf(4, 4))]), 'a.png');
  const answer = await fetch(`${at.station.address}/fileload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as}` },
    body: form,
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { data: string[] }).data[0]!;
}

test('drivers, groups and tags of another organisation cannot be attached to a vehicle, and the refusal does not name them', async () => {
  const own = await at.ok('POST', '/cars', { as: ours, body: { name: 'Our van' } });
  const foreign = [{ driversIds: [driver.id] }, { groupId: group.id }, { tagsIds: [tag.id] }];
  for (const body of foreign) {
    for (const [method, path] of [
      ['PUT', `/cars/${own.id}`],
      ['POST', '/cars'],
    ] as const) {
      const refused = await at.ask(method, path, { as: ours, body: { name: 'Our van', ...body } });
      expect(refused.status, `${method} ${JSON.stringify(body)}`).toBe(400);
      expect(refused.text).toMatch(/does not exist\.$/);
      expect(refused.text).not.toContain('Secret');
    }
  }
  expect(await at.ok('GET', `/cars/${own.id}`, { as: ours })).toMatchObject({
    driversIds: [],
    tagsIds: [],
    groupId: null,
  });
});

test('what a superuser attached, or left when the vehicle moved, is not read through the vehicle', async () => {
  const own = await at.ok('POST', '/cars', { as: ours, body: { name: 'Lent van' } });
  await at.ok('PUT', `/cars/${own.id}`, {
    as: admin,
    body: { driversIds: [driver.id], groupId: group.id, tagsIds: [tag.id] },
  });
  for (const path of [`/cars/${own.id}`, '/cars', '/cars.xlsx'])
    expect((await at.ask('GET', path, { as: ours })).text).not.toContain('Secret');
  expect((await at.ask('GET', `/cars/${own.id}`, { as: admin })).text).toContain('Secret');
  // An old client sends the whole object back.
  expect(
    (
      await at.ask('PUT', `/cars/${own.id}`, {
        as: ours,
        body: { name: 'Lent van 2', driversIds: [driver.id], groupId: group.id, tagsIds: [tag.id] },
      })
    ).status,
  ).toBe(200);
});

test('vehicles of another organisation are in no route, sensor or task', async () => {
  const line = {
    type: 'LineString',
    coordinates: [
      [20, 50],
      [20.1, 50],
    ],
  };
  expect(
    (
      await at.ask('POST', '/routes', {
        as: ours,
        body: { name: 'Round', line, points: [{ name: 'Gate', lat: 50, lon: 20 }], carsIds: [vehicle.id] },
      })
    ).status,
  ).toBe(400);
  expect(
    (
      await at.ask('POST', '/sensors', {
        as: ours,
        body: {
          carId: vehicle.id,
          name: 'Tank',
          type: 'fuel',
          unit: 'l',
          input: { kind: 'adc', index: 0 },
          calibration: [
            [0, 0],
            [1000, 100],
          ],
        },
      })
    ).status,
  ).toBe(400);
  const type = await at.taskType(ours);
  const { newsId } = await at.ok('POST', '/news/', {
    as: ours,
    body: { values: { title: 'Ours', news_type_id: type } },
  });
  const refused = await at.ask('POST', `/news/${newsId}/update`, { as: ours, body: { assigned_car_id: vehicle.id } });
  expect(refused.status).toBe(400);
  expect(refused.text).not.toContain('Secret');
});

test('uploads of another organisation can be neither read, used nor deleted', async () => {
  const uuid = await upload(theirs);
  for (const [method, path] of [
    ['GET', `/fileload/${uuid}`],
    ['GET', `/fileload/${uuid}/10/10`],
    ['DELETE', `/fileload/${uuid}`],
  ] as const)
    expect((await at.ask(method, path, { as: ours })).status, `${method} ${path}`).toBe(404);
  const own = await at.ok('POST', '/cars', { as: ours, body: { name: 'Photographed' } });
  const ownDriver = await at.ok('POST', '/drivers', { as: ours, body: { fio: 'Olga' } });
  const type = await at.taskType(ours);
  const uses: [string, string, object][] = [
    ['PUT', `/cars/${own.id}/pic`, { fileName: uuid }],
    ['PUT', `/drivers/${ownDriver.id}/photo`, { fileName: uuid }],
    ['POST', '/dictionary/icons', { name: 'Icon', uuid }],
    ['POST', '/news/', { values: { title: 'With a photo', news_type_id: type }, photos: [{ uuid }] }],
    ['POST', '/territory', { uuid }],
  ];
  for (const [method, path, body] of uses)
    expect((await at.ask(method, path, { as: ours, body })).status, `${method} ${path}`).toBe(400);
  for (const as of [theirs, admin]) expect((await at.ask('GET', `/fileload/${uuid}`, { as })).status).toBe(200);
});

test('what acts on every organisation is written by superusers only; the rest of the reference data by every administrator', async () => {
  const { states } = await at.ok('GET', '/news/states', { as: ours });
  const type = await at.taskType(ours);
  const category = (await at.ok('POST', '/category', { as: admin, body: { name: 'Common' } })).category.id;
  const { group: typeGroup } = await at.ok('POST', '/newstype/group', { as: admin, body: { name: 'Common' } });
  const state =
    states[0]?.id ??
    (await at.ok('POST', '/news/states', { as: admin, body: { name: 'Mine', field: 'status', value: '1' } })).state.id;
  const stationTag = await at.ok('POST', '/cars/tags', { as: admin, body: { name: 'Of the station' } });
  expect(stationTag.organizationId).toBeNull();
  const refused: [string, string, object?][] = [
    ['POST', '/news/states', { name: 'X', field: 'status', value: '1' }],
    ['PUT', `/news/states/${state}`, { name: 'X' }],
    ['DELETE', `/news/states/${state}`],
    ['PUT', '/status/1', { name: 'X' }],
    ['POST', '/category', { name: 'X' }],
    ['PUT', `/category/${category}`, { name: 'X' }],
    ['DELETE', `/category/${category}`],
    ['POST', '/newstype', { name: 'X' }],
    ['PUT', `/newstype/${type}`, { name: 'X' }],
    ['DELETE', `/newstype/${type}`],
    ['POST', '/newstype/group', { name: 'X' }],
    ['PUT', `/newstype/group/${typeGroup.id}`, { name: 'X' }],
    ['DELETE', `/newstype/group/${typeGroup.id}`],
    ['PUT', `/cars/tags/${stationTag.id}`, { name: 'X' }],
    ['DELETE', `/cars/tags/${stationTag.id}`],
    ['POST', '/cars/tags', { name: 'X', organizationId: null }],
    ['PUT', '/speeds', { on: true }],
    ['POST', '/speeds/rebuild'],
  ];
  for (const [method, path, body] of refused) {
    expect((await at.ask(method, path, { as: ours, ...(body && { body }) })).status, `${method} ${path}`).toBe(403);
    expect(
      (await at.ask(method, path.replace(/\d+$/, '999999'), { as: admin, ...(body && { body }) })).status,
      `${method} ${path} by a superuser`,
    ).not.toBe(403);
  }
  for (const [path, body] of [
    ['/cars/marks', { name: 'Mark' }],
    ['/cars/customfields', { name: 'Colour', type: 'string' }],
    ['/cars/tags', { name: 'Ours' }],
  ] as const)
    expect((await at.ask('POST', path, { as: ours, body })).status, path).not.toBe(403);
  const own = (await at.ok('GET', '/cars/tags', { as: ours })) as { name: string; organizationId: number | null }[];
  expect(own.map(({ name }) => name)).toEqual(expect.arrayContaining(['Of the station', 'Ours']));
  expect(own.map(({ name }) => name)).not.toContain('Secret tag');
});

test('the administrator of an organisation signs out its people, and nobody who sees more or is elsewhere', async () => {
  const { token: colleague } = await at.newUser('colleague', 'Dispatcher');
  const { id: theirId, token: stranger } = await at.newUser('stranger', 'Dispatcher', { organizationId: roads.id });
  const superuser = await at.ok('GET', '/users/current', { as: admin });
  const end = (body: object) => at.ask('POST', '/users/sign-out', { as: ours, body });
  expect((await end({ userId: theirId })).status).toBe(404);
  expect((await end({ userId: superuser.id })).headers.get('waypost-refusal')).toBe('accounts.superuserOnly');
  expect((await end({})).status).toBe(200);
  const alive = await Promise.all(
    [colleague, stranger, admin, theirs, ours].map(
      async (as) => (await at.ask('GET', '/users/current', { as })).status === 200,
    ),
  );
  expect(alive).toEqual([false, true, true, true, true]);
});
