import { spawnSync } from 'node:child_process';
import { rmSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, serve } from '../harness/served.ts';
import type { Served } from '../harness/served.ts';

/**
 * A small disk of its own in memory, which takes the right to mount one: without it the test is skipped, and
 * said to be.
 */
const disk = mkdtempSync(join(tmpdir(), 'waypost-full-disk-'));
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk]).status === 0;
const directory = join(disk, 'data');
let station: Served;
beforeAll(async () => {
  if (mounted) station = await serve(directory);
});
afterAll(async () => {
  await station?.end('SIGKILL');
  if (mounted) spawnSync('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
});

/** Takes all the room there is. */
function fillDisk(): void {
  for (const bytes of [1_000_000, 4_096]) {
    for (let number = 0; ; number++) {
      try {
        writeFileSync(join(disk, `ballast-${bytes}-${number}`), Buffer.alloc(bytes));
      } catch {
        break;
      }
    }
  }
}

function makeRoom(): void {
  spawnSync('sh', ['-c', `rm -f ${disk}/ballast-*`]);
}

const organizations = async () =>
  (await station.ask<{ name: string }[]>('GET', '/organizations')).map(({ name }) => name);

test.skipIf(!mounted)(
  'on a full disk writes are refused as such and reading goes on; with room again writing does too; nothing acknowledged is lost',
  { timeout: 120_000 },
  async () => {
    const acknowledged: string[] = [];
    const make = async (name: string) => {
      await station.ask('POST', '/organizations', { name });
      acknowledged.push(name);
    };
    await make('Before');
    fillDisk();
    let said = '';
    // What the log of the database has room for is still taken.
    for (let number = 0; said === '' && number < 1_000; number++)
      await make(`Filling ${number} ${'x'.repeat(80)}`).catch((error: Error) => (said = error.message));
    expect(said).toBe('POST /organizations: 507 There is no room left on the disk of the station.');
    expect(await organizations()).toEqual(expect.arrayContaining(acknowledged));

    // People still get in to read and to make room. Their session works, wrong passwords are refused as before.
    const signIn = (password: string) =>
      fetch(`${station.address}/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ login: 'admin', password }),
      });
    const signedIn = await signIn(PASSWORD);
    expect(signedIn.status).toBe(200);
    const { token } = (await signedIn.json()) as { token: string };
    const asThem = (method: string, path: string) =>
      fetch(station.address + path, { method, headers: { authorization: `Bearer ${token}` } });
    expect((await asThem('GET', '/organizations')).status).toBe(200);
    expect((await signIn('wrong')).status).toBe(401);
    expect((await signIn(PASSWORD)).status).toBe(200);
    expect((await asThem('POST', '/auth/logout')).status).toBe(200);
    expect((await asThem('GET', '/organizations')).status).toBe(401);

    await station.end('SIGKILL');
    await expect(serve(directory)).rejects.toThrow(/The station ended: waypost: [^\n]*full[^\n]*\n$/);

    makeRoom();
    station = await serve(directory);
    expect(await organizations()).toEqual(expect.arrayContaining(acknowledged));
    fillDisk();
    await expect(make('x'.repeat(100))).rejects.toThrow('507');
    makeRoom();
    await make('After');
    await station.end('SIGKILL');
    station = await serve(directory);
    const kept = await organizations();
    expect(kept).toEqual(expect.arrayContaining(acknowledged));
    expect(kept).not.toContain('x'.repeat(100));
  },
);
