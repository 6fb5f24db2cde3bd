import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROGRAM } from '../../support/program.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;

/** The command as an operator starts it: real processes on free ports. */
interface Run {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly error: () => string;
  /** Exit code and signal. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

let directory: string;
const runs: Run[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'waypost-serve-'));
});
afterEach(async () => {
  for (const run of runs.splice(0)) {
    run.child.kill('SIGKILL');
    await run.ended;
  }
  rmSync(directory, { recursive: true, force: true });
});

function waypost(words: readonly string[], environment: NodeJS.ProcessEnv = {}, input = ''): Run {
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    cwd: ROOT,
    env: { ...process.env, WAYPOST_DATA: directory, ...environment },
  });
  let out = '';
  let error = '';
  child.stdout.on('data', (bytes) => (out += bytes));
  child.stderr.on('data', (bytes) => (error += bytes));
  child.stdin.end(input);
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal })),
  );
  const run = { child, out: () => out, error: () => error, ended };
  runs.push(run);
  return run;
}

/** Resolves with the address when the line appears; rejects when the process ends before. */
async function address(run: Run): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const found = /^Waypost is listening on (http:\/\/\S+)$/m.exec(run.out())?.[1];
      if (found) resolve(found);
    };
    run.child.stdout!.on('data', look);
    void run.ended.then(() => reject(new Error(`It ended: ${run.error()}`)));
    look();
  });
}

const serve = (environment: NodeJS.ProcessEnv = {}, ...words: string[]) =>
  waypost(['serve', '--port', '0', ...words], { WAYPOST_ADMIN_PASSWORD: 'a good one', ...environment });

async function signIn(base: string, login = 'admin', password = 'a good one'): Promise<Response> {
  return fetch(`${base}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login, password }),
  });
}

test('it prints one line when it answers, and ends cleanly on SIGTERM and on SIGINT with nothing lost', async () => {
  for (const [round, signal] of (['SIGTERM', 'SIGINT'] as const).entries()) {
    const run = serve();
    const base = await address(run);
    expect((await fetch(`${base}/health`)).status).toBe(200);
    const { token } = (await (await signIn(base)).json()) as { token: string };
    const made = await fetch(`${base}/organizations?token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Round ${round}` }),
    });
    expect(made.status).toBe(200);
    run.child.kill(signal);
    run.child.kill(signal); // a terminal tells the whole group, and the program in front of us passes it on
    expect(await run.ended).toEqual({ code: 0, signal: null });
    expect(run.out()).toBe(`Waypost is listening on ${base}\n`);
    expect(run.error()).toBe('');
    expect(existsSync(join(directory, 'control.json'))).toBe(false);
  }
  const base = await address(serve());
  const { token } = (await (await signIn(base)).json()) as { token: string };
  const names = ((await (await fetch(`${base}/organizations?token=${token}`)).json()) as { name: string }[]).map(
    (organization) => organization.name,
  );
  expect(names).toEqual(expect.arrayContaining(['Round 0', 'Round 1']));
});

test('what was acknowledged is there after kill -9, and so is the session', async () => {
  const run = serve();
  const base = await address(run);
  const { token } = (await (await signIn(base)).json()) as { token: string };
  await fetch(`${base}/organizations?token=${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"Before the crash"}',
  });
  run.child.kill('SIGKILL');
  await run.ended;
  const again = await address(serve());
  const answered = await fetch(`${again}/organizations?token=${token}`);
  expect(answered.status).toBe(200);
  expect(await answered.text()).toContain('Before the crash');
});

test('a second station on the same data is refused in words; the first goes on', async () => {
  const base = await address(serve());
  const second = serve();
  expect(await second.ended).toEqual({ code: 1, signal: null });
  expect(second.out()).toBe('');
  expect(second.error()).toMatch(/^waypost: The data directory .+ is in use by another Waypost.*\n$/);
  expect((await fetch(`${base}/health`)).status).toBe(200);
});

test('a port that is taken is reported in a sentence', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  const run = waypost(['serve', '--port', String(port)]);
  expect(await run.ended).toEqual({ code: 1, signal: null });
  expect(run.error()).toContain(`waypost: Port ${port} of 127.0.0.1 is taken by another program.`);
  expect(run.out()).toBe('');
  other.close();
});

test('a first start that comes to nothing still tells the password that it made: the next start has none to tell', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const failing = waypost(['serve', '--port', String((other.address() as AddressInfo).port)], {
    WAYPOST_ADMIN_PASSWORD: '',
  });
  expect((await failing.ended).code).toBe(1);
  other.close();
  const password = /the password (\S+) /.exec(failing.error())![1]!;
  const next = serve({ WAYPOST_ADMIN_PASSWORD: '' });
  expect((await signIn(await address(next), 'admin', password)).status).toBe(200);
  // Until somebody has set it up, each start says where.
  expect(next.error()).toMatch(/^Set the station up in a browser here: http:\S+\n$/);
});

