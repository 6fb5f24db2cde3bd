import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, tryStation } from '../try-station.ts';
import type { TryStation } from '../try-station.ts';

let at: TryStation;
beforeAll(async () => {
  at = await tryStation();
});
afterAll(() => at.stop());

const login = (body: object, from = '127.0.0.1') => at.ask('POST', '/auth/login', { body, from });

test('a right pair gives a token, its end, and the current user', async () => {
  const before = Date.now();
  const answered = await login(ADMIN);
  expect(answered.status).toBe(200);
  const { token, expiresAt, user } = answered.json();
  expect(token).toMatch(/^[\w-]{43}$/); // 256 bits
  expect(expiresAt).toBeGreaterThanOrEqual(before + 12 * 3600_000);
  expect(user).toMatchObject({
    login: 'admin',
    right: { admin: true, wheel: true, name: 'Administrator', usersCount: expect.any(Number) },
    organization: { info: { orgId: user.organizationId } },
    currentOrgId: user.organizationId,
  });
  expect(answered.text).not.toContain('argon2');
  expect((await at.ask('GET', '/users/current', { as: token })).json()).toEqual(user);
});

test('[sync 41] a person whose login got the number of a station reads the new login after entering the right password', async () => {
  for (const [name, password] of [
    ['twice', 'of the first'],
    ['Twice~2', 'of the second'],
    ['twice~other', 'of another one'],
  ] as const) {
    const { token } = await at.newUser(name, 'Viewer');
    const body = { oldPassword: 'a fine password', newPassword: password };
    expect((await at.ask('POST', '/auth/password', { as: token, body })).status).toBe(200);
  }
  expect((await login({ login: 'twice', password: 'of the first' })).status).toBe(200);
  const renamed = await login({ login: 'Twice', password: 'of the second' });
  expect([renamed.status, renamed.text]).toEqual([
    401,
    'Somebody at a linked station had this login before you. Yours is Twice~2 now.',
  ]);
  for (const password of ['neither', 'of another one'])
    expect((await login({ login: 'twice', password })).text).toBe('The login or the password is wrong.');
  expect((await login({ login: 'twice~2', password: 'of the second' })).status).toBe(200);
});

test('the login is taken without regard to case', async () => {
  expect((await login({ ...ADMIN, login: 'ADMIN' })).status).toBe(200);
});

test('a wrong pair answers 401 in plain text, and does not tell whether the login exists', async () => {
  const wrong = await login({ login: 'admin', password: 'wrong' });
  const unknown = await login({ login: 'nobody', password: 'wrong' });
  expect(wrong.status).toBe(401);
  expect(wrong.type).toContain('text/plain');
  expect(unknown).toMatchObject({ status: 401, text: wrong.text });
});

test('a token is taken from the query, the header, and the cookie of the console', async () => {
  const answered = await login(ADMIN);
  const { token } = answered.json();
  const cookie = answered.headers.get('set-cookie')!;
  expect(cookie).toContain('HttpOnly');
  expect(cookie).toContain('SameSite=Strict');
  expect(cookie).not.toContain('Domain');
  expect((await at.ask('GET', `/users/current?token=${token}`)).status).toBe(200);
  expect((await at.ask('GET', '/users/current', { as: token })).status).toBe(200);
  expect((await at.ask('GET', '/users/current', { headers: { cookie: cookie.split(';')[0]! } })).status).toBe(200);
  expect((await at.ask('GET', '/users/current')).status).toBe(401);
  expect((await at.ask('GET', `/users/current?token=${token}x`)).status).toBe(401);
  expect((await at.ask('GET', '/users/current?token=')).status).toBe(401);
});

