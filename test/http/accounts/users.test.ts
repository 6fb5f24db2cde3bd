import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation } from '../try-station.ts';
import type { TryStation } from '../try-station.ts';

let at: TryStation;
let as: string;
beforeAll(async () => {
  at = await tryStation();
  as = await at.signIn();
});
afterAll(() => at.stop());

const roleCalled = async (name: string) =>
  (await at.ask('GET', '/rights', { as })).json().find((role: { name: string }) => role.name === name);
const create = (fields: object, by = as) =>
  at.ask('POST', '/users', { as: by, body: { fio: 'Somebody', password: 'long enough', ...fields } });

test('a user is created, changed in the sent fields, counted and deleted', async () => {
  const before = (await at.ask('GET', '/users/count', { as })).json();
  const dispatcher = await roleCalled('Dispatcher');
  const made = await create({
    login: 'ann',
    email: 'ann@example.org',
    phone: '112',
    extension: '101',
    groupId: dispatcher.id,
    visible: false,
    unknown: 'ignored',
  });
  expect(made).toMatchObject({ status: 200 });
  const user = made.json();
  expect(user).toEqual({
    id: expect.any(Number),
    login: 'ann',
    fio: 'Somebody',
    email: 'ann@example.org',
    phone: '112',
    extension: '101',
    monitor: false,
    visible: false,
    enabled: true,
    groupId: dispatcher.id,
    organizationId: expect.any(Number),
  });
  expect((await at.ask('GET', '/users/count', { as })).json()).toBe(before + 1);

  const changed = (
    await at.ask('PUT', `/users/${user.id}`, { as, body: { id: 999, fio: 'Ann', monitor: true, phone: null } })
  ).json();
  expect(changed).toEqual({ ...user, fio: 'Ann', monitor: true });
  expect((await at.ask('GET', '/users', { as })).json()).toContainEqual(changed);

  expect((await at.ask('DELETE', `/users/${user.id}`, { as })).json()).toEqual({ delete: true });
  expect((await at.ask('GET', '/users/count', { as })).json()).toBe(before);
  expect((await at.ask('PUT', `/users/${user.id}`, { as, body: { fio: 'Gone' } })).status).toBe(404);
  expect((await at.ask('DELETE', `/users/${user.id}`, { as })).status).toBe(404);
  expect((await create({ login: 'ANN' })).status).toBe(200); // the login is free again
});

test('a login is unique without regard to case, also when two are made at the same moment', async () => {
  const both = await Promise.all([create({ login: 'Twin' }), create({ login: 'twin' })]);
  expect(both.map((each) => each.status).toSorted()).toEqual([200, 400]);
  expect(both.find((each) => each.status === 400)).toMatchObject({
    type: 'text/plain; charset=utf-8',
    text: expect.stringMatching(/^login [Tt]win is already taken\.$/),
  });
});

test('a refusal names the wrong field', async () => {
  for (const [fields, says] of [
    [{ login: '' }, 'login'],
    [{ login: 'a b' }, 'login'],
    [{ login: 'x'.repeat(101) }, 'login'],
    [{ login: 5 }, 'login'],
    [{}, 'login'],
    [{ login: 'a\u200bb' }, 'login'],
    [{ login: 'u', fio: ' ' }, 'fio'],
    [{ login: 'u', password: 'tiny' }, 'password'],
    [{ login: 'u', groupId: 99 }, 'groupId'],
    [{ login: 'u', groupId: 'x' }, 'groupId'],
    [{ login: 'u', organizationId: 99 }, 'organizationId'],
    [{ login: 'u', enabled: 'yes' }, 'enabled'],
  ] as const) {
    const answered = await create(fields);
    expect(answered, JSON.stringify(fields)).toMatchObject({
      status: 400,
      type: 'text/plain; charset=utf-8',
      text: expect.stringContaining(says),
    });
  }
});

