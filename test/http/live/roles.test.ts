import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { listenAs, type Listener } from '../live-client.ts';
import { tryStation, type TryStation } from '../try-station.ts';

/**
 * What people of other organisations and with other rights receive over sockets and replicas, beside an
 * administrator who receives all.
 */
let station: TryStation;
let admin: string;
/** Of another organisation. */
let stranger: string;
/** Of the same organisation; sees tasks only that wait for an answer. */
let clerk: string;
let waiting: number;
let van: { id: number; glonassId: number };
const listeners: Listener[] = [];

const ok = (method: string, path: string, body?: unknown, as = admin) => station.ok(method, path, { as, body });

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  const { id: organizationId } = await ok('POST', '/organizations', { name: 'Elsewhere' });
  stranger = (await station.newUser('stranger', 'Dispatcher', { organizationId })).token;
  waiting = Number(
    (await ok('POST', '/news/states', { name: 'Feedback', field: 'assigned_status', value: 3 })).state.id,
  );
  await ok('POST', '/rights', { name: 'Clerk', accesses: [{ capability_id: 1, states: [waiting] }] });
  clerk = (await station.newUser('clerk', 'Clerk')).token;
  van = await ok('POST', '/cars', { name: 'Van', glonassId: 901 });
});
afterAll(async () => {
  for (const { socket } of listeners) socket.terminate();
  await station.stop();
});

async function listen(token: string): Promise<Listener> {
  const listener = await listenAs(station, token);
  listeners.push(listener);
  listener.send('SET_OBSERVABLE_CARS', [van.glonassId]);
  await listener.hear(({ command }) => command === 'CAR_UPDATES');
  listener.forget();
  return listener;
}

const commands = async (listener: Listener) =>
  [
    ...new Set(
      (await listener.heardByNow())
        .filter(({ data }) => !Array.isArray(data) || data.length > 0)
        .map(({ command }) => command),
    ),
  ].sort();
/** What a console is sent that has read everything up to `from`. */
const since = async (as: string, collection: string, { checkpoint, epoch }: { checkpoint: string; epoch: string }) =>
  (await ok('GET', `/replica/${collection}?after=${checkpoint}&epoch=${epoch}`, undefined, as)).documents as {
    id?: number;
    _deleted?: true;
  }[];

test('changes of a vehicle reach only those who see it, over sockets and in replicas', async () => {
  const [near, far] = [await listen(clerk), await listen(stranger)];
  const begun = {
    near: await ok('GET', '/replica/alarms', undefined, clerk),
    far: await ok('GET', '/replica/alarms', undefined, stranger),
  };
  await station.ok('POST', '/telemetry', {
    as: admin,
    body: {
      glonassId: van.glonassId,
      time: Date.now() - 60_000,
      lat: 55,
      lon: 37,
      speed: 0,
      params: { power_cut: true },
    },
  });
  for (const command of ['CAR_UPDATES', 'EVENT_UPDATES', 'ALARM_UPDATES'])
    await near.hear((said) => said.command === command && said.data.length > 0);
  expect([await commands(near), await commands(far)]).toEqual([
    ['ALARM_UPDATES', 'CAR_UPDATES', 'ERROR', 'EVENT_UPDATES'],
    ['ERROR'],
  ]);
  const [seen, unseen] = [await since(clerk, 'alarms', begun.near), await since(stranger, 'alarms', begun.far)];
  expect(seen.map(({ _deleted }) => _deleted)).toContain(undefined);
  expect(unseen.filter(({ _deleted }) => !_deleted)).toEqual([]);
});

