import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

/** Watchers, mentions and the list of what concerns a person (rules N1 to N6 of server/dispatch/tasks). */
let station: TryStation;
let admin: string;
let ivan: { id: number; token: string };
let blind: { id: number; token: string };
let olga: { id: number; token: string };

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  ivan = await station.newUser('ivan', 'Dispatcher', { fio: 'Ivan Petrov' });
  const { id: groupId } = await ok('POST', '/rights', { name: 'Sees nothing', accesses: [] });
  blind = await station.newUser('blind', 'Dispatcher', { groupId });
  const other = await ok('POST', '/organizations', { name: 'Roads' });
  olga = await station.newUser('olga', 'Dispatcher', { organizationId: other.id });
});
afterAll(() => station.stop());

const ok = (method: string, path: string, body?: unknown, as = admin) => station.ok(method, path, { as, body });
const answer = (method: string, path: string, body: unknown, as = admin) => station.ask(method, path, { as, body });
async function newTask(title: string, as = admin): Promise<number> {
  const values = { title, news_type_id: 1 };
  return (await ok('POST', '/news/', { action: 'put', values }, as)).newsId;
}
const watchers = (id: number, as = admin) => ok('GET', `/news/${id}/watchers`, undefined, as);
const say = (id: number, comment: string, as = admin) => answer('POST', `/news/${id}/comments`, { comment }, as);
const commentsOf = async (id: number) => (await ok('GET', `/news/${id}/comments`)).comments as { comment: string }[];
const forMe = async (as: string) =>
  (await ok('GET', '/news/listAfterId/0/0?forMe=true&withAssigned=true', undefined, as)).news_list.map(
    ({ title }: { title: string }) => title,
  );

test('[N1] who sees a task may watch it, twice as once; it is no change of the task', async () => {
  const id = await newTask('Watched');
  const before = (await ok('GET', `/news/${id}`)).news_data;
  for (let times = 0; times < 2; times++) await ok('PUT', `/news/${id}/watch`, undefined, ivan.token);
  expect(await watchers(id, ivan.token)).toMatchObject({
    watching: true,
    watchers: [{ id: ivan.id, fio: 'Ivan Petrov' }],
  });
  expect((await watchers(id)).watching).toBe(false);
  expect((await ok('GET', `/news/${id}`)).news_data).toEqual(before);
  expect((await ok('GET', `/news/${id}/history`)).history).toEqual([]);
  for (let times = 0; times < 2; times++) await ok('DELETE', `/news/${id}/watch`, undefined, ivan.token);
  expect(await watchers(id, ivan.token)).toMatchObject({ watching: false, watchers: [] });
});

test('[N1] who may not see a task learns nothing of it', async () => {
  const id = await newTask('Ours');
  for (const { token } of [blind, olga])
    for (const [method, path] of [
      ['GET', 'watchers'],
      ['PUT', 'watch'],
      ['DELETE', 'watch'],
    ] as const)
      expect((await answer(method, `/news/${id}/${path}`, undefined, token)).status).toBe(404);
  expect((await answer('PUT', '/news/999999/watch', undefined)).status).toBe(404);
});

test('[N2] [N4] whom a comment names watches the task; strangers, the unknown and oneself are only words', async () => {
  const id = await newTask('Named');
  expect((await say(id, 'Look at this, @Ivan. And @olga, @nobody, @admin')).status).toBe(200);
  expect(await watchers(id)).toMatchObject({ watching: false, watchers: [{ id: ivan.id, fio: 'Ivan Petrov' }] });
});

test('[N3] to name somebody who may not see the task, or not read the comment, is refused with the comment', async () => {
  const id = await newTask('Hidden');
  const refused = await say(id, 'Is it yours, @blind?');
  expect([refused.status, refused.headers.get('waypost-refusal')]).toEqual([400, 'tasks.mentionUnseen']);
  const body = { update_comments: 'Between us, @ivan', updatecomment_visible_assigned_to: true };
  const unread = await answer('POST', `/news/${id}/update`, { title: 'Changed', ...body });
  expect([unread.status, unread.headers.get('waypost-refusal')]).toEqual([400, 'tasks.mentionUnread']);
  expect(await commentsOf(id)).toEqual([]);
  expect((await ok('GET', `/news/${id}`)).news_data.title).toBe('Hidden');
  expect((await watchers(id)).watchers).toEqual([]);
});

test('[N6] what is for me: written, watched, named in; watching ends, being named does not', async () => {
  const [watched, named] = [await newTask('I watch'), await newTask('I am named')];
  await newTask('I wrote', ivan.token);
  await newTask('Not for me');
  await ok('PUT', `/news/${watched}/watch`, undefined, ivan.token);
  await say(named, '@ivan please');
  const mine = await forMe(ivan.token);
  expect(mine).toEqual(expect.arrayContaining(['I watch', 'I am named', 'I wrote']));
  expect(mine).not.toContain('Not for me');
  for (const id of [watched, named]) await ok('DELETE', `/news/${id}/watch`, undefined, ivan.token);
  const later = await forMe(ivan.token);
  expect(later).toContain('I am named');
  expect(later).not.toContain('I watch');
});

test('[N6] what a unit does is for those who are on duty on it, until it is released or their duty ends', async () => {
  const [lead, second] = [await newTask('Lead of Engine 7'), await newTask('Second is Engine 7')];
  const { id: engine } = await ok('POST', '/cars', { name: 'Engine 7' });
  const { id: other } = await ok('POST', '/cars', { name: 'Engine 8' });
  await ok('POST', `/news/${lead}/units`, { carIds: [engine] });
  await ok('POST', `/news/${second}/units`, { carIds: [other, engine], anyway: true });
  expect(await forMe(ivan.token)).not.toContain('Lead of Engine 7');
  const { id: duty } = await ok('POST', '/duties', { carId: engine, userIds: [ivan.id] });
  expect(await forMe(ivan.token)).toEqual(expect.arrayContaining(['Lead of Engine 7', 'Second is Engine 7']));
  await ok('DELETE', `/news/${second}/units/${engine}`);
  expect(await forMe(ivan.token)).not.toContain('Second is Engine 7');
  await ok('POST', `/duties/${duty}/end`);
  expect(await forMe(ivan.token)).not.toContain('Lead of Engine 7');
});

test('[N5] a duplicate brings its watchers along, and takes them back', async () => {
  const [kept, double] = [await newTask('Kept'), await newTask('Double')];
  await ok('PUT', `/news/${double}/watch`, undefined, ivan.token);
  await ok('POST', `/news/${double}/merge`, { into: kept });
  expect((await watchers(kept)).watchers).toMatchObject([{ id: ivan.id }]);
  await ok('DELETE', `/news/${double}/merge`);
  expect((await watchers(kept)).watchers).toEqual([]);
});