test('the last administrator can not be deleted, disabled or demoted; one of two can', async () => {
  const admin = (await at.ask('GET', '/users/current', { as })).json();
  const viewer = await roleCalled('Viewer');
  const administrator = await roleCalled('Administrator');
  const last = { status: 400, text: expect.stringContaining('last administrator') };
  expect(await at.ask('DELETE', `/users/${admin.id}`, { as })).toMatchObject(last);
  expect(await at.ask('PUT', `/users/${admin.id}`, { as, body: { enabled: false } })).toMatchObject(last);
  expect(await at.ask('PUT', `/users/${admin.id}`, { as, body: { groupId: viewer.id } })).toMatchObject(last);
  expect(await at.ask('PUT', `/rights/${administrator.id}`, { as, body: { admin: false } })).toMatchObject(last);

  const second = await at.newUser('second', 'Administrator');
  const gone = await Promise.all([
    at.ask('PUT', `/users/${admin.id}`, { as, body: { enabled: false } }),
    at.ask('PUT', `/users/${second.id}`, { as: second.token, body: { enabled: false } }),
  ]);
  expect(gone.map((each) => each.status).toSorted()).toEqual([200, 400]);
  const left = gone[0].status === 200 ? second.token : as;
  await at.ask('PUT', `/users/${gone[0].status === 200 ? admin.id : second.id}`, { as: left, body: { enabled: true } });
  as = await at.signIn();
  expect((await at.ask('DELETE', `/users/${second.id}`, { as })).status).toBe(200);
});

test('only administrators manage users and rights; everybody may ask who they are', async () => {
  const { token } = await at.newUser('viewer', 'Viewer');
  expect((await at.ask('GET', '/users/current', { as: token })).status).toBe(200);
  for (const [method, path] of [
    ['GET', '/users'],
    ['GET', '/users/count'],
    ['POST', '/users'],
    ['PUT', '/users/1'],
    ['DELETE', '/users/1'],
    ['GET', '/rights'],
    ['PUT', '/rights/1'],
    ['POST', '/organizations'],
    ['GET', '/auth/keys'],
  ] as const) {
    expect(
      await at.ask(method, path, { as: token, ...(method === 'GET' ? {} : { body: {} }) }),
      `${method} ${path}`,
    ).toMatchObject({ status: 403, type: 'text/plain; charset=utf-8' });
    expect((await at.ask(method, path)).status).toBe(401);
  }
});

test('an administrator of one organisation neither sees nor makes users of another, nor anybody mightier', async () => {
  const other = (
    await at.ask('POST', '/organizations', { as, body: { name: 'Roads department', info: { phone: '5' } } })
  ).json();
  const role = (
    await at.ask('POST', '/rights', {
      as,
      body: { name: 'Local administrator', admin: true, organizationId: other.id },
    })
  ).json();
  const local = await at.newUser('local', 'Local administrator', { organizationId: other.id });
  const admin = (await at.ask('GET', '/users/current', { as })).json();

  expect(
    (await at.ask('GET', '/users', { as: local.token })).json().map((user: { login: string }) => user.login),
  ).toEqual(['local']);
  expect((await at.ask('PUT', `/users/${admin.id}`, { as: local.token, body: { fio: 'Mine' } })).status).toBe(404);
  expect((await at.ask('DELETE', `/users/${admin.id}`, { as: local.token })).status).toBe(404);
  expect((await create({ login: 'spy', organizationId: admin.organizationId }, local.token)).status).toBe(400);
  expect((await create({ login: 'king', groupId: admin.groupId }, local.token)).status).toBe(403);
  expect(
    (await at.ask('PUT', `/users/${local.id}`, { as: local.token, body: { groupId: admin.groupId } })).status,
  ).toBe(403);
  expect((await at.ask('PUT', `/rights/${role.id}`, { as: local.token, body: { wheel: true } })).status).toBe(403);
  expect((await at.ask('PUT', `/rights/${admin.groupId}`, { as: local.token, body: { name: 'Nobody' } })).status).toBe(
    403,
  );
  expect((await create({ login: 'helper' }, local.token)).json()).toMatchObject({ organizationId: other.id });
  expect(
    (await at.ask('PUT', `/rights/${role.id}`, { as: local.token, body: { name: 'Chief' } })).json(),
  ).toMatchObject({
    name: 'Chief',
    usersCount: 1,
    organization: { id: other.id, info: { orgId: other.id, phone: '5' } },
  });
  expect((await at.ask('DELETE', `/organizations/${other.id}`, { as })).status).toBe(400);
});

