import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TestResponse, type TryStation } from '../try-station.ts';

let station: TryStation;
let admin: string;
let viewer: string;
let engine: number;
let medic: number;
let taskId: number;
let foreignTask: number;
let numbers = 0;

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  viewer = (await station.newUser('ivan', 'Viewer')).token;
  engine = await newVehicle('Engine 1');
  medic = await newVehicle('Medic 4');
  [taskId, foreignTask] = [await newTask('Kitchen fire'), await newTask('Fallen tree')];
});
afterAll(() => station.stop());

const ok = (method: string, path: string, body?: unknown, as = admin) => station.ok(method, path, { as, body });
const newVehicle = async (name: string): Promise<number> => (await ok('POST', '/cars', { name })).id;
async function newTask(title: string): Promise<number> {
  const { newstype } = await ok('GET', '/newstype');
  const values = { title, news_type_id: Number(newstype[0].news_type_id) };
  return (await ok('POST', '/news/', { action: 'put', values, point: [9.52, 47.14] })).newsId;
}

/** A telephone that is signed in for the vehicle. */
async function phone(carId: number) {
  const { code } = await ok('POST', '/crews/codes', { carId });
  const signed = await station.ask('POST', '/crew/sign-in', { body: { code } });
  expect(signed.status, signed.text).toBe(200);
  const cookie = signed.headers.get('set-cookie')!.split(';')[0]!;
  const ask = (method: string, path: string, body?: unknown): Promise<TestResponse> =>
    station.ask(method, path, { body, headers: { cookie } });
  const state = async () => (await ask('GET', '/crew/state')).json();
  const act = (action: object, { age = 0, key = `test-key-${++numbers}` } = {}) =>
    ask('POST', '/crew/actions', { key, age, action });
  return { cookie, ask, state, act };
}
const detail = async (id: number) => (await ok('GET', `/news/${id}`)).news_data;
const comments = async (id: number): Promise<{ comment: string }[]> =>
  (await ok('GET', `/news/${id}/comments`)).comments;

test('a code opens one session, once; wrong ones are counted, and only those who direct crews make one', async () => {
  expect((await station.ask('POST', '/crews/codes', { as: viewer, body: { carId: engine } })).status).toBe(403);
  expect((await station.ask('POST', '/crews/codes', { as: admin, body: { carId: 987_654 } })).status).toBe(400);
  const first = await ok('POST', '/crews/codes', { carId: engine });
  const second = await ok('POST', '/crews/codes', { carId: engine });
  expect(second).toMatchObject({ code: expect.stringMatching(/^\d{8}$/), carName: 'Engine 1' });
  const signIn = (code: string, from = '127.0.0.9') => station.ask('POST', '/crew/sign-in', { body: { code }, from });
  expect((await signIn(first.code)).status, 'the newer code made it void').toBe(401);
  const signed = await signIn(`${second.code.slice(0, 4)} ${second.code.slice(4)}`);
  expect(signed.json()).toEqual({ carName: 'Engine 1' });
  expect(signed.headers.get('set-cookie')).toMatch(/^waypost_crew=[\w-]{43}; Path=\/crew; HttpOnly; SameSite=Strict/);
  expect((await signIn(second.code)).status, 'it was used').toBe(401);
  for (let wrong = 2; wrong < 10; wrong++) await signIn('00000000');
  const third = await ok('POST', '/crews/codes', { carId: engine });
  expect((await signIn(third.code)).status, 'ten wrong ones from one address').toBe(429);
  expect((await signIn(third.code, '127.0.0.8')).status, 'another address').toBe(200);
});

test('a session opens the paths of crews and nothing else, and users do not open those', async () => {
  const { cookie } = await phone(engine);
  const token = cookie.split('=')[1]!;
  const { paths } = await ok('GET', '/openapi.json');
  const all = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path.replace(/\{[^}]+\}/g, '0')] as const),
  );
  const opened: string[] = [];
  for (const [method, path] of all.filter(([, path]) => path !== '/crew/sign-out')) {
    const anonymous = await station.ask(method, path);
    if (anonymous.status !== 401) continue; // open to everybody
    const asked = [
      await station.ask(method, path, { headers: { cookie } }),
      await station.ask(method, path, { as: token }),
      await station.ask(method, path, { headers: { cookie: `waypost_token=${token}` } }),
    ];
    if (asked.some(({ status }) => status !== 401)) opened.push(`${method} ${path}`);
    if (path.startsWith('/crew/')) expect((await station.ask(method, path, { as: admin })).status, path).toBe(401);
  }
  expect(opened.sort()).toEqual([
    'GET /crew/state',
    'GET /crew/tasks/0/files/0',
    'GET /crew/tiles/0/0/0.mvt',
    'GET /crew/way',
    'POST /crew/actions',
    'POST /crew/files',
    'POST /crew/positions',
  ]);
}, 60_000);

