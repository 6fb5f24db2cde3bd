import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { listenAs as listenAt, type Listener } from '../live-client.ts';
import { tryStation, type TryStation } from '../try-station.ts';

let station: TryStation;
let admin: string;
let other: { id: number; token: string };
let vans: { id: number; glonassId: number }[];
const sockets: WebSocket[] = [];

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  const organization = (await station.ask('POST', '/organizations', { as: admin, body: { name: 'Roads' } })).json();
  other = await station.newUser('roads', 'Dispatcher', { organizationId: organization.id });
  vans = [];
  for (const name of ['Van 1', 'Van 2'])
    vans.push((await station.ask('POST', '/cars', { as: admin, body: { name } })).json());
});
afterAll(async () => {
  for (const socket of sockets) socket.terminate();
  await station.stop();
});

async function listenAs(token: string): Promise<Listener> {
  const listener = await listenAt(station, token);
  sockets.push(listener.socket);
  return listener;
}

function statusOf(path: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(station.station.address.replace('http', 'ws') + path, { headers });
    socket.on(
      'unexpected-response',
      (_request, response) => (resolve(response.statusCode!), response.resume(), socket.terminate()),
    );
    socket.on('open', () => (resolve(101), socket.terminate()));
    socket.on('error', reject);
  });
}

let second = 0;
/** A fix of a van, each later than the one before. */
function fix(van: { glonassId: number }, more: object = {}): object {
  return {
    glonassId: van.glonassId,
    time: Date.UTC(2026, 5, 1) + ++second * 1000,
    lat: 50 + second / 10_000,
    lon: 20,
    speed: 40,
    direction: 10,
    ...more,
  };
}

const report = (records: object | object[]) => station.ask('POST', '/telemetry', { as: admin, body: records });

test('without a valid token the upgrade is refused with 401; other paths are no sockets', async () => {
  expect(await statusOf('/ws')).toBe(401);
  expect(await statusOf('/ws?token=wrong')).toBe(401);
  expect(await statusOf(`/socket?token=${admin}`)).toBe(404);
  expect(await statusOf(`/ws?token=${admin}`)).toBe(101);
});

test('a page from elsewhere cannot listen with the console’s cookie', async () => {
  const cookie = `waypost_token=${admin}`;
  expect(await statusOf('/ws', { cookie, origin: 'http://elsewhere.example' })).toBe(401);
  expect(await statusOf('/ws', { cookie, origin: station.station.address })).toBe(101);
});

test('an access key for telemetry alone may not listen', async () => {
  const key = (
    await station.ask('POST', '/auth/keys', {
      as: admin,
      body: { name: 'trackers', scopes: ['telemetry'], expiresAt: null },
    })
  ).json();
  expect(await statusOf(`/ws?token=${key.token}`)).toBe(403);
});

test('following vehicles sends their last state at once, then each change', async () => {
  await report(fix(vans[0]!));
  const console = await listenAs(admin);
  console.send(
    'SET_OBSERVABLE_CARS',
    vans.map((van) => van.glonassId),
  );
  const first = await console.hear((said) => said.command === 'CAR_UPDATES');
  expect(first.data).toEqual([
    expect.objectContaining({
      glonassId: vans[0]!.glonassId,
      speed: 40,
      direction: 10,
      lon: 20,
      data: expect.any(Number),
      sysData: expect.any(Number),
    }),
  ]);
  console.forget();
  await report(fix(vans[1]!, { params: { unit_status: 3 } }));
  const next = await console.hear((said) => said.command === 'CAR_UPDATES');
  expect(next.data).toEqual([
    expect.objectContaining({ glonassId: vans[1]!.glonassId, unitStatus: 3, unitStatusSince: expect.any(Number) }),
  ]);
});

