import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { IncomingBatch } from '../../../../../server/tracking/telemetry/tracks/incoming-fixes.ts';
import {
  openTelemetry,
  type NewPoints,
  type TelemetryOptions,
} from '../../../../../server/tracking/telemetry/index.ts';
import { unpackStates } from '../../../../../server/tracking/telemetry/tracks/packed-states.ts';
import { TrackWriter } from '../../../../../server/tracking/telemetry/writing/track-writer.ts';
import {
  OUTCOME,
  type WriteGroup,
  type WriteOrder,
} from '../../../../../server/tracking/telemetry/writing/write-orders.ts';
import { Tracks } from '../../../../../server/tracking/telemetry/tracks/tracks.ts';
import { unknownState, type LastState } from '../../../../../shared/fleet/last-state.ts';
import { eventually } from '../../../../support/eventually.ts';

function aDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-writer-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

const record = (glonassId: number, time: number) => ({ glonassId, time, lat: 55, lon: 37, speed: 10 });

function groupOf(times: readonly number[], orders: readonly WriteOrder[] = []): WriteGroup {
  const pack = new IncomingBatch();
  for (const time of times) pack.add(1, record(1, time), null);
  return { now: 10_000, fixes: pack.packed(), orders };
}

function open(directory: string, more: Partial<TelemetryOptions> = {}) {
  const noticed: NewPoints[] = [];
  const states = new Map<number, LastState>();
  const telemetry = openTelemetry({
    directory,
    now: () => 10_000_000,
    findVehicle: ({ glonassId }) => ({ id: glonassId! }),
    tracksChanged: (spans) => noticed.push(...spans),
    publish: (some) => some.forEach((state) => states.set(state.id, state)),
    ...more,
  });
  return { telemetry, noticed, states };
}

test('when the thread that writes dies, its senders are asked to send again, nothing that it wrote is lost or untold, and another one takes its place', async () => {
  const logged: string[] = [];
  const { telemetry, noticed, states } = open(aDirectory(), {
    writerScript: new URL('dying-writer.ts', import.meta.url),
    log: (_level, message) => logged.push(message),
  });
  await telemetry.ingest([record(1, 1000), record(2, 1000)], 'test');
  telemetry.markProcessed(noticed.filter(({ vehicleId }) => vehicleId === 2));
  const before = [...noticed];
  await expect(telemetry.ingest([record(1, 4444)], 'test')).rejects.toMatchObject({ kind: 'busy' });
  expect(logged).toEqual([expect.stringContaining('is restarted')]);
  // It was on the disk when the thread died, so it is passed on, to be computed.
  expect(states.get(1)!.time).toBe(4444);
  expect(noticed.at(-1)).toMatchObject({ vehicleId: 1, from: 1000, until: 4444 });
  expect(await telemetry.ingest([record(1, 4444), record(1, 5000)], 'test')).toMatchObject({
    accepted: 1,
    duplicates: 1,
  });
  // What was told by the first thread is older than all that the second one tells.
  expect(Math.max(...before.map(({ stamp }) => stamp))).toBeLessThan(noticed.at(-2)!.stamp);
  await telemetry.close();
});

test('when the disk fails to store what was committed, nothing is acknowledged any more until a restart, also when the disk then says that all is well', async () => {
  const logged: string[] = [];
  const directory = aDirectory();
  const { telemetry, states } = open(directory, {
    writerScript: new URL('failing-sync-writer.ts', import.meta.url),
    log: (level, message) => logged.push(`${level} ${message}`),
  });
  await telemetry.ingest([record(1, 1000)], 'test');
  const failed = {
    kind: 'disk-failed',
    message: 'The disk of the station could not store what came in. The station must be restarted.',
  };
  // Two groups: the second one is on its way already when the first fails.
  const first = telemetry.ingest([record(1, 2000)], 'test');
  await new Promise((turn) => setImmediate(turn));
  const second = telemetry.ingest([record(1, 3000)], 'test');
  await expect(first).rejects.toMatchObject(failed);
  await expect(second).rejects.toMatchObject(failed);
  // The same once more is a duplicate, of which there is nothing to write: it is not on the disk for that.
  await expect(telemetry.ingest([record(1, 2000)], 'test')).rejects.toMatchObject(failed);
  await expect(telemetry.quarantine([{ reason: 'r', raw: new Uint8Array(1) }], 'test', 'd')).rejects.toMatchObject(
    failed,
  );
  const heard = new Promise((resolve, reject) =>
    telemetry.ingestOne(record(2, 1000), 'test', {
      stored: () => reject(new Error('It was acknowledged.')),
      failed: resolve,
    }),
  );
  await expect(heard).resolves.toMatchObject(failed);
  expect(states.get(1)!.time).toBe(1000);
  expect(logged).toEqual([
    'ERROR The disk could not store what came in (EIO: i/o error, fdatasync). No records are accepted until the station is restarted.',
  ]);
  await telemetry.close();
  const again = open(directory);
  expect(await again.telemetry.ingest([record(1, 3000)], 'test')).toMatchObject({ accepted: 1 });
  await again.telemetry.close();
});