test('a cookie does not write for a page of another origin', async () => {
  const cookie = (await login(ADMIN)).headers.get('set-cookie')!.split(';')[0]!;
  const write = (headers: Record<string, string>) =>
    at.ask('POST', '/organizations', { body: { name: 'By cookie' }, headers: { cookie, ...headers } });
  expect((await write({ origin: 'https://elsewhere.example' })).status).toBe(401);
  expect((await write({ origin: 'null' })).status).toBe(401);
  expect((await write({ origin: at.station.address })).status).toBe(200);
  expect((await write({ 'sec-fetch-site': 'cross-site' })).status).toBe(401);
  expect((await write({ 'sec-fetch-site': 'same-site' })).status).toBe(401); // another port of this machine
  expect((await write({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  // A token that is sent on purpose is no cookie that a browser adds by itself.
  expect(
    (
      await at.ask('POST', '/organizations', {
        as: await at.signIn(),
        body: { name: 'By token' },
        headers: { origin: 'https://elsewhere.example' },
      })
    ).status,
  ).toBe(200);
});

test('after signing out the token is dead at once, and others of the user live', async () => {
  const [one, other] = [await at.signIn(), await at.signIn()];
  const out = await at.ask('POST', '/auth/logout', { as: one });
  expect(out.json()).toEqual({ status: 'ok' });
  expect(out.headers.get('set-cookie')).toMatch(/^waypost_token=; .*Max-Age=0/);
  expect((await at.ask('GET', '/users/current', { as: one })).status).toBe(401);
  expect((await at.ask('GET', '/users/current', { as: other })).status).toBe(200);
});

test('a browser that signs in again has one session, for any user; sessions elsewhere stay', async () => {
  const elsewhere = await at.signIn();
  const { token: first } = await at.newUser('replaced', 'Dispatcher');
  const signIn = (cookie: string) =>
    at.ok('POST', '/auth/login', { body: ADMIN, headers: { Cookie: `waypost_token=${cookie}` } });
  const { token: second } = await signIn(first);
  expect((await at.ask('GET', '/users/current', { as: first })).status).toBe(401);
  const { token: third } = await signIn(second);
  expect((await at.ask('GET', '/users/current', { as: second })).status).toBe(401);
  for (const token of [elsewhere, third])
    expect((await at.ask('GET', '/users/current', { as: token })).status).not.toBe(401);
  const body = { name: 'in a cookie', scopes: null, expiresAt: null };
  const { token: key } = await at.ok('POST', '/auth/keys', { as: elsewhere, body });
  await signIn(key);
  expect((await at.ask('GET', '/cars', { as: key })).status).toBe(200);
  const keys: { id: number; name: string }[] = await at.ok('GET', '/auth/keys', { as: elsewhere });
  await at.ok('DELETE', `/auth/keys/${keys.find(({ name }) => name === 'in a cookie')!.id}`, { as: elsewhere });
});

test('a change of password kills all other tokens of the user', async () => {
  const { token } = await at.newUser('changer', 'Viewer');
  const other = await at.signIn('changer', 'a fine password');
  expect(
    await at.ask('POST', '/auth/password', { as: token, body: { oldPassword: 'not it', newPassword: 'another one' } }),
  ).toMatchObject({ status: 400, text: 'oldPassword is wrong.' });
  expect(
    (
      await at.ask('POST', '/auth/password', {
        as: token,
        body: { oldPassword: 'a fine password', newPassword: 'tiny' },
      })
    ).status,
  ).toBe(400);
  expect((await at.ask('GET', '/users/current', { as: other })).status).toBe(200);
  expect(
    (
      await at.ask('POST', '/auth/password', {
        as: token,
        body: { oldPassword: 'a fine password', newPassword: 'another one' },
      })
    ).json(),
  ).toEqual({ status: 'ok' });
  expect((await at.ask('GET', '/users/current', { as: other })).status).toBe(401);
  expect((await at.ask('GET', '/users/current', { as: token })).status).toBe(200);
  expect((await login({ login: 'changer', password: 'a fine password' })).status).toBe(401);
  expect((await login({ login: 'changer', password: 'another one' })).status).toBe(200);
});

test('ten failures of a login make the eleventh wait, from wherever and with whatever password', async () => {
  await at.newUser('guessed', 'Viewer');
  // All at once: no more than ten are looked at before the failures count, or a hundred guesses in one moment
  // would all be free.
  const tries = await Promise.all(
    Array.from({ length: 14 }, () => login({ login: 'guessed', password: 'guess' }, '127.0.0.2')),
  );
  expect(tries.map((each) => each.status).toSorted()).toEqual([...Array(10).fill(401), ...Array(4).fill(429)]);
  const waits = await login({ login: 'Guessed', password: 'a fine password' }, '127.0.0.3');
  expect(waits.status).toBe(429);
  expect(Number(waits.headers.get('retry-after'))).toBeGreaterThan(800);
  expect(Number(waits.headers.get('retry-after'))).toBeLessThanOrEqual(900);
});

test('parallel correct sign-ins are not limited, of one login or from one address', async () => {
  await at.newUser('crowd', 'Viewer');
  const tries = await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      login(index % 2 === 0 ? { login: 'crowd', password: 'a fine password' } : ADMIN, '127.0.2.1'),
    ),
  );
  expect(tries.map((each) => each.status)).toEqual(Array(24).fill(200));
});

test('right sign-ins among wrong ones are let in until there are ten failures', async () => {
  await at.newUser('mixed', 'Viewer');
  const tries = await Promise.all(
    Array.from({ length: 18 }, (_, index) =>
      login({ login: 'mixed', password: index % 2 === 0 ? 'a fine password' : 'wrong' }, '127.0.2.2'),
    ),
  );
  expect(tries.map((each) => each.status)).toEqual(
    Array.from({ length: 18 }, (_, index) => (index % 2 === 0 ? 200 : 401)),
  );
});

test('a page of another site can neither sign in nor lock an account; programs must declare JSON', async () => {
  await at.newUser('bystander', 'Viewer');
  const body = JSON.stringify({ login: 'bystander', password: 'a fine password' });
  const json = { 'content-type': 'application/json' };
  const signIn = (headers: Record<string, string>, text = body) =>
    at.ask('POST', '/auth/login', { body: text, headers, from: '127.0.2.3' });
  for (const headers of [
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ] as Record<string, string>[]) {
    for (let i = 0; i < 12; i++) {
      const refused = await signIn({ ...json, ...headers }, '{"login":"bystander","password":"guess"}');
      expect(refused).toMatchObject({ status: 403, text: 'Pages of other sites may not send this.' });
    }
    expect((await signIn({ ...json, ...headers })).headers.get('set-cookie')).toBeNull();
  }
  // What a form of another page can send without being asked.
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
    'application/problem+json',
    '',
  ]) {
    // Twelve wrong guesses: what is refused before it is read counts for nobody.
    for (let i = 0; i < 12; i++)
      expect((await signIn({ 'content-type': type }, '{"login":"bystander","password":"guess"}')).status).toBe(400);
    const refused = await signIn({ 'content-type': type });
    expect(refused, type).toMatchObject({ status: 400, text: 'The body must be JSON (application/json).' });
    expect(refused.headers.get('set-cookie')).toBeNull();
  }
  expect((await signIn({ ...json, origin: at.station.address })).status).toBe(200);
  expect((await signIn({ 'content-type': 'Application/JSON; charset=utf-8' })).status).toBe(200);
});