test('the newest position wins: a burst is a few messages, and the last one is the last position', async () => {
  const console = await listenAs(admin);
  console.send('SET_OBSERVABLE_CARS', [vans[0]!.glonassId]);
  await console.hear((said) => said.command === 'CAR_UPDATES');
  console.forget();
  const fixes = Array.from({ length: 60 }, () => fix(vans[0]!));
  const started = performance.now();
  for (const one of fixes) await report(one);
  const last = fixes.at(-1) as { time: number };
  await console.hear((said) => said.command === 'CAR_UPDATES' && said.data[0].data === last.time);
  const updates = console.heard.filter((said) => said.command === 'CAR_UPDATES');
  expect(updates.length).toBeLessThanOrEqual((performance.now() - started) / 250 + 2); // at most 4 a second
  expect(updates.every((said) => said.data.length === 1)).toBe(true);
});

test('a new list replaces the old one, and an empty one stops', async () => {
  const console = await listenAs(admin);
  console.send('SET_OBSERVABLE_CARS', [vans[0]!.glonassId]);
  await console.hear((said) => said.command === 'CAR_UPDATES');
  console.send('SET_OBSERVABLE_CARS', [vans[1]!.glonassId]);
  await console.hear((said) => said.command === 'CAR_UPDATES' && said.data[0]?.glonassId === vans[1]!.glonassId);
  console.send('SET_OBSERVABLE_CARS', []);
  console.send('NONSENSE', 1); // answered after the list was taken
  await console.hear((said) => said.command === 'ERROR');
  console.forget();
  const witness = await listenAs(admin);
  witness.send('SET_OBSERVABLE_CARS', [vans[0]!.glonassId]);
  await report(fix(vans[0]!));
  await witness.hear(
    (said) => said.command === 'CAR_UPDATES' && said.data[0]?.data === Date.UTC(2026, 5, 1) + second * 1000,
  );
  expect(console.heard.filter((said) => said.command === 'CAR_UPDATES')).toEqual([]);
});

test('vehicles that one may not see are ignored', async () => {
  const [console, witness] = [await listenAs(other.token), await listenAs(admin)];
  await report(fix(vans[0]!)); // there is a position to be told
  for (const one of [console, witness])
    one.send(
      'SET_OBSERVABLE_CARS',
      vans.map((van) => van.glonassId),
    );
  expect((await console.hear((said) => said.command === 'CAR_UPDATES')).data).toEqual([]);
  await report(fix(vans[0]!)); // … and another, when it comes
  await witness.hear(
    (said) => said.command === 'CAR_UPDATES' && said.data[0]?.data === Date.UTC(2026, 5, 1) + second * 1000,
  );
  expect((await console.heardByNow()).filter((said) => said.command === 'CAR_UPDATES' && said.data.length > 0)).toEqual(
    [],
  );
});

test.each([
  ['no JSON', 'hello', 'a JSON object with command and data'],
  ['no object', '[1]', 'a JSON object with command and data'],
  ['null', 'null', 'a JSON object with command and data'],
  ['no command', '{"data":[1]}', 'a JSON object with command and data'],
  ['an unknown command', '{"command":"FLY","data":1}', 'no command FLY'],
  ['a command that is an object', '{"command":{"a":1}}', 'a JSON object with command and data'],
  ['no array', '{"command":"SET_OBSERVABLE_CARS","data":5}', 'must be an array of glonassId numbers'],
  ['no integers', '{"command":"SET_OBSERVABLE_CARS","data":[1,"2"]}', 'must be an array of glonassId numbers'],
  ['fractions', '{"command":"SET_OBSERVABLE_CARS","data":[1.5]}', 'must be an array of glonassId numbers'],
  ['an unknown collection', '{"command":"SET_REPLICA","data":{"collections":["tokens"]}}', 'no collection tokens'],
  ['no collections', '{"command":"SET_REPLICA","data":null}', 'must be {collections: [names]}'],
])('%s is answered with ERROR and the connection stays', async (_name, text, message) => {
  const console = await listenAs(admin);
  console.socket.send(text);
  expect((await console.hear((said) => said.command === 'ERROR')).data.message).toContain(message);
  console.send('SET_OBSERVABLE_CARS', [vans[0]!.glonassId]);
  await console.hear((said) => said.command === 'CAR_UPDATES');
});

