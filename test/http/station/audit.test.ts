import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AUDITED_ROUTES } from '../../../server/http/app/audited.ts';
import { ADMIN, tryStation } from '../try-station.ts';
import type { TryStation } from '../try-station.ts';

let at: TryStation;
let admin: string;

beforeAll(async () => {
  at = await tryStation();
  admin = await at.signIn();
});
afterAll(() => at.stop());

interface Entry {
  id: number;
  kind: string;
  action: string;
  login: string;
  subject: string;
  address: string;
  way: string;
  details: Record<string, unknown>;
}
const entries = (query: string, as = admin): Promise<Entry[]> => at.ok('GET', `/audit?${query}`, { as });
const newest = async (query: string) => (await entries(`${query}&limit=1`))[0];

test('sign-ins, failures and sign-outs are entries with their address', async () => {
  const token = await at.signIn();
  expect(await newest('kind=signIn')).toMatchObject({ action: 'done', login: ADMIN.login, address: '127.0.0.1' });
  await at.ok('POST', '/auth/logout', { as: token });
  expect(await newest('kind=session')).toMatchObject({ action: 'ended', login: ADMIN.login });
  const wrong = (login: string) =>
    at.ask('POST', '/auth/login', { body: { login, password: 'wrong' }, from: '127.0.0.9' });
  await wrong('Admin');
  expect(await newest('kind=signIn')).toMatchObject({ action: 'failed', subject: 'admin', address: '127.0.0.9' });
  await wrong('my secret password');
  expect(await newest('kind=signIn')).toMatchObject({ action: 'failed', subject: '', details: { login: 'unknown' } });
  expect(JSON.stringify(await entries(''))).not.toContain('my secret password');
});

test('a lock-out and its end are entries', async () => {
  const user = await at.newUser('locked', 'Dispatcher');
  for (let attempt = 0; attempt < 10; attempt++)
    await at.ask('POST', '/auth/login', { body: { login: 'locked', password: 'wrong' }, from: '127.0.0.10' });
  expect((await entries('kind=signIn&limit=2')).map(({ action }) => action)).toEqual(['locked', 'failed']);
  await at.ok('PUT', `/users/${user.id}`, { as: admin, body: { password: 'a new fine one' } });
  expect(await newest('kind=signIn')).toMatchObject({ action: 'lifted', login: ADMIN.login, subject: 'locked' });
  expect(await newest('kind=user')).toMatchObject({ action: 'changed', details: { passwordHash: '…' } });
});

test('keys, rules, exports and settings are entries of the user who caused them', async () => {
  const key = await at.ok('POST', '/auth/keys', { as: admin, body: { name: 'meter', scopes: ['read'] } });
  expect(await newest('kind=key')).toMatchObject({ action: 'created', subject: 'meter', login: ADMIN.login });
  await at.ok('DELETE', `/auth/keys/${key.id}`, { as: admin });
  expect(await newest('kind=key')).toMatchObject({ action: 'ended', subject: 'meter' });
  await at.ask('GET', '/cars.xlsx?lang=ru', { as: admin });
  expect(await newest('kind=export')).toMatchObject({ subject: '/cars.xlsx', details: { lang: 'ru' } });
  await at.ok('POST', '/custom_field', { as: admin, body: { name: 'Doors', translit: 'doors', format: 'int' } });
  expect(await newest('kind=field')).toMatchObject({ action: 'created', subject: 'Doors', login: ADMIN.login });
  const organizationId = (await at.ok('GET', '/users/current', { as: admin })).organizationId;
  await at.ok('PUT', `/telemetry/retention/${organizationId}`, { as: admin, body: { days: 30 } });
  expect(await newest('kind=retention')).toMatchObject({ details: { id: organizationId, days: 30 } });
});

test('an administrator sees their organization, a dispatcher nothing', async () => {
  const other = await at.ok('POST', '/organizations', { as: admin, body: { name: 'Water' } });
  const right = await at.ok('POST', '/rights', { as: admin, body: { name: 'Head of water', admin: true } });
  const own = { organizationId: other.id, groupId: right.id };
  const { token } = await at.newUser('water-head', 'Head of water', own);
  const seen = await entries('', token);
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.map(({ subject }) => subject)).toContain('water-head');
  expect(seen.map(({ subject }) => subject)).not.toContain('locked');
  const { token: dispatcher } = await at.newUser('anybody', 'Dispatcher');
  for (const path of ['/audit', '/audit/export', '/audit/verify', '/log/app'])
    expect((await at.ask('GET', path, { as: dispatcher })).status).toBe(403);
});

test('refused access is an entry, once for each path within a period', async () => {
  const { token, id } = await at.newUser('curious', 'Viewer');
  const refuse = async (method: string, path: string, body?: object) =>
    expect((await at.ask(method, path, { as: token, ...(body && { body }) })).status).toBe(403);
  await refuse('GET', '/audit?text=secret');
  const entry = { action: 'refused', login: 'curious', userId: id, address: '127.0.0.1' };
  expect(await newest('kind=access')).toMatchObject({
    ...entry,
    subject: 'GET /audit',
    details: { reason: 'accounts.administratorOnly' },
  });
  expect(JSON.stringify(await entries('kind=access'))).not.toContain('secret');
  // By the rules of the handler, too.
  await refuse('POST', '/closures', { name: 'Town', geometry: { type: 'Point', coordinates: [9.5, 47.1] } });
  expect(await newest('kind=access')).toMatchObject({ ...entry, subject: 'POST /closures' });
  const before = (await entries('kind=access')).length;
  for (let attempt = 0; attempt < 20; attempt++) await refuse('GET', '/audit');
  expect(await entries('kind=access')).toHaveLength(before);
  // A stranger is nobody, and a session without its second factor is on its way in.
  expect((await at.ask('GET', '/audit', {})).status).toBe(401);
  expect(await entries('kind=access')).toHaveLength(before);
});

test('exports are entries themselves; no cell of a CSV is a formula', async () => {
  await at.newUser('=cmd()', 'Viewer');
  const csv = await at.ask('GET', '/audit/export?format=csv&kind=user', { as: admin });
  expect(csv.type).toContain('text/csv');
  expect(csv.text).toContain(`,'=cmd(),`);
  expect(csv.text).not.toMatch(/,=cmd/);
  expect(await newest('kind=export')).toMatchObject({
    subject: '/audit/export',
    details: { format: 'csv', kind: 'user' },
  });
  const lines = (await at.ask('GET', '/audit/export', { as: admin })).text.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(lines.map((_, index) => index + 1));
});

test('the interface and the command say that the chain holds, up to an entry that was noted', async () => {
  const { broken, head } = await at.ok('GET', '/audit/verify', { as: admin });
  expect(broken).toBeNull();
  const verify = (...words: string[]) =>
    spawnSync(process.execPath, ['server/cli.ts', 'audit', 'verify', '--data', at.directory, ...words], {
      encoding: 'utf8',
    });
  expect(verify('--noted', `${head.id}:${head.hash}`).stdout).toContain('entries are sound');
  const other = verify('--noted', `${head.id - 1}:${head.hash}`);
  expect(other.stderr).toContain('not the one that was noted');
  expect(other.status).toBe(1);
});

test('every path that is recorded exists', () => {
  const routes = at.station.http.routes.map(({ method, path }) => `${method} ${path}`);
  expect(AUDITED_ROUTES.filter((one) => !routes.includes(one))).toEqual([]);
});
