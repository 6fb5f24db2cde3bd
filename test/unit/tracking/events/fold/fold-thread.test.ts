import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import {
  DETECTORS,
  eventOf,
  Events,
  InlineFold,
  FoldThread,
  StoredMemory,
  type Point,
  type ChangedSpan,
  type VehicleContext,
} from '../../../../../server/tracking/events/index.ts';
import { openStore, type Store } from '../../../../../server/store/index.ts';
import { openTelemetry, type Telemetry } from '../../../../../server/tracking/telemetry/index.ts';
import { SEED, numbers } from '../../../../support/chance.ts';
import { randomContext, randomDay, zonesInARow } from '../random-context.ts';

let directory: string;
let room: Room;
let contexts: Map<number, VehicleContext>;
let now: number;
let reported: unknown[];
let warned: string[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'waypost-fold-'));
  contexts = new Map();
  [now, reported, warned] = [0, [], []];
});
afterEach(async () => {
  await closeRoom();
  rmSync(directory, { recursive: true, force: true });
});

let isOpen = false;
async function closeRoom(): Promise<void> {
  if (isOpen) await room.close();
  isOpen = false;
}

interface Room {
  readonly store: Store;
  readonly telemetry: Telemetry;
  readonly events: Events;
  readonly fold: FoldThread | InlineFold;
  close(): Promise<void>;
}

/**
 * Tracks, store and events of a station, over what is in the directory. The thread works in portions so small
 * that most stretches take several.
 */
async function open(data: string, where: 'thread' | 'here', script?: URL, budget = 20): Promise<Room> {
  const store = await openStore({ directory: data });
  const telemetry = openTelemetry({
    directory: data,
    now: () => now,
    findVehicle: ({ glonassId }) => ({ id: glonassId! }),
    publish: () => undefined,
    tracksChanged: (spans) => events.tracksChanged(spans),
  });
  const context = (vehicleId: number) => contexts.get(vehicleId)!;
  const fold =
    where === 'thread'
      ? new FoldThread({
          tracks: telemetry.file,
          station: store.file,
          table: store.table('events'),
          context,
          budget,
          warn: (message) => warned.push(message),
          ...(script && { script }),
        })
      : new InlineFold({
          detectors: DETECTORS,
          memory: new StoredMemory(store.sql, store.table('events')),
          track: (vehicleId, after) => telemetry.points(vehicleId, after),
          context,
        });
  const events: Events = new Events({
    store,
    fold,
    now: () => now,
    lastTimes: () => telemetry.lastStates().map(({ id, time }) => [id, time] as const),
    processed: (spans) => telemetry.markProcessed(spans),
    report: (error) => reported.push(error),
  });
  events.tracksChanged(telemetry.unprocessedSpans() as ChangedSpan[]);
  const close = async () => {
    await events.close();
    await telemetry.close();
    await store.close();
  };
  isOpen = true;
  return { store, telemetry, events, fold, close };
}

function recordOf(glonassId: number, { fixed, ...point }: Point) {
  return { ...point, glonassId, gpsCount: fixed ? 9 : 1 };
}

/** All events, without what only says when and why they were seen. */
function kept({ store }: Room) {
  return store
    .records('events')
    .all()
    .map(eventOf)
    .map(({ seenAt: _, ...event }) => event)
    .sort((a, b) => a.vehicleId - b.vehicleId || a.from - b.from || a.id - b.id);
}