test('senders and the log get a report of damage, also if the disk cannot record it', async () => {
  const logged: string[] = [];
  const directory = aDirectory();
  const { telemetry } = open(directory, {
    writerScript: new URL('damage-finding-writer.ts', import.meta.url),
    log: (_level, message) => logged.push(message),
  });
  mkdirSync(join(directory, 'tracks.db.damaged')); // where the note would be written
  for (const time of [1000, 2000])
    await expect(telemetry.ingest([record(1, time)], 'test')).rejects.toMatchObject({ kind: 'disk-failed' });
  expect(logged).toEqual([
    expect.stringMatching(/^tracks\.db is damaged \(database disk image is malformed\)\. That could not be noted/),
    expect.stringMatching(/^tracks\.db is damaged .* Restart the station/),
  ]);
  expect(telemetry.problems()).toMatchObject([{ text: expect.stringContaining('tracks.db is damaged') as string }]);
  await telemetry.close();
});

test('what the log still holds after a disk that failed is in the file itself before it counts as there', async () => {
  const directory = aDirectory();
  const { telemetry } = open(directory, {
    writerScript: new URL('failing-sync-writer.ts', import.meta.url),
    log: () => undefined,
  });
  await telemetry.ingest([record(1, 1000)], 'test');
  await expect(telemetry.ingest([record(1, 2000)], 'test')).rejects.toMatchObject({ kind: 'disk-failed' });
  // The process dies: what the disk has of the log nobody knows, but the system still shows it.
  const after = aDirectory();
  for (const file of ['tracks.db', 'tracks.db-wal']) cpSync(join(directory, file), join(after, file));
  await telemetry.close();
  expect(statSync(join(after, 'tracks.db-wal')).size).toBeGreaterThan(0);
  const again = open(after);
  onTestFinished(() => again.telemetry.close());
  const alone = aDirectory();
  cpSync(join(after, 'tracks.db'), join(alone, 'tracks.db'));
  const onDisk = new Tracks(alone);
  expect(onDisk.after(1, 0, 10).map(({ time }) => time)).toEqual([1000, 2000]);
  onDisk.db.close();
  expect(await again.telemetry.ingest([record(1, 2000)], 'test')).toMatchObject({ duplicates: 1 });
});

test('a thread that cannot start is not restarted at once: during the backoff senders get an error', async () => {
  const logged: string[] = [];
  const { telemetry } = open(aDirectory(), {
    writerScript: new URL('stillborn-writer.ts', import.meta.url),
    log: (_level, message) => logged.push(message),
  });
  await expect(telemetry.ingest([record(1, 1000)], 'test')).rejects.toMatchObject({ kind: 'busy' });
  const paused = { kind: 'busy', message: 'Tracks cannot be written at the moment (not today). Send it again later.' };
  for (let time = 2000; time < 2050; time++)
    await expect(telemetry.ingest([record(1, time)], 'test')).rejects.toMatchObject(paused);
  expect(logged).toHaveLength(1);
  // The pause ends, and it is tried again.
  await eventually(async () => {
    await telemetry.ingest([record(1, 3000)], 'test').catch(() => undefined);
    expect(logged).toHaveLength(2);
  });
  await telemetry.close();
});

test('a group that cannot be written leaves nothing behind, and the next one is as if it had never been', async () => {
  const directory = aDirectory();
  const writer = new TrackWriter(directory, { futureLimit: 300, stamp: 0 });
  writer.write(groupOf([1000]));
  const broken = {
    kind: 'quarantine',
    entries: [
      { time: 1, source: 's', device: 'd', reason: 'r', raw: new Uint8Array(1) },
      { time: 1, source: 's', device: 'd', reason: null as unknown as string, raw: new Uint8Array(2) },
    ],
  } as const;
  expect(() => writer.write(groupOf([2000, 3000], [broken]))).toThrow('NOT NULL');
  const { outcomes, states, fresh } = writer.write(groupOf([1000, 3000]));
  expect([...outcomes]).toEqual([OUTCOME.duplicate, OUTCOME.accepted]);
  expect(unpackStates(states)).toMatchObject([{ id: 1, time: 3000 }]);
  expect(fresh).toMatchObject([{ vehicleId: 1, from: 3000, until: 3000, count: 1 }]);
  writer.close();
  const tracks = new Tracks(directory, { onlyReads: true });
  expect(tracks.after(1, 0, 10).map(({ time }) => time)).toEqual([1000, 3000]);
  expect(tracks.db.prepare('SELECT count(*) AS entries FROM quarantine').get()).toEqual({ entries: 0 });
  expect(() => tracks.markProcessed(1)).toThrow('readonly');
  tracks.db.close();
});

test('last states that an older program left as JSON are read, and kept as numbers from the next record on', async () => {
  const directory = aDirectory();
  const older = new Tracks(directory);
  const state = {
    ...unknownState(1),
    time: 1000,
    lat: 55,
    lon: 36.99,
    odometer: 12.5,
    engineOn: true,
    stopped: true,
    stoppedSince: 900,
    unitStatus: 3,
    unitStatusSince: 800,
  };
  older.db.prepare('INSERT INTO states (vehicle, state) VALUES (1, ?)').run(JSON.stringify(state));
  older.db.exec('DROP TABLE moving; DROP TABLE track_months; PRAGMA user_version=3');
  older.close();
  const { telemetry, states } = open(directory);
  expect(states.get(1)).toEqual(state);
  await telemetry.ingest([record(1, 61_000)], 'test');
  const now = states.get(1)!;
  expect(now).toMatchObject({ time: 61_000, unitStatus: 3 });
  expect(now.odometer).toBeGreaterThan(13);
  await telemetry.close();
  const again = open(directory);
  expect(again.states.get(1)).toEqual(now);
  await again.telemetry.close();
});
