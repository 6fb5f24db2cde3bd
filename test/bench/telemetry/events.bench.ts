import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import {
  DETECTORS,
  EMPTY_CONTEXT,
  EventEngine,
  Events,
  FoldThread,
  type Point,
  type VehicleContext,
  type Zone,
} from '../../../server/tracking/events/index.ts';
import { openStore } from '../../../server/store/index.ts';
import { openTelemetry, TrackFile, type NewPoints } from '../../../server/tracking/telemetry/index.ts';
import { wildDay, wildContext } from '../../unit/tracking/events/drive.ts';
import { numbers } from '../../support/chance.ts';
import type { BenchReport } from '../run.ts';
import { measureTurns, turnsText } from '../turns.ts';

const VEHICLES = 100;
const POINTS = 500;
const LATE = 60;

/**
 * Records through the engine beside reading them; events kept live beside durable intake; and what a late
 * record costs as tracks grow.
 */
export default async function bench(report: BenchReport): Promise<void> {
  const context = wildContext();
  const room = await open(context);
  const days = Array.from({ length: VEHICLES }, (_, vehicle) => wildDay(vehicle, POINTS));
  const records = VEHICLES * POINTS;

  const taken = await timed(async () => {
    for (const [vehicle, day] of days.entries())
      await room.telemetry.ingest(
        day.map((point) => recordOf(vehicle + 1, point)),
        'bench',
      );
  });
  const file = new TrackFile(join(room.directory, 'tracks.db'));
  const read = await worked(() => {
    for (let vehicle = 1; vehicle <= VEHICLES; vehicle++)
      for (const point of file.points(vehicle, 0, Number.MAX_SAFE_INTEGER))
        if (point.time < 0) throw new Error('never');
  });
  const fold = (surroundings: VehicleContext) =>
    worked(() => {
      for (let vehicle = 1; vehicle <= VEHICLES; vehicle++)
        engineOver(file, vehicle).revise(vehicle, { from: 0, until: Number.MAX_SAFE_INTEGER }, surroundings, 0);
    });
  await fold(context); // once to warm up
  const folded = await fold(context);
  report.ratio(
    'reading and folding records, against reading them',
    folded,
    read,
    'ms CPU',
    `${perSecond(records, folded)} records/s, 12 detectors, 3 zones, 5 sensors, a route`,
  );
  const crowded = { ...context, zones: manyZones(2_000) };
  const manyZonesTook = await fold(crowded);
  report.ratio(
    'the same among 2,000 zones, against 3',
    manyZonesTook,
    folded,
    'ms CPU',
    `${perSecond(records, manyZonesTook)} records/s`,
  );
  report.ratio('the same with nothing around, against that', await fold(EMPTY_CONTEXT), folded, 'ms CPU');

  const caughtUp = await timed(async () => {
    room.events.tracksChanged(
      days.map((day, vehicle) => ({ vehicleId: vehicle + 1, from: day[0]!.time, until: day.at(-1)!.time, stamp: 1 })),
    );
    await room.events.idle();
  });
  report.ratio(
    'a backlog of 50,000 records with events and checkpoints on disk, against taking them in',
    caughtUp,
    taken,
    'ms',
    `${perSecond(records, caughtUp)} records/s, ${(await room.events.log.list({ vehicleIds: days.map((_, i) => i + 1), limit: 1_000_000 })).length} events`,
  );
  file.close();
  await room.close();

  await live(report, context);
  await beside(report, context);
  await late(report, context);
}

/** Points of a month, one every 26 seconds. */
const MONTH = 100_000;

/**
 * How long a live record waits for its events while a month of another vehicle is worked out: in pieces,
 * against all in one.
 */