const end = ({ socket }: Listener) =>
  new Promise<[number, string]>((resolve) => {
    socket.on('error', () => undefined);
    socket.once('close', (code, reason) => resolve([code, String(reason)]));
  });

test('a message of 100 kB is taken; a longer one ends the connection with 1008 and a reason, and nothing else', async () => {
  const console = await listenAs(admin);
  console.socket.send('x'.repeat(100 * 1024));
  await console.hear((said) => said.command === 'ERROR');
  const witness = await listenAs(admin);
  for (const length of [100 * 1024 + 1, 875_000, 5_000_000]) {
    const greedy = await listenAs(admin);
    const ended = end(greedy);
    greedy.socket.send('1'.repeat(length));
    expect(await ended).toEqual([1008, 'A message has at most 100 kB.']);
  }
  await witness.heardByNow();
  expect((await station.ask('GET', '/health')).status).toBe(200);
});

test('a burst of 100 messages is answered; a client above 20 messages a second is closed with 1008', async () => {
  const console = await listenAs(admin);
  for (let i = 0; i < 100; i++) console.send('NONSENSE', i);
  await console.hear(() => console.heard.length === 100);
  expect(console.socket.readyState).toBe(console.socket.OPEN);
  const endless = await listenAs(admin);
  const ended = end(endless);
  const began = performance.now();
  for (let i = 0; i < 1000; i++) endless.send('NONSENSE', i);
  expect(await ended).toEqual([1008, 'At most 20 messages a second.']);
  expect(endless.heard.length).toBeLessThanOrEqual(100 + Math.ceil(((performance.now() - began) / 1000) * 20));
  // Pings ask for an answer, too. A few at a time: of many unanswered ones the library cuts the line at once.
  const pinging = await listenAs(admin);
  const silenced = end(pinging);
  const ping = () => pinging.socket.readyState === pinging.socket.OPEN && pinging.socket.ping();
  pinging.socket.on('pong', ping);
  for (let i = 0; i < 5; i++) ping();
  expect(await silenced).toEqual([1008, 'At most 20 messages a second.']);
});

test('a list may come in pieces; a client that follows more than 50,000 vehicles is closed with 1008', async () => {
  await report(fix(vans[0]!));
  const console = await listenAs(admin);
  const ended = end(console);
  console.send('SET_OBSERVABLE_CARS', [vans[1]!.glonassId]);
  console.send('ADD_OBSERVABLE_CARS', [vans[0]!.glonassId]);
  // The second answer says what was added, and nothing twice.
  await console.hear(
    (said) => said.command === 'CAR_UPDATES' && said.data.length === 1 && said.data[0].glonassId === vans[0]!.glonassId,
  );
  const strangers = Array.from({ length: 50_000 - 2 }, (_, index) => 10_000_000 + index);
  for (let from = 0; from < strangers.length; from += 10_000)
    console.send('ADD_OBSERVABLE_CARS', strangers.slice(from, from + 10_000));
  console.send('ADD_OBSERVABLE_CARS', [vans[0]!.glonassId]); // is one of them already
  await console.heardByNow();
  console.send('ADD_OBSERVABLE_CARS', ['1']);
  await console.hear(
    (said) =>
      said.command === 'ERROR' &&
      said.data.message === 'ADD_OBSERVABLE_CARS: data must be an array of glonassId numbers.',
  );
  console.send('ADD_OBSERVABLE_CARS', [9]);
  expect(await ended).toEqual([1008, 'At most 50000 vehicles can be followed.']);
});

