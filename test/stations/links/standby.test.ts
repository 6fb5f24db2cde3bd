import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { follow, waypost } from '../harness/command-line.ts';
import { areEqual, pair, startStations, TestStation } from '../harness/linked.ts';
import { freePort } from '../../support/free-ports.ts';

interface Task {
  readonly id: number;
  readonly title: string;
  readonly text: string;
}

async function createTask(station: TestStation, title: string): Promise<number> {
  const { newstype } = await station.ask<{ newstype: { news_type_id: string }[] }>('GET', '/newstype');
  const values = { title, news_type_id: Number(newstype[0]!.news_type_id) };
  return (await station.ask<{ newsId: number }>('POST', '/news/', { values })).newsId;
}

async function task(station: TestStation, id: number): Promise<Task | undefined> {
  return station.ask<{ news_data: Task }>('GET', `/news/${id}`).then(
    ({ news_data: data }) => data,
    () => undefined,
  );
}

const leadershipStateOf = async (station: TestStation) => (await station.links())[0]!.leadership;

test('[sync 90] [sync 91] [sync 93] [sync 97] a standby is promoted when its station is lost, and merges what that one alone had', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  const id = await createTask(a, 'Tree on road');
  const cable = await follow(b, a);

  // An exact copy: its own first records are gone, and were never at the other station.
  for (const path of ['/newstype', '/category', '/users', '/organizations', '/rights'])
    expect(await b.ask('GET', path), path).toEqual(await a.ask('GET', path));
  expect(await a.ask<object[]>('GET', '/users')).toHaveLength(1);
  expect(await Promise.all([leadershipStateOf(a), leadershipStateOf(b)])).toEqual(['followed', 'follows']);
  await expect(createTask(b, 'Refused')).rejects.toThrow(/409 .*standby of Station 1/);
  await expect(b.ask('POST', '/telemetry', [])).rejects.toThrow(/409 .*standby of Station 1/);
  const health = async (station: TestStation) => station.ask<{ standby: object | null }>('GET', '/health');
  await expect.poll(async () => (await health(b)).standby).toEqual({ of: 'Station 1', behind: 0, filled: 1 });
  expect((await health(a)).standby).toBeNull();
  await a.ask('POST', `/news/${id}/update`, { text: 'Two lanes' });
  await expect.poll(() => task(b, id)).toMatchObject({ text: 'Two lanes' });

  // The cable breaks, one station goes on alone for a while, and is lost.
  await areEqual([a, b]);
  cable.cut();
  await a.ask('POST', `/news/${id}/update`, { title: 'Tree on Harbour Road' });
  const alone = await createTask(a, 'Known to one station');
  await a.end('SIGKILL');
  await b.end('SIGKILL');
  await b.start();
  expect((await health(b)).standby).toEqual({ of: 'Station 1', behind: expect.any(Number), filled: 1 });

  expect(await waypost(b, 'promote', '--confirm', 'Station 7')).toMatchObject({ code: 1 });
  expect((await waypost(b, 'promote')).code).toBe(2);
  const lostAt = performance.now();
  const { said, code } = await waypost(b, 'promote', '--confirm', 'Station 1');
  expect(said).toContain('This station leads now, in place of Station 1.');
  expect(said).toMatch(/Everything up to .* is here\. What Station 1 wrote in the \d+ s since then may be missing\./);
  expect(said).toContain('Known to be missing: 0 records, 0 files, 0 positions.');
  expect(code).toBe(0);
  const after = await createTask(b, 'After the promotion');
  expect(performance.now() - lostAt).toBeLessThan(60_000);
  await b.ask('POST', `/news/${id}/update`, { title: 'Tree on Mill Lane' });

  await a.start();
  cable.join();
  await areEqual([a, b]);
  expect(await task(b, alone)).toMatchObject({ title: 'Known to one station' });
  expect(await task(a, after)).toMatchObject({ title: 'After the promotion' });
  for (const station of [a, b]) {
    expect(await task(station, id)).toMatchObject({ title: 'Tree on Mill Lane', text: 'Two lanes' });
    expect(await station.ask('GET', '/merges?open=true')).toMatchObject([
      { field: 'title', lost: { value: 'Tree on Harbour Road', station: { number: 1 } } },
    ]);
  }

  // Two lead, and both say so, until one follows the other.
  expect(await Promise.all([leadershipStateOf(a), leadershipStateOf(b)])).toEqual(['replaced', 'promoted']);
  expect((await waypost(a, 'link', 'list')).said).toContain('Station 2 was promoted in place of this station.');
  await createTask(a, 'Both lead');
  expect((await waypost(a, 'link', 'follow', 'Station 2')).said).toContain('This station is a standby of Station 2');
  await expect.poll(() => Promise.all([leadershipStateOf(a), leadershipStateOf(b)])).toEqual(['follows', 'followed']);
  await expect(createTask(a, 'Refused')).rejects.toThrow(/409 .*standby of Station 2/);
  await areEqual([a, b]);
});

