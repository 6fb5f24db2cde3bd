import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runBackup } from '../../../server/store/backup/run-backup.ts';
import { backupDirectory, openStore, restoreDirectory } from '../../../server/store/index.ts';
import { temporaryDirectory } from './open-store.ts';

test('reports that wait for their mail are in a folder and in a zip, and come back; half a report is not', async () => {
  const directory = temporaryDirectory();
  const store = await openStore({ directory });
  await store.close();
  mkdirSync(join(directory, 'reports'));
  writeFileSync(join(directory, 'reports', 'one.xlsx'), 'a report');
  writeFileSync(join(directory, 'reports', 'two.xlsx.part'), 'half');
  const folder = join(directory, 'backups');
  const settings = { directory, folder, second: null, passphrase: null, territory: true, version: '1.0.0' };
  expect((await runBackup(settings, Date.UTC(2026, 10, 25, 3), () => undefined)).notes.failure).toBeUndefined();
  const zip = join(temporaryDirectory(), 'whole.zip');
  await backupDirectory(directory, zip);
  for (const from of [folder, zip]) {
    const into = temporaryDirectory();
    await restoreDirectory(from, into);
    expect(readdirSync(join(into, 'reports')), from).toEqual(['one.xlsx']);
    expect(readFileSync(join(into, 'reports', 'one.xlsx'), 'utf8')).toBe('a report');
  }
});