test(`the thread finds what the fold on the spot finds, through late records, other contexts, its own deaths and restarts (WAYPOST_SEED=${SEED})`, async () => {
  const random = numbers(SEED);
  const vehicles = [1, 2, 3, 4];
  const days = new Map(vehicles.map((vehicle) => [vehicle, randomDay(SEED + vehicle, 200)]));
  const end = Math.max(...[...days.values()].map((day) => day.at(-1)!.time));
  // Some lists are shared, as the zones of an organisation are.
  const another = (seed: number, beside?: VehicleContext): VehicleContext =>
    beside && random() < 0.5 ? { ...randomContext(seed, end), zones: beside.zones } : randomContext(seed, end);
  for (const vehicle of vehicles) contexts.set(vehicle, another(SEED + 50 + vehicle, contexts.get(1)));
  room = await open(directory, 'thread');
  const arrivals = [...days]
    .flatMap(([vehicle, points]) =>
      points.map((point, i) => ({ vehicle, point, at: random() < 0.1 ? i + random() * 120 : i })),
    )
    .sort((a, b) => a.at - b.at);
  let hasDied = false;
  for (let at = 0; at < arrivals.length;) {
    const batch = arrivals.slice(at, (at += 1 + Math.floor(random() * (random() < 0.1 ? 60 : 5))));
    now = Math.max(now, ...batch.map(({ point }) => point.time));
    await room.telemetry.ingest(
      batch.map(({ vehicle, point }) => recordOf(vehicle, point)),
      'test',
    );
    if (random() < 0.05) await room.events.idle();
    if (random() < 0.04 || (!hasDied && at * 2 > arrivals.length)) {
      hasDied = true;
      void (room.fold as FoldThread).kill();
    }
    if (random() < 0.04) {
      const vehicle = vehicles[Math.floor(random() * vehicles.length)]!;
      contexts.set(vehicle, another(SEED + at, contexts.get(1)));
      room.events.recompute([vehicle], 0);
    }
    if (random() < 0.01) {
      await closeRoom();
      room = await open(directory, 'thread');
      // What an edit of the context made to be done again is kept by another part of the room.
      room.events.recompute(vehicles, 0);
    }
  }
  await room.events.idle();
  now = end + 60_000;
  room.events.lookForSilence();
  await room.events.idle();
  expect(reported).toEqual([]);
  const stormy = kept(room);
  await closeRoom();

  rmSync(directory, { recursive: true, force: true });
  // Heard before the last look at who is silent: on a busy machine a day comes in several pieces, after which
  // a vehicle counts as sending for a while.
  now = end;
  room = await open(directory, 'here');
  for (const [vehicle, day] of days)
    await room.telemetry.ingest(
      day.map((point) => recordOf(vehicle, point)),
      'test',
    );
  await room.events.idle();
  now = end + 60_000;
  room.events.lookForSilence();
  await room.events.idle();
  expect(stormy).toEqual(kept(room));
  expect(stormy.length).toBeGreaterThan(100);
}, 120_000);

test.each([
  ['at once', 1_000],
  ['half-way', 20],
])(
  'an order of which thread after thread dies %s is given up, and costs no other vehicle its events',
  async (when, budget) => {
    process.env['WAYPOST_DIES'] = when;
    onTestFinished(() => void delete process.env['WAYPOST_DIES']);
    room = await open(directory, 'thread', new URL('dying-fold.ts', import.meta.url), budget);
    for (const vehicle of [12, 13, 14]) contexts.set(vehicle, randomContext(SEED, 0));
    const day = randomDay(SEED, 60);
    now = day.at(-1)!.time;
    await room.telemetry.ingest(
      [12, 13, 14].flatMap((vehicle) => day.map((point) => recordOf(vehicle, point))),
      'test',
    );
    await room.events.idle();
    expect(new Set(kept(room).map(({ vehicleId }) => vehicleId))).toEqual(new Set([12, 14]));
    // Once; once more for each piece of the day that a busy machine stores after it was given up.
    const given = reported.map((error) => (error as Error).message);
    expect([given.length > 0, given.filter((message) => !message.includes('died 3 times of vehicle 13'))]).toEqual([
      true,
      [],
    ]);
    expect(warned.length).toBeGreaterThan(0);
    await closeRoom();

    // Its stretch waits on disk for a start at which the thread can do it.
    room = await open(directory, 'thread');
    await room.events.idle();
    expect(new Set(kept(room).map(({ vehicleId }) => vehicleId))).toEqual(new Set([12, 13, 14]));
  },
);

