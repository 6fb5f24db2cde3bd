import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ExpiredRecords } from '../../../../server/dispatch/shifts/index.ts';
import { openStore } from '../../../../server/store/index.ts';
import type { CrewDuty, LogBookEntry } from '../../../../shared/records/index.ts';

test('entries and ended duties go with the retention of their organization (rule 13)', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-expired-'));
  const store = await openStore({ directory });
  const entries = store.kind<LogBookEntry>('fleet', 'logBookEntry');
  const duties = store.kind<CrewDuty>('fleet', 'duty');
  const write = (organizationId: number, at: number) =>
    entries.insert({
      ...{ id: entries.nextId(), kind: 'logBookEntry', name: '', isDeleted: false, organizationId },
      ...{ at, authorId: 1, text: `${organizationId} ${at}`, corrects: 0, taskId: 0, vehicleId: 0 },
    });
  for (const at of [999, 1_000]) await write(1, at);
  await write(2, 1);
  for (const until of [0, 500])
    await duties.insert({
      ...{ id: duties.nextId(), kind: 'duty', name: `${until}`, isDeleted: false, organizationId: 1, vehicleId: 1 },
      ...{ driverIds: [], userIds: [], from: 1, until, roll: null },
    });
  const expired = new ExpiredRecords({
    store,
    expiredBefore: (organizationId) => (organizationId === 1 ? 1_000 : -Infinity),
    report: (error) => expect.fail(String(error)),
  });
  await expired.sweep();
  await expired.close();
  expect(entries.all().map(({ text }) => text)).toEqual(['1 1000', '2 1']);
  expect(duties.all().map(({ name }) => name)).toEqual(['0']);
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});