test('a user has fifty sockets; one more is closed with 1008, and other users are not touched', async () => {
  const person = await station.newUser('fifty', 'Dispatcher');
  const again = await station.signIn('fifty', 'a fine password');
  const fifty = await Promise.all(
    Array.from({ length: 50 }, (_, index) => listenAs(index % 2 === 0 ? person.token : again)),
  );
  const more = await listenAs(person.token);
  expect(await end(more)).toEqual([1008, 'A user has at most 50 connections.']);
  expect(more.heard).toEqual([]);
  for (const listener of [fifty[0]!, fifty[49]!, await listenAs(admin)]) await listener.heardByNow();
  const left = end(fifty[7]!);
  fifty[7]!.socket.close();
  await left;
  await expect
    .poll(async () => {
      const next = await listenAs(person.token);
      const gone = end(next);
      next.send('NONSENSE', 1);
      return Promise.race([
        gone.then(() => 'closed'),
        next.hear((said) => said.command === 'ERROR').then(() => 'heard'),
      ]);
    })
    .toBe('heard');
});

test('consoles are notified about the collections that they replicate; a burst becomes one notice', async () => {
  const console = await listenAs(admin);
  console.send('SET_REPLICA', { collections: ['messages', 'comments', 'vehicles'] });
  console.send('NONSENSE', 1);
  await console.hear((said) => said.command === 'ERROR');
  console.forget();
  const type = await station.taskType(admin);
  await station.ask('POST', '/news/', { as: admin, body: { values: { title: 'Burst pipe', news_type_id: type } } });
  const nudge = await console.hear((said) => said.command === 'REPLICA_CHANGES');
  expect(nudge.data.collections).toContain('messages');
  expect(nudge.data.head).toEqual(expect.any(Number));
  console.forget();
  const started = performance.now();
  for (let index = 0; index < 40; index++)
    await station.ask('POST', '/news/', {
      as: admin,
      body: { values: { title: `Task ${index}`, news_type_id: type } },
    });
  const head = (await station.ask('GET', '/replica/messages?limit=5000', { as: admin })).json().checkpoint;
  await console.hear((said) => said.command === 'REPLICA_CHANGES' && said.data.head >= Number(head));
  // at most 10 a second
  expect(console.heard.filter((said) => said.command === 'REPLICA_CHANGES').length).toBeLessThanOrEqual(
    (performance.now() - started) / 100 + 2,
  );
});

test('a replica of comments is notified of changes of tasks, which decide who may read them', async () => {
  const type = await station.taskType(admin);
  const { newsId } = (
    await station.ask('POST', '/news/', {
      as: admin,
      body: { values: { title: 'Read by others soon', news_type_id: type } },
    })
  ).json();
  const console = await listenAs(admin);
  console.send('SET_REPLICA', { collections: ['comments'] });
  await console.heardByNow();
  await station.ask('POST', `/news/${newsId}/update`, { as: admin, body: { assigned_user_id: other.id } });
  expect((await console.hear((said) => said.command === 'REPLICA_CHANGES')).data.collections).toEqual(['comments']);
});

test('a user with changed access is notified about everything; a disabled user is disconnected', async () => {
  const person = await station.newUser('anna', 'Dispatcher');
  const console = await listenAs(person.token);
  console.send('SET_REPLICA', { collections: ['messages', 'vehicles'] });
  console.send('NONSENSE', 1);
  await console.hear((said) => said.command === 'ERROR');
  const before = (await station.ask('GET', '/replica/vehicles', { as: person.token })).json();
  expect(before.documents).toHaveLength(2);
  const closed = new Promise((resolve) => console.socket.once('close', (code) => resolve(code)));
  const organizationId = (await station.ask('GET', '/users', { as: admin }))
    .json()
    .find((user: { id: number }) => user.id === other.id).organizationId;
  await station.ask('PUT', `/users/${person.id}`, { as: admin, body: { organizationId } });
  const nudge = await console.hear((said) => said.command === 'REPLICA_CHANGES' && said.data.collections.length === 2);
  expect(nudge.data.collections.sort()).toEqual(['messages', 'vehicles']);
  const after = (
    await station.ask('GET', `/replica/vehicles?after=${before.checkpoint}&epoch=${before.epoch}`, { as: person.token })
  ).json();
  expect(after).toMatchObject({ reset: true, documents: [] });
  expect((await station.ask('GET', '/replica/vehicles', { as: person.token })).json().documents).toEqual([]);
  await station.ask('PUT', `/users/${person.id}`, { as: admin, body: { enabled: false } });
  expect(await closed).toBe(1008);
});

