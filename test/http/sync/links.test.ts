import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

let at: TryStation;
let admin: string;
beforeAll(async () => {
  at = await tryStation();
  admin = await at.signIn();
});
afterAll(() => at.stop());

const ask = (method: string, path: string, body?: unknown, as = admin) => at.ask(method, path, { as, body });

test('[sync 26] a station without links is alone, and every signed-in user may know', async () => {
  const { token } = await at.newUser('viewer', 'Viewer');
  expect((await ask('GET', '/links')).json()).toEqual([]);
  const state = await ask('GET', '/sync/state', undefined, token);
  expect(state.json()).toMatchObject({ state: 'alone', waiting: 0, digest: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect((await at.ask('GET', '/sync/state')).status).toBe(401);
});

test('[sync 27] links are for superusers, and for access keys with the scope sync of a superuser', async () => {
  const { token } = await at.newUser('dispatcher', 'Dispatcher');
  for (const [method, path] of [
    ['GET', '/links'],
    ['GET', '/links/nearby'],
    ['POST', '/links/codes'],
    ['POST', '/links'],
    ['PUT', '/links/1'],
    ['DELETE', '/links/1'],
  ] as const) {
    expect((await ask(method, path, method === 'GET' ? undefined : {}, token)).status, path).toBe(403);
    expect((await at.ask(method, path)).status, path).toBe(401);
  }
  const keyWith = async (scope: string): Promise<string> =>
    (await at.ok('POST', '/auth/keys', { as: admin, body: { name: scope, scopes: [scope], expiresAt: null } })).token;
  const [read, sync] = [await keyWith('read'), await keyWith('sync')];
  for (const path of ['/links', '/sync/state', '/links/nearby']) {
    expect((await ask('GET', path, undefined, read)).status, path).toBe(403);
    expect((await ask('GET', path, undefined, sync)).status, path).toBe(200);
  }
});

test('[sync 2] a code has eight letters that are hard to confuse, and holds for five minutes', async () => {
  const before = Date.now();
  const { code, expiresAt } = (await ask('POST', '/links/codes')).json();
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
  expect(expiresAt).toBeGreaterThanOrEqual(before + 300_000);
  expect(expiresAt).toBeLessThanOrEqual(Date.now() + 300_000);
  const limited = { paused: true, readOnly: true, organizations: [1], tracks: { days: 7 } };
  expect((await ask('POST', '/links/codes', limited)).status).toBe(200);
});

test.each([
  ['/links/codes', { paused: 'yes' }, 'paused must be true or false.'],
  ['/links/codes', { organizations: 'all' }, 'organizations must be an array.'],
  ['/links/codes', { organizations: [1.5] }, 'organizations.0 must be a whole number.'],
  ['/links/codes', { tracks: 'some' }, 'tracks'],
  ['/links/codes', { tracks: { days: 0 } }, 'days must be at least 1.'],
  ['/links', {}, 'address is missing.'],
  ['/links', { address: 'https://10.0.0.1:8443' }, 'code is missing.'],
  ['/links', { address: 'depot', code: 'K7QM-4TRP' }, 'The address of a station is like https://'],
  ['/links', { address: 'ftp://10.0.0.1', code: 'K7QM-4TRP' }, 'The address of a station is like https://'],
  ['/links', { address: 'https://10.0.0.1:8443/board', code: 'K7QM-4TRP' }, 'ends with its port'],
  ['/links', { address: 'http://10.0.0.1:8480', code: 'K7QM-4TRP' }, 'connect over TLS'],
  ['/links', { address: 'https://127.0.0.1:1', code: 'K7QM' }, 'The code is wrong or has expired.'],
  ['/links', { address: 'http://127.0.0.1:1', code: 'K7QM-4TRP' }, 'no program answers on this port'],
  ['/links', { address: 'http://127.0.0.1:1', code: 'K7QM-4TRP', ownAddress: 7 }, 'ownAddress must be a text.'],
  ['/links', { address: 'http://127.0.0.1:1', code: 'K7QM-4TRP', ownAddress: 'here' }, 'The address of a station'],
])('[sync 1] %s refuses %j in words', async (path, body, words) => {
  const answered = await ask('POST', path, body);
  expect(answered).toMatchObject({ status: 400, type: 'text/plain; charset=utf-8' });
  expect(answered.text).toContain(words);
});

test('[sync 3] a station is not paired with itself', async () => {
  const { code } = (await ask('POST', '/links/codes')).json();
  const answered = await ask('POST', '/links', { address: at.station.address, code });
  expect(answered).toMatchObject({ status: 400, text: 'That is this station: a link needs two.' });
});

test('a port without a station is reported as such', async () => {
  const { createServer } = await import('node:http');
  const other = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  const answered = await ask('POST', '/links', { address: `http://127.0.0.1:${port}`, code: 'K7QM-4TRP' });
  other.close();
  expect(answered.status).toBe(400);
  expect(answered.text).toContain('no Waypost station');
});

test('what there is no link with answers 404', async () => {
  expect(await ask('PUT', '/links/77', { paused: true })).toMatchObject({ status: 404, text: 'There is no link 77.' });
  expect((await ask('DELETE', '/links/77')).status).toBe(404);
  expect((await ask('PUT', '/links/x', {})).status).toBe(400);
});

test('[sync 5] an address that guessed wrong ten times has to wait', async () => {
  const station = { id: 'stranger', number: 9, name: 'S', publicKey: 'k', fingerprint: '' };
  const statuses: number[] = [];
  const from = '127.0.0.77';
  for (let tried = 0; tried < 12; tried++) {
    if (tried % 3 === 0) await ask('POST', '/links/codes');
    const begun = await at.ask('POST', '/links/pairings', {
      body: { nonce: 'n'.repeat(30), id: 'stranger', number: 9 },
      from,
    });
    if (begun.status !== 200) {
      statuses.push(begun.status);
      continue;
    }
    const settings = { paused: false, readOnly: false, organizations: null, tracks: 'last' };
    const proof = { pairing: begun.json().pairing, station, address: null, seen: '', settings, proof: 'guess' };
    const answered = await at.ask('POST', '/links/pairings/proof', { body: proof, from });
    statuses.push(answered.status);
    expect(answered.text).toContain('The code is wrong or has expired.');
  }
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429]);
  expect((await at.ask('GET', '/metrics')).text).toContain('waypost_links_refused_connections 10');
});
