import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenAs } from '../live-client.ts';
import { tryStation, type TestResponse, type TryStation } from '../try-station.ts';

interface Unit {
  readonly carId: number;
  readonly lead: boolean;
  readonly status: { readonly digit: number; readonly word: string };
  readonly [time: string]: unknown;
}

let station: TryStation;
let admin: string;
let viewer: { token: string };
let stranger: { token: string };
let engines: number[];
let foreign: number;

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  viewer = await station.newUser('ivan', 'Viewer');
  const roads = (await ok('POST', '/organizations', { name: 'Roads' })) as { id: number };
  stranger = await station.newUser('olga', 'Dispatcher', { organizationId: roads.id });
  engines = [];
  for (const name of ['Engine 1', 'Engine 2', 'Medic 1']) engines.push(await newVehicle({ name }));
  foreign = await newVehicle({ name: 'Gritter', organizationId: roads.id });
});
afterAll(() => station.stop());

const ask = (method: string, path: string, body?: unknown, as = admin): Promise<TestResponse> =>
  station.ask(method, path, { as, body });
async function ok(method: string, path: string, body?: unknown, as = admin): Promise<unknown> {
  const answered = await ask(method, path, body, as);
  expect(answered.status, `${method} ${path}: ${answered.text}`).toBe(200);
  return answered.json();
}
const newVehicle = async (body: object) => ((await ok('POST', '/cars', body)) as { id: number }).id;
async function newTask(): Promise<number> {
  const { newstype } = (await ok('GET', '/newstype')) as { newstype: { news_type_id: string }[] };
  const values = { title: 'Kitchen fire', news_type_id: Number(newstype[0]!.news_type_id) };
  return ((await ok('POST', '/news/', { action: 'put', values })) as { newsId: number }).newsId;
}
const unitsAt = async (method: string, path: string, body?: unknown) =>
  ((await ok(method, path, body)) as { units: Unit[] }).units;
const detail = async (id: number) =>
  ((await ok('GET', `/news/${id}`)) as { news_data: { units: Unit[]; [field: string]: unknown } }).news_data;
const statusOf = async (id: number) =>
  ((await ok('GET', `/cars/${id}`)) as { unitStatus: { status: number } | number | null }).unitStatus;

test('several vehicles are sent in one step, report by themselves and are released singly', async () => {
  const id = await newTask();
  const [first, second, medic] = engines as [number, number, number];
  const sent = await unitsAt('POST', `/news/${id}/units`, { carIds: [first, second, medic], role: 'fire' });
  expect(sent).toMatchObject([
    { carId: first, lead: true, role: 'fire', status: { digit: 3, word: 'en route' }, onSceneAt: null, clearAt: null },
    { carId: second, lead: false },
    { carId: medic, lead: false },
  ]);
  expect(await detail(id)).toMatchObject({ assigned_status: '2', assigned_car_id: String(first) });

  await ok('PUT', `/cars/${second}/status`, { status: 4 });
  await expect.poll(async () => (await detail(id)).units[1]!['onSceneAt']).toEqual(expect.any(Number));
  const led = await unitsAt('PUT', `/news/${id}/units/${second}`, { lead: true, role: 'command' });
  expect(led.find(({ carId }) => carId === second)).toMatchObject({ lead: true, role: 'command' });

  const left = await unitsAt('DELETE', `/news/${id}/units/${second}`);
  expect(
    left.find(({ carId }) => carId === second),
    'it was there, so it stays in the list',
  ).toMatchObject({
    clearAt: expect.any(Number),
  });
  expect((await detail(id)).assigned_car_id).toBe(String(first));
  const taken = await unitsAt('DELETE', `/news/${id}/units/${medic}`);
  expect(
    taken.some(({ carId }) => carId === medic),
    'taken back at once, it was never sent',
  ).toBe(false);

  const { news_list } = (await ok('GET', '/news/listAfterId/0/50?withUnits=true')) as {
    news_list: { id: string; units: Unit[] }[];
  };
  expect(news_list.find((one) => one.id === String(id))!.units).toEqual((await detail(id)).units);

  await ok('POST', `/news/${id}/update`, { assigned_status: 4 });
  expect(
    (await detail(id)).units.every(({ clearAt }) => clearAt !== null),
    'closing releases all',
  ).toBe(true);
  expect((await ask('POST', `/news/${id}/units`, { carIds: [medic] })).status, 'a closed task').toBe(409);
});

