import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { listenAs as listenAt, type Listener, type Said } from '../live-client.ts';
import { tryStation, type TryStation } from '../try-station.ts';

let station: TryStation;
let admin: string;
let anna: { id: number; token: string };
let boris: { id: number; token: string };
/** Of another organization. */
let stranger: { id: number; token: string };
let strangers: number;
let task: number;
const open: Listener[] = [];

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  strangers = (await station.ok('POST', '/organizations', { as: admin, body: { name: 'Roads' } })).id;
  anna = await station.newUser('anna', 'Dispatcher');
  boris = await station.newUser('boris', 'Dispatcher');
  stranger = await station.newUser('stranger', 'Dispatcher', { organizationId: strangers });
  task = await create('Tree on the road');
});
afterEach(() => {
  for (const { socket } of open.splice(0)) socket.terminate();
});
afterAll(() => station.stop());

async function create(title: string): Promise<number> {
  return (await station.ok('POST', '/news/', { as: admin, body: { values: { title, news_type_id: 1 } } })).newsId;
}

async function console(token: string, ...shown: { newsId: number; writing: boolean }[]): Promise<Listener> {
  const listener = await listenAt(station, token);
  open.push(listener);
  if (shown.length > 0) listener.send('SET_PRESENCE', shown);
  return listener;
}

const looksAt = (newsId: number, writing = false) => ({ newsId, writing });
/** A `PRESENCE` message about the task with these people, in this order; `*` behind a name: is writing. */
const names =
  (newsId: number, ...people: string[]) =>
  ({ command, data }: Said) =>
    command === 'PRESENCE' &&
    data.newsId === newsId &&
    JSON.stringify(
      data.users.map((user: { fio: string; writing: boolean }) => user.fio + (user.writing ? '*' : '')),
    ) === JSON.stringify(people);

test('who has a task open hears who else has, who is writing, and when they leave or are disconnected', async () => {
  const first = await console(anna.token, looksAt(task));
  await first.hear(names(task, 'anna'));
  const second = await console(boris.token, looksAt(task));
  const { data } = await first.hear(names(task, 'anna', 'boris'));
  expect(data).toEqual({
    newsId: task,
    users: [
      { userId: anna.id, fio: 'anna', writing: false, since: expect.any(Number) },
      { userId: boris.id, fio: 'boris', writing: false, since: expect.any(Number) },
    ],
  });
  await second.hear(names(task, 'anna', 'boris'));
  second.send('SET_PRESENCE', [looksAt(task, true)]);
  await first.hear(names(task, 'anna', 'boris*'));
  first.forget();
  second.send('SET_PRESENCE', []);
  await first.hear(names(task, 'anna'));
  second.send('SET_PRESENCE', [looksAt(task)]);
  await first.hear(names(task, 'anna', 'boris'));
  first.forget();
  second.socket.terminate();
  await first.hear(names(task, 'anna'));
});

test('somebody with two windows is named once, and writes when one of them does', async () => {
  const first = await console(anna.token, looksAt(task));
  await console(boris.token, looksAt(task));
  await first.hear(names(task, 'anna', 'boris'));
  const again = await console(boris.token, looksAt(task, true));
  await first.hear(names(task, 'anna', 'boris*'));
  first.forget();
  again.socket.terminate();
  await first.hear(names(task, 'anna', 'boris'));
});

test('who may not see a task is not named, and hears nothing of it; an assignment changes that at once', async () => {
  const first = await console(anna.token, looksAt(task));
  const other = await console(stranger.token, looksAt(task), looksAt(999_999_999));
  await first.hear(names(task, 'anna'));
  const update = (body: object) => station.ok('POST', `/news/${task}/update`, { as: admin, body });
  await update({ assigned_organization_id: strangers });
  await first.hear(names(task, 'anna', 'stranger'));
  await other.hear(names(task, 'anna', 'stranger'));
  // Nothing was said before the task could be seen.
  expect(other.heard.filter(({ command }) => command === 'PRESENCE')).toHaveLength(1);
  other.forget();
  first.forget();
  await update({ assigned_organization_id: 0 });
  await first.hear(names(task, 'anna'));
  await other.hear(names(task));
});

test('a role that loses its sight of tasks takes its people out of them', async () => {
  const body = { name: 'Trainee', accesses: [{ capability_id: 1, states: null }] };
  const role = await station.ok('POST', '/rights', { as: admin, body });
  const trainee = await station.newUser('trainee', 'Trainee');
  const first = await console(anna.token, looksAt(task));
  await console(trainee.token, looksAt(task));
  await first.hear(names(task, 'anna', 'trainee'));
  first.forget();
  await station.ok('PUT', `/rights/${role.id}`, { as: admin, body: { accesses: [] } });
  await first.hear(names(task, 'anna'));
});

test('what is not in the form is answered by an error and changes nothing; 50 tasks are taken, 51 are not', async () => {
  const first = await console(anna.token, looksAt(task));
  await first.hear(names(task, 'anna'));
  const fifty = Array.from({ length: 50 }, (_, index) => looksAt(index + 100));
  const wrong: unknown[] = [
    null,
    'all',
    { newsId: task },
    [task],
    [{ newsId: String(task), writing: false }],
    [{ newsId: task }],
    [{ newsId: task, writing: 1 }],
    [...fifty, looksAt(task)],
  ];
  for (const data of wrong) first.send('SET_PRESENCE', data);
  await first.heardByNow();
  expect(first.heard.filter(({ command }) => command === 'ERROR')).toHaveLength(wrong.length + 1);
  expect(first.heard.find(({ command }) => command === 'ERROR')?.data).toMatchObject({
    code: 'request.socketCollections',
    message: 'SET_PRESENCE: data must be an array of at most 50 {newsId, writing}.',
  });
  const second = await console(boris.token, looksAt(task));
  await second.hear(names(task, 'anna', 'boris')); // anna still has it open
  first.send('SET_PRESENCE', [...fifty.slice(1), looksAt(task, true)]);
  await second.hear(names(task, 'anna*', 'boris'));
});
