import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  DETECTORS,
  eventOf,
  Events,
  InlineFold,
  StoredMemory,
  type Point,
  type Revised,
  type ChangedSpan,
  type VehicleContext,
} from '../../../../server/tracking/events/index.ts';
import { openStore, type Store } from '../../../../server/store/index.ts';
import { SEED, numbers } from '../../../support/chance.ts';
import { eventually } from '../../../support/eventually.ts';
import { wildDay, wildContext } from './drive.ts';
import { MapTrack } from './memory.ts';

const context = wildContext();

let directory: string;
let store: Store;
let events: Events;
let tracks: Map<number, MapTrack>;
let now: number;
let unprocessed: Map<number, ChangedSpan>;
let published: Revised[];
let reported: unknown[];
let stamp = 0;
/** Whether more comes in than the disk takes. */
let isBacklogged: boolean;

beforeEach(async () => {
  isBacklogged = false;
  directory = mkdtempSync(join(tmpdir(), 'waypost-events-'));
  tracks = new Map();
  unprocessed = new Map();
  published = [];
  reported = [];
  now = 0;
  await open();
});
afterEach(async () => {
  await close();
  rmSync(directory, { recursive: true, force: true });
});

async function open(): Promise<void> {
  store = await openStore({ directory, now: () => Date.now() });
  events = new Events({
    store,
    now: () => now,
    fold: fold(() => context),
    lastTimes: () => [...tracks].map(([vehicle, track]) => [vehicle, track.last] as const),
    processed: (spans) =>
      spans.forEach(
        (span) => unprocessed.get(span.vehicleId)?.stamp === span.stamp && unprocessed.delete(span.vehicleId),
      ),
    report: (error) => reported.push(error),
    isBacklogged: () => isBacklogged,
  });
  events.watch((revised) => published.push(revised));
}

function fold(surroundings: (vehicleId: number) => VehicleContext, budget?: number): InlineFold {
  return new InlineFold({
    detectors: DETECTORS,
    budget,
    context: surroundings,
    memory: new StoredMemory(store.sql, store.table('events')),
    track: (vehicle, after) => tracks.get(vehicle)?.after(after) ?? [],
  });
}

async function close(): Promise<void> {
  await events.close();
  await store.close();
}

function take(vehicleId: number, batch: readonly Point[]): void {
  const track = tracks.get(vehicleId) ?? new MapTrack();
  tracks.set(vehicleId, track);
  const points = batch.filter((point) => track.insert(point));
  const fresh = points.map(({ time }) => time);
  if (fresh.length === 0) return;
  now = Math.max(now, ...fresh);
  const span = { vehicleId, from: Math.min(...fresh), until: Math.max(...fresh), stamp: ++stamp };
  const waiting = unprocessed.get(vehicleId);
  unprocessed.set(
    vehicleId,
    waiting
      ? { vehicleId, from: Math.min(waiting.from, span.from), until: Math.max(waiting.until, span.until), stamp }
      : span,
  );
  // Some bring their points with them, some are read from the track: it must not matter.
  events.tracksChanged([
    { ...span, points: stamp % 3 === 0 ? undefined : () => points.toReversed(), count: points.length },
  ]);
}

/** All events of all vehicles, without what only says when and why they were seen. */
function kept() {
  return store
    .records('events')
    .all()
    .map(eventOf)
    .map(({ seenAt: _, ...event }) => event)
    .sort((a, b) => a.vehicleId - b.vehicleId || a.from - b.from || a.id - b.id);
}