test('[sync 96] of two stations that begin to follow each other while apart, that of the lower number leads', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  const cable = await pair(b, a);
  await areEqual([a, b]);
  cable.cut();
  for (const [station, other] of [
    [a, 'Station 2'],
    [b, 'Station 1'],
  ] as const)
    expect((await waypost(station, 'link', 'follow', other)).said).toContain(`standby of ${other}`);
  cable.join();
  await expect.poll(() => Promise.all([leadershipStateOf(a), leadershipStateOf(b)])).toEqual(['followed', 'follows']);
  await createTask(a, 'Taken by the one that leads');
  await expect(createTask(b, 'Refused')).rejects.toThrow(/409 .*standby of Station 1/);
  await areEqual([a, b]);
});

/** What a standby answers although it is no GET: nothing of it replicates. */
const ON_STANDBY = [
  'POST /auth/login',
  'POST /auth/logout',
  'POST /auth/oidc/hand-over',
  'POST /auth/passkey',
  'POST /auth/passkey/challenge',
  'POST /auth/unlock',
  'POST /auth/sessions/end',
  'POST /users/sign-out',
  'POST /backups',
  'POST /backups/copies',
  'POST /auth/keys',
  'DELETE /auth/keys/{id}',
  'POST /news/allowed/try',
  'POST /closures/preview',
  'POST /proposals',
  'POST /geocoding/batch',
  'POST /events/replay',
  'POST /territory',
  'POST /territory/previous',
  'DELETE /territory/import',
  'POST /raster-layers',
  'PUT /raster-layers/{id}',
  'DELETE /raster-layers/{id}',
  'POST /links/codes',
  'POST /links',
  'PUT /links/{id}',
  'DELETE /links/{id}',
  'POST /links/challenges',
  'POST /links/pairings',
  'POST /links/pairings/proof',
  'POST /standby/promotion',
];

/** Whether something listens on the port of this machine. */
async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isThere = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isThere;
}

test('[sync 91] [sync 92] [sync 93] [sync 100] a standby refuses every change, and a kill during its promotion leaves it whole', async () => {
  const port = await freePort();
  const [a, b] = [
    new TestStation(1, { WAYPOST_WIALON_PORT: String(port), WAYPOST_MAIL_DAYS: '33' }),
    new TestStation(2),
  ];
  onTestFinished(async () => {
    await Promise.all([a.end('SIGKILL'), b.end('SIGKILL')]);
    for (const { directory } of [a, b]) rmSync(directory, { recursive: true, force: true });
  });
  await Promise.all([a.start(), b.start()]);
  await follow(b, a);

  const { paths } = await b.ask<{ paths: Record<string, Record<string, object>> }>('GET', '/openapi.json');
  const answers = await Promise.all(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .map((method) => method.toUpperCase())
        .filter((method) => method !== 'GET' && method !== 'HEAD' && !ON_STANDBY.includes(`${method} ${path}`))
        // The telephones of crews have tokens of their own.
        .filter(() => !path.startsWith('/crew/'))
        .map(async (method) => {
          const response = await fetch(b.address + path.replaceAll(/\{\w+\}/g, '1'), {
            method,
            headers: { 'authorization': `Bearer ${b.token}`, 'content-type': 'application/json' },
            body: '{}',
          });
          return { path: `${method} ${path}`, status: response.status, said: await response.text() };
        }),
    ),
  );
  expect(answers.length).toBeGreaterThan(80);
  expect(answers.filter(({ status, said }) => status !== 409 || !said.includes('standby of Station 1'))).toEqual([]);
  // While it is filled it may be cut.
  const filled = async () => (await b.ask<{ standby: { filled: number } }>('GET', '/sync/state')).standby.filled;
  await expect.poll(filled).toBe(1);
  await expect(b.ask('PUT', '/links/1', { organizations: [1] })).rejects.toThrow(/400 .*cannot have limits/);
  await expect(b.ask('DELETE', '/links/1')).rejects.toThrow(/400 .*Promote it before you cut the link/);

  const followed = () => JSON.parse(readFileSync(join(b.directory, 'followed.json'), 'utf8')) as object;
  await expect.poll(followed).toMatchObject({ wialonPort: port, mailDays: 33 });
  const digest = (await b.ask<{ digest: string }>('GET', '/sync/state')).digest;
  await a.end('SIGKILL');
  expect(await isOpen(port)).toBe(false);
  for (const delay of [0, 3, 12]) {
    b.ask('POST', '/standby/promotion', { confirm: 'Station 1' }).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, delay));
    await b.end('SIGKILL');
    await b.start();
    expect(['follows', 'promoted']).toContain(await leadershipStateOf(b));
  }
  if ((await leadershipStateOf(b)) === 'follows') await b.ask('POST', '/standby/promotion', { confirm: 'Station 1' });
  await expect.poll(() => isOpen(port)).toBe(true);
  expect((await b.ask<{ digest: string }>('GET', '/sync/state')).digest).toBe(digest);
  await createTask(b, 'After the promotion');
});
