import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TestResponse, type TryStation } from '../try-station.ts';

let station: TryStation;
let admin: string;

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
});
afterAll(() => station.stop());

const ask = (method: string, path: string, body?: unknown, as = admin): Promise<TestResponse> =>
  station.ask(method, path, { as, body });
const ok = (method: string, path: string, body?: unknown, as = admin) => station.ok(method, path, { as, body });
const CAPABILITIES = [
  'view',
  'create',
  'edit',
  'change_status',
  'confirm',
  'assign',
  'comment',
  'attach',
  'archive',
  'delete',
];
const idOf = (capability: string): number => CAPABILITIES.indexOf(capability) + 1;
/** The verdicts as `capability: reason`, those that allow with a `+`. */
async function verdicts(right: number, news: number, user?: number): Promise<Record<string, string>> {
  const { capabilities } = await ok('POST', '/news/allowed/try', { right_id: right, news_id: news, user_id: user });
  return Object.fromEntries(
    capabilities.map(({ name, allowed, reason }: { name: string; allowed: string; reason: string }) => [
      name,
      allowed === 't' ? `+${reason}` : reason,
    ]),
  );
}

test('a right is tried on a message: what is allowed, and which rule decided', async () => {
  const type = Number((await ok('GET', '/newstype')).newstype[0].news_type_id);
  const news: number = (await ok('POST', '/news/', { values: { title: 'Stuck lift', news_type_id: type } })).newsId;
  const { state: isNew } = await ok('POST', '/news/states', { name: 'New', field: 'assigned_status', value: 1 });
  const { state: isDone } = await ok('POST', '/news/states', { name: 'Done', field: 'assigned_status', value: 4 });
  const role = await ok('POST', '/rights', {
    name: 'Clerk',
    accesses: [
      { capability_id: idOf('view'), states: null },
      { capability_id: idOf('edit'), states: [Number(isNew.id), Number(isDone.id)] },
      { capability_id: idOf('archive'), states: [Number(isDone.id)] },
    ],
  });
  const rest = Object.fromEntries(
    ['create', 'change_status', 'confirm', 'assign', 'comment', 'attach', 'delete'].map((name) => [name, 'not-listed']),
  );
  expect(await verdicts(role.id, news)).toEqual({ view: '+any-state', edit: '+state', archive: 'no-state', ...rest });
  const { capabilities } = await ok('POST', '/news/allowed/try', { right_id: role.id, news_id: news });
  expect(capabilities.find(({ name }: { name: string }) => name === 'edit')).toEqual({
    capability_id: '3',
    name: 'edit',
    allowed: 't',
    reason: 'state',
    access_id: '2',
    states: [isNew],
  });
  expect(capabilities.find(({ name }: { name: string }) => name === 'archive')).toMatchObject({
    access_id: '3',
    states: [isDone],
  });
  await ok('POST', `/news/${news}/update`, { assigned_status: 2 });
  expect(await verdicts(role.id, news)).toMatchObject({ view: '+any-state', edit: 'no-state' });
  await ok('PUT', `/rights/${role.id}`, {
    accesses: [
      { capability_id: idOf('view'), states: [Number(isDone.id)] },
      { capability_id: idOf('edit'), states: null },
      { capability_id: idOf('create'), states: null },
    ],
  });
  expect(await verdicts(role.id, news)).toMatchObject({ view: 'no-state', edit: 'unseen', create: '+any-state' });
  await ok('PUT', `/rights/${role.id}`, { admin: true });
  expect(Object.values(await verdicts(role.id, news))).toEqual(CAPABILITIES.map(() => '+administrator'));
});

test('a right is tried on a user, who may have written the message or be assigned to it', async () => {
  const type = Number((await ok('GET', '/newstype')).newstype[0].news_type_id);
  const news: number = (await ok('POST', '/news/', { values: { title: 'Stuck lift', news_type_id: type } })).newsId;
  const elsewhere = await ok('POST', '/organizations', { name: 'Elsewhere' });
  const { state: mine } = await ok('POST', '/news/states', {
    name: 'Mine',
    field: 'assigned_user_id',
    field_from_session: 'user_id',
  });
  const role = await ok('POST', '/rights', {
    name: 'Driver',
    organizationId: elsewhere.id,
    accesses: [
      { capability_id: idOf('view'), states: null },
      { capability_id: idOf('comment'), states: [Number(mine.id)] },
    ],
  });
  const driver = await station.newUser('driver', 'Driver', { organizationId: elsewhere.id });
  expect(await verdicts(role.id, news)).toMatchObject({ view: 'other-department', comment: 'other-department' });
  expect(await verdicts(role.id, news, driver.id)).toMatchObject({ view: 'other-department' });
  await ok('POST', `/news/${news}/update`, { assigned_user_id: driver.id });
  expect(await verdicts(role.id, news, driver.id)).toMatchObject({
    view: '+any-state',
    comment: '+state',
    edit: 'not-listed',
  });
  expect(await verdicts(role.id, news)).toMatchObject({ view: 'other-department' });
  // The answer and the result agree.
  await ok('POST', `/news/${news}/comments`, { action: 'post', comment: 'On my way' }, driver.token);
  expect((await ask('POST', `/news/${news}/update`, { title: 'x' }, driver.token)).status).toBe(403);
});

test('only administrators try roles, on existing tasks that they see', async () => {
  const type = Number((await ok('GET', '/newstype')).newstype[0].news_type_id);
  const news: number = (await ok('POST', '/news/', { values: { title: 'Stuck lift', news_type_id: type } })).newsId;
  const role = (await ok('GET', '/rights'))[0].id;
  const clerk = await station.newUser('anna', 'Dispatcher');
  expect((await ask('POST', '/news/allowed/try', { right_id: role, news_id: news }, clerk.token)).status).toBe(403);
  expect((await ask('POST', '/news/allowed/try', { right_id: role, news_id: 999_999 })).status).toBe(404);
  for (const [body, naming] of [
    [{ right_id: 999_999, news_id: news }, /right_id/],
    [{ news_id: news }, /right_id/],
    [{ right_id: role }, /news_id/],
    [{ right_id: role, news_id: news, user_id: 999_999 }, /user_id/],
  ] as const) {
    const answered = await ask('POST', '/news/allowed/try', body);
    expect([answered.status, answered.json()]).toEqual([400, { res: 0, resText: expect.stringMatching(naming) }]);
  }
});
