import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Accounts } from '../../../../server/access/accounts/index.ts';
import { Attempts, FAILURES, waitAfter, WINDOW } from '../../../../server/access/accounts/sign-in/attempts.ts';
import { MAX_SESSIONS, Tokens } from '../../../../server/access/accounts/tokens.ts';
import { openStore } from '../../../../server/store/index.ts';
import type { Store } from '../../../../server/store/index.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 1);

let directory: string;
let store: Store;
let accounts: Accounts;
let now = START;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'waypost-tokens-'));
  store = await openStore({ directory });
  accounts = await Accounts.open({
    store,
    clock: () => now,
    adminPassword: 'secret word',
    passwordCost: { memoryCost: 8, timeCost: 1 },
  });
});
afterAll(async () => {
  accounts.close();
  await store.close();
  rmSync(directory, { recursive: true });
});

test('a session ends 12 hours after its last use', async () => {
  const { token, expiresAt } = await accounts.signIn('admin', 'secret word', { address: 'here' });
  expect(expiresAt).toBe(now + 12 * HOUR);
  now += 11 * HOUR;
  expect(accounts.authenticate(token)?.user.login).toBe('admin');
  now += 11 * HOUR;
  expect(accounts.authenticate(token)).toBeDefined();
  now += 12 * HOUR;
  expect(accounts.authenticate(token)).toBeUndefined();
});

test('a session of a provider ends others only while its sign-in is recent', async () => {
  const { organizationId, roleId } = accounts.stationActor().user;
  const fields = { login: 'theirs', name: 'Theirs', password: 'a fine password', organizationId, roleId };
  const { id } = await accounts.administration.createUser(accounts.stationActor(), fields);
  const session = { userId: id, kind: 'session', name: '', scopes: null, expiresAt: null } as const;
  const begin = async () => (await accounts.tokens.issue({ ...session, method: 'oidc' }, now)).text;
  const [one, other] = [await begin(), await begin()];
  const end = () =>
    accounts.own.endSessions(accounts.authenticate(one)!, undefined, { password: undefined, address: 'here' });
  now += 10 * 60_000 + 1;
  await expect(end()).rejects.toMatchObject({ code: 'accounts.signInAgain' });
  expect(accounts.authenticate(other)).toBeDefined();
  now -= 1;
  await end();
  expect([accounts.authenticate(one)?.user.id, accounts.authenticate(other)]).toEqual([id, undefined]);
});

test('a session ends 30 days after it began, however often it is used', async () => {
  const { token } = await accounts.signIn('admin', 'secret word', { address: 'here' });
  const began = now;
  while (now + 10 * HOUR < began + 30 * DAY) {
    now += 10 * HOUR;
    expect(accounts.authenticate(token)).toBeDefined();
  }
  now = began + 30 * DAY;
  expect(accounts.authenticate(token)).toBeUndefined();
});

test('an access key has no end but the one it was given', async () => {
  const { caller } = await accounts.signIn('admin', 'secret word', { address: 'here' });
  const endless = await accounts.keys.issue(caller, { name: 'endless', scopes: null, expiresAt: null });
  const short = await accounts.keys.issue(caller, { name: 'short', scopes: ['read'], expiresAt: now + HOUR });
  now += HOUR - 1;
  expect(accounts.authenticate(short.text)?.token.scopes).toEqual(['read']);
  now += 400 * DAY;
  expect(accounts.authenticate(short.text)).toBeUndefined();
  expect(accounts.authenticate(endless.text)).toBeDefined();
});

test('the last use is written down at most once a minute, and is known after a restart', async () => {
  const { token } = await accounts.signIn('admin', 'secret word', { address: 'here' });
  const id = accounts.authenticate(token)!.token.id;
  const stored = () => Number(store.sql.prepare('SELECT used_at FROM tokens WHERE id = ?').get(id)!['used_at']);
  const began = now;
  now = began + 59_000;
  accounts.authenticate(token);
  await store.writePlain(() => undefined);
  expect(stored()).toBe(began);
  now = began + 60_000;
  accounts.authenticate(token);
  await store.writePlain(() => undefined);
  expect(stored()).toBe(began + 60_000);
  now += 12 * HOUR - 1000;
  const reopened = await Tokens.open(store, now);
  expect(reopened.use(token, now)?.id).toBe(id);
});

