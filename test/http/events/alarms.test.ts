import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Task } from '../../../shared/records/index.ts';
import { openStore } from '../../../server/store/index.ts';
import { eventually } from '../../support/eventually.ts';
import { tryStation, type TryStation } from '../try-station.ts';

interface Alarm {
  id: number;
  priority: number;
  state: string;
  since: number;
  goneAt: number | null;
  event: number | null;
  eventType: number | null;
  message: number | null;
  carId: number | null;
  rule: string;
  response: string;
  responses: { en: string; ru: string };
  occurrences: number;
  sounding: boolean;
  silencedUntil: number | null;
  acknowledgedBy: { id: number; name: string } | null;
  comment: string;
  shelved: { until: number; reason: string; by: { name: string } } | null;
  assignedTo: { id: number } | null;
}

const directory = mkdtempSync(join(tmpdir(), 'waypost-alarms-'));
let station: TryStation;
let admin: string;
let vehicle: { id: number; glonassId: number };

beforeAll(async () => {
  station = await tryStation({ data: directory });
  admin = await station.signIn();
  for (const glonassId of [701, 702])
    await station.ask('POST', '/cars', { as: admin, body: { name: `Van ${glonassId}`, glonassId } });
  vehicle = (
    await station.ask('POST', '/cars', { as: admin, body: { name: 'Van 7', glonassId: 700, carNo: 'A 700' } })
  ).json();
});
afterAll(async () => {
  await station.stop();
  rmSync(directory, { recursive: true, force: true });
});

const list = async (query = '', as = admin): Promise<Alarm[]> =>
  (await station.ask('GET', `/alarms${query}`, { as })).json();
const post = async (path: string, body: unknown = {}, as = admin) =>
  station.ask('POST', `/alarms/${path}`, { as, body });
const send = (...records: object[]) =>
  station.ask('POST', '/telemetry', {
    as: admin,
    body: records.map((record) => ({ glonassId: 700, lat: 55, lon: 37, speed: 0, ...record })),
  });
/** Waits until one alarm of the rule satisfies `holds`. */
async function alarm(rule: string, holds: (one: Alarm) => boolean = () => true): Promise<Alarm> {
  return eventually(async () => {
    const found = (await list()).filter((one) => one.rule === rule && holds(one));
    expect(found).toHaveLength(1);
    return found[0]!;
  });
}

test('a fault that the device tells of is one alarm, acknowledged while it lasts and cleared with its end', async () => {
  const heard: { command: string; data: Alarm[] }[] = [];
  const socket = new WebSocket(`${station.station.address.replace('http', 'ws')}/ws?token=${admin}`);
  await new Promise((open) => socket.once('open', open));
  socket.on('message', (data) => heard.push(JSON.parse(String(data))));

  const start = Date.now() - 60_000;
  await send({ time: start, params: { power_cut: true } });
  const raised = await alarm('equipment');
  expect(raised).toMatchObject({
    priority: 3,
    state: 'unacknowledged',
    since: start,
    eventType: 4,
    carId: vehicle.id,
    message: null,
    occurrences: 1,
    sounding: true,
    acknowledgedBy: null,
    shelved: null,
    carName: 'Van 7',
    glonassId: 700,
  });
  expect(raised.response).toBe(raised.responses.en);
  expect(
    (await station.ask('GET', '/alarms', { as: admin, headers: { 'accept-language': 'ru-RU,ru;q=0.9' } })).json()[0]
      .response,
  ).toBe(raised.responses.ru);

  // Another fault of the same unit is the same situation.
  await send({ time: start + 1000, params: { antenna_cut: true } });
  await alarm('equipment', ({ occurrences }) => occurrences === 2);

  const answered = (await post(`${raised.id}/acknowledge`, { comment: 'called' })).json() as Alarm;
  expect(answered).toMatchObject({
    state: 'acknowledged',
    comment: 'called',
    sounding: false,
    acknowledgedBy: { name: 'Administrator' },
  });
  // One of the two faults ends; the other one lasts.
  await send({ time: start + 2000, params: { antenna_cut: false } });
  await eventually(async () =>
    expect(
      (await station.ask('GET', '/events?types=4', { as: admin }))
        .json()
        .map(({ dataTill }: { dataTill: number | null }) => dataTill),
    ).toEqual([null, start + 2000]),
  );
  expect((await alarm('equipment')).state).toBe('acknowledged');
  await send({ time: start + 3000, params: { power_cut: false } });
  await eventually(async () => expect(await list()).toEqual([]));
  expect(await list('?state=cleared')).toMatchObject([{ id: raised.id, state: 'cleared', goneAt: start + 3000 }]);

  const states = heard
    .filter(({ command }) => command === 'ALARM_UPDATES')
    .flatMap(({ data }) => data)
    .filter(({ id }) => id === raised.id)
    .map(({ state }) => state);
  expect([...new Set(states)]).toEqual(['unacknowledged', 'acknowledged', 'cleared']);
  socket.close();
});

