import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation } from '../try-station.ts';
import type { TryStation } from '../try-station.ts';

const PASSWORD = 'a fine password';
let at: TryStation;
let admin: string;

beforeAll(async () => {
  at = await tryStation({ 'lock.minutes': 15 });
  admin = await at.signIn();
});
afterAll(() => at.stop());

/** From an address of its own for each login, since failures count for addresses, too. */
const signIn = (login: string, password: string, code?: string) =>
  at.ask('POST', '/auth/login', {
    body: { login, password, ...(code !== undefined && { code }) },
    from: addressOf(login),
  });
const addressOf = (login: string) => `127.0.${login.charCodeAt(0)}.${login.length}`;
const refusal = (answered: { headers: { get(name: string): string | null } }) =>
  answered.headers.get('waypost-refusal');
/** The code that an app shows so many periods from now. */
const codeOf = (secret: string, later = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + later * 30_000 });

test('a second factor is asked for, each code opens once, and a recovery code stands in', async () => {
  const { token } = await at.newUser('careful', 'Dispatcher');
  expect((await at.ask('POST', '/auth/totp', { as: token, body: { password: 'wrong' } })).status).toBe(400);
  const { secret, uri } = await at.ok('POST', '/auth/totp', { as: token, body: { password: PASSWORD } });
  expect(uri).toMatch(/^otpauth:\/\/totp\/Waypost:careful\?/);
  expect((await signIn('careful', PASSWORD)).status).toBe(200); // it was not confirmed
  expect((await at.ask('POST', '/auth/totp/confirm', { as: token, body: { code: '000000' } })).status).toBe(400);
  const used = codeOf(secret);
  const { recoveryCodes } = await at.ok('POST', '/auth/totp/confirm', { as: token, body: { code: used } });
  expect(recoveryCodes).toHaveLength(10);

  const asked = await signIn('careful', PASSWORD);
  expect([asked.status, refusal(asked)]).toEqual([401, 'accounts.codeRequired']);
  expect(refusal(await signIn('careful', 'wrong', codeOf(secret, 1)))).toBe('accounts.wrongLogin');
  expect(refusal(await signIn('careful', PASSWORD, used))).toBe('accounts.wrongCode'); // it was used to confirm
  expect((await signIn('careful', PASSWORD, codeOf(secret, 1))).status).toBe(200);
  expect(refusal(await signIn('careful', PASSWORD, codeOf(secret, 1)))).toBe('accounts.wrongCode');
  expect((await signIn('careful', PASSWORD, recoveryCodes[3])).status).toBe(200);
  expect(refusal(await signIn('careful', PASSWORD, recoveryCodes[3]))).toBe('accounts.wrongCode');
  expect(await at.ok('GET', '/auth/account', { as: token })).toMatchObject({
    secondFactor: true,
    recoveryCodesLeft: 9,
    lockMinutes: 15,
  });
  const everything = (await at.ask('GET', '/audit?limit=1000', { as: admin })).text;
  for (const text of [secret, recoveryCodes[0], codeOf(secret, 1)]) expect(everything).not.toContain(text);
  expect(everything).toContain('"secondFactor":true');
});

test('codes cannot be guessed: ten wrong ones lock the login', async () => {
  const { token } = await at.newUser('guessed', 'Dispatcher');
  const { secret } = await at.ok('POST', '/auth/totp', { as: token, body: { password: PASSWORD } });
  await at.ok('POST', '/auth/totp/confirm', { as: token, body: { code: codeOf(secret) } });
  const guesses = await Promise.all(Array.from({ length: 12 }, () => signIn('guessed', PASSWORD, '123456')));
  expect(guesses.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(401), 429, 429]);
  expect((await signIn('guessed', PASSWORD, codeOf(secret, 1))).status).toBe(429);
});

test('an administrator takes a lost second factor away, which ends the sessions', async () => {
  const { id, token } = await at.newUser('loser', 'Dispatcher');
  const { secret } = await at.ok('POST', '/auth/totp', { as: token, body: { password: PASSWORD } });
  await at.ok('POST', '/auth/totp/confirm', { as: token, body: { code: codeOf(secret) } });
  await at.ok('PUT', `/users/${id}`, { as: admin, body: { removeSecondFactor: true } });
  expect((await at.ask('GET', '/users/current', { as: token })).status).toBe(401);
  expect((await signIn('loser', PASSWORD)).status).toBe(200);
});

test('who must choose a new password can do nothing else, and not keep the old one', async () => {
  const { token } = await at.newUser('newcomer', 'Dispatcher', { mustChangePassword: true });
  const kept = await at.ask('GET', '/cars', { as: token });
  expect([kept.status, refusal(kept)]).toEqual([403, 'accounts.passwordMustChange']);
  expect((await at.ask('POST', '/news/', { as: token, body: {} })).status).toBe(403);
  expect(await at.ok('GET', '/auth/account', { as: token })).toMatchObject({ mustChangePassword: true });
  const change = (newPassword: string) =>
    at.ask('POST', '/auth/password', { as: token, body: { oldPassword: PASSWORD, newPassword } });
  expect(refusal(await change(PASSWORD))).toBe('accounts.samePassword');
  expect(refusal(await change('Password1'))).toBe('accounts.breachedPassword');
  expect((await change('chosen by myself')).status).toBe(200);
  expect((await at.ask('GET', '/cars', { as: token })).status).toBe(200);
});

