import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../server/config/index.ts';
import { openDispatch } from '../../../server/compose/dispatch.ts';
import { openFoundation } from '../../../server/compose/foundation.ts';
import { openTerritoryRooms } from '../../../server/compose/territory.ts';
import { openTracking } from '../../../server/compose/tracking.ts';
import { CloseStack } from '../../../server/platform/close-stack.ts';
import { openTelemetry } from '../../../server/tracking/telemetry/index.ts';

/** A data directory with tracks of three vehicles whose events were not worked out. */
async function directoryWithUnprocessedTracks(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-compose-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const telemetry = openTelemetry({
    directory,
    now: Date.now,
    findVehicle: ({ glonassId }) => ({ id: glonassId! }),
    publish: () => undefined,
  });
  const time = Date.now() - 60_000;
  const record = { time, lat: 55, lon: 37, speed: 10, inputs: 0, adc: [], params: {} };
  await telemetry.ingest(
    [1, 2, 3].map((glonassId) => ({ ...record, glonassId })),
    'test',
  );
  await telemetry.close();
  return directory;
}

function unprocessedVehicles(directory: string): unknown {
  const tracks = new DatabaseSync(join(directory, 'tracks.db'), { readOnly: true, timeout: 5000 });
  try {
    return tracks.prepare('SELECT vehicle FROM states WHERE unsettledFrom IS NOT NULL').all().length;
  } finally {
    tracks.close();
  }
}

test('the writer of tracks may die while the station starts: no span is lost', async () => {
  const directory = await directoryWithUnprocessedTracks();
  expect(unprocessedVehicles(directory)).toBe(3);
  const stack = new CloseStack();
  onTestFinished(() => stack.close());
  const foundation = stack.use(
    await openFoundation(
      { ...readConfig(['--data', directory, '--port', '0'], {}), adminPassword: 'correct horse' },
      {
        passwordCost: { memoryCost: 8, timeCost: 1 },
        trackWriterScript: new URL('./writer-dying-at-start.ts', import.meta.url),
      },
    ),
  );
  const dispatch = stack.use(await openDispatch(foundation));
  const tracking = stack.use(await openTracking(foundation, dispatch));
  stack.use(await openTerritoryRooms(foundation, dispatch, tracking));
  const logged = async (part: string) => (await foundation.log.read({ message: part }, 1000)).length;

  await expect.poll(() => logged('The writer of tracks ended')).toBe(1);
  await expect.poll(() => tracking.events.waiting).toBe(0);
  expect(await logged('A bug')).toBe(0);
  await stack.close(); // writes which spans are processed
  expect(unprocessedVehicles(directory)).toBe(0);
});
