import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { throughProvider } from '../../support/through-provider.ts';
import { ADMIN, tryStation, type TryStation } from '../try-station.ts';

/** People of the provider; the test signs in as one by their name. */
const PEOPLE: Record<string, object> = {
  anna: { name: 'Anna Berg', email: 'anna@example.org', email_verified: true, groups: ['dispatchers'] },
  boris: { name: 'Boris', email: 'boris@example.org', email_verified: false, groups: ['watchers'] },
  stranger: { name: 'Stranger', groups: ['cooks'] },
  admin: { name: 'Somebody else', groups: ['dispatchers'] },
};
let server: Server;
let at: TryStation;
let admin: string;

beforeAll(async () => {
  server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  at = await tryStation({
    'oidc.issuer': issuer,
    'oidc.clientId': 'waypost',
    'oidc.clientSecret': 'a secret of thirty-two characters',
    'oidc.name': 'Town Hall',
    'signIn.link': 'login',
    'signIn.groups': [
      { group: 'dispatchers', role: 'Dispatcher' },
      { group: 'watchers', role: 'Viewer' },
    ],
  });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'waypost',
        client_secret: 'a secret of thirty-two characters',
        redirect_uris: [`${at.station.address}/auth/oidc/callback`],
        post_logout_redirect_uris: [`${at.station.address}/`],
      },
    ],
    cookies: { keys: ['test'] },
    pkce: { required: () => true },
    claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'groups'], email: ['email', 'email_verified'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, preferred_username: id, ...PEOPLE[id] }),
    }),
  });
  server.on('request', provider.callback());
  admin = await at.signIn();
});
afterAll(async () => {
  await at.stop();
  server.close();
});

/** The address that a browser is sent back to from the provider's pages. */
async function sentBack(login: string, query = '', session = ''): Promise<{ back: string; cookie: string }> {
  const headers = { cookie: `waypost_token=${session}` };
  const begun = await fetch(`${at.station.address}/auth/oidc${query}`, { redirect: 'manual', headers });
  const cookie = begun.headers.get('set-cookie')!.split(';')[0]!;
  const address = await throughProvider(begun.headers.get('location')!, at.station.address, login);
  return { back: address.slice(at.station.address.length), cookie };
}

async function signInElsewhere(
  login: string,
  session = '',
): Promise<{ token: string | undefined; location: string | null }> {
  const { back, cookie } = await sentBack(login, '', session);
  const answered = await fetch(at.station.address + back, { redirect: 'manual', headers: { cookie } });
  const token = /waypost_token=([^;]+)/.exec(answered.headers.getSetCookie().join('\n'))?.[1];
  return { token, location: answered.headers.get('location') };
}

test('a first sign-in makes the user with the right of their group, and the next one finds them', async () => {
  expect(await at.ok('GET', '/auth/methods')).toMatchObject({ provider: { name: 'Town Hall' } });
  const first = await signInElsewhere('anna');
  expect(first.location).toBe('/');
  const user = await at.ok('GET', '/users/current', { as: first.token });
  expect(user).toMatchObject({
    login: 'anna',
    fio: 'Anna Berg',
    email: 'anna@example.org',
    right: { name: 'Dispatcher' },
  });
  PEOPLE['anna'] = { ...PEOPLE['anna'], groups: ['watchers'] };
  const second = await signInElsewhere('anna');
  expect(await at.ok('GET', '/users/current', { as: second.token })).toMatchObject({
    id: user.id,
    right: { name: 'Viewer' },
  });
  const out = await at.ok('POST', '/auth/logout', { as: second.token });
  expect(out.provider).toContain('/session/end?id_token_hint=');
  const trail = (await at.ask('GET', '/audit?limit=1000', { as: admin })).text;
  expect(trail).toContain('"method":"oidc"');
  expect(trail).toContain('"kind":"identity"');
  // They have no password here: none opens the station.
  for (const password of ['', 'any'])
    expect((await at.ask('POST', '/auth/login', { body: { login: 'anna', password } })).status).toBe(401);
});

test('who is disabled, in no group, or would take over a superuser stays out', async () => {
  const boris = await signInElsewhere('boris');
  const { id } = await at.ok('GET', '/users/current', { as: boris.token });
  await at.ok('PUT', `/users/${id}`, { as: admin, body: { enabled: false } });
  const refused = (code: string) => ({ token: undefined, location: `/#/sign-in?refused=${code}` });
  expect(await signInElsewhere('boris')).toEqual(refused('accounts.userDisabled'));
  expect(await signInElsewhere('stranger')).toEqual(refused('accounts.noGroup'));
  expect(await signInElsewhere('admin')).toEqual(refused('accounts.notLinked'));
  expect(await at.signIn(ADMIN.login)).toBeTruthy();
});