test('people see their own sessions with address and device, and end them', async () => {
  const { token } = await at.newUser('roamer', 'Dispatcher');
  const other = (
    await at.ask('POST', '/auth/login', {
      body: { login: 'roamer', password: PASSWORD },
      headers: { 'user-agent': 'A phone' },
      from: '127.0.0.8',
    })
  ).json().token as string;
  const sessions = await at.ok('GET', '/auth/sessions', { as: token });
  expect(sessions).toHaveLength(2);
  const phone = sessions.find((one: { current: boolean }) => !one.current);
  expect(phone).toMatchObject({ device: 'A phone', address: '127.0.0.8' });
  const foreign = (await at.ok('GET', '/auth/sessions', { as: admin }))[0].id;
  const end = (body: object) => at.ask('POST', '/auth/sessions/end', { as: token, body });
  expect((await end({ id: foreign, password: PASSWORD })).status).toBe(404);
  // A session alone ends none: anybody who stole it has no password.
  expect(refusal(await end({ id: phone.id }))).toBe('accounts.proofRequired');
  expect(refusal(await end({}))).toBe('accounts.proofRequired');
  expect((await end({ id: phone.id, password: 'not mine' })).status).toBe(400);
  expect((await at.ask('GET', '/users/current', { as: other })).status).toBe(200);
  expect((await end({ id: phone.id, password: PASSWORD })).status).toBe(200);
  expect((await at.ask('GET', '/users/current', { as: other })).status).toBe(401);
  await at.signIn('roamer', PASSWORD);
  expect((await end({ password: PASSWORD })).status).toBe(200);
  expect(await at.ok('GET', '/auth/sessions', { as: token })).toMatchObject([{ current: true }]);
});

test('an administrator ends the sessions of one person, or of everybody but their own', async () => {
  const { id, token } = await at.newUser('watched', 'Dispatcher');
  const { token: other } = await at.newUser('other', 'Viewer');
  const own = await at.signIn();
  const key = await at.ok('POST', '/auth/keys', { as: admin, body: { name: 'machine' } });
  const isAlive = async (as: string) => (await at.ask('GET', '/users/current', { as })).status === 200;
  expect((await at.ask('POST', '/users/sign-out', { as: token, body: {} })).status).toBe(403);
  expect((await at.ask('POST', '/users/sign-out', { as: own, body: { userId: 999_999 } })).status).toBe(404);
  expect(await at.ok('POST', '/users/sign-out', { as: own, body: { userId: id } })).toEqual({ sessions: 1 });
  expect([await isAlive(token), await isAlive(other), await isAlive(own)]).toEqual([false, true, true]);
  const again = await at.signIn('watched', PASSWORD); // they may sign in again
  const { sessions } = await at.ok('POST', '/users/sign-out', { as: own, body: {} });
  expect(sessions).toBeGreaterThanOrEqual(3);
  expect([await isAlive(again), await isAlive(other), await isAlive(admin)]).toEqual([false, false, false]);
  expect(await isAlive(own)).toBe(true);
  expect((await at.ask('GET', '/cars', { as: key.token })).status).toBe(200);
  admin = own;
  const trail = (await at.ask('GET', '/audit?limit=1000', { as: own })).text;
  expect(trail).toContain(`"sessions":${sessions},"of":"everybody"`);
});

test('a locked console opens by the PIN or the password; ten wrong ones lock the login', async () => {
  const { token } = await at.newUser('desk', 'Dispatcher');
  const unlock = (secret: string) =>
    at.ask('POST', '/auth/unlock', { as: token, body: { secret }, from: addressOf('desk') });
  expect((await unlock('4711')).status).toBe(403);
  expect((await at.ask('POST', '/auth/pin', { as: token, body: { password: PASSWORD, pin: '12' } })).status).toBe(400);
  await at.ok('POST', '/auth/pin', { as: token, body: { password: PASSWORD, pin: '4711' } });
  expect((await unlock('4711')).status).toBe(200);
  expect((await unlock(PASSWORD)).status).toBe(200);
  const wrong = await Promise.all(Array.from({ length: 11 }, (_, index) => unlock(`00${10 + index}`)));
  expect(wrong.map(({ status }) => status).toSorted()).toEqual([...Array(9).fill(403), 429, 429]);
});

test('a key with the scope tasks does the work of area A and nothing else', async () => {
  const { token } = await at.ok('POST', '/auth/keys', { as: admin, body: { name: 'intake', scopes: ['tasks'] } });
  expect((await at.ask('GET', '/newstype', { as: token })).status).toBe(200);
  expect((await at.ask('POST', '/news/', { as: token, body: { values: {} } })).status).toBe(400); // read, and refused
  for (const path of ['/cars', '/users', '/audit', '/links'])
    expect((await at.ask('GET', path, { as: token })).status).toBe(403);
});