test('an alarm about a task is sent to those who see the task', async () => {
  const rules = (await ok('GET', '/alarms/rules')) as { id: string; source: object }[];
  await ok(
    'PUT',
    '/alarms/rules',
    rules.map((rule) =>
      rule.id === 'emergency-waiting' ? { ...rule, source: { ...rule.source, afterSeconds: 0 } } : rule,
    ),
  );
  const emergency = (await ok('GET', '/category')).category.find(({ name }: { name: string }) => name === 'Emergency');
  const [desk, unknowing, far] = [await listen(admin), await listen(clerk), await listen(stranger)];
  const begun = await ok('GET', '/replica/alarms', undefined, clerk);
  const { newsId } = await ok('POST', '/news/', {
    values: { title: 'Fire in the mill', news_type_id: 1, category: Number(emergency.id) },
  });
  await desk.hear(
    ({ command, data }) =>
      command === 'ALARM_UPDATES' && data.some(({ message }: { message: number }) => message === newsId),
  );
  expect([await commands(unknowing), await commands(far)]).toEqual([['ERROR'], ['ERROR']]);
  expect((await since(clerk, 'alarms', begun)).filter(({ _deleted }) => !_deleted)).toEqual([]);
  expect(
    (await ok('GET', '/replica/alarms', undefined, clerk)).documents.filter(
      ({ taskId }: { taskId: number }) => taskId === newsId,
    ),
  ).toEqual([]);
  await eventually(async () =>
    expect((await ok('GET', '/alarms')).map(({ message }: { message: number }) => message)).toContain(newsId),
  );
  expect(
    (await ok('GET', '/alarms', undefined, clerk)).map(({ message }: { message: number }) => message),
  ).not.toContain(newsId);
});

test('the lists of a fleet are their organisation’s; sensors are in no replica', async () => {
  const group = await ok('POST', '/cars/groups', { name: 'Night shift' });
  const mark = await ok('POST', '/cars/marks', { name: 'Volvo' });
  const begun = {
    near: await ok('GET', '/replica/fleet?limit=5000', undefined, clerk),
    far: await ok('GET', '/replica/fleet?limit=5000', undefined, stranger),
  };
  const later = await ok('POST', '/cars/groups', { name: 'Day shift' });
  await ok('POST', '/sensors', {
    carId: van.id,
    name: 'Tank',
    type: 'fuel',
    unit: 'l',
    input: { kind: 'param', name: 'fuel' },
  });
  const kinds = (documents: { kind?: string; name?: string; _deleted?: true }[]) =>
    documents.filter(({ _deleted }) => !_deleted).map(({ kind, name }) => `${kind} ${name}`);
  expect(
    [kinds(begun.near.documents), kinds(begun.far.documents)].map((each) => [
      each.includes(`group ${group.name}`),
      each.includes(`make ${mark.name}`),
    ]),
  ).toEqual([
    [true, true],
    [false, true],
  ]);
  expect([kinds(await since(clerk, 'fleet', begun.near)), kinds(await since(stranger, 'fleet', begun.far))]).toEqual([
    [`group ${later.name}`],
    [],
  ]);
  expect(
    kinds((await ok('GET', '/replica/fleet?limit=5000')).documents).filter((one) => one.startsWith('sensor')),
  ).toEqual([]);
});

test('a changed state rule applies at once: the replica restarts, and the console is notified', async () => {
  const { newsId } = await ok('POST', '/news/', { values: { title: 'Changes hands', news_type_id: 1 } });
  const console = await listen(clerk);
  console.send('SET_REPLICA', { collections: ['vehicles'] });
  await console.heardByNow();
  const begun = await ok('GET', '/replica/messages?limit=5000', undefined, clerk);
  expect(begun.documents.map(({ id }: { id: number }) => id)).not.toContain(newsId);
  await ok('PUT', `/news/states/${waiting}`, { value: 1 });
  expect((await console.hear(({ command }) => command === 'REPLICA_CHANGES')).data.collections).toEqual(['vehicles']);
  expect(
    await ok('GET', `/replica/messages?after=${begun.checkpoint}&epoch=${begun.epoch}`, undefined, clerk),
  ).toMatchObject({ reset: true, documents: [] });
  expect(
    (await ok('GET', '/replica/messages?limit=5000', undefined, clerk)).documents.map(({ id }: { id: number }) => id),
  ).toContain(newsId);
});