test('alarms older than 15 minutes alert nobody, and late records revoke alarms visibly', async () => {
  const start = Date.now();
  await send({ time: start - 40 * 60_000, params: { fault: true } });
  await eventually(async () =>
    expect((await station.ask('GET', '/events?types=4&limit=1', { as: admin })).json()).toMatchObject([
      { dataFrom: start - 40 * 60_000, dataTill: null },
    ]),
  );
  expect((await list()).filter(({ rule }) => rule === 'equipment')).toEqual([]);
  await send({ time: start - 39 * 60_000, params: { fault: false } });

  await send({ time: start - 5 * 60_000, params: { unit_status: 0 } });
  const call = await alarm('emergency-call');
  expect(call).toMatchObject({ priority: 1, event: null, carId: vehicle.id, since: start - 5 * 60_000 });
  await send({ time: start - 4 * 60_000, params: { unit_status: 1 } });
  const over = await alarm('emergency-call', ({ goneAt }) => goneAt !== null);
  expect(over.state).toBe('unacknowledged'); // nobody has answered it
  // never an emergency
  expect((await post(`${call.id}/shelve`, { until: Date.now() + 60_000, reason: 'no' })).status).toBe(400);
  expect(((await post(`${call.id}/acknowledge`, {})).json() as Alarm).state).toBe('cleared');
});

test('silencing mutes the sounding alarms for half a minute and records the user', async () => {
  await send({ glonassId: 701, time: Date.now() - 1000, params: { fault: true } });
  const raised = await alarm('equipment');
  const [quiet] = (await post('silence')).json() as Alarm[];
  expect(quiet).toMatchObject({ id: raised.id, state: 'unacknowledged', sounding: false });
  expect(quiet!.silencedUntil! - Date.now()).toBeGreaterThan(25_000);
  const me = (await station.ask('GET', '/users/current', { as: admin })).json();
  expect((await post(`${raised.id}/assign`, { userId: me.id })).json()).toMatchObject({ assignedTo: { id: me.id } });
  expect((await post(`${raised.id}/assign`, { userId: 999_999 })).status).toBe(400);
  expect((await post(`${raised.id}/assign`, { userId: null })).json()).toMatchObject({ assignedTo: null });
});

test('an alarm is shelved by a user, with a reason and an end; then it alerts again, also after a restart', async () => {
  const raised = await alarm('equipment');
  expect((await post(`${raised.id}/shelve`, { until: Date.now() - 1, reason: 'x' })).status).toBe(400);
  expect((await post(`${raised.id}/shelve`, { until: Date.now() + 25 * 3_600_000, reason: 'x' })).status).toBe(400);
  expect((await post(`${raised.id}/shelve`, { until: Date.now() + 60_000, reason: ' ' })).text).toMatch(/reason/);
  const until = Date.now() + 60 * 60_000;
  expect((await post(`${raised.id}/shelve`, { until, reason: 'being repaired' })).json()).toMatchObject({
    state: 'shelved',
    sounding: false,
    shelved: { until, reason: 'being repaired', by: { name: 'Administrator' } },
  });
  expect((await post(`${raised.id}/acknowledge`)).status).toBe(409);
  expect(await list('?state=shelved')).toHaveLength(1);
  expect((await post(`${raised.id}/unshelve`)).json()).toMatchObject({
    state: 'unacknowledged',
    shelved: null,
    sounding: true,
  });

  await post(`${raised.id}/shelve`, { until: Date.now() + 1500, reason: 'one moment' });
  await station.stop();
  station = await tryStation({ data: directory });
  admin = await station.signIn();
  expect(await list()).toMatchObject([{ id: raised.id, occurrences: raised.occurrences }]);
  await alarm('equipment', ({ state }) => state === 'unacknowledged');
  await eventually(async () => expect((await list())[0]!.shelved).toBeNull());
});

test('a restart raises nothing twice', async () => {
  const [raised] = await list();
  await post(`${raised!.id}/acknowledge`);
  await send({ glonassId: 701, time: Date.now() - 500, params: { fault: false } });
  await eventually(async () => expect(await list()).toEqual([]));
  await station.stop();
  station = await tryStation({ data: directory });
  admin = await station.signIn();
  expect(await list()).toEqual([]);
});

test('a fault that comes back within minutes is the same alarm: it is there again, answered already', async () => {
  await send({ glonassId: 701, time: Date.now(), params: { fault: true } });
  expect(await alarm('equipment')).toMatchObject({ state: 'acknowledged', occurrences: 2, sounding: false });
  await send({ glonassId: 701, time: Date.now() + 1, params: { fault: false } });
  await eventually(async () => expect(await list()).toEqual([]));
});