test('an administrator of one organization cannot change superusers and their roles, nor other organizations and their keys', async () => {
  const own = (await at.ask('POST', '/organizations', { as, body: { name: 'Bridges department' } })).json();
  const empty = (await at.ask('POST', '/organizations', { as, body: { name: 'Empty department' } })).json();
  await at.ask('POST', '/rights', { as, body: { name: 'Bridge administrator', admin: true, organizationId: own.id } });
  const ordinary = (
    await at.ask('POST', '/rights', { as, body: { name: 'Bridge keeper', organizationId: own.id } })
  ).json();
  const wheel = (
    await at.ask('POST', '/rights', { as, body: { name: 'Sees everything', wheel: true, organizationId: own.id } })
  ).json();
  const abroad = (await at.ask('POST', '/rights', { as, body: { name: 'Of the control room' } })).json();
  const local = await at.newUser('bridge', 'Bridge administrator', { organizationId: own.id });
  const mighty = await at.newUser('mighty', 'Sees everything', { organizationId: own.id });
  const key = (await at.ask('POST', '/auth/keys', { as, body: { name: 'logger' } })).json();
  for (const [method, path, body] of [
    ['PUT', `/users/${mighty.id}`, { fio: 'Mine' }],
    ['PUT', `/users/${mighty.id}`, { groupId: ordinary.id }],
    ['DELETE', `/users/${mighty.id}`, undefined],
    ['PUT', `/rights/${wheel.id}`, { name: 'Mine' }],
    ['PUT', `/rights/${wheel.id}`, { wheel: false }],
    ['PUT', `/rights/${abroad.id}`, { organizationId: own.id }],
    ['PUT', `/rights/${abroad.id}`, { name: 'Mine' }],
    ['DELETE', `/rights/${abroad.id}`, undefined],
    ['POST', '/rights', { name: 'Mine', organizationId: empty.id }],
    ['POST', '/organizations', { name: 'Mine' }],
    ['PUT', `/organizations/${empty.id}`, { name: 'Mine' }],
    ['DELETE', `/organizations/${empty.id}`, undefined],
  ] as const) {
    expect(
      await at.ask(method, path, { as: local.token, ...(body && { body }) }),
      `${method} ${path} ${JSON.stringify(body)}`,
    ).toMatchObject({ status: 403 });
  }
  expect((await at.ask('GET', '/auth/keys', { as: local.token })).json()).toEqual([]);
  expect((await at.ask('DELETE', `/auth/keys/${key.id}`, { as: local.token })).status).toBe(404);
  expect(
    (await at.ask('PUT', `/organizations/${own.id}`, { as: local.token, body: { name: 'Bridges' } })).json(),
  ).toEqual({ ...own, name: 'Bridges' });
  expect((await at.ask('DELETE', `/users/${mighty.id}`, { as })).status).toBe(200);
});