test('a password that an administrator sets ends the wait of the login, and what its failures count for an address', async () => {
  const { id } = await at.newUser('locked', 'Viewer');
  for (let i = 0; i < 10; i++) expect((await login({ login: 'locked', password: 'x' }, '127.0.2.4')).status).toBe(401);
  expect((await login({ login: 'locked', password: 'a fine password' }, '127.0.2.4')).status).toBe(429);
  await at.ok('PUT', `/users/${id}`, { as: await at.signIn(), body: { password: 'a second password' } });
  expect((await login({ login: 'locked', password: 'a second password' }, '127.0.2.4')).status).toBe(200);
});

test('ten failures from an address make it wait, and nobody else', async () => {
  for (let i = 0; i < 10; i++)
    expect((await login({ login: `name${i}`, password: 'x' }, '127.0.0.4')).status).toBe(401);
  expect((await login(ADMIN, '127.0.0.4')).status).toBe(429);
  expect((await login(ADMIN, '127.0.0.5')).status).toBe(200);
});

test('an address that a client writes itself into X-Forwarded-For neither escapes the count nor locks its owner', async () => {
  const guess = (victim: string) =>
    at.ask('POST', '/auth/login', {
      body: { login: `forger${victim}`, password: 'x' },
      headers: { 'x-forwarded-for': victim, 'x-real-ip': victim, 'forwarded': `for=${victim}` },
      from: '127.0.3.1',
    });
  for (let i = 0; i < 10; i++) expect((await guess(`127.0.3.${10 + i}`)).status).toBe(401);
  expect((await guess('127.0.3.30')).status).toBe(429);
  for (let i = 0; i < 12; i++)
    await at.ask('POST', '/auth/login', {
      body: { login: `elsewhere${i}`, password: 'x' },
      headers: { 'x-forwarded-for': '127.0.3.2' },
      from: '127.0.3.3',
    });
  expect((await login(ADMIN, '127.0.3.2')).status).toBe(200);
});