test('a crew sees and changes the tasks of its vehicle alone', async () => {
  const crew = await phone(engine);
  expect((await crew.state()).tasks).toEqual([]);
  for (const action of [
    { kind: 'accept', taskId: foreignTask },
    { kind: 'comment', taskId: foreignTask, text: 'Hello' },
    { kind: 'giveBack', taskId: foreignTask, reason: 'No fuel' },
    { kind: 'comment', taskId: 999_999, text: 'Hello' },
  ])
    expect((await crew.act(action)).status, JSON.stringify(action)).toBe(404);
  expect((await crew.ask('GET', `/crew/way?taskId=${foreignTask}&lat=47&lon=9`)).status).toBe(404);
  expect(
    (await crew.ask('POST', `/crew/files?key=test-file-0&age=0&taskId=${foreignTask}&name=a.txt`, 'x')).status,
  ).toBe(404);

  await ok('POST', `/news/${taskId}/units`, { carIds: [engine, medic] });
  const { tasks, status } = await crew.state();
  expect(status).toBe(3);
  expect(tasks).toMatchObject([
    { id: taskId, title: 'Kitchen fire', lat: 47.14, acknowledgedAt: null, units: [{ name: 'Medic 4', status: 3 }] },
  ]);
  expect((await crew.act({ kind: 'accept', taskId })).json()).toEqual({ repeated: false });
  expect((await crew.state()).tasks[0].acknowledgedAt).toEqual(expect.any(Number));
  expect((await crew.act({ kind: 'status', status: 6 })).text).toContain(`Engine 1 is on task ${taskId}`);
  expect((await crew.act({ kind: 'status', status: 1 })).status, 'free before it was there').toBe(409);
  expect((await crew.act({ kind: 'status', status: 4 })).status).toBe(200);
  const unit = (await detail(taskId)).units.find(({ carId }: { carId: number }) => carId === engine);
  expect(unit).toMatchObject({ status: { digit: 4 }, onSceneAt: expect.any(Number) });
});

test('an action is done once, at the time when it was done, unless somebody knew better since', async () => {
  const crew = await phone(engine);
  const comment = { kind: 'comment', taskId, text: 'Fire is out' };
  const sent = { key: 'the-same-key', age: 60_000 };
  expect((await crew.act(comment, sent)).json()).toEqual({ repeated: false });
  expect((await crew.act(comment, sent)).json()).toEqual({ repeated: true });
  expect((await comments(taskId)).filter((one) => one.comment === 'Engine 1: Fire is out')).toHaveLength(1);

  await ok('PUT', `/cars/${engine}/status`, { status: 5 });
  const late = await crew.act({ kind: 'status', status: 4 }, { age: 30_000 });
  expect([late.status, late.text]).toEqual([409, expect.stringContaining('was changed after this one')]);
  expect((await crew.act({ kind: 'status', status: 4 })).status).toBe(200);
  // The request before took a second longer than this one.
  expect((await crew.act({ kind: 'status', status: 5 }, { age: 1_000 })).status).toBe(200);
  expect((await crew.state()).status).toBe(5);
  const other = await phone(engine);
  expect((await other.act({ kind: 'status', status: 4 }, { age: 1_000 })).status, 'another telephone').toBe(409);
  const both = await Promise.all([1, 2, 3].map(() => crew.act(comment, { ...sent, key: 'another-key' })));
  expect(both.map((one) => one.json().repeated).sort()).toEqual([false, true, true]);
});

test('a photo and a note go into the task; a tracker keeps positions of the telephone out', async () => {
  const crew = await phone(engine);
  const path = (key: string) => `/crew/files?key=${key}&age=0&taskId=${taskId}&name=note.txt`;
  expect((await crew.ask('POST', path('test-file-1'), 'Gas is off')).json()).toEqual({ repeated: false });
  expect((await crew.ask('POST', path('test-file-1'), 'Gas is off')).json()).toEqual({ repeated: true });
  const { files } = (await crew.state()).tasks[0];
  expect(files).toMatchObject([{ kind: 'file', name: 'note.txt', size: 10 }]);
  expect((await crew.ask('GET', `/crew/tasks/${taskId}/files/${files[0].id}`)).text).toBe('Gas is off');
  expect((await crew.ask('GET', `/crew/tasks/${foreignTask}/files/${files[0].id}`)).status).toBe(404);

  const fix = (key: string) =>
    crew.ask('POST', '/crew/positions', { key, fixes: [{ age: 2000, lat: 47.15, lon: 9.51 }] });
  expect((await fix('test-fix-1')).status).toBe(200);
  const cars = async (): Promise<{ id: number; lat: number }[]> => ok('GET', '/cars');
  await expect.poll(async () => (await cars()).find(({ id }) => id === engine)!.lat).toBeCloseTo(47.15);
  expect((await fix('test-fix-2')).status, 'its own positions do not keep it out').toBe(200);
});