test('each vehicle of a set has its role, the one named first leads, and the set is taken back in one step', async () => {
  const id = await newTask();
  const [first, second, medic] = engines as [number, number, number];
  const sent = await unitsAt('POST', `/news/${id}/units`, { carIds: [medic, first, second], roles: ['', 'water'] });
  expect(new Map(sent.map(({ carId, lead, role }) => [carId, { lead, role }]))).toEqual(
    new Map([
      [medic, { lead: true, role: '' }],
      [first, { lead: false, role: 'water' }],
      [second, { lead: false, role: '' }],
    ]),
  );

  const release = `/news/${id}/units/release`;
  expect((await ask('POST', release, { carIds: [medic, foreign] })).status, 'all or none').toBe(404);
  expect((await ask('POST', release, { carIds: [medic] }, viewer.token)).status).toBe(403);
  expect((await ask('POST', release, { carIds: [] })).status).toBe(400);
  expect(await detail(id)).toMatchObject({ assigned_status: '2', assigned_car_id: String(medic) });
  expect(await unitsAt('POST', release, { carIds: [medic, first, second] }), 'never sent').toEqual([]);
  expect(await detail(id)).toMatchObject({ assigned_status: '1', assigned_car_id: null });
});

test('a crew gets its status with the sending, and back when that is taken back', async () => {
  const id = await newTask();
  const [engine] = engines as [number];
  await ok('PUT', `/cars/${engine}/status`, { status: 2, back: true });
  const before = await statusOf(engine);
  await unitsAt('POST', `/news/${id}/units`, { carIds: [engine] });
  expect(await statusOf(engine)).not.toEqual(before);
  await unitsAt('DELETE', `/news/${id}/units/${engine}`);
  expect(await statusOf(engine)).toEqual(before);
  expect(await detail(id)).toMatchObject({ assigned_status: '1', assigned_car_id: null, units: [] });
});

test('a vehicle that another task has is refused in words, unless it is sent anyway', async () => {
  const [one, other] = [await newTask(), await newTask()];
  const [, engine] = engines as [number, number];
  await unitsAt('POST', `/news/${one}/units`, { carIds: [engine] });
  const refused = await ask('POST', `/news/${other}/units`, { carIds: [engines[2], engine] });
  expect(refused.status).toBe(409);
  expect(refused.text).toContain(`Engine 2 is on its way to ${one}`);
  expect((await detail(other)).units, 'all or none').toEqual([]);
  expect(await unitsAt('POST', `/news/${other}/units`, { carIds: [engine], anyway: true })).toMatchObject([
    { carId: engine, lead: true },
  ]);
});

test('with move a vehicle leaves its other tasks in the step that sends it, all or none', async () => {
  const [one, other] = [await newTask(), await newTask()];
  const [first, engine] = engines as [number, number];
  await unitsAt('POST', `/news/${one}/units`, { carIds: [engine], anyway: true });
  const refused = await ask('POST', `/news/${other}/units`, { carIds: [engine], move: true }, viewer.token);
  expect(refused.status).toBe(403);
  expect((await detail(one)).units).toMatchObject([{ carId: engine, clearAt: null }]);
  const body = { carIds: [engine, first], move: true };
  const { left } = (await ok('POST', `/news/${other}/units`, body)) as { left: unknown[] };
  expect(left, 'what an undo needs').toContainEqual({ newsId: one, carId: engine });
  expect(await detail(other)).toMatchObject({ assigned_car_id: String(engine), assigned_status: '2' });
  expect(await detail(one)).toMatchObject({ assigned_car_id: null, assigned_status: '1' });
  expect(await statusOf(engine), 'it is still on its way, to another place').toEqual(3);
});