test('an organization has every sent field, keeps the others, and can be deleted when it is empty', async () => {
  const info = {
    address: 'Mill Road 1',
    phone: '5',
    inn: '7701',
    kpp: '7702',
    email: 'roads@example.org',
    homepage: 'https://roads.example',
  };
  const fields = { name: 'Night roads', mapExtent: '1,2,3,4', mapRoadProvider: 'roads', mapAerialProvider: 'aerial' };
  const made = (await at.ask('POST', '/organizations', { as, body: { ...fields, info } })).json();
  const whole = { id: expect.any(Number), ...fields, toDelete: false, info: { orgId: made.id, ...info } };
  expect(made).toEqual(whole);
  const changed = (await at.ask('PUT', `/organizations/${made.id}`, { as, body: { info: { phone: '6' } } })).json();
  expect(changed).toEqual({ ...whole, info: { ...whole.info, phone: '6' } });
  const listed = async () =>
    (await at.ask('GET', '/organizations', { as })).json().filter(({ id }: { id: number }) => id === made.id);
  expect(await listed()).toEqual([changed]);

  const role = (await at.ask('POST', '/rights', { as, body: { name: 'Night watch', organizationId: made.id } })).json();
  expect(role.organization).toEqual(changed);
  const last = await at.newUser('last', 'Night watch', { organizationId: made.id });
  for (const path of [`/organizations/${made.id}`, `/rights/${role.id}`])
    expect((await at.ask('DELETE', path, { as })).status, path).toBe(400);
  expect((await at.ask('PUT', `/users/${last.id}`, { as, body: { enabled: false } })).json().enabled).toBe(false);
  await at.ask('DELETE', `/users/${last.id}`, { as });
  expect((await at.ask('GET', `/rights/${role.id}`, { as })).json()).toMatchObject({ usersCount: 0 });
  expect((await at.ask('DELETE', `/organizations/${made.id}`, { as })).json()).toEqual({ delete: true });
  expect([await listed(), (await at.ask('GET', `/organizations/${made.id}`, { as })).status]).toEqual([[], 404]);
  // What names it still says that it is gone; nothing new is made in it.
  expect((await at.ask('GET', `/rights/${role.id}`, { as })).json().organization).toMatchObject({
    id: made.id,
    toDelete: true,
  });
  expect(await create({ login: 'too-late', organizationId: made.id })).toMatchObject({
    status: 400,
    text: expect.stringContaining('organizationId'),
  });
  expect(await at.ask('POST', '/rights', { as, body: { name: 'Too late', organizationId: made.id } })).toMatchObject({
    status: 400,
    text: expect.stringContaining('organization'),
  });
  await at.ask('PUT', `/rights/${role.id}`, {
    as,
    body: { organizationId: (await at.ask('GET', '/users/current', { as })).json().organizationId },
  });
  expect((await at.ask('DELETE', `/rights/${role.id}`, { as })).json()).toEqual({ delete: true });
  expect((await at.ask('GET', '/rights', { as })).json().map(({ id }: { id: number }) => id)).not.toContain(role.id);
  expect(await create({ login: 'too-late', groupId: role.id })).toMatchObject({
    status: 400,
    text: expect.stringContaining('groupId'),
  });
});

test('a user created without a role gets the one that allows least, never an administrator’s', async () => {
  const idle = (
    await at.ask('POST', '/rights', { as, body: { name: 'Administrator of nothing', admin: true, accesses: [] } })
  ).json();
  expect(idle.accesses).toEqual([]);
  expect((await create({ login: 'fresh' })).json().groupId).toBe((await roleCalled('Viewer')).id);
});

test('a new right may view in any state and nothing else; its rules are replaced as a whole', async () => {
  const role = (await at.ask('POST', '/rights', { as, body: { name: 'Trainee' } })).json();
  expect(role).toMatchObject({
    name: 'Trainee',
    wheel: false,
    admin: false,
    usersCount: 0,
    accesses: [{ id: 1, capability_id: 1, states: null }],
  });
  const changed = await at.ask('PUT', `/rights/${role.id}`, {
    as,
    body: { accesses: [{ capability_id: 7 }, { capability_id: '1', states: [] }] },
  });
  expect(changed.json().accesses).toEqual([
    { id: 2, capability_id: 7, states: null },
    { id: 1, capability_id: 1, states: [] },
  ]);
  for (const accesses of [
    [{ capability_id: 99 }],
    [{ capability_id: 1 }, { capability_id: 1 }],
    [{ capability_id: 1, states: [12345] }],
    [{}],
    {},
  ]) {
    expect(
      (await at.ask('PUT', `/rights/${role.id}`, { as, body: { accesses } })).status,
      JSON.stringify(accesses),
    ).toBe(400);
  }
  expect((await at.ask('DELETE', `/rights/${role.id}`, { as })).json()).toEqual({ delete: true });
  expect((await at.ask('GET', `/rights/${role.id}`, { as })).status).toBe(404);
});