test('an emergency without an assignee raises an alarm, which clears when it is assigned', async () => {
  const rules = (await station.ask('GET', '/alarms/rules', { as: admin })).json() as {
    id: string;
    source: { kind: string; afterSeconds?: number };
  }[];
  const impatient = rules.map((rule) =>
    rule.id === 'emergency-waiting' ? { ...rule, source: { ...rule.source, afterSeconds: 0 } } : rule,
  );
  expect((await station.ask('PUT', '/alarms/rules', { as: admin, body: impatient })).status).toBe(200);
  const { newstype } = (await station.ask('GET', '/newstype', { as: admin })).json();
  const { category } = (await station.ask('GET', '/category', { as: admin })).json();
  const emergency = category.find(({ name }: { name: string }) => name === 'Emergency');
  const { newsId } = (
    await station.ask('POST', '/news/', {
      as: admin,
      body: {
        action: 'put',
        values: {
          title: 'Fire in the mill',
          news_type_id: Number(newstype[0].news_type_id),
          category: Number(emergency.id),
        },
      },
    })
  ).json();
  const raised = await alarm('emergency-waiting');
  expect(raised).toMatchObject({ priority: 2, message: newsId, carId: null, event: null, info: 'Fire in the mill' });
  await station.ask('POST', `/news/${newsId}/update`, { as: admin, body: { assigned_car_id: vehicle.id } });
  await alarm('emergency-waiting', ({ goneAt }) => goneAt !== null);
  await post(`${raised.id}/acknowledge`);
});

test('changes of tasks while the station was off raise their alarms at the start', async () => {
  const { category } = await station.ok('GET', '/category', { as: admin });
  const emergency = Number(category.find(({ name }: { name: string }) => name === 'Emergency').id);
  const calls = async (title: string) =>
    (
      await station.ok('POST', '/news/', {
        as: admin,
        body: { action: 'put', values: { title, news_type_id: 1, category: emergency } },
      })
    ).newsId as number;
  const [taken, waiting] = [await calls('Taken up'), await calls('Still waiting')];
  const open = async () =>
    new Map(
      (await list('?state=unacknowledged'))
        .filter(({ rule }) => rule === 'emergency-waiting')
        .map((one) => [one.message, one]),
    );
  await eventually(async () => expect([...(await open()).keys()].sort()).toEqual([taken, waiting].sort()));
  const before = await open();
  await station.stop();

  // As what comes from another station.
  const store = await openStore({ directory, now: Date.now });
  const tasks = store.records('tasks');
  const takenUpAt = Date.now();
  await tasks.change(taken, (task) => ({
    ...task,
    assignedVehicleId: vehicle.id,
    status: 2,
    updatedAt: takenUpAt,
  }));
  // What waits for longer than a quarter of an hour is raised no more; the alarm that there is goes on.
  const earlier = 20 * 60_000;
  await tasks.change(waiting, (task) => ({
    ...task,
    date: task.date - earlier + 2 * 60_000, // not overdue
    statusSince: task.statusSince - earlier,
  }));
  const { id: _id, hlc: _hlc, ...same } = tasks.get(waiting)! as Task & { hlc: unknown };
  const { id: late } = await tasks.insert({
    ...same,
    id: tasks.nextId(),
    title: 'Never told of',
    date: Date.now(),
    statusSince: Date.now(),
  } as never);
  await store.close();

  station = await tryStation({ data: directory });
  admin = await station.signIn();
  await eventually(async () => expect([...(await open()).keys()].sort()).toEqual([taken, waiting, late].sort()));
  const after = await open();
  expect(after.get(taken)).toMatchObject({ id: before.get(taken)!.id, goneAt: takenUpAt });
  expect(after.get(waiting)).toMatchObject({ id: before.get(waiting)!.id, goneAt: null, occurrences: 1 });
  expect(after.get(late)).toMatchObject({ goneAt: null, occurrences: 1 });
  for (const id of [waiting, late])
    await station.ok('POST', `/news/${id}/update`, { as: admin, body: { assigned_car_id: vehicle.id } });
  await eventually(async () => expect([...(await open()).values()].every(({ goneAt }) => goneAt !== null)).toBe(true));
  for (const { id } of (await open()).values()) await post(`${id}/acknowledge`);
});