test(`events on disk are those of the ordered track, through late records and restarts (WAYPOST_SEED=${SEED})`, async () => {
  const random = numbers(SEED);
  const days = new Map([1, 2, 3].map((vehicle) => [vehicle, wildDay(SEED + vehicle, 250)]));
  const arrivals = [...days]
    .flatMap(([vehicle, points]) =>
      points.map((point, i) => ({ vehicle, point, at: random() < 0.08 ? i + random() * 150 : i })),
    )
    .sort((a, b) => a.at - b.at);
  for (const [i, { vehicle, point }] of arrivals.entries()) {
    take(vehicle, [point]);
    if (random() < 0.02) await events.idle();
    if (i === 300 || i === 600) {
      // It goes down in the midst of its work; what was not processed is reported again at the start.
      await close();
      await open();
      events.tracksChanged([...unprocessed.values()]);
    }
  }
  await events.idle();
  now += 60_000;
  events.lookForSilence();
  await events.idle();
  expect(reported).toEqual([]);
  const stormy = kept();

  await close();
  rmSync(directory, { recursive: true, force: true });
  tracks.clear();
  await open();
  for (const [vehicle, points] of days) take(vehicle, points);
  now = Math.max(...[...days.values()].flat().map(({ time }) => time)) + 60_000;
  await events.idle();
  events.lookForSilence();
  await events.idle();
  expect(stormy).toEqual(kept());
  expect(stormy.length).toBeGreaterThan(100);
});

test('a published event is on disk, with its reason', async () => {
  const point = (minute: number, speed = 0): Point => ({
    time: minute * 60_000,
    lat: 55,
    lon: 38,
    speed,
    direction: 0,
    fixed: true,
    inputs: 0,
    adc: [],
    params: {},
  });
  for (const minute of [1, 2, 3, 4, 5]) take(9, [point(minute)]);
  await events.idle();
  expect(published.map(({ reason, created }) => [reason, created.map(({ type }) => type)])).toEqual([['live', [1]]]);
  expect(kept()).toMatchObject([{ vehicleId: 9, type: 1, from: 60_000, until: null }]);

  now = 30 * 60_000;
  events.lookForSilence();
  await events.idle();
  expect(published.at(-1)).toMatchObject({ reason: 'silence', created: [{ type: 2, until: null, bySilence: true }] });

  take(9, [point(29, 40)]);
  await events.idle();
  take(9, [point(7, 40)]);
  await events.idle();
  expect(published.at(-1)!.reason).toBe('late record');
  expect(kept().map(({ type, from, until }) => [type, from / 60_000, until && until / 60_000])).toEqual([
    [1, 1, 7],
    [2, 7, 29],
  ]);
});

test('a black box that is emptied record by record tells of no silence between its records', async () => {
  const point = (minute: number): Point => ({
    time: minute * 60_000,
    lat: 55,
    lon: 38,
    speed: 40,
    direction: 0,
    fixed: true,
    inputs: 0,
    adc: [],
    params: {},
  });
  const emptied = 10 * 3_600_000;
  now = emptied;
  for (let minute = 1; minute <= 20; minute++) {
    take(9, [point(minute)]);
    await events.idle();
    now += 1000;
  }
  events.lookForSilence();
  await events.idle();
  // The first one came out of hours of silence; with the second it was known that the vehicle sends.
  expect(
    published
      .flatMap(({ created, withdrawn }) => [...created, ...withdrawn])
      .filter(({ type }) => type === 2)
      .map(({ from }) => from),
  ).toEqual([60_000, 60_000]);
  expect(kept().filter(({ type }) => type === 2)).toEqual([]);

  now += 15_000;
  events.lookForSilence();
  await events.idle();
  expect(kept().filter(({ type }) => type === 2)).toMatchObject([{ from: 20 * 60_000, until: null, bySilence: true }]);
});

test('a context that cannot be told of costs no other vehicle its events', async () => {
  await events.close();
  events = new Events({
    store,
    now: () => now,
    lastTimes: () => [],
    fold: fold((vehicleId) => {
      if (vehicleId === 1) throw new Error('no such vehicle');
      return context;
    }),
    processed: (spans) => spans.forEach(({ vehicleId }) => unprocessed.delete(vehicleId)),
    report: (error) => reported.push(error),
  });
  take(1, wildDay(1, 50));
  take(2, wildDay(2, 50));
  await events.idle();
  expect([...unprocessed.keys()]).toEqual([1]);
  expect(reported).toHaveLength(1);
  expect(new Set(kept().map(({ vehicleId }) => vehicleId))).toEqual(new Set([2]));
});