test('a data directory that cannot be created or written is reported in a sentence', async () => {
  writeFileSync(join(directory, 'file'), '');
  const run = waypost(['serve', '--port', '0', '--data', join(directory, 'file', 'data')]);
  expect((await run.ended).code).toBe(1);
  expect(run.error()).toMatch(/^waypost: The data directory \S+\/file\/data cannot be used: [^\n]+\n$/);
  mkdirSync(join(directory, 'station.lock')); // also root cannot open this as a file
  const locked = waypost(['serve', '--port', '0']);
  expect((await locked.ended).code).toBe(1);
  expect(locked.error()).toMatch(/^waypost: The data directory \S+ cannot be used: [^\n]+\n$/);
});

test('wrong arguments are refused in a sentence, with exit code 2', async () => {
  const cases = [
    [['serve', '--port', 'x'], '--port is "x"'],
    [['serve', '--nonsense'], '--nonsense'],
    [['dance'], 'no command dance'],
    [['user', 'add'], 'waypost user add LOGIN'],
    [['import'], 'waypost import FILE'],
  ] as const;
  for (const [run, words, says] of cases.map(([words, says]) => [waypost(words), words, says] as const)) {
    expect((await run.ended).code, words.join(' ')).toBe(2);
    expect(run.error()).toContain(says);
    expect(run.error().trimEnd().split('\n')).toHaveLength(1);
  }
});

test.each([[['--help']], [['import', '--help']]])('%j names what an import may be told', async (words) => {
  const run = waypost(words);
  expect((await run.ended).code).toBe(0);
  for (const option of ['--name', '--profile', '--min-component', '--data']) expect(run.out()).toContain(option);
});

test('the help lists every command and setting', async () => {
  const run = waypost(['--help']);
  expect((await run.ended).code).toBe(0);
  for (const word of [
    'serve',
    'import',
    'user',
    'backup',
    'restore',
    'simulate',
    '--data',
    '--port',
    'WAYPOST_ADMIN_PASSWORD',
    'router.anonymous',
  ])
    expect(run.out()).toContain(word);
});

test('without a password for the administrator one is made, and told once', async () => {
  const first = serve({ WAYPOST_ADMIN_PASSWORD: '' });
  const base = await address(first);
  const password = /the password (\S+) /.exec(first.error())![1]!;
  const vehicles = async (chosen: string) => {
    const { token } = (await (await signIn(base, 'admin', chosen)).json()) as { token: string };
    return (await fetch(`${base}/cars`, { headers: { authorization: `Bearer ${token}` } })).status;
  };
  expect(await vehicles(password)).toBe(403); // it opens only the choice of another one
  expect((await waypost(['user', 'password', 'admin'], {}, 'chosen here\n').ended).code).toBe(0);
  expect(await vehicles('chosen here')).toBe(200);
  first.child.kill('SIGTERM');
  await first.ended;
  const second = serve({ WAYPOST_ADMIN_PASSWORD: '' });
  await address(second);
  expect(second.error()).toBe('');
});