test('rules without a response, or twice, are refused; only administrators change them', async () => {
  const rules = (await station.ask('GET', '/alarms/rules', { as: admin })).json();
  const put = (body: unknown, as = admin) => station.ask('PUT', '/alarms/rules', { as, body });
  expect(await put([{ ...rules[0], response: { en: ' ', ru: '' } }])).toMatchObject({
    status: 400,
    text: expect.stringMatching(/response/),
  });
  expect(await put([rules[0], rules[0]])).toMatchObject({ status: 400, text: expect.stringMatching(/twice/) });
  const dispatcher = await station.newUser('ann', 'Dispatcher');
  expect((await put(rules, dispatcher.token)).status).toBe(403);
});

test('texts of rules may have as many characters as the description says: an emoji is one', async () => {
  const rules = (await station.ask('GET', '/alarms/rules', { as: admin })).json();
  onTestFinished(async () => void (await station.ok('PUT', '/alarms/rules', { as: admin, body: rules })));
  const put = (subject: number, name: number, response: number) => {
    const both = (length: number) => ({ en: '🚒'.repeat(length), ru: '🚒'.repeat(length) });
    return station.ask('PUT', '/alarms/rules', {
      as: admin,
      body: [
        ...rules,
        {
          id: 'emoji',
          enabled: true,
          source: { kind: 'event', type: 3, subject: '🚒'.repeat(subject) },
          priority: 4,
          name: both(name),
          response: both(response),
        },
      ],
    });
  };
  expect((await put(100, 1000, 1000)).status).toBe(200);
  expect(await put(101, 1000, 1000)).toMatchObject({ status: 400, text: expect.stringContaining('subject') });
  expect(await put(100, 1001, 1000)).toMatchObject({ status: 400, text: expect.stringContaining('name') });
  expect(await put(100, 1000, 1001)).toMatchObject({ status: 400, text: expect.stringContaining('response') });
});

test('other organizations see no alarms; a viewer sees them but cannot acknowledge; the alarm rate is shown', async () => {
  await send({ glonassId: 702, time: Date.now(), params: { power_cut: true } });
  const raised = await alarm('equipment', ({ state }) => state === 'unacknowledged');
  const organization = (await station.ask('POST', '/organizations', { as: admin, body: { name: 'Elsewhere' } })).json();
  const stranger = await station.newUser('stranger', 'Dispatcher', { organizationId: organization.id });
  expect(await list('', stranger.token)).toEqual([]);
  expect((await post(`${raised.id}/acknowledge`, {}, stranger.token)).status).toBe(404);
  const viewer = await station.newUser('viewer', 'Viewer');
  expect(await list('', viewer.token)).toHaveLength(1);
  expect((await post(`${raised.id}/acknowledge`, {}, viewer.token)).status).toBe(403);
  const actions: [string, object][] = [
    ['silence', {}],
    [`${raised.id}/shelve`, { until: Date.now() + 60_000, reason: 'r' }],
    [`${raised.id}/unshelve`, {}],
    [`${raised.id}/assign`, { userId: viewer.id }],
  ];
  for (const [action, body] of actions) expect((await post(action, body, viewer.token)).status, action).toBe(403);

  const summary = (await station.ask('GET', '/alarms/summary', { as: admin })).json();
  expect(summary).toMatchObject({
    unacknowledged: 1,
    acknowledged: 0,
    shelved: 0,
    byPriority: { 3: 1 },
    sounding: true,
    flood: null,
  });
  const stats = (await station.ask('GET', '/alarms/stats', { as: admin })).json();
  expect(stats.operators).toMatchObject([{ name: 'Administrator' }]);
  expect(stats.raised).toBeGreaterThanOrEqual(4);
  expect((await station.ask('GET', `/alarms/stats?from=5&till=4`, { as: admin })).status).toBe(400);

  const replica = (await station.ask('GET', '/replica/alarms', { as: viewer.token })).json();
  expect(replica.documents.map(({ id }: { id: number }) => id)).toContain(raised.id);
  expect((await station.ask('GET', '/replica/alarms', { as: stranger.token })).json().documents).toEqual([]);
});

test('more than ten in ten minutes are a flood, told in groups', async () => {
  const vans = [];
  for (let n = 0; n < 11; n++)
    vans.push(
      (await station.ask('POST', '/cars', { as: admin, body: { name: `Flood ${n}`, glonassId: 800 + n } })).json(),
    );
  await station.ask('POST', '/telemetry', {
    as: admin,
    body: vans.map(({ glonassId }) => ({
      glonassId,
      time: Date.now(),
      lat: 55,
      lon: 37,
      speed: 0,
      params: { power_cut: true },
    })),
  });
  await eventually(async () => {
    const { flood } = (await station.ask('GET', '/alarms/summary', { as: admin })).json();
    expect(flood?.groups.find(({ rule }: { rule: string }) => rule === 'equipment')?.count).toBeGreaterThanOrEqual(11);
  });
  expect((await station.ask('GET', '/alarms/stats', { as: admin })).json().floods).toHaveLength(1);
});