test('no token and no password can be read from the files of the station', async () => {
  const { token } = await accounts.signIn('admin', 'secret word', { address: 'here' });
  await store.writePlain(() => undefined);
  for (const file of ['station.db', 'station.db-wal']) {
    const bytes = readFileSync(join(directory, file));
    expect(bytes.includes(token)).toBe(false);
    expect(bytes.includes('secret word')).toBe(false);
  }
});

test('a disabled user is out at once, with all tokens, and back in with none of them', async () => {
  const { caller } = await accounts.signIn('admin', 'secret word', { address: 'here' });
  const user = await accounts.administration.createUser(caller, {
    login: 'leaver',
    name: 'Leaver',
    password: 'long enough',
  });
  const { token } = await accounts.signIn('leaver', 'long enough', { address: 'here' });
  const ended: number[] = [];
  const stop = accounts.tokens.onEnd((id) => ended.push(id));
  const id = accounts.authenticate(token)!.token.id;
  await accounts.administration.changeUser(caller, user.id, { enabled: false });
  stop();
  expect(ended).toEqual([id]);
  expect(accounts.authenticate(token)).toBeUndefined();
  await expect(accounts.signIn('leaver', 'long enough', { address: 'here' })).rejects.toMatchObject({
    kind: 'wrong-login',
  });
  await accounts.administration.changeUser(caller, user.id, { enabled: true });
  expect(accounts.authenticate(token)).toBeUndefined();
  await accounts.signIn('leaver', 'long enough', { address: 'here' });
});

test('a user whom another station disabled is out, too, and back in with none of the former tokens', async () => {
  const { caller } = await accounts.signIn('admin', 'secret word', { address: 'here' });
  const user = await accounts.administration.createUser(caller, {
    login: 'elsewhere',
    name: 'Elsewhere',
    password: 'long enough',
  });
  const { token } = await accounts.signIn('elsewhere', 'long enough', { address: 'here' });
  // As a change that came from there is written: as it is, by no rule of this station.
  for (const enabled of [false, true]) await accounts.users.change(user.id, (now) => ({ ...now, enabled }));
  expect(accounts.authenticate(token)).toBeUndefined();
});

test('a password that an administrator sets ends all tokens of the user; of one’s own the one that is used stays', async () => {
  const { caller, token: own } = await accounts.signIn('admin', 'secret word', { address: 'here' });
  const user = await accounts.administration.createUser(caller, {
    login: 'forgetful',
    name: 'Forgetful',
    password: 'long enough',
  });
  const { token } = await accounts.signIn('forgetful', 'long enough', { address: 'here' });
  const key = await accounts.keys.issue(
    (await accounts.signIn('forgetful', 'long enough', { address: 'here' })).caller,
    {
      name: 'key',
      scopes: null,
      expiresAt: null,
    },
  );
  await accounts.administration.changeUser(caller, user.id, { password: 'a new one' });
  expect([accounts.authenticate(token), accounts.authenticate(key.text)]).toEqual([undefined, undefined]);
  const { token: other } = await accounts.signIn('admin', 'secret word', { address: 'here' });
  await accounts.administration.changeUser(caller, caller.user.id, { password: 'secret word' });
  expect([accounts.authenticate(own)?.user.login, accounts.authenticate(other)]).toEqual(['admin', undefined]);
});

