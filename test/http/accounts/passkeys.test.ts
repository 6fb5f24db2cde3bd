import { afterAll, beforeAll, expect, test } from 'vitest';
import { Chance, SEED } from '../../support/chance.ts';
import { askAt, tryStation } from '../try-station.ts';
import type { AskOptions, TryStation } from '../try-station.ts';
import { Authenticator, type Deviation } from './authenticator.ts';

const PASSWORD = 'a fine password';
let at: TryStation;
let admin: string;
/** The station by its name: a number has no passkeys. */
let origin: string;

beforeAll(async () => {
  at = await tryStation();
  admin = await at.signIn();
  origin = at.station.address.replace('127.0.0.1', 'localhost');
});
afterAll(() => at.stop());

const ask = (method: string, path: string, options: AskOptions = {}) => askAt(origin, method, path, options);
const refusal = (answered: { headers: { get(name: string): string | null } }) =>
  answered.headers.get('waypost-refusal');
const challenge = async () => (await ask('POST', '/auth/passkey/challenge', { body: {} })).json();
const signIn = (credential: object) => ask('POST', '/auth/passkey', { body: { credential } });
const begin = async (as: string) =>
  (await ask('POST', '/auth/passkeys/begin', { as, body: { password: PASSWORD } })).json();
const keep = (as: string, credential: object, name = 'My key') =>
  ask('POST', '/auth/passkeys', { as, body: { name, credential } });
async function withPasskey(login: string) {
  const { id, token } = await at.newUser(login, 'Dispatcher');
  const authenticator = new Authenticator(origin);
  const kept = await keep(token, authenticator.create(await begin(token)));
  expect(kept.status, kept.text).toBe(200);
  return { id, token, authenticator, recoveryCodes: kept.json().recoveryCodes as string[] };
}

test('a passkey signs in alone, each challenge once; the password alone does not any more', async () => {
  const { token, authenticator, recoveryCodes } = await withPasskey('quick');
  expect(recoveryCodes).toHaveLength(10);
  expect((await ask('GET', '/auth/methods')).json()).toMatchObject({ passkeys: true });
  expect((await at.ask('GET', '/auth/methods')).json()).toMatchObject({ passkeys: false });
  const signed = authenticator.get(await challenge());
  const opened = await signIn(signed);
  expect([opened.status, opened.json().user.login]).toEqual([200, 'quick']);
  expect(opened.headers.get('set-cookie')).toContain('waypost_token=');
  const replayed = await signIn(signed);
  expect([replayed.status, refusal(replayed)]).toEqual([401, 'accounts.passkeyFailed']);

  const login = (more: object) => ask('POST', '/auth/login', { body: { login: 'quick', password: PASSWORD, ...more } });
  expect(refusal(await login({}))).toBe('accounts.codeRequired');
  expect((await login({ passkey: authenticator.get(await challenge(), { isVerified: false }) })).status).toBe(200);
  expect((await login({ code: recoveryCodes[0] })).status).toBe(200);
  expect(refusal(await login({ code: '123456' }))).toBe('accounts.wrongCode');
  const { passkeys } = (await ask('GET', '/auth/passkeys', { as: token })).json();
  expect(passkeys).toMatchObject([{ name: 'My key', site: 'localhost', here: true, usedAt: expect.any(Number) }]);
  const trail = (await at.ask('GET', '/audit?limit=1000', { as: admin })).text;
  expect(trail).toContain('"method":"passkey"');
  expect(trail).toContain('"My key (localhost)"');
});

