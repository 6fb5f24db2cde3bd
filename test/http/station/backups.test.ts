import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../../../server/config/index.ts';
import { startStation } from '../../../server/station.ts';
import { askAt, tryStation } from '../try-station.ts';

const folder = mkdtempSync(join(tmpdir(), 'waypost-backups-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a superuser makes a backup, and first run and an empty station restore it; a station in use refuses', async () => {
  const at = await tryStation({ 'backup.folder': join(folder, 'first'), 'backup.time': '03:00' });
  const as = await at.signIn();
  const { token: editor } = await at.newUser('editor', 'editor');
  expect((await at.ask('GET', '/backups', { as: editor })).status).toBe(403);
  expect(await at.ok('GET', '/backups', { as })).toMatchObject({
    lastGood: null,
    running: null,
    next: expect.any(Number),
  });
  const metric = async () =>
    /^waypost_backup_last_success_timestamp_seconds (\d+)$/m.exec((await at.ask('GET', '/metrics')).text)?.[1];
  expect(await metric()).toBe('0');
  await at.ok('POST', '/backups', { as });
  await expect
    .poll(async () => (await at.ok('GET', '/backups', { as })).lastGood, { timeout: 60_000 })
    .toMatchObject({ damaged: false, problems: [], encrypted: false });
  const { lastGood, problems } = await at.ok('GET', '/backups', { as });
  expect(problems).toEqual([]);
  expect(Number(await metric())).toBe(Math.round(lastGood.madeAt / 1000));
  expect((await at.ok('GET', '/health')).status).toBe('ok');
  const trail = async () => await at.ok('GET', '/audit?kind=backup&limit=2', { as });
  await expect.poll(async () => (await trail()).length).toBe(2);
  expect(await trail()).toMatchObject([
    {
      action: 'done',
      way: 'station',
      subject: lastGood.id,
      details: { folder: join(folder, 'first'), encrypted: false },
    },
    { action: 'started', way: 'interface', login: 'admin', subject: '/backups' },
  ]);
  const refused = await at.ask('POST', `/backups/${lastGood.id}/restore`, { as, body: {} });
  expect([refused.status, refused.headers.get('waypost-refusal')]).toEqual([409, 'backup.notEmpty']);
  for (const path of ['/first-run/backups', '/first-run/restore'])
    expect((await at.ask('POST', path, { body: { path: folder, from: folder } })).status).toBe(403);
  await at.stop();

  // An empty station that nobody has claimed yet, on another machine.
  const data = mkdtempSync(join(tmpdir(), 'waypost-new-'));
  const config = { ...readConfig(['--data', data, '--port', '0'], {}), 'backup.time': null };
  const again = Promise.withResolvers<void>();
  const options = { passwordCost: { memoryCost: 8, timeCost: 1 }, restart: () => again.resolve() };
  const empty = await startStation(config, options);
  const post = (path: string, body: object, headers = {}) => askAt(empty.address, 'POST', path, { body, headers });
  const proxied = { 'x-forwarded-for': '10.0.0.9' };
  expect((await post('/first-run/backups', { path: join(folder, 'first') }, proxied)).status).toBe(403);
  expect((await post('/first-run/backups', { path: 'first' })).status).toBe(400);
  const found = (await post('/first-run/backups', { path: join(folder, 'first') })).json();
  expect(found).toMatchObject([{ madeAt: lastGood.madeAt, whole: true }]);
  expect((await post('/first-run/restore', { from: found[0].from })).json()).toEqual({ restarts: true });
  await again.promise;
  await empty.stop();

  const restored = await startStation(config, options);
  const signedIn = await askAt(restored.address, 'POST', '/auth/login', {
    body: { login: 'editor', password: 'a fine password' },
  });
  expect(signedIn.status).toBe(200);
  await restored.stop();
  rmSync(data, { recursive: true, force: true });
});

test('a backup that cannot be made is an entry of the audit trail, with the reason', async () => {
  const occupied = join(folder, 'a-file');
  writeFileSync(occupied, 'no folder');
  const at = await tryStation({ 'backup.folder': occupied, 'backup.time': '03:00' });
  try {
    const as = await at.signIn();
    await at.ask('POST', '/backups', { as });
    const newest = async () => (await at.ok('GET', '/audit?kind=backup&limit=1', { as }))[0];
    await expect.poll(newest, { timeout: 60_000 }).toMatchObject({
      action: 'failed',
      way: 'station',
      subject: occupied,
      details: { problem: expect.stringContaining('a-file') },
    });
    expect((await at.ok('GET', '/backups', { as })).problems).not.toEqual([]);
  } finally {
    await at.stop();
  }
});