test('signing out, or ending a key, closes its connections', async () => {
  const closed = (listener: Listener) => new Promise<number>((resolve) => listener.socket.once('close', resolve));
  const session = await station.signIn();
  const key = (await station.ask('POST', '/auth/keys', { as: admin, body: { name: 'wall', scopes: ['read'] } })).json();
  const [window, wall, stays] = [await listenAs(session), await listenAs(key.token), await listenAs(admin)];
  const ends = [closed(window), closed(wall)];
  await station.ask('POST', '/auth/logout', { as: session });
  await station.ask('DELETE', `/auth/keys/${key.id}`, { as: admin });
  expect(await Promise.all(ends)).toEqual([1008, 1008]);
  stays.send('SET_OBSERVABLE_CARS', [vans[0]!.glonassId]);
  await stays.hear(({ command }) => command === 'CAR_UPDATES');
}, 20_000); // sooner than the station looks at all tokens by itself, which is every 30 s

test('over HTTP: pages, wrong collections, wrong checkpoints, and no token', async () => {
  const as = admin;
  const first = await station.ask('GET', '/replica/directories?limit=5', { as });
  expect(first.json()).toMatchObject({ more: true, epoch: expect.any(String) });
  expect(first.json().documents).toHaveLength(5);
  const { checkpoint, epoch } = first.json();
  const second = (
    await station.ask('GET', `/replica/directories?limit=500&after=${checkpoint}&epoch=${epoch}`, { as })
  ).json();
  expect(second.more).toBe(false);
  const keys = [...first.json().documents, ...second.documents].map((document: { key: string }) => document.key);
  expect(new Set(keys).size).toBe(keys.length);
  expect((await station.ask('GET', `/replica/directories?after=5&epoch=other`, { as })).json()).toMatchObject({
    reset: true,
    epoch,
    documents: [],
  });
  expect((await station.ask('GET', '/replica/tokens', { as })).status).toBe(404);
  for (const query of ['after=-1', 'after=x', 'after=1~2~3', 'limit=0', 'limit=9999999', `epoch=${'x'.repeat(300)}`]) {
    expect((await station.ask('GET', `/replica/messages?${query}`, { as })).status, query).toBe(400);
  }
  expect((await station.ask('GET', '/replica/messages')).status).toBe(401);
});

test('[sync 26] who replicates hears the state of replication at once and when it changes; links are for superusers', async () => {
  const [desk, viewer] = [await listenAs(admin), await listenAs(other.token)];
  desk.send('SET_REPLICA', { collections: ['directories', 'links'] });
  viewer.send('SET_REPLICA', { collections: ['directories'] });
  const alone = {
    state: 'alone',
    waiting: 0,
    since: expect.any(Number),
    behind: [],
    standby: null,
    region: null,
    rivals: [],
    kinds: expect.any(Object),
  };
  for (const listener of [desk, viewer])
    expect((await listener.hear(({ command }) => command === 'SYNC_STATE')).data).toEqual(alone);
  const links = await desk.hear(({ command }) => command === 'LINKS');
  expect(links.data).toEqual({ links: [], digest: expect.stringMatching(/^[0-9a-f]{32}$/) });
  // Each write changes the digest: superusers who look hear of it, others do not.
  await station.ask('POST', '/category', { as: admin, body: { name: 'Storm' } });
  await desk.hear(({ command, data }) => command === 'LINKS' && data.digest !== links.data.digest);
  // Times of contact grow old without an event: the links come again.
  desk.forget();
  await expect.poll(() => desk.heard.filter(({ command }) => command === 'LINKS').length).toBeGreaterThan(0);
  viewer.send('SET_REPLICA', { collections: ['links'] });
  expect((await viewer.hear(({ command }) => command === 'ERROR')).data.message).toBe(
    'SET_REPLICA: links are for superusers.',
  );
  expect((await viewer.heardByNow()).filter(({ command }) => command === 'LINKS')).toEqual([]);
});

