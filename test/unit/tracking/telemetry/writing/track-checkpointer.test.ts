import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { PATIENCE } from '../../../../support/patience.ts';
import { TrackCheckpointer } from '../../../../../server/tracking/telemetry/writing/track-checkpointer.ts';

test('a write-ahead log that has grown is moved into the database, each time', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-log-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'tracks.db');
  const writer = new DatabaseSync(file);
  writer.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a)');
  const reader = new DatabaseSync(file, { readOnly: true });
  const warned: string[] = [];
  const log = new TrackCheckpointer(reader, file, (message) => warned.push(message), { every: 50 });
  const unmoved = () => {
    const { log: pages, checkpointed } = reader.prepare('PRAGMA wal_checkpoint(NOOP)').get() as {
      log: number;
      checkpointed: number;
    };
    return pages - checkpointed;
  };
  const grow = () =>
    writer.exec(
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500) INSERT INTO t SELECT randomblob(3500) FROM n',
    );
  for (let time = 0; time < 2; time++) {
    grow();
    expect(unmoved()).toBeGreaterThan(1000);
    await expect.poll(unmoved, { timeout: Math.max(PATIENCE, 20_000) }).toBe(0);
  }
  await log.close();
  expect(warned).toEqual([]);
  reader.close();
  writer.close();
}, 60_000);