test('what no honest browser signs here opens nothing', async () => {
  const { authenticator, token } = await withPasskey('attacked');
  const deviations: Deviation[] = [
    { origin: 'https://evil.example' },
    { origin: origin.replace(/\d+$/, '1') },
    { site: 'evil.example' },
    { isVerified: false }, // alone, the passkey must know its user
  ];
  for (const deviation of deviations) {
    const answered = await signIn(authenticator.get(await challenge(), deviation));
    expect([deviation, answered.status, refusal(answered)]).toEqual([deviation, 401, 'accounts.passkeyFailed']);
  }
  // A challenge that the station did not give, another key with the same id, and a copy that counts behind.
  expect((await signIn(authenticator.get({ challenge: 'AAAA' }))).status).toBe(401);
  const stranger = Object.assign(new Authenticator(origin), { id: authenticator.id, counter: 100 });
  expect((await signIn(stranger.get(await challenge()))).status).toBe(401);
  expect((await signIn(authenticator.get(await challenge()))).status).toBe(200);
  authenticator.counter -= 2;
  expect((await signIn(authenticator.get(await challenge()))).status).toBe(401);
  // What was asked for to register does not sign in, nor the other way round.
  authenticator.counter += 5;
  expect((await signIn(authenticator.get(await begin(token)))).status).toBe(401);
  expect((await keep(token, new Authenticator(origin).create(await challenge()))).status).toBe(409);
  // Somebody else's challenge; an attestation with certificates, which would be looked up elsewhere.
  const other = await at.newUser('other', 'Dispatcher');
  expect((await keep(other.token, new Authenticator(origin).create(await begin(token)))).status).toBe(409);
  expect((await keep(token, new Authenticator(origin).create(await begin(token), { certificates: true }))).status).toBe(
    409,
  );
  expect((await keep(token, authenticator.create(await begin(token)))).status).toBe(409); // it is known
  // As the second factor of somebody else.
  const body = { login: 'other', password: PASSWORD, passkey: authenticator.get(await challenge()) };
  const second = new Authenticator(origin);
  expect((await keep(other.token, second.create(await begin(other.token)))).status).toBe(200);
  expect(refusal(await ask('POST', '/auth/login', { body }))).toBe('accounts.passkeyFailed');
});

test(`damaged answers of a browser are refused, never an error of the station (seed ${SEED})`, async () => {
  const { authenticator, token } = await withPasskey('damaged');
  const random = new Chance();
  const damage = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const cut = random.int(value.length);
      return random.maybe() ? value.slice(0, cut) : `${value.slice(0, cut)}A${value.slice(cut + 1)}`;
    }
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const chosen = random.int(entries.length);
    return Object.fromEntries(entries.map(([name, one], index) => [name, index === chosen ? damage(one) : one]));
  };
  let kept = 1;
  for (let round = 0; round < 40; round++) {
    const isSignIn = round % 2 === 0 || kept === 10; // a person has ten at most, and some damage is harmless
    const answered = isSignIn
      ? await signIn(damage(authenticator.get(await challenge())) as object)
      : await keep(token, damage(new Authenticator(origin).create(await begin(token))) as object);
    expect([200, 400, 401, 409], answered.text).toContain(answered.status);
    if (!isSignIn && answered.status === 200) kept++;
  }
});

test('an address that is a number, or without TLS, has no passkeys, and says so', async () => {
  const { token } = await at.newUser('numbered', 'Dispatcher');
  expect(await at.ok('GET', '/auth/passkeys', { as: token })).toEqual({ problem: 'address', passkeys: [] });
  const begun = await at.ask('POST', '/auth/passkeys/begin', { as: token, body: { password: PASSWORD } });
  expect([begun.status, refusal(begun)]).toEqual([409, 'accounts.passkeyAddress']);
  expect(refusal(await at.ask('POST', '/auth/passkey/challenge', { body: {} }))).toBe('accounts.passkeyAddress');
});

test('passkeys are named and removed with the password; the recovery codes go with the last one', async () => {
  const { id, token: as, authenticator } = await withPasskey('tidy');
  const path = `/auth/passkeys/${authenticator.id}`;
  expect((await ask('PUT', path, { as, body: { name: 'Red key' } })).status).toBe(200);
  expect((await ask('GET', '/auth/passkeys', { as })).json().passkeys).toMatchObject([{ name: 'Red key' }]);
  expect((await ask('PUT', `${path}x`, { as, body: { name: 'Red key' } })).status).toBe(404);
  expect((await ask('POST', `${path}/remove`, { as, body: { password: 'wrong' } })).status).toBe(400);
  expect((await ask('POST', `${path}/remove`, { as, body: { password: PASSWORD } })).status).toBe(200);
  expect(await at.ok('GET', '/auth/account', { as })).toMatchObject({ passkeys: 0, recoveryCodesLeft: 0 });
  expect((await signIn(authenticator.get(await challenge()))).status).toBe(401);
  expect((await ask('POST', '/auth/login', { body: { login: 'tidy', password: PASSWORD } })).status).toBe(200);
  // An administrator takes lost ones away.
  const lost = new Authenticator(origin);
  await keep(as, lost.create(await begin(as)));
  await at.ok('PUT', `/users/${id}`, { as: admin, body: { removeSecondFactor: true } });
  expect((await signIn(lost.get(await challenge()))).status).toBe(401);
  // Nor does one of a disabled user open anything.
  const off = await withPasskey('disabled');
  await at.ok('PUT', `/users/${off.id}`, { as: admin, body: { enabled: false } });
  expect(refusal(await signIn(off.authenticator.get(await challenge())))).toBe('accounts.userDisabled');
});