test('a station that was restored from a backup believes no session of before; access keys stay as they are', async () => {
  const { caller, token } = await accounts.signIn('admin', 'secret word', { address: 'here' });
  const key = await accounts.keys.issue(caller, {
    name: 'logger',
    scopes: ['read', 'telemetry'],
    expiresAt: now + DAY,
  });
  const open = async () => {
    const station = await Accounts.open({ store, clock: () => now });
    onTestFinished(() => station.close());
    return station;
  };
  expect((await open()).authenticate(token)?.user.login).toBe('admin');
  await store.writePlain((sql) => sql.exec("UPDATE accounts_state SET value = 'of the backup' WHERE name = 'epoch'"));
  const restored = await open();
  expect(restored.authenticate(token)).toBeUndefined();
  expect(restored.authenticate(key.text)?.token).toEqual({
    id: key.token.id,
    kind: 'key',
    scopes: ['read', 'telemetry'],
  });
  expect(restored.tokens.keys(now)).toContainEqual(key.token);
});

test('a password has 8 to 500 characters, in any composition, and is not one of the most common ones', async () => {
  const { caller } = await accounts.signIn('admin', 'secret word', { address: 'here' });
  const make = async (login: string, password: string) =>
    accounts.administration.createUser(caller, { login, name: login, password });
  for (const wrong of ['abcdefg', '🚒🚒🚒🚒🚒🚒🚒', 'x'.repeat(501)])
    await expect(make('wrong', wrong)).rejects.toThrow('password must have at');
  for (const easy of [
    '12345678',
    '87654321',
    '11111111',
    '12121212',
    '123123123',
    'QwertyUiop',
    'йцукенгш',
    'Пароль123',
  ])
    await expect(make('easy', easy)).rejects.toThrow('password is too easy to guess.');
  for (const known of ['Password1', 'secret123', 'liverpool1', 'trustno1'])
    await expect(make('known', known)).rejects.toThrow('password is known from published breaches.');
  for (const [login, own] of [
    ['anna.petrova', 'AnnaPetrova'],
    ['anna.petrova', 'anna petrova 2026'],
    ['night', 'Control room'],
    ['night', 'CONTROL-ROOM-1'],
  ] as const)
    await expect(make(login, own), own).rejects.toThrow('password is too easy to guess.');
  await make('anna.petrova', 'anna petrova at night');
  for (const [index, fair] of ['1234567x', 'correct horse', '20260714', 'abcabdab'].entries())
    await make(`fair${index}`, fair);
  await make('fire', '🚒🚒🚒🚒🚒🚒🚒🚑');
  await make('longest', '🚒'.repeat(499) + '🚑');
  await make('elise', 'e\u0301lise567');
  expect((await accounts.signIn('elise', '\u00e9lise567', { address: 'here' })).caller.user.login).toBe('elise');
});

test('a session that begins with a password ends with it, also when the password is changed while it begins', async () => {
  const { caller } = await accounts.signIn('admin', 'secret word', { address: 'here' });
  const user = await accounts.administration.createUser(caller, {
    login: 'hasty',
    name: 'Hasty',
    password: 'known to all',
  });
  // A failure, so that there is something to write between the proof of the password and the session.
  await expect(accounts.signIn('hasty', 'wrong', { address: 'here' })).rejects.toMatchObject({ kind: 'wrong-login' });
  const [begun] = await Promise.allSettled([
    accounts.signIn('hasty', 'known to all', { address: 'here' }),
    accounts.administration.changeUser(caller, user.id, { password: 'known to one' }),
  ]);
  const alive = store.sql.prepare('SELECT count(*) AS count FROM tokens WHERE user_id = ?').get(user.id)!['count'];
  expect([begun.status === 'fulfilled' && accounts.authenticate(begun.value.token) !== undefined, alive]).toEqual([
    false,
    0,
  ]);
});

test('of too many sessions of one user the ones used least recently end', async () => {
  const { caller } = await accounts.signIn('admin', 'secret word', { address: 'here' });
  const { id } = await accounts.administration.createUser(caller, {
    login: 'script',
    name: 'Script',
    password: 'long enough',
  });
  const issue = async () => (
    await accounts.tokens.makeRoom(id),
    accounts.tokens.issue({ userId: id, kind: 'session', name: '', scopes: null, expiresAt: null }, now)
  );
  const issued = [];
  for (let i = 0; i < MAX_SESSIONS; i++) {
    now += 2000;
    issued.push(await issue());
  }
  now += 2000;
  expect(accounts.authenticate(issued[0]!.text)).toBeDefined(); // so the second is now the one used least recently
  await issue();
  expect(accounts.authenticate(issued[0]!.text)).toBeDefined();
  expect(accounts.authenticate(issued[1]!.text)).toBeUndefined();
  expect(accounts.authenticate(issued[2]!.text)).toBeDefined();
});