async function beside(report: BenchReport, context: VehicleContext): Promise<void> {
  const [inPieces, inOne] = [await waitsBeside(context), await waitsBeside(context, Infinity)];
  report.ratio(
    'the longest wait of a live record while a month is worked out in pieces, against in one',
    inPieces.longest,
    inOne.longest,
    'ms',
    `${inPieces.count} records, median ${Math.round(inPieces.median)} ms, the month ${Math.round(inPieces.took)} ms; in one: ${inOne.count} records, the month ${Math.round(inOne.took)} ms`,
  );
}

async function waitsBeside(
  context: VehicleContext,
  portion?: number,
): Promise<{ longest: number; median: number; count: number; took: number }> {
  let clock = Date.UTC(2027, 0, 1);
  const settled = new Map<number, () => void>();
  const room = await open(context, () => clock, { portion, settled: (vehicleId) => settled.get(vehicleId)?.() });
  const whenSettled = (vehicleId: number) => new Promise<void>((resolve) => settled.set(vehicleId, resolve));
  const day = wildDay(7, MONTH);
  const begin = clock - 86_400_000 - day.at(-1)!.time;
  for (let at = 0; at < MONTH; at += 5_000)
    await room.telemetry.ingest(
      day.slice(at, at + 5_000).map((point) => recordOf(1, { ...point, time: point.time + begin })),
      'bench',
    );
  const month = whenSettled(1);
  let isOver = false;
  void month.then(() => (isOver = true));
  const began = performance.now();
  room.events.tracksChanged(room.news());
  const waits: number[] = [];
  for (const point of wildDay(8, MONTH)) {
    if (isOver) break;
    clock += 1_000;
    const sent = performance.now();
    const known = whenSettled(2);
    await room.telemetry.ingest([recordOf(2, { ...point, time: clock })], 'bench');
    room.events.tracksChanged(room.news());
    await known;
    waits.push(performance.now() - sent);
    await new Promise((later) => setTimeout(later, 20));
  }
  const took = performance.now() - began;
  await room.close();
  waits.sort((a, b) => a - b);
  return { longest: waits.at(-1)!, median: waits[waits.length >> 1]!, count: waits.length, took };
}

/**
 * Vehicles send one record after the other, all of them in each second. The turns are watched in a run of
 * their own: watching them keeps the processor busy.
 */
async function live(report: BenchReport, context: VehicleContext): Promise<void> {
  const { intake, whole, wall, events, records } = await liveSeconds(context);
  const { turns } = await liveSeconds(context, measureTurns);
  report.ratio(
    'live: a record of each of 1,000 vehicles with its events on disk, against intake alone',
    whole,
    intake,
    'ms CPU',
    `${perSecond(records, wall)} records/s, ${(events / records).toFixed(2)} events written for each; ${turnsText(turns!)}`,
  );
}

/**
 * What a second of the fleet takes, ms of all threads: intake alone, and with events; and the whole by the
 * clock.
 */
async function liveSeconds(context: VehicleContext, watch?: typeof measureTurns) {
  let clock = Date.UTC(2027, 0, 1);
  const room = await open(context, () => clock);
  let events = 0;
  room.events.watch(
    ({ created, changed, withdrawn }) => (events += created.length + changed.length + withdrawn.length),
  );
  const days = Array.from({ length: 1_000 }, (_, vehicle) => wildDay(vehicle, 15));
  const seconds = days[0]!.map((_, i) => days.map((day, vehicle) => recordOf(vehicle + 1, day[i]!)));
  let [intake, whole, wall] = [0, 0, 0];
  const turns = watch?.();
  for (const second of seconds) {
    clock += 1_000;
    const began = performance.now();
    const used = allThreads();
    await room.telemetry.ingest(second, 'bench');
    intake += allThreads() - used;
    room.events.tracksChanged(room.news());
    await room.events.idle();
    whole += allThreads() - used;
    wall += performance.now() - began;
  }
  const watched = await turns?.stop();
  await room.close();
  return {
    turns: watched,
    intake: intake / seconds.length,
    whole: whole / seconds.length,
    wall,
    events,
    records: seconds.length * 1_000,
  };
}