test('a long list of vehicles that others asked for just now comes with the latest states, and not to whom it is hidden', async () => {
  const long = Array.from({ length: 600 }, (_, at) => (at === 0 ? vans[0]!.glonassId : 900_000 + at));
  const [first, second, outsider] = [await listenAs(admin), await listenAs(admin), await listenAs(other.token)];
  const latest = (listener: Listener) =>
    listener.heard
      .filter(({ command }) => command === 'CAR_UPDATES')
      .flatMap(({ data }) => data)
      .at(-1)?.lat;
  const [before, after] = [fix(vans[0]!), fix(vans[0]!)] as [{ lat: number }, { lat: number }];
  await report(before);
  first.send('SET_OBSERVABLE_CARS', long);
  await expect.poll(() => latest(first)).toBe(before.lat);
  await report(after);
  await expect.poll(() => latest(first)).toBe(after.lat);
  second.send('SET_OBSERVABLE_CARS', long);
  await expect.poll(() => latest(second)).toBe(after.lat);
  outsider.send('SET_OBSERVABLE_CARS', long);
  await outsider.hear(({ command }) => command === 'CAR_UPDATES');
  expect(latest(outsider)).toBeUndefined();
});

test('a console that has no vehicles gets those that it may see as one compressed answer, and changes by pages', async () => {
  const { address } = station.station;
  const fill = async (token: string, encoding = 'gzip') => {
    const answer = await fetch(`${address}/replica/vehicles/fill`, {
      headers: { 'authorization': `Bearer ${token}`, 'accept-encoding': encoding },
    });
    expect(answer.status).toBe(200);
    const lines = (await answer.text()).split('\n').filter(Boolean);
    return {
      encoding: answer.headers.get('content-encoding'),
      epoch: answer.headers.get('waypost-epoch')!,
      after: answer.headers.get('waypost-checkpoint')!,
      vehicles: lines.flatMap((line) => JSON.parse(line) as { id: number; name: string }[]),
    };
  };
  const pages = async (token: string) =>
    (await station.ask('GET', '/replica/vehicles?limit=500', { as: token })).json().documents;
  const all = await fill(admin);
  expect(all.encoding).toBe('gzip');
  expect(all.vehicles).toEqual(await pages(admin));
  expect(all.vehicles.length).toBeGreaterThanOrEqual(2);
  for (const vehicle of all.vehicles) expect(Object.keys(vehicle)).not.toContain('devicePassword');
  expect((await fill(admin, 'identity')).vehicles).toEqual(all.vehicles);
  expect((await fill(admin, 'identity')).encoding).toBeNull();
  // Somebody of another organization: nothing of these.
  expect((await fill(other.token)).vehicles).toEqual(await pages(other.token));
  expect((await fill(other.token)).epoch).not.toBe(all.epoch);
  // A fill that was made before a change is given again for a while: the change follows from its checkpoint.
  const [van] = all.vehicles;
  await station.ask('PUT', `/cars/${van!.id}`, { as: admin, body: { name: 'Van 1, renamed' } });
  const again = await fill(admin);
  const since = (
    await station.ask('GET', `/replica/vehicles?after=${again.after}&epoch=${again.epoch}`, { as: admin })
  ).json();
  expect(since.reset).toBeUndefined();
  const held = new Map(again.vehicles.map((vehicle) => [vehicle.id, vehicle.name]));
  for (const { id, name } of since.documents) held.set(id, name);
  expect(held.get(van!.id)).toBe('Van 1, renamed');
  expect((await fetch(`${address}/replica/vehicles/fill`)).status).toBe(401);
});
