import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keepWalShort, WalGrowing } from '../../../server/store/sqlite/checkpoints.ts';
import type { Commits } from '../../../server/store/sqlite/commits.ts';
import { DatabaseWorker } from '../../../server/store/sqlite/database-worker.ts';

test('a log that cannot be checkpointed is reported once, for any number of commits, and once more when it works again', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-log-'));
  const path = join(directory, 'a.db');
  const sql = new DatabaseSync(path);
  sql.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x)');
  const worker = new DatabaseWorker(path);
  onTestFinished(async () => {
    await worker.close();
    sql.close();
    rmSync(directory, { recursive: true });
  });
  const said: unknown[] = [];
  let full = true;
  let tried = 0;
  let released = 0;
  const upkeep = {
    checkpoint: () => (tried++, full ? Promise.reject(new Error('The disk is full.')) : worker.checkpoint()),
  };
  const commits = () => ({ hold: () => undefined, release: () => void released++ }) as unknown as Commits;
  const committed = keepWalShort(sql, upkeep, commits, (error) => said.push(error));
  const commit = async () => {
    sql.exec('INSERT INTO t VALUES (zeroblob(5000000))'); // more pages than are left where they are
    committed();
    await expect.poll(() => released).toBe(tried);
  };
  for (let n = 0; n < 3; n++) await commit();
  expect(tried).toBe(3);
  expect(said.splice(0)).toEqual([expect.any(WalGrowing)]);
  full = false;
  for (let n = 0; n < 2; n++) await commit();
  expect(tried).toBe(5);
  expect(said).toEqual([
    expect.objectContaining({ name: 'WalGrowing', message: 'What is written is moved into the database file again.' }),
  ]);
  expect(statSync(path).size).toBeGreaterThan(20_000_000);
});
