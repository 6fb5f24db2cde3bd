import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Speeds } from '../../../../server/geo/speeds/index.ts';
import { openStore } from '../../../../server/store/index.ts';
import { openTelemetry } from '../../../../server/tracking/telemetry/index.ts';

test('without roads it learns nothing, answers, and reports nothing, however many records come', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-no-roads-'));
  const store = await openStore({ directory });
  const reported: unknown[] = [];
  const obeyed: unknown[] = [];
  const telemetry = openTelemetry({
    directory,
    now: Date.now,
    findVehicle: () => ({ id: 1 }),
    publish: () => undefined,
    tracksChanged: (spans) => speeds.notice(spans),
  });
  const speeds = await Speeds.open({
    store,
    directory,
    now: Date.now,
    drivesAsCar: () => true,
    lastTimes: () => [],
    applySpeeds: async (learned) => void obeyed.push(learned),
    report: (error) => void reported.push(error),
  });
  try {
    await speeds.switchTo(undefined);
    expect(await speeds.status()).toMatchObject({ roads: 0, passages: 0 }); // the thread is awake now
    for (const ago of [3, 2, 1]) {
      await telemetry.ingest([{ imei: '1', time: Date.now() - ago * 1000, lat: 55, lon: 37 }], 'test');
      await speeds.learnNow();
    }
    expect(await speeds.status()).toMatchObject({ roads: 0, passages: 0, waiting: 0 });
    expect(await speeds.coverage()).toMatchObject({ metres: 0 });
    expect(reported).toEqual([]);
  } finally {
    await speeds.close();
    await telemetry.close();
    await store.close();
    rmSync(directory, { recursive: true });
  }
});