test('users are managed with and without a running station', async () => {
  const add = waypost(
    ['user', 'add', 'early', '--right', 'Viewer'],
    { WAYPOST_ADMIN_PASSWORD: 'a good one' },
    'early password\n',
  );
  expect((await add.ended).code, add.error()).toBe(0);
  const base = await address(serve());
  expect((await signIn(base, 'early', 'early password')).status).toBe(200);
  expect(statSync(join(directory, 'control.json')).mode & 0o077).toBe(0);

  const late = waypost(['user', 'add', 'late', '--name', 'Late Comer', '--right', 'viewer'], {}, 'late password\n');
  expect((await late.ended).code, late.error()).toBe(0);
  const mighty = waypost(['user', 'add', 'mighty', '--right', 'Almighty'], {}, 'mighty password\n');
  expect((await mighty.ended).code).toBe(1);
  expect(mighty.error()).toContain('There is no role Almighty. There are: Administrator, Dispatcher, Viewer.');
  expect(await (await signIn(base, 'late', 'late password')).json()).toMatchObject({
    user: { fio: 'Late Comer', right: { name: 'Viewer' } },
  });
  expect((await waypost(['user', 'password', 'late'], {}, 'another password\n').ended).code).toBe(0);
  expect((await signIn(base, 'late', 'late password')).status).toBe(401);
  expect((await signIn(base, 'late', 'another password')).status).toBe(200);

  const { token } = (await (await signIn(base, 'late', 'another password')).json()) as { token: string };
  const ask = async (path: string, body: object) => {
    const headers = { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' };
    return (await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  const { secret } = (await ask('/auth/totp', { password: 'another password' })) as { secret: string };
  await ask('/auth/totp/confirm', { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() });
  expect((await signIn(base, 'late', 'another password')).status).toBe(401);
  expect((await waypost(['user', 'remove-factor', 'late']).ended).code).toBe(0);
  expect((await signIn(base, 'late', 'another password')).status).toBe(200);
  // As at the sign-in, a login is one however it is typed: here in large and full-width letters.
  expect((await waypost(['user', 'disable', 'ＬATE']).ended).code).toBe(0);
  expect((await signIn(base, 'late', 'another password')).status).toBe(401);

  const unknown = waypost(['user', 'disable', 'nobody']);
  expect((await unknown.ended).code).toBe(1);
  expect(unknown.error()).toBe('waypost: There is no user nobody.\n');
  const last = waypost(['user', 'disable', 'admin']);
  expect((await last.ended).code).toBe(1);
  expect(last.error()).toContain('last administrator');
});

test('a new password by the command lifts the lock of a login, with and without a running station', async () => {
  const add = waypost(['user', 'add', 'locked'], { WAYPOST_ADMIN_PASSWORD: 'a good one' }, 'locked password\n');
  expect((await add.ended).code, add.error()).toBe(0);
  const run = serve();
  const base = await address(run);
  const lock = async (at: string) => {
    for (let i = 0; i < 10; i++) expect((await signIn(at, 'locked', 'wrong')).status).toBe(401);
    expect((await signIn(at, 'locked', 'locked password')).status).toBe(429);
  };
  await lock(base);
  expect((await waypost(['user', 'password', 'locked'], {}, 'another password\n').ended).code).toBe(0);
  expect((await signIn(base, 'locked', 'another password')).status).toBe(200);

  await lock(base);
  run.child.kill('SIGTERM');
  await run.ended;
  expect((await waypost(['user', 'password', 'locked'], {}, 'a third password\n').ended).code).toBe(0);
  expect((await signIn(await address(serve()), 'locked', 'a third password')).status).toBe(200);
});

test('logins of the demo end when its data are served without --demo, and come back with it', async () => {
  const serveDemo = () => serve({ WAYPOST_DEMO_SPEED: '0' }, '--demo');
  const enters = async (run: ReturnType<typeof serve>) =>
    (await signIn(await address(run), 'dispatcher', 'dispatcher')).status;
  const stop = async (run: ReturnType<typeof serve>) => {
    run.child.kill('SIGTERM');
    await run.ended;
  };
  const demo = serveDemo();
  expect(await enters(demo)).toBe(200);
  await stop(demo);
  const plain = serve();
  expect(await enters(plain)).toBe(401);
  await stop(plain);
  expect(await enters(serveDemo())).toBe(200);
}, 60_000);

test('a backup of a running station comes back as that station, and ends the sessions of its time', async () => {
  const run = serve();
  const base = await address(run);
  const { token } = (await (await signIn(base)).json()) as { token: string };
  await fetch(`${base}/organizations?token=${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"Saved"}',
  });
  const zip = join(directory, 'backup.zip');
  const backup = waypost(['backup', zip]);
  expect((await backup.ended).code, backup.error()).toBe(0);
  run.child.kill('SIGTERM');
  await run.ended;
  const elsewhere = mkdtempSync(join(tmpdir(), 'waypost-restored-'));
  const restore = waypost(['restore', zip, '--data', elsewhere]);
  expect((await restore.ended).code, restore.error()).toBe(0);
  const again = await address(serve({}, '--data', elsewhere));
  expect((await fetch(`${again}/organizations?token=${token}`)).status).toBe(401);
  const fresh = (await (await signIn(again)).json()) as { token: string };
  expect(await (await fetch(`${again}/organizations?token=${fresh.token}`)).text()).toContain('Saved');
  for (const run of runs.splice(0)) {
    run.child.kill('SIGKILL');
    await run.ended;
  }
  rmSync(elsewhere, { recursive: true, force: true });
});

test('the log of a station holds neither passwords nor tokens', async () => {
  const base = await address(serve({ WAYPOST_LOG_LEVEL: 'TRACE' }));
  const { token } = (await (await signIn(base)).json()) as { token: string };
  await fetch(`${base}/users/current?token=${token}`);
  await fetch(`${base}/users/%ff?token=${token}`);
  const log = await (await fetch(`${base}/log/app?token=${token}`)).text();
  expect(log).toContain('/users/current?token=…');
  const files = (JSON.parse(log) as { time: number }[]).map((entry) =>
    join(directory, 'log', `waypost-${new Date(entry.time).toISOString().slice(0, 10)}.0000.log`),
  );
  for (const file of new Set(files)) {
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain(token);
    expect(text).not.toContain('a good one');
  }
});