/**
 * A record in the middle of a track, put in its place with its events on disk: the mean of some, intake
 * included.
 */
async function late(report: BenchReport, context: VehicleContext): Promise<void> {
  let base: number | undefined;
  for (const length of [2_000, 20_000, 200_000]) {
    const room = await open(context);
    const day = wildDay(7, length);
    const held = new Set(Array.from({ length: LATE }, (_, i) => Math.floor(length * (0.2 + (0.6 * i) / LATE))));
    const [inTime, tooLate] = [day.filter((_, i) => !held.has(i)), day.filter((_, i) => held.has(i))];
    for (let at = 0; at < inTime.length; at += 5_000)
      await room.telemetry.ingest(
        inTime.slice(at, at + 5_000).map((point) => recordOf(1, point)),
        'bench',
      );
    room.events.tracksChanged(room.news());
    await room.events.idle();
    const took = await worked(async () => {
      for (const point of tooLate) {
        await room.telemetry.ingest([recordOf(1, point)], 'bench');
        room.events.tracksChanged(room.news());
        await room.events.idle();
      }
    });
    base ??= took;
    report.ratio(
      `a late record in a track of ${length.toLocaleString('en')}, against one of 2,000`,
      took / LATE,
      base / LATE,
      'ms CPU',
    );
    await room.close();
  }
}

async function open(
  context: VehicleContext,
  now = () => Date.UTC(2027, 0, 1),
  { portion, settled }: { portion?: number | undefined; settled?: (vehicleId: number) => void } = {},
) {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-bench-events-'));
  const store = await openStore({ directory });
  const news: NewPoints[] = [];
  const telemetry = openTelemetry({
    directory,
    now,
    findVehicle: ({ glonassId }) => ({ id: glonassId! }),
    publish: () => undefined,
    tracksChanged: (spans) => news.push(...spans),
  });
  const events = new Events({
    store,
    now,
    lastTimes: () => [],
    processed: (spans) => {
      telemetry.markProcessed(spans);
      for (const { vehicleId } of spans) settled?.(vehicleId);
    },
    fold: new FoldThread({
      budget: portion,
      tracks: telemetry.file,
      station: store.file,
      table: store.table('events'),
      context: () => context,
    }),
    report: (error) => {
      throw error;
    },
  });
  return {
    directory,
    telemetry,
    events,
    /** What a station would tell its events of since the last time. */
    news: () => news.splice(0),
    async close() {
      await events.close();
      await telemetry.close();
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function engineOver(file: TrackFile, vehicle: number): EventEngine {
  const nothing = {
    checkpointBefore: () => undefined,
    checkpointsAfter: () => [],
    eventsSeen: () => [],
    event: () => undefined,
  };
  return new EventEngine(DETECTORS, nothing, (_vehicle, after) =>
    file.points(vehicle, after + 1, Number.MAX_SAFE_INTEGER),
  );
}

function recordOf(glonassId: number, { fixed, ...point }: Point) {
  return { ...point, glonassId, gpsCount: fixed ? 9 : 1 };
}

function manyZones(count: number): Zone[] {
  const random = numbers(1);
  return Array.from({ length: count }, (_, i) => ({
    id: 100 + i,
    name: `Zone ${i}`,
    shape: {
      kind: 'circle',
      center: [37 + (random() - 0.5) / 2, 55 + (random() - 0.5) / 2],
      radius: 100 + random() * 400,
    },
    speedLimit: 0,
    validFrom: 0,
    validUntil: null,
  }));
}

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** ms of the processor that all threads used: intake writes in one of its own. */
function allThreads(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds of a processor, which others on the machine do not change much. */
async function worked(work: () => unknown): Promise<number> {
  const began = allThreads();
  await work();
  return allThreads() - began;
}

function perSecond(records: number, ms: number): string {
  return Math.round((records / ms) * 1000).toLocaleString('en');
}