test('a sign-in ends the session that the browser had, whose cookie the way back does not carry', async () => {
  const { token: former } = await at.newUser('former', 'Dispatcher');
  const elsewhere = await at.signIn('former', 'a fine password');
  const isAlive = async (as: string | undefined) => (await at.ask('GET', '/users/current', { as })).status === 200;
  // A sign-in that fails at the provider ends nothing.
  expect((await signInElsewhere('stranger', former)).token).toBeUndefined();
  expect(await isAlive(former)).toBe(true);
  const { token } = await signInElsewhere('anna', former);
  expect([await isAlive(former), await isAlive(elsewhere), await isAlive(token)]).toEqual([false, true, true]);
});

test('people of a provider, who have no password here, end sessions after a recent sign-in', async () => {
  const { token: first } = await signInElsewhere('anna');
  const { token: as } = await signInElsewhere('anna');
  expect((await at.ask('POST', '/auth/sessions/end', { as, body: {} })).status).toBe(200);
  expect((await at.ask('GET', '/users/current', { as: first })).status).toBe(401);
  expect((await at.ask('GET', '/users/current', { as })).status).toBe(200);
});

test('an answer of the provider opens only the browser that began, once', async () => {
  const { back, cookie } = await sentBack('anna');
  const send = async (path: string, headers: Record<string, string>) =>
    (await fetch(at.station.address + path, { redirect: 'manual', headers })).headers.get('location');
  const failed = '/#/sign-in?refused=accounts.providerFailed';
  expect(await send(back, {})).toBe(failed);
  expect(await send(back, { cookie: `waypost_sign_in=another` })).toBe(failed);
  expect(await send(back.replace(/state=[^&]+/, 'state=another'), { cookie })).toBe(failed);
  expect(await send(back, { cookie })).toBe(failed); // that try used it up
});

/** As a desktop program begins, and its machine's browser ends: at 127.0.0.1. */
async function onTheWayBack(login: string, verifier: string): Promise<URL> {
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const { back, cookie } = await sentBack(login, `?loopback=4711&state=${'s'.repeat(43)}&challenge=${challenge}`);
  const answered = await fetch(at.station.address + back, { redirect: 'manual', headers: { cookie } });
  expect(answered.headers.getSetCookie().join()).not.toContain('waypost_token=');
  const there = new URL(answered.headers.get('location')!);
  expect([there.origin, there.searchParams.get('state')]).toEqual(['http://127.0.0.1:4711', 's'.repeat(43)]);
  return there;
}
const takeOver = (code: string, verifier: string) =>
  at.ask('POST', '/auth/oidc/hand-over', { body: { code, verifier } });

test('a desktop program takes a person over from the browser: with its own secret, and once', async () => {
  const verifier = 'v'.repeat(43);
  const code = (await onTheWayBack('anna', verifier)).searchParams.get('code')!;
  const taken = await takeOver(code, verifier);
  expect(taken.status).toBe(200);
  const as = /waypost_token=([^;]+)/.exec(taken.headers.get('set-cookie')!)![1];
  expect(await at.ok('GET', '/users/current', { as })).toMatchObject({ login: 'anna' });
  expect((await takeOver(code, verifier)).headers.get('waypost-refusal')).toBe('accounts.providerFailed');

  // The code without the secret is not enough, and a wrong secret spends the code.
  const seen = (await onTheWayBack('anna', verifier)).searchParams.get('code')!;
  expect((await takeOver(seen, 'w'.repeat(43))).status).not.toBe(200);
  expect((await takeOver(seen, verifier)).status).not.toBe(200);

  // The program refuses a person without an account here.
  const stranger = (await onTheWayBack('stranger', verifier)).searchParams.get('code')!;
  expect((await takeOver(stranger, verifier)).headers.get('waypost-refusal')).toBe('accounts.noGroup');
  for (const query of ['loopback=0', 'loopback=70000', 'state=short', 'challenge=http://evil.example'])
    expect((await at.ask('GET', `/auth/oidc?${query}`)).status).toBe(400);
});