test('a crew that is free at an open task is proposed and sent elsewhere, and was clear since its report', async () => {
  const [one, other] = [await newTask(), await newTask()];
  const engine = await newVehicle({ name: 'Engine 7' });
  await unitsAt('POST', `/news/${one}/units`, { carIds: [engine] });
  for (const status of [4, 1]) await ok('PUT', `/cars/${engine}/status`, { status });
  const there = async () => (await detail(one)).units.find(({ carId }) => carId === engine)!;
  await expect.poll(async () => (await there()).status.digit).toBe(1);
  expect((await there()).clearAt, 'the last one stays').toBeNull();
  const reported = Date.now();
  await ok('POST', `/news/${other}/update`, { point: [5.1, 52.1] });
  const { others, units } = (await ok('GET', `/news/${other}/proposal`)) as Record<
    'others' | 'units',
    { carId: number; reasonCodes: { code: string }[] }[]
  >;
  const reasons = [...units, ...others].find(({ carId }) => carId === engine)!.reasonCodes.map(({ code }) => code);
  expect(reasons).not.toContain('busy-with');

  expect(await unitsAt('POST', `/news/${other}/units`, { carIds: [engine] })).toMatchObject([{ carId: engine }]);
  const { clearAt } = await there();
  expect(clearAt, 'since its report, not since it was sent away').toBeLessThanOrEqual(reported);
  expect(await detail(one), 'nobody has to be sent again').toMatchObject({
    assigned_status: '2',
    assigned_car_id: null,
  });
  await ok('PUT', `/cars/${engine}/status`, { status: 4 });
  await expect.poll(async () => (await detail(other)).units[0]!['onSceneAt']).toEqual(expect.any(Number));
  expect(await there(), 'what it does there is no news of the other task').toMatchObject({
    status: { digit: 1 },
    clearAt,
  });
  const { history } = (await ok('GET', `/news/${one}/history`)) as { history: { field: string }[] };
  expect(history.map(({ field }) => field)).toContain('assigned_car_id');
});

test('who sees that a vehicle came to a task sees that it left the other, and the other way round', async () => {
  const tasks = [await newTask(), await newTask()] as const;
  const engine = await newVehicle({ name: 'Engine 9' });
  await unitsAt('POST', `/news/${tasks[0]}/units`, { carIds: [engine] });
  const has = async (id: number) => (await detail(id)).units.some(({ clearAt }) => clearAt === null);
  let step = 0;
  const mover = async () => {
    while (step < 30) {
      step++;
      await ok('POST', `/news/${tasks[step % 2]!}/units`, { carIds: [engine], move: true });
    }
    step = Infinity;
  };
  const reader = async (came: boolean) => {
    while (step < Infinity) {
      const during = step;
      const [to, from] = [tasks[during % 2]!, tasks[(during + 1) % 2]!];
      if (came && (await has(to))) {
        const left = !(await has(from));
        if (during === step) expect(left, 'it left').toBe(true);
      } else if (!came && !(await has(from))) {
        const arrived = await has(to);
        if (during === step) expect(arrived, 'it came').toBe(true);
      }
    }
  };
  await Promise.all([mover(), reader(true), reader(false)]);
});

test('with from a vehicle leaves the tasks that are named there; another one that has it is named, unless it serves both', async () => {
  const [one, two, other] = [await newTask(), await newTask(), await newTask()];
  const engine = await newVehicle({ name: 'Engine 8' });
  await unitsAt('POST', `/news/${one}/units`, { carIds: [engine] });
  await unitsAt('POST', `/news/${two}/units`, { carIds: [engine], anyway: true });
  const body = { carIds: [engine], from: [one, other] };
  const holds = async (id: number) => (await detail(id)).units.some(({ clearAt }) => clearAt === null);
  const refused = await ask('POST', `/news/${other}/units`, body);
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(String(two))]);
  expect([await holds(one), await holds(two), await holds(other)], 'all or none').toEqual([true, true, false]);
  const { left } = (await ok('POST', `/news/${other}/units`, { ...body, anyway: true })) as { left: unknown[] };
  expect(left).toEqual([{ newsId: one, carId: engine }]);
  expect([await holds(one), await holds(two), await holds(other)]).toEqual([false, true, true]);
  const again = (await ok('POST', `/news/${other}/units`, { ...body, anyway: true })) as { left: unknown[] };
  expect(again.left, 'it has left already').toEqual([]);
  for (const from of ['x', [0.5], Array(51).fill(1), {}])
    expect((await ask('POST', `/news/${other}/units`, { carIds: [engine], from })).status).toBe(400);
});

test('only who may assign sends, and only vehicles that they see', async () => {
  const id = await newTask();
  expect((await ask('POST', `/news/${id}/units`, { carIds: [engines[0]] }, viewer.token)).status).toBe(403);
  expect((await ask('POST', `/news/${id}/units`, { carIds: [engines[0]] }, stranger.token)).status).toBe(404);
  const unseen = await ask('POST', `/news/${id}/units`, { carIds: [foreign, 999_999] }, stranger.token);
  expect(unseen.status).toBe(404);
  for (const body of [{ carIds: [] }, { carIds: ['x'] }, {}, { carIds: [999_999] }, { carIds: Array(51).fill(1) }])
    expect((await ask('POST', `/news/${id}/units`, body)).status, JSON.stringify(body)).toBe(400);
  expect((await ask('PUT', `/news/${id}/units/${engines[0]}`, { role: 'x' })).status).toBe(404);
  expect((await ask('DELETE', `/news/${id}/units/${engines[0]}`)).status).toBe(404);
});

