import { afterAll, beforeAll, expect, test } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../../server/store/index.ts';
import { stampFields } from '../../../shared/merge/merge.ts';
import type { CustomField, Task, User } from '../../../shared/records/index.ts';
import { peer, receive } from '../../unit/store/receive.ts';
import { listenAs } from '../live-client.ts';
import { eventually } from '../../support/eventually.ts';
import { tryStation, type TryStation } from '../try-station.ts';

const directory = mkdtempSync(join(tmpdir(), 'waypost-merges-'));
let at: TryStation;
let admin: string;
let dispatcher: string;
let viewer: string;
let stranger: string;
let task: number;
let deleted: number;
let user: number;
let near: number;
let far: number;

/** Two stations edited the same records; the edits of the other one arrive while this one does not serve. */
beforeAll(async () => {
  at = await tryStation({ data: directory });
  admin = await at.signIn();
  ({ token: dispatcher, id: user } = await at.newUser('mary', 'Dispatcher'));
  ({ token: viewer } = await at.newUser('vera', 'Viewer'));
  const { id: elsewhere } = await at.ok('POST', '/organizations', { as: admin, body: { name: 'Elsewhere' } });
  ({ token: stranger } = await at.newUser('sam', 'Dispatcher', { organizationId: elsewhere }));
  const type = await at.taskType(admin);
  await at.ok('POST', '/custom_field', {
    as: admin,
    body: { name: 'Floor', format: 'string', news_type_ids: [], is_for_all: 't' },
  });
  const make = (title: string) =>
    at.ok('POST', '/news/', { as: dispatcher, body: { values: { title, news_type_id: type } } });
  ({ newsId: task } = await make('Tree on road'));
  ({ newsId: deleted } = await make('Cat in tree'));
  ({ newsId: near } = await make('Fire in a yard'));
  ({ newsId: far } = await make('Fire in a field'));
  const { id: van } = await at.ok('POST', '/cars', { as: admin, body: { name: 'Van 12' } });
  await at.stop();

  const store = await openStore({ directory });
  const tasks = store.records('tasks');
  const [made, second, other] = [task, deleted, far].map((id) => tasks.get(id)!) as [Task, Task, Task];
  const field = store.kind<CustomField>('directories', 'customField').all()[0]!;
  const custom = `customValues.${field.id}`;
  const person = store.kind<User>('accounts', 'user').get(user)!;
  await store.close();

  at = await tryStation({ data: directory });
  await at.ok('POST', `/news/${task}/update`, {
    as: dispatcher,
    body: { title: 'Ours', custom_fields: { [field.slug]: { value: 'third' } } },
  });
  await at.ok('POST', `/news/${deleted}/`, { as: admin, body: { action: 'delete' } });
  await at.ok('POST', `/news/${near}/update`, { as: dispatcher, body: { assigned_car_id: van } });
  await at.ok('PUT', `/users/${user}`, { as: admin, body: { phone: '1', password: 'another horse' } });
  dispatcher = await at.signIn('mary', 'another horse');
  await at.stop();

  const again = await openStore({ directory });
  const clock = peer(7);
  const edited: Task = {
    ...made,
    title: 'Theirs',
    customValues: { [field.id]: 'fourth' },
    hlc: stampFields(made.hlc, ['title', custom], clock.next()),
  };
  const text: Task = { ...second, text: 'Two cats', hlc: stampFields(second.hlc, ['text'], clock.next()) };
  const changed: User = {
    ...person,
    passwordHash: 'x',
    phone: '2',
    hlc: stampFields(person.hlc, ['passwordHash', 'phone'], clock.next()),
  };
  const sent: Task = {
    ...other,
    assignedVehicleId: van,
    status: 2,
    hlc: stampFields(other.hlc, ['assignedVehicleId', 'status'], clock.next()),
  };
  expect(await receive(again, 'tasks', [edited, text, sent])).toEqual([]);
  expect(await receive(again, 'accounts', [changed])).toEqual([]);
  await again.close();
  at = await tryStation({ data: directory });
});