test('the wait after failures ends when the first of the last ten is 15 minutes old', () => {
  const failures = Array.from({ length: FAILURES }, (_, index) => index * 1000);
  expect(waitAfter(failures.slice(1), 10_000)).toBe(0);
  expect(waitAfter(failures, 10_000)).toBe(WINDOW - 10_000);
  expect(waitAfter(failures, WINDOW - 1)).toBe(1);
  expect(waitAfter(failures, WINDOW)).toBe(0);
  expect(waitAfter([...failures, 20_000], 20_000)).toBe(WINDOW + 1000 - 20_000);
  expect(WINDOW).toBe(15 * 60_000);
});

test('sign-ins that are under way count for nothing: of 24 right ones at once all are let in, of wrong ones ten', async () => {
  const attempts = await Attempts.open(store, () => now);
  let underWay = 0;
  let most = 0;
  // Longer than it takes all of them to begin, as a slow hash does.
  const tryAll = (isRight: boolean) =>
    Promise.allSettled(
      Array.from({ length: 24 }, () =>
        attempts.try('crowd', '192.0.2.24', async () => {
          most = Math.max(most, ++underWay);
          await new Promise((resolve) => setTimeout(resolve, 5));
          underWay--;
          return isRight;
        }),
      ),
    );
  expect((await tryAll(true)).map(({ status }) => status)).toEqual(Array(24).fill('fulfilled'));
  expect(most).toBe(FAILURES);
  const wrong = (await tryAll(false)).map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as { kind: string }).kind,
  );
  expect(wrong.toSorted()).toEqual([...Array(FAILURES).fill(false), ...Array(24 - FAILURES).fill('too-many-attempts')]);
  await attempts.lift('crowd');
});

test('a failure with a stamp from the future does not count: neither when the clock was put back, nor after a restart', async () => {
  expect(
    waitAfter(
      Array.from({ length: FAILURES }, () => 10_001),
      10_000,
    ),
  ).toBe(0);
  const put = now;
  onTestFinished(() => {
    now = put;
  });
  now += 400 * DAY;
  const signIn = (from: Accounts, password: string) =>
    from.signIn('admin', password, { address: 'a clock ahead' }).then(
      () => 'in',
      (error: { kind: string }) => error.kind,
    );
  for (let i = 0; i < FAILURES; i++) expect(await signIn(accounts, 'wrong')).toBe('wrong-login');
  expect(await signIn(accounts, 'secret word')).toBe('too-many-attempts');
  now = put;
  const restarted = await Accounts.open({ store, clock: () => now, passwordCost: { memoryCost: 8, timeCost: 1 } });
  onTestFinished(() => restarted.close());
  expect([await signIn(accounts, 'secret word'), await signIn(restarted, 'secret word')]).toEqual(['in', 'in']);
  now += 400 * DAY;
  expect(await signIn(restarted, 'secret word')).toBe('in');
});

test('an unknown login costs as much work as a wrong password', async () => {
  // Processor time and not the clock’s, since the machine has other work; without the hash it would be a
  // hundredth.
  const real = await Accounts.open({ store, clock: () => now });
  const { caller } = await accounts.signIn('admin', 'secret word', { address: 'here' });
  await real.administration.createUser(caller, { login: 'slow', name: 'Slow', password: 'long enough' });
  const work = async (login: string) => {
    const before = process.cpuUsage();
    for (let i = 0; i < 8; i++) await real.signIn(login, 'wrong', { address: `${login}${i}` }).catch(() => undefined);
    return process.cpuUsage(before).user;
  };
  await work('warm');
  const [known, unknown] = [await work('slow'), await work('nobody')];
  real.close();
  expect(unknown / known).toBeGreaterThan(0.2);
  expect(unknown / known).toBeLessThan(5);
});