test('what is young goes before black boxes that wait, and these are worked off also while more comes in than the disk takes', async () => {
  isBacklogged = true;
  const old = Array.from({ length: 12 }, (_, i) => i + 1);
  const young = 99;
  const day = wildDay(5, 250);
  now = day.at(-1)!.time + 3_600_000;
  const late = now - day.at(-1)!.time;
  for (const vehicle of old) take(vehicle, day);
  take(
    young,
    day.map((point) => ({ ...point, time: point.time + late })),
  );
  await events.idle();

  const order = [...new Set(published.map(({ vehicleId }) => vehicleId))];
  expect(order.toSorted((a, b) => a - b)).toEqual([...old, young]);
  expect(order[0]).toBe(young);
  expect(unprocessed.size).toBe(0);
});

test('a black box of a month keeps nobody waiting: what is young comes before the rest of it, and so do others who have less', async () => {
  await events.close();
  const folding = fold(() => context, 50);
  let wentOn = 0;
  const { promise: underWay, resolve: isUnderWay } = Promise.withResolvers<void>();
  const resume = folding.resume.bind(folding);
  folding.resume = (vehicleIds) => {
    if (++wentOn === 5) isUnderWay();
    return resume(vehicleIds);
  };
  events = new Events({
    store,
    fold: folding,
    now: () => now,
    lastTimes: () => [],
    processed: (spans) => spans.forEach(({ vehicleId }) => unprocessed.delete(vehicleId)),
    report: (error) => reported.push(error),
  });
  events.watch((revised) => published.push(revised));
  const month = wildDay(5, 5_000);
  const day = wildDay(6, 40);
  const end = month.at(-1)!.time;
  const at = (time: number) => day.map((point) => ({ ...point, time: point.time - day.at(-1)!.time + time }));
  now = end + 86_400_000;
  take(1, month);
  take(2, month);
  await underWay;
  take(3, at(end));
  take(4, at(now));
  await events.idle();
  const order = [...new Set(published.map(({ vehicleId }) => vehicleId))];
  expect(order.slice(0, 2)).toEqual([4, 3]);
  expect(order.toSorted()).toEqual([1, 2, 3, 4]);
  expect(wentOn).toBeGreaterThan(150);
  expect([reported, unprocessed.size, events.waiting]).toEqual([[], 0, 0]);
  // In pieces it comes to what it comes to in one.
  const both = kept().filter(({ vehicleId }) => vehicleId === 1);
  await close();
  rmSync(directory, { recursive: true, force: true });
  tracks.clear();
  await open();
  now = end + 86_400_000;
  take(1, month);
  await events.idle();
  expect(both).toEqual(kept());
  expect(both.length).toBeGreaterThan(100);
});

test('what came of a long stretch is saved in parts, between which others are; broken off there, it is worked out again to the same', async () => {
  const month = wildDay(5, 5_000);
  const day = wildDay(6, 40);
  now = month.at(-1)!.time + 86_400_000;
  let closed: Promise<void> | undefined;
  events.watch(({ vehicleId }) => {
    if (vehicleId === 1 && published.length === 2)
      take(
        2,
        day.map((point) => ({ ...point, time: point.time - day.at(-1)!.time + now })),
      );
    if (vehicleId === 2) closed ??= close();
  });
  take(1, month);
  await eventually(() => expect(closed).toBeDefined());
  await closed;
  const parts = published
    .filter(({ vehicleId }) => vehicleId === 1)
    .map(({ created, changed, withdrawn }) => created.length + changed.length + withdrawn.length);
  expect(Math.max(...parts)).toBeLessThanOrEqual(240);
  expect(published.findIndex(({ vehicleId }) => vehicleId === 2)).toBeGreaterThan(1);
  expect([...unprocessed.keys()]).toContain(1);
  await open();
  const some = kept().length;
  events.tracksChanged([...unprocessed.values()]);
  await events.idle();
  const stormy = kept().filter(({ vehicleId }) => vehicleId === 1);
  expect(stormy.length).toBeGreaterThan(some);
  expect([reported, unprocessed.size]).toEqual([[], 0]);

  await close();
  rmSync(directory, { recursive: true, force: true });
  tracks.clear();
  await open();
  now = month.at(-1)!.time + 86_400_000;
  take(1, month);
  await events.idle();
  expect(stormy).toEqual(kept());
});

