import { TOTP, Secret } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ADMIN, tryStation } from '../try-station.ts';
import type { TryStation } from '../try-station.ts';

const PASSWORD = 'a fine password';
let at: TryStation;

beforeAll(async () => {
  at = await tryStation({
    'signIn.secondFactor': 'administrators',
    'signIn.secondFactorRoles': [' viewer', 'Nobody is called so'],
  });
});
afterAll(() => at.stop());

const refusal = (answered: { headers: { get(name: string): string | null } }) =>
  answered.headers.get('waypost-refusal');
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
/** The status with which a WebSocket is refused; 101 when it opens. */
const socketStatus = (token: string) =>
  new Promise<number>((resolve) => {
    const socket = new WebSocket(`${at.station.address.replace('http', 'ws')}/ws?token=${token}`);
    socket.on('error', () => undefined);
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode!));
    socket.on('open', () => (socket.close(), resolve(101)));
  });

const roles = (all: { id: number; name: string }[], name: string) => all.find((role) => role.name === name)!.id;

test('an administrator without a second factor sets one up before anything else opens, and keeps one', async () => {
  const as = await at.signIn();
  for (const [method, path] of [
    ['GET', '/cars'],
    ['GET', '/users'],
    ['POST', '/auth/keys'],
    ['POST', '/auth/pin'],
    ['GET', '/auth/sessions'],
    ['POST', '/auth/totp/remove'],
  ] as const) {
    const answered = await at.ask(method, path, { as, ...(method === 'POST' && { body: {} }) });
    expect([path, answered.status, refusal(answered)]).toEqual([path, 403, 'accounts.factorMissing']);
  }
  expect(await socketStatus(as)).toBe(403);
  expect((await at.ask('GET', '/users/current', { as })).status).toBe(200);
  expect(await at.ok('GET', '/auth/account', { as })).toMatchObject({
    secondFactorRequired: true,
    mustSetUpSecondFactor: true,
  });

  const { secret } = await at.ok('POST', '/auth/totp', { as, body: { password: ADMIN.password } });
  expect((await at.ask('GET', '/cars', { as })).status).toBe(403); // it is not confirmed
  await at.ok('POST', '/auth/totp/confirm', { as, body: { code: codeOf(secret) } });
  expect((await at.ask('GET', '/cars', { as })).status).toBe(200);
  expect(await socketStatus(as)).toBe(101);
  expect(await at.ok('GET', '/auth/account', { as })).toMatchObject({ mustSetUpSecondFactor: false });
  const removed = await at.ask('POST', '/auth/totp/remove', { as, body: { password: ADMIN.password } });
  expect([removed.status, refusal(removed)]).toEqual([403, 'accounts.factorRequired']);
  const trail = (await at.ask('GET', '/audit?limit=100', { as })).text;
  expect(trail).toContain('"secondFactor":"missing"');
  expect(trail).toContain('"secondFactor":true');

  // Of others nothing is asked.
  const dispatcher = await at
    .ok('GET', '/rights', { as })
    .then((roles) => roles.find((one: { admin: boolean }) => !one.admin));
  await at.ok('POST', '/users', {
    as,
    body: { login: 'plain', fio: 'Plain', password: PASSWORD, groupId: dispatcher.id },
  });
  const plain = await at.signIn('plain', PASSWORD);
  expect((await at.ask('GET', '/cars', { as: plain })).status).toBe(200);
  expect(await at.ok('GET', '/auth/account', { as: plain })).toMatchObject({ secondFactorRequired: false });
  // Somebody with a role that the setting names, in any letters.
  const viewers = roles(await at.ok('GET', '/rights', { as }), 'Viewer');
  const chief = { login: 'chief', fio: 'Chief', password: PASSWORD, groupId: viewers };
  await at.ok('POST', '/users', { as, body: chief });
  const chiefs = await at.signIn('chief', PASSWORD);
  expect(refusal(await at.ask('GET', '/cars', { as: chiefs }))).toBe('accounts.factorMissing');
  const chosen = await at.ok('POST', '/auth/totp', { as: chiefs, body: { password: PASSWORD } });
  await at.ok('POST', '/auth/totp/confirm', { as: chiefs, body: { code: codeOf(chosen.secret) } });
  expect((await at.ask('GET', '/cars', { as: chiefs })).status).toBe(200);
  const told = async () => {
    const log: { message: string }[] = await at.ok('GET', '/log/app?minLevel=WARN', { as });
    return log.map(({ message }) => message).filter((message) => message.includes('secondFactorRoles'));
  };
  const nobody = 'signIn.secondFactorRoles names “Nobody is called so”, and no role is called so.';
  expect(await told()).toEqual([nobody]);
  // A role that is renamed stays the rule's, and the log says so.
  const viewer = (await at.ok('GET', '/rights', { as })).find(({ id }: { id: number }) => id === viewers);
  await at.ok('PUT', `/rights/${viewers}`, { as, body: { name: 'Guest' } });
  const renamed =
    'signIn.secondFactorRoles names “ viewer”. That role is called “Guest” now, and its people still need a second factor.';
  expect((await told()).toSorted()).toEqual([nobody, renamed].toSorted());
  await at.ok('POST', '/users', { as, body: { ...chief, login: 'guest', fio: 'Guest' } });
  const guest = await at.signIn('guest', PASSWORD);
  expect(refusal(await at.ask('GET', '/cars', { as: guest }))).toBe('accounts.factorMissing');
  await at.ok('PUT', `/rights/${viewers}`, { as, body: { name: viewer.name } });
  // Who becomes an administrator must have one at once.
  const admins = await at
    .ok('GET', '/rights', { as })
    .then((roles) => roles.find((one: { admin: boolean }) => one.admin));
  const { id } = await at.ok('GET', '/users/current', { as: plain });
  await at.ok('PUT', `/users/${id}`, { as, body: { groupId: admins.id } });
  expect(refusal(await at.ask('GET', '/cars', { as: plain }))).toBe('accounts.factorMissing');
});