/**
 * A thread of its own over what is in the room, which dies of vehicle 13, and what is to be done of a
 * vehicle.
 */
function dying(when: 'at once' | 'half-way', day: readonly Point[]) {
  process.env['WAYPOST_DIES'] = when;
  const fold = new FoldThread({
    tracks: room.telemetry.file,
    station: room.store.file,
    table: room.store.table('events'),
    budget: 20,
    context: (vehicleId) => contexts.get(vehicleId)!,
    warn: (message) => warned.push(message),
    script: new URL('dying-fold.ts', import.meta.url),
  });
  onTestFinished(async () => {
    delete process.env['WAYPOST_DIES'];
    await fold.close();
  });
  const order = (vehicleId: number) => ({
    vehicleId,
    from: day[0]!.time,
    until: day.at(-1)!.time,
    points: undefined,
    silentUntil: day.at(-1)!.time,
  });
  return { fold, order };
}
const kindsOf = (outcomes: readonly object[]) =>
  outcomes.map((outcome) => ['error', 'unfinished', 'pieces'].find((kind) => kind in outcome));

test('of what is asked behind an order of which threads die nothing is given up', async () => {
  room = await open(directory, 'here');
  const day = randomDay(SEED, 10);
  now = day.at(-1)!.time;
  for (const vehicle of [12, 13, 14]) contexts.set(vehicle, randomContext(SEED, 0));
  await room.telemetry.ingest(
    [12, 13, 14].flatMap((vehicle) => day.map((point) => recordOf(vehicle, point))),
    'test',
  );
  const { fold, order } = dying('at once', day);
  const answers = await Promise.all([fold.revise([order(13)]), fold.revise([order(14)]), fold.revise([order(12)])]);
  expect(kindsOf(answers[0]!)).toEqual(['error']);
  // A slow machine does not get through a stretch in one budget: the rest of it follows.
  for (const [index, vehicleId] of [
    [1, 14],
    [2, 12],
  ] as const) {
    let kinds = kindsOf(answers[index]!);
    for (let portions = 0; kinds[0] === 'unfinished' && portions < 100; portions++)
      kinds = kindsOf(await fold.resume([vehicleId]));
    expect(kinds).toEqual(['pieces']);
  }
});

test('long stretches go on in portions also after a thread died, and the one of which it did is given up', async () => {
  room = await open(directory, 'here');
  const day = randomDay(SEED, 100);
  now = day.at(-1)!.time;
  for (const vehicle of [12, 13, 14]) contexts.set(vehicle, randomContext(SEED, 0));
  await room.telemetry.ingest(
    [12, 13, 14].flatMap((vehicle) => day.map((point) => recordOf(vehicle, point))),
    'test',
  );
  const { fold, order } = dying('half-way', day);
  expect(kindsOf(await fold.revise([order(12), order(13), order(14)]))).toEqual([
    'unfinished',
    'unfinished',
    'unfinished',
  ]);
  // Of these the thread dies; another one begins the first of them, and comes no farther than one budget.
  expect(kindsOf(await fold.resume([13, 12, 14]))).toEqual(['unfinished', 'unfinished', 'unfinished']);
  expect(kindsOf(await fold.resume([12, 14]))).toEqual(['unfinished', 'unfinished']);
  let kinds: ReturnType<typeof kindsOf>;
  let questions = 0;
  do kinds = kindsOf(await fold.resume([13]));
  while (kinds[0] === 'unfinished' && ++questions < 10);
  expect(kinds).toEqual(['error']);
  const finished = new Set<number>();
  for (questions = 0; finished.size < 2 && questions < 100; questions++) {
    for (const vehicleId of [12, 14])
      if (!finished.has(vehicleId) && kindsOf(await fold.resume([vehicleId]))[0] === 'pieces') finished.add(vehicleId);
  }
  expect([...finished].sort()).toEqual([12, 14]);
});