test.each(['what came of it', 'its checkpoints'])(
  'a long stretch of which %s could not be saved is worked out again with the next record of its vehicle, without a restart',
  async (what) => {
    await events.close();
    const folding = fold(() => context, 500);
    let checkpoints = 0;
    let refused = 0;
    const refuse = (isToBe: boolean) => {
      if (!isToBe || refused > 0) return;
      refused++;
      throw new Error('The disk is full.');
    };
    const refusing = new Proxy(store, {
      get(target, name) {
        const its: unknown = Reflect.get(target, name, target);
        if (name === 'transaction')
          return async (work: () => Promise<unknown>) => (refuse(what === 'what came of it'), target.transaction(work));
        if (name === 'writePlain')
          return async (work: Parameters<Store['writePlain']>[0]) => (
            refuse(what === 'its checkpoints' && ++checkpoints === 4),
            target.writePlain(work)
          );
        return typeof its === 'function' ? its.bind(target) : its;
      },
    });
    events = new Events({
      store: refusing,
      fold: folding,
      now: () => now,
      lastTimes: () => [],
      processed: (spans) =>
        spans.forEach(
          (span) => unprocessed.get(span.vehicleId)?.stamp === span.stamp && unprocessed.delete(span.vehicleId),
        ),
      report: (error) => reported.push(error),
    });
    const month = wildDay(5, 5_000);
    take(1, month.slice(0, -1));
    await events.idle();
    const isOnDisk = store.sql.prepare('SELECT count(*) AS count FROM event_checkpoints').get()!['count'] as number;
    expect([isOnDisk > 0, refused, reported.length, unprocessed.size]).toEqual([true, 1, 1, 1]);
    take(1, month.slice(-1));
    await events.idle();
    expect([reported.length, unprocessed.size]).toEqual([1, 0]);
    const found = kept();

    await close();
    rmSync(directory, { recursive: true, force: true });
    tracks.clear();
    await open();
    take(1, month);
    await events.idle();
    expect(found).toEqual(kept());
    expect(found.length).toBeGreaterThan(100);
  },
);

test('closing in the midst of a long stretch leaves it for the next start', async () => {
  await events.close();
  const folding = fold(() => context, 50);
  const { promise: underWay, resolve: isUnderWay } = Promise.withResolvers<void>();
  const resume = folding.resume.bind(folding);
  folding.resume = (vehicleIds) => {
    isUnderWay();
    return resume(vehicleIds);
  };
  const options = {
    store,
    now: () => now,
    lastTimes: () => [],
    processed: (spans: readonly Pick<ChangedSpan, 'vehicleId'>[]) =>
      spans.forEach(({ vehicleId }) => unprocessed.delete(vehicleId)),
    report: (error: unknown) => reported.push(error),
  };
  events = new Events({ ...options, fold: folding });
  take(1, wildDay(5, 5_000));
  await underWay;
  await events.close();
  expect([kept(), [...unprocessed.keys()], reported]).toEqual([[], [1], []]);
  events = new Events({ ...options, fold: fold(() => context) });
  events.tracksChanged([...unprocessed.values()]);
  await events.idle();
  expect(kept().length).toBeGreaterThan(100);
  expect(unprocessed.size).toBe(0);
});
