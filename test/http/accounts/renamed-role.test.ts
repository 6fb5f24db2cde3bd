import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

const PASSWORD = 'a fine password';

test('a role that was renamed needs its second factor also after a restart, until the setting drops the name', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-factor-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const open = (roles: string[]) => tryStation({ 'data': directory, 'signIn.secondFactorRoles': roles });
  const asks = async (station: TryStation, login: string) =>
    (await station.ask('GET', '/cars', { as: await station.signIn(login, PASSWORD) })).headers.get('waypost-refusal');

  const first = await open(['Viewer', 'Night shift']);
  const as = await first.signIn();
  const rights = (await first.ok('GET', '/rights', { as })) as { id: number; name: string }[];
  // One that gets the name while the station runs, and loses it before the next start.
  const shift = await first.ok('POST', '/rights', { as, body: { name: 'Night shift' } });
  await first.ok('POST', '/users', { as, body: { login: 'ann', fio: 'Ann', password: PASSWORD, groupId: shift.id } });
  await first.ok('PUT', `/rights/${shift.id}`, { as, body: { name: 'Day shift' } });
  const viewer = rights.find(({ name }) => name === 'Viewer')!.id;
  await first.ok('POST', '/users', { as, body: { login: 'bob', fio: 'Bob', password: PASSWORD, groupId: viewer } });
  await first.ok('PUT', `/rights/${viewer}`, { as, body: { name: 'Guest' } });
  await first.stop();

  const second = await open(['Viewer', 'Night shift']);
  expect([await asks(second, 'ann'), await asks(second, 'bob')]).toEqual(Array(2).fill('accounts.factorMissing'));
  await second.stop();
  const third = await open(['Viewer']);
  expect([await asks(third, 'ann'), await asks(third, 'bob')]).toEqual([null, 'accounts.factorMissing']);
  await third.stop();
});