/** Codes of why a vehicle is not the first choice for the task. */
async function reasonsOf(carId: number): Promise<string[]> {
  const { units, others } = await ok('GET', `/news/${taskId}/proposal`);
  const reasons = [...units, ...others].find((one: { carId: number }) => one.carId === carId).reasonCodes;
  return reasons.map(({ code }: { code: string }) => code);
}

test('a crew gives a task back with a reason; state waits for news; a session is ended by a dispatcher', async () => {
  const crew = await phone(medic);
  const { version } = await crew.state();
  const waiting = crew.ask('GET', `/crew/state?known=${version}`);
  expect((await crew.act({ kind: 'giveBack', taskId, reason: ' ' })).status).toBe(400);
  expect((await crew.act({ kind: 'giveBack', taskId, reason: 'Flat tyre' })).status).toBe(200);
  expect((await waiting).json().version).not.toBe(version);
  await expect.poll(async () => (await crew.state()).tasks).toEqual([]);
  expect(
    (await detail(taskId)).units.some(
      ({ carId, clearAt }: { carId: number; clearAt: number | null }) => carId === medic && clearAt === null,
    ),
  ).toBe(false);
  expect((await comments(taskId)).map((one) => one.comment)).toContain('Medic 4: Flat tyre');
  expect(await reasonsOf(medic), 'it is not proposed for this task again').toContain('gave-back');
  await ok('POST', `/news/${taskId}/units`, { carIds: [medic] });
  await expect.poll(async () => (await crew.state()).tasks).toHaveLength(1);
  expect((await crew.act({ kind: 'giveBack', taskId, reason: 'Flat tyre' })).status).toBe(200);
  const sendings = (await detail(taskId)).units.filter(({ carId }: { carId: number }) => carId === medic);
  expect(sendings, 'its crew had it, however soon it answers').toMatchObject([{ clearAt: expect.any(Number) }]);

  const sessions: { id: number; carName: string }[] = await ok('GET', '/crews/sessions');
  const own = sessions.filter(({ carName }) => carName === 'Medic 4');
  expect(own).toHaveLength(1);
  expect((await station.ask('DELETE', `/crews/sessions/${own[0]!.id}`, { as: viewer })).status).toBe(403);
  const now = (await crew.state()).version;
  const cut = crew.ask('GET', `/crew/state?known=${now}`);
  expect((await station.ask('DELETE', `/crews/sessions/${own[0]!.id}`, { as: admin })).status).toBe(200);
  expect((await cut).status).toBe(401);
  const entries: { action: string }[] = await ok('GET', '/audit?kind=crew');
  expect(entries.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['created', 'started', 'failed', 'ended']),
  );
});

test('messages go to a crew, a group and all, with their marks; a crew writes back', async () => {
  const { id: groupId } = await ok('POST', '/cars/groups', { name: 'North' });
  const member = (await ok('POST', '/cars', { name: 'Ladder 1', groupId })).id as number;
  const [ladder, other] = [await phone(member), await phone(medic)];
  const texts = async (crew: typeof ladder) =>
    (await crew.state()).messages.map((one: { text: string }) => one.text).sort();
  const write = (body: object) => ok('POST', '/crews/messages', body);
  const must = await write({ carId: member, text: 'Keep the yard free', mustAnswer: true });
  await write({ groupId, text: 'To the north' });
  await write({ text: 'To all' });
  await expect.poll(() => texts(ladder)).toEqual(['Keep the yard free', 'To all', 'To the north']);
  expect(await texts(other)).toEqual(['To all']);
  expect((await station.ask('POST', '/crews/messages', { as: viewer, body: { text: 'x' } })).status).toBe(403);
  expect((await station.ask('GET', '/crews/messages', { as: viewer })).status).toBe(403);
  for (const body of [{ text: ' ' }, { carId: 987_654, text: 'x' }, { groupId: 987_654, text: 'x' }])
    expect((await station.ask('POST', '/crews/messages', { as: admin, body })).status, JSON.stringify(body)).toBe(400);

  await other.act({ kind: 'receipt', mark: 'answered', ids: [must.id] });
  await ladder.act({ kind: 'receipt', mark: 'answered', ids: [must.id] }, { age: 5000 });
  await ladder.act({ kind: 'say', text: 'Yard is free' });
  const list = await ok('GET', `/crews/messages?carId=${member}`);
  expect(list.find(({ id }: { id: number }) => id === must.id).receipts).toEqual([
    {
      carId: member,
      carName: 'Ladder 1',
      deliveredAt: expect.any(Number),
      readAt: expect.any(Number),
      answeredAt: expect.any(Number),
    },
  ]);
  const said = list.find(({ text }: { text: string }) => text === 'Yard is free');
  expect(said).toMatchObject({ from: 'Ladder 1', fromCarId: member, to: 'control', readAt: null });
  await ok('POST', `/crews/messages/${said.id}/read`);
  const own = async () => (await ladder.state()).messages.find(({ id }: { id: number }) => id === said.id);
  await expect.poll(own).toMatchObject({ own: true, readAt: expect.any(Number) });
});
