import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DatabaseWorker } from '../../../server/store/sqlite/database-worker.ts';

const directory = mkdtempSync(join(tmpdir(), 'waypost-worker-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('closing waits for what was asked before, and refuses what comes after', async () => {
  const path = join(directory, 'a.db');
  const sql = new DatabaseSync(path);
  sql.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(8000000))');
  const worker = new DatabaseWorker(path);
  const asked = Promise.all([worker.checkpoint(), worker.snapshot(join(directory, 'copy.db')), worker.check()]);
  await worker.close();
  expect(await asked).toEqual([{ pages: 0 }, undefined, { damage: [] }]);
  await expect(worker.check()).rejects.toMatchObject({ kind: 'busy' });
  sql.close();
  const copy = new DatabaseSync(join(directory, 'copy.db'), { readOnly: true });
  expect(copy.prepare('SELECT length(x) AS bytes FROM t').get()).toEqual({ bytes: 8_000_000 });
  copy.close();
});