test('signing in rightly takes the failures of the login back', async () => {
  await at.newUser('clumsy', 'Viewer');
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 6; i++)
      expect((await login({ login: 'clumsy', password: 'x' }, `127.0.1.${round + 1}`)).status).toBe(401);
    expect((await login({ login: 'clumsy', password: 'a fine password' }, `127.0.1.${round + 1}`)).status).toBe(200);
  }
});

test('an access key does what its scopes say and nothing else', async () => {
  const as = await at.signIn();
  const key = async (scopes: string[] | null) =>
    (await at.ask('POST', '/auth/keys', { as, body: { name: 'k', scopes } })).json();
  const reader = await key(['read']);
  const teller = await key(['telemetry']);
  const all = await key(null);
  const peer = await key(['sync']);
  expect(peer.scopes).toEqual(['sync']);
  for (const [method, path] of [
    ['GET', '/organizations'],
    ['GET', '/news/count'],
    ['GET', '/users/current'],
    ['GET', '/cars'],
    ['POST', '/telemetry'],
    ['POST', '/news/'],
  ] as const)
    expect(
      (await at.ask(method, path, { as: peer.token, ...(method === 'POST' ? { body: [] } : {}) })).status,
      path,
    ).toBe(403);
  expect((await at.ask('DELETE', `/auth/keys/${peer.id}`, { as })).status).toBe(200);
  expect(reader).toMatchObject({
    id: expect.any(Number),
    name: 'k',
    scopes: ['read'],
    expiresAt: null,
    token: expect.any(String),
  });
  expect((await at.ask('GET', '/organizations', { as: reader.token })).status).toBe(200);
  expect((await at.ask('POST', '/organizations', { as: reader.token, body: { name: 'x' } })).status).toBe(403);
  expect((await at.ask('GET', '/organizations', { as: teller.token })).status).toBe(403);
  expect((await at.ask('POST', '/organizations', { as: all.token, body: { name: 'By key' } })).status).toBe(200);
  expect((await at.ask('POST', '/telemetry', { as: reader.token, body: [] })).status).toBe(403);
  expect((await at.ask('GET', '/users', { as: (await at.newUser('no-admin', 'Viewer')).token })).status).toBe(403);
  expect(
    (await at.ask('POST', '/telemetry', { as: (await at.newUser('no-tracker', 'Viewer')).token, body: [] })).status,
  ).toBe(403);
  expect((await at.ask('POST', '/auth/logout', { as: all.token })).status).toBe(403);
  expect((await at.ask('GET', '/organizations', { as: all.token })).status).toBe(200);
  const listed = (await at.ask('GET', '/auth/keys', { as })).json();
  expect(listed.map((each: { id: number }) => each.id)).toEqual([reader.id, teller.id, all.id]);
  expect(JSON.stringify(listed)).not.toContain(reader.token);
  expect((await at.ask('DELETE', `/auth/keys/${reader.id}`, { as })).json()).toEqual({ status: 'ok' });
  expect((await at.ask('GET', '/organizations', { as: reader.token })).status).toBe(401);
  expect((await at.ask('DELETE', `/auth/keys/${reader.id}`, { as })).status).toBe(404);
  expect((await at.ask('POST', '/auth/keys', { as, body: { name: 'k', scopes: ['everything'] } })).status).toBe(400);
  expect((await at.ask('POST', '/auth/keys', { as, body: { name: 'k', expiresAt: 1 } })).status).toBe(400);
});

test('tokens and limits outlive a restart of the station', async () => {
  const token = await at.signIn();
  for (let i = 0; i < 10; i++) await login({ login: 'ghost', password: 'x' }, '127.0.0.6');
  await at.newUser('forgiven', 'Viewer');
  for (let i = 0; i < 6; i++) await login({ login: 'forgiven', password: 'x' }, '127.0.0.7');
  expect((await login({ login: 'forgiven', password: 'a fine password' }, '127.0.0.7')).status).toBe(200);
  await at.station.stop();
  const again = await tryStation({ data: at.directory });
  at = { ...again, stop: at.stop };
  expect((await at.ask('GET', '/users/current', { as: token })).status).toBe(200);
  expect((await login({ login: 'ghost', password: 'x' })).status).toBe(429);
  for (let i = 0; i < 6; i++) expect((await login({ login: 'forgiven', password: 'x' }, '127.0.0.8')).status).toBe(401);
  await again.station.stop();
});
