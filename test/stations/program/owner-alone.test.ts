import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PROGRAM } from '../../support/program.ts';
import { serve } from '../harness/served.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;

test('data directory, log, files and backup are for their owner alone, also where others could read them before', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'waypost-owner-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const data = join(parent, 'data');
  mkdirSync(join(data, 'log'), { recursive: true });
  writeFileSync(join(data, 'station.json'), '{}');
  for (const path of [data, join(data, 'log')]) chmodSync(path, 0o755);
  chmodSync(join(data, 'station.json'), 0o644);

  const station = await serve(data);
  await station.ask('POST', '/organizations', { name: 'North' });
  const zip = join(parent, 'backup.zip');
  const backup = spawnSync(process.execPath, [PROGRAM, 'backup', zip, '--data', data], { cwd: ROOT, encoding: 'utf8' });
  expect(backup.stderr + backup.stdout).toContain(zip);
  await station.end('SIGTERM');

  expect(openToOthers(parent, ['data', 'backup.zip'])).toEqual([]);
});

/** Paths that anybody but the owner may read. */
function openToOthers(folder: string, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const path = join(folder, name);
    const found = statSync(path);
    const inside = found.isDirectory() ? openToOthers(path, readdirSync(path)) : [];
    return (found.mode & 0o077) === 0 ? inside : [path, ...inside];
  });
}

test('a directory that holds other things too keeps its rights, and so do those things', async () => {
  const home = mkdtempSync(join(tmpdir(), 'waypost-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  writeFileSync(join(home, 'notes.txt'), 'mine');
  chmodSync(home, 0o755);
  chmodSync(join(home, 'notes.txt'), 0o644);
  const station = await serve(home);
  await station.end('SIGTERM');
  expect([statSync(home).mode & 0o777, statSync(join(home, 'notes.txt')).mode & 0o777]).toEqual([0o755, 0o644]);
  expect(openToOthers(home, ['station.db', 'tracks.db', 'log'])).toEqual([]);
});