test('a priority is that of the category until somebody sets it', async () => {
  const id = await newTask();
  expect(await detail(id)).toMatchObject({ priority: '3' });
  const { category } = (await ok('GET', '/category')) as { category: { id: string; name: string }[] };
  await ok('POST', `/news/${id}/update`, {
    category_id: Number(category.find(({ name }) => name === 'Emergency')!.id),
  });
  expect(await detail(id)).toMatchObject({ priority: '1' });
  await ok('POST', `/news/${id}/update`, { priority: 4 });
  expect(await detail(id)).toMatchObject({ priority: '4' });
  await ok('POST', `/news/${id}/update`, { priority: 0 });
  expect(await detail(id)).toMatchObject({ priority: '1' });
  expect((await ask('POST', `/news/${id}/update`, { priority: 5 })).status).toBe(400);
});

test('the station judges a status against the task of the unit, and tells it with the unit', async () => {
  const id = await newTask();
  const engine = await newVehicle({ name: 'Engine 9' });
  const { glonassId } = (await ok('GET', `/cars/${engine}`)) as { glonassId: number };
  const fix = { glonassId, time: Date.now() - 1_000, lat: 52.1, lon: 5.1, speed: 0, direction: 0 };
  expect(await ok('POST', '/telemetry', [fix])).toMatchObject({ accepted: 1 });
  await ok('PUT', `/cars/${engine}/status`, { status: 2, back: true });
  const listener = await listenAs(station, admin);
  const told = (fits: (record: { sentTo?: number; allowedStatuses?: number[]; unitStatus?: number }) => boolean) =>
    listener.hear(({ command, data }) => command === 'CAR_UPDATES' && data.some(fits));
  listener.send('SET_OBSERVABLE_CARS', [glonassId]);
  const judged = () => ok('GET', `/cars/${engine}/status`);

  expect(await judged()).toMatchObject({ allowedStatuses: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], sentTo: null });
  await unitsAt('POST', `/news/${id}/units`, { carIds: [engine] });
  const barred = { allowedStatuses: [0, 3, 4, 5, 6, 7, 8, 9], sentTo: id };
  expect(await judged()).toMatchObject({ ...barred, answeredStatus: 3 });
  await told(({ sentTo, allowedStatuses }) => sentTo === id && allowedStatuses?.includes(1) === false);
  const refused = await ask('PUT', `/cars/${engine}/status`, { status: 1 });
  expect(refused.status).toBe(409);
  expect(refused.text).toContain(`Engine 9 was sent to ${id}`);

  await ok('PUT', `/cars/${engine}/status`, { status: 5 });
  expect(await ok('PUT', `/cars/${engine}/status`, { answered: true }), 'still on its way').toMatchObject({
    unitStatus: 3,
  });
  await ok('PUT', `/cars/${engine}/status`, { status: 4 });
  await told(({ sentTo, unitStatus }) => sentTo === undefined && unitStatus === 4);
  await ok('PUT', `/cars/${engine}/status`, { status: 5 });
  expect(await ok('PUT', `/cars/${engine}/status`, { answered: true }), 'on scene').toMatchObject({ unitStatus: 4 });

  const later = await newTask();
  listener.forget();
  // its status stays: only the task that it is on has changed
  await unitsAt('POST', `/news/${later}/units`, { carIds: [engine], anyway: true });
  await told(({ sentTo }) => sentTo === later);
  listener.forget();
  await ok('PUT', `/cars/${engine}/status`, { status: 3 });
  await ok('POST', `/news/${later}/update`, { assigned_status: 4 });
  await told(({ sentTo }) => sentTo === undefined);
  for (const body of [{}, { status: 1, answered: true }, { answered: false }])
    expect((await ask('PUT', `/cars/${engine}/status`, body)).status, JSON.stringify(body)).toBe(400);
  expect((await ask('PUT', `/cars/${engine}/status`, { answered: true }, viewer.token)).status).toBe(403);
  listener.socket.close();
});
