import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  DETECTORS,
  eventOf,
  Events,
  InlineFold,
  StoredMemory,
  type VehicleContext,
} from '../../../../server/tracking/events/index.ts';
import { openStore } from '../../../../server/store/index.ts';
import { wildContext, wildDay } from './drive.ts';
import { MapTrack } from './memory.ts';

test('a context that changes while the first span of a vehicle is computed holds for that span', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-recompute-'));
  const store = await openStore({ directory });
  const track = new MapTrack();
  const day = wildDay(3, 250);
  for (const point of day) track.insert(point);

  const context = wildContext();
  let present: VehicleContext = { ...context, zones: [] };
  const fold = new InlineFold({
    detectors: DETECTORS,
    context: () => present,
    memory: new StoredMemory(store.sql, store.table('events')),
    track: (_, after) => track.after(after),
  });
  const computed = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const revise = fold.revise.bind(fold);
  fold.revise = async (jobs) => {
    const outcomes = await revise(jobs);
    computed.resolve();
    await held.promise;
    return outcomes;
  };
  const reported: unknown[] = [];
  const events = new Events({
    store,
    fold,
    now: () => track.last,
    lastTimes: () => [],
    processed: () => undefined,
    report: (error) => reported.push(error),
  });
  onTestFinished(async () => {
    await events.close();
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  });

  events.tracksChanged([{ vehicleId: 1, from: day[0]!.time, until: track.last, stamp: 1 }]);
  await computed.promise;
  present = context;
  const recomputed = Promise.withResolvers<void>();
  events.recompute([1], day[0]!.time, recomputed.resolve);
  held.resolve();
  await recomputed.promise;
  await events.idle();
  const types = store
    .records('events')
    .all()
    .map((row) => eventOf(row).type);
  expect(types).toContain(6);
  expect(reported).toEqual([]);
});
