import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { StoredMemory, type VehicleEvent } from '../../../../../server/tracking/events/index.ts';
import { eventDraft } from '../../../../../server/tracking/events/revisions/revision-writer.ts';
import { openStore } from '../../../../../server/store/index.ts';
import { SEED, numbers } from '../../../../support/chance.ts';

test(`events of a time are read page by page to the same as at once, without those of tasks (WAYPOST_SEED=${SEED})`, async () => {
  const random = numbers(SEED);
  const directory = mkdtempSync(join(tmpdir(), 'waypost-memory-'));
  const store = await openStore({ directory });
  onTestFinished(async () => {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const below = (most: number) => Math.floor(random() * most);
  // Many are seen with the same record, and some pages hold nothing but events of tasks.
  const events = Array.from({ length: 600 }, (_, i): VehicleEvent => {
    const seenAt = below(100);
    return {
      id: i + 1,
      vehicleId: 1 + below(2),
      type: seenAt < 30 ? 18 + below(6) : 1 + below(17),
      subject: '',
      from: seenAt,
      until: seenAt,
      seenAt,
      bySilence: false,
      lat: 55,
      lon: 37,
      info: '',
      data: {},
    };
  });
  const records = store.records('events');
  await records.insertMany(events.map((event) => eventDraft(event, 0, 'live')));
  const gone = new Set(events.filter(() => random() < 0.1).map(({ id }) => id));
  await Promise.all([...gone].map((id) => records.remove(id)));
  const memory = new StoredMemory(store.sql, store.table('events'));
  for (const [after, until] of [
    [-1, 1_000],
    [10, 60],
    [29, 30],
    [99, 1_000],
    [40, 40],
  ] as const) {
    const expected = events.filter(
      ({ id, vehicleId, type, seenAt }) =>
        vehicleId === 1 && !gone.has(id) && (type < 18 || type > 23) && seenAt > after && seenAt <= until,
    );
    expect([...memory.eventsSeen(1, after, until)].sort((a, b) => a.id - b.id)).toEqual(expected);
  }
});