afterAll(async () => {
  await at.stop();
  rmSync(directory, { recursive: true, force: true });
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- looks at answers as a client without types does
async function merges(as: string, query = ''): Promise<any[]> {
  return at.ok('GET', `/merges${query}`, { as });
}

test('merges tell both values, where they were written, by whom and when', async () => {
  const found = await merges(dispatcher);
  expect(found.map(({ id }) => id)).toEqual(found.map(({ id }) => id).sort((a, b) => a - b));
  const title = found.find(({ field }) => field === 'title');
  const station = (await at.ok('GET', '/health')).station;
  expect(title).toMatchObject({
    collection: 'message',
    recordId: String(task),
    message: task,
    kept: { value: 'Theirs', station: { id: null, name: null, number: 7 }, user: null },
    lost: { value: 'Ours', station: { ...station, number: 0 }, user: { id: user } },
    resolved: null,
  });
  expect(Math.abs(title.lost.time - Date.now())).toBeLessThan(10 * 60_000);
  expect(found.find(({ field }) => field === 'custom_fields.floor')).toMatchObject({
    kept: { value: 'fourth' },
    lost: { value: 'third' },
  });
  expect(found.find(({ field }) => field === 'deleted')).toMatchObject({
    recordId: String(deleted),
    kept: { value: false },
    lost: { value: true },
  });
});

test('the list goes on behind a merge, and ends at a limit', async () => {
  const all = await merges(admin);
  expect(all.length).toBe(6);
  const paged = await merges(admin, '?limit=2');
  expect(paged).toEqual(all.slice(0, 2));
  expect(await merges(admin, `?after=${paged[1].id}`)).toEqual(all.slice(2));
  expect(await merges(admin, `?after=${all.at(-1).id}`)).toEqual([]);
  for (const query of ['?after=x', '?limit=-1', '?open=perhaps'])
    expect((await at.ask('GET', `/merges${query}`, { as: admin })).status).toBe(400);
});

test('[sync 38] everybody sees the merges of records that they see, and nobody a secret', async () => {
  expect(await merges(stranger)).toEqual([]);
  expect((await merges(viewer)).every(({ collection }) => collection === 'message')).toBe(true);
  const password = (await merges(admin)).find(({ field }) => field === 'password');
  expect(password).toMatchObject({ collection: 'user', kept: { value: null }, lost: { value: null } });
  expect((await at.ask('GET', '/merges')).status).toBe(401);
  const key = await at.ok('POST', '/auth/keys', { as: admin, body: { name: 'a', scopes: ['read'], expiresAt: null } });
  expect((await at.ask('GET', '/merges', { as: key.token })).status).toBe(403);
});

test('[sync 39] the history of the task tells of the edit that lost', async () => {
  const { history } = await at.ok('GET', `/news/${task}/history`, { as: dispatcher });
  expect(history.filter(({ note }: { note: string }) => note !== '')).toMatchObject([
    { from: expect.anything(), field: expect.stringMatching(/title|custom_fields.floor/), station: 7 },
    { field: expect.stringMatching(/title|custom_fields.floor/), note: expect.stringContaining('lost') },
  ]);
});

test('[sync 38] who may not edit the record cannot resolve its merge', async () => {
  const title = (await merges(admin)).find(({ field }) => field === 'title');
  const take = (as: string, id: unknown, body: unknown = { take: 'lost' }) =>
    at.ask('POST', `/merges/${String(id)}`, { as, body }).then(({ status }) => status);
  expect(await take(viewer, title.id)).toBe(403);
  expect(await take(stranger, title.id)).toBe(404);
  expect(await take(admin, 1)).toBe(404);
  expect(await take(admin, 'x')).toBe(400);
  expect(await take(admin, title.id, { take: 'both' })).toBe(400);
  expect(await take(admin, title.id, {})).toBe(400);
});

test('taking the lost value is an ordinary edit; the other one can still be taken', async () => {
  const resolve = (field: string, take: string) =>
    merges(dispatcher).then(async (all) => {
      const { id } = all.find((merge) => merge.field === field);
      return at.ok('POST', `/merges/${id}`, { as: dispatcher, body: { take } });
    });
  const titleOf = async () =>
    (await at.ok('GET', `/news/${task}`, { as: dispatcher })).news_data as { title: string; custom_fields: unknown };
  expect(await resolve('title', 'lost')).toMatchObject({ resolved: 'lost', resolvedBy: { id: user } });
  expect((await titleOf()).title).toBe('Ours');
  expect((await merges(dispatcher, '?open=true')).map(({ field }) => field)).not.toContain('title');
  expect((await merges(dispatcher)).map(({ field }) => field)).toContain('title');
  expect(await resolve('title', 'kept')).toMatchObject({ resolved: 'kept' });
  expect((await titleOf()).title).toBe('Theirs');
  await resolve('custom_fields.floor', 'lost');
  expect(JSON.stringify((await titleOf()).custom_fields)).toContain('third');
  const { history } = await at.ok('GET', `/news/${task}/history`, { as: dispatcher });
  expect(history.some(({ field, to }: { field: string; to: string }) => field === 'title' && to === 'Ours')).toBe(true);
});

test('a console hears that merges changed', async () => {
  const listener = await listenAs(at, dispatcher);
  listener.send('SET_REPLICA', { collections: ['merges'] });
  await listener.heardByNow();
  const { id } = (await merges(dispatcher)).find(({ field }) => field === 'title');
  await at.ok('POST', `/merges/${id}`, { as: dispatcher, body: { take: 'lost' } });
  const heard = await listener.hear(({ command }) => command === 'REPLICA_CHANGES');
  expect(JSON.stringify(heard.data)).toContain('merges');
  listener.socket.close();
});

test('a vehicle that two stations sent is an alarm, until one of its two tasks releases it', async () => {
  const twice = async () => (await merges(dispatcher)).find(({ rule }) => rule === 'vehicle-twice');
  const alarms = async () =>
    (await at.ok('GET', '/alarms', { as: dispatcher })).filter(
      ({ rule }: { rule: string }) => rule === 'vehicle-twice',
    );
  await eventually(async () =>
    expect(await alarms()).toMatchObject([{ priority: 2, carName: 'Van 12', goneAt: null }]),
  );
  expect(await twice()).toMatchObject({ recordId: String(far), otherId: String(near), field: 'assigned_car_id' });
  await at.ok('POST', `/merges/${(await twice()).id}`, { as: dispatcher, body: { take: 'lost' } });
  const carOf = async (id: number) =>
    (await at.ok('GET', `/news/${id}`, { as: dispatcher })).news_data.assigned_car_id as string | null;
  expect([await carOf(near), await carOf(far)]).toEqual([expect.any(String), null]);
  await eventually(async () => expect(await alarms()).toMatchObject([{ goneAt: expect.any(Number) }]));
});

test('a deletion that an edit survived can be repeated, and what a limited administrator may not set stays', async () => {
  const all = await merges(admin);
  const survived = all.find(({ field }) => field === 'deleted');
  expect((await at.ok('GET', `/news/${deleted}`, { as: admin })).news_data.text).toBe('Two cats');
  await at.ok('POST', `/merges/${survived.id}`, { as: admin, body: { take: 'lost' } });
  expect((await at.ask('GET', `/news/${deleted}`, { as: admin })).status).toBe(404);
  const phone = all.find(({ field }) => field === 'phone');
  await at.ok('POST', `/merges/${phone.id}`, { as: admin, body: { take: 'lost' } });
  const users = await at.ok('GET', '/users', { as: admin });
  expect(users.find(({ id }: { id: number }) => id === user).phone).toBe('1');
});