test('of spans that are resumed together only one that was forgotten fails; a span says when it began again', async () => {
  room = await open(directory, 'here');
  const day = randomDay(SEED, 100);
  now = day.at(-1)!.time;
  for (const vehicle of [12, 14]) contexts.set(vehicle, randomContext(SEED, 0));
  await room.telemetry.ingest(
    [12, 14].flatMap((vehicle) => day.map((point) => recordOf(vehicle, point))),
    'test',
  );
  const { fold, order } = dying('half-way', day);
  const begun = await fold.revise([order(12), order(14)]);
  expect(begun).toMatchObject([
    { unfinished: true, isNew: true },
    { unfinished: true, isNew: true },
  ]);
  expect(await fold.resume([12])).toMatchObject([{ isNew: false }]);
  await fold.kill();
  expect(await fold.resume([12])).toMatchObject([{ isNew: true }]);
  fold.forget([12]);
  expect(kindsOf(await fold.resume([12, 14]))).toEqual(['error', 'unfinished']);
});

test('while no thread can be started stretches wait, and are worked out when one can', async () => {
  const script = join(directory, 'later.mjs');
  room = await open(directory, 'thread', pathToFileURL(script));
  contexts.set(1, randomContext(SEED, 0));
  const day = randomDay(SEED, 60);
  now = day.at(-1)!.time;
  await room.telemetry.ingest(
    day.map((point) => recordOf(1, point)),
    'test',
  );
  while (warned.length === 0) await pause(5);
  expect(room.events.waiting).toBeGreaterThan(0);
  expect(existsSync(script)).toBe(false);
  writeFileSync(
    script,
    `import ${JSON.stringify(new URL('../../../../../server/tracking/events/fold/fold.worker.ts', import.meta.url).href)};`,
  );
  await room.events.idle();
  expect(kept(room).length).toBeGreaterThan(0);
  expect(reported).toEqual([]);
});

test('closing does not wait for a thread that cannot be started', async () => {
  room = await open(directory, 'thread', pathToFileURL(join(directory, 'never.mjs')));
  contexts.set(1, randomContext(SEED, 0));
  const first = randomDay(SEED, 1)[0]!;
  now = first.time;
  await room.telemetry.ingest([recordOf(1, first)], 'test');
  while (warned.length === 0) await pause(5);
  await closeRoom();
  expect(reported).toEqual([]);
  // What it did not come to is taken up by the next one.
  room = await open(directory, 'here');
  expect(room.telemetry.unprocessedSpans()).toHaveLength(1);
});

test('events among thousands of zones are those of the fold on the spot, also when the thread dies while they are sent', async () => {
  const day = randomDay(SEED, 60);
  now = day.at(-1)!.time;
  const [one, other] = [zonesInARow(3_000, 20), zonesInARow(3_000, 20)];
  let looks = 0;
  const { shape } = one[300]!;
  // It is looked at when its part is made; the thread dies in the turn that follows, with most parts still to
  // come.
  Object.defineProperty(one[300], 'shape', {
    enumerable: true,
    get: () => {
      if (looks++ === 0) setImmediate(() => void (room.fold as FoldThread).kill());
      return shape;
    },
  });
  contexts.set(1, { ...randomContext(SEED, now), zones: one });
  contexts.set(2, { ...randomContext(SEED, now), zones: other });
  contexts.set(3, randomContext(SEED, now));
  room = await open(directory, 'thread');
  await room.telemetry.ingest(
    [1, 2, 3].flatMap((vehicle) => day.map((point) => recordOf(vehicle, point))),
    'test',
  );
  await room.events.idle();
  expect([reported, looks > 0]).toEqual([[], true]);
  const found = kept(room);
  await closeRoom();
  rmSync(directory, { recursive: true, force: true });
  room = await open(directory, 'here');
  await room.telemetry.ingest(
    [1, 2, 3].flatMap((vehicle) => day.map((point) => recordOf(vehicle, point))),
    'test',
  );
  await room.events.idle();
  expect(found).toEqual(kept(room));
  expect(new Set(found.map(({ vehicleId }) => vehicleId))).toEqual(new Set([1, 2, 3]));
}, 60_000);
