import { describe, expect, test } from 'vitest';
import {
  DETECTORS,
  EMPTY_CONTEXT,
  EventEngine,
  InlineFold,
  type Detector,
  type FoldOutcome,
  type Point,
} from '../../../../../server/tracking/events/index.ts';
import { pieceOf, type FoldResult } from '../../../../../server/tracking/events/fold/fold.ts';
import { SEED, numbers } from '../../../../support/chance.ts';
import { wildDay, wildContext } from '../drive.ts';
import { MapMemory, MapTrack } from '../memory.ts';

const context = wildContext();
const VEHICLE = 7;

interface Run {
  memory: MapMemory;
  track: MapTrack;
  engine: EventEngine;
}

function fresh(checkpointEvery?: number): Run {
  const memory = new MapMemory();
  const track = new MapTrack();
  return { memory, track, engine: engineOn(memory, track, checkpointEvery) };
}

function engineOn(memory: MapMemory, track: MapTrack, checkpointEvery?: number): EventEngine {
  return new EventEngine(DETECTORS, memory, (_vehicle, after) => track.after(after), checkpointEvery);
}

function take(run: Run, batch: readonly Point[]): void {
  const fresh = batch.filter((point) => run.track.insert(point));
  if (fresh.length === 0) return;
  const times = fresh.map(({ time }) => time);
  run.memory.save(
    run.engine.revise(VEHICLE, { from: Math.min(...times), until: Math.max(...times) }, context, run.track.last),
  );
}

function watch(run: Run, now: number): void {
  run.memory.save(run.engine.watch(VEHICLE, run.track.last, context, now));
}

/** What the track says when it came in order and in one piece. */
function clean(points: readonly Point[], now: number) {
  const run = fresh();
  take(run, points);
  watch(run, now);
  return run.memory.sorted();
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const mixed = [...items];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!];
  }
  return mixed;
}

/** As trackers send: in order, but for some records that come hours later. */
function mostlyInOrder(points: readonly Point[], random: () => number): Point[] {
  const arrival = points.map((point, i) => ({ point, at: random() < 0.08 ? i + random() * 300 : i }));
  return arrival.sort((a, b) => a.at - b.at).map(({ point }) => point);
}

describe(`whatever way a track comes in, its events are the same (WAYPOST_SEED=${SEED})`, () => {
  test.each(Array.from({ length: 30 }, (_, i) => i))('day %i: permuted, duplicated, split and restarted', (i) => {
    const random = numbers(SEED + i);
    const points = wildDay(SEED + i, 500);
    const now = points.at(-1)!.time + (random() < 0.5 ? 60_000 : 60 * 60_000);
    const expected = clean(points, now);

    const checkpointEvery = 1 + Math.floor(random() * 60);
    const run = fresh(checkpointEvery);
    const order = random() < 0.3 ? shuffled(points, random) : mostlyInOrder(points, random);
    for (let at = 0; at < order.length;) {
      const size = 1 + Math.floor(random() * (random() < 0.2 ? 120 : 4));
      const batch = order.slice(at, at + size);
      if (random() < 0.2) batch.push(...order.slice(Math.max(0, at - 3), at));
      take(run, shuffled(batch, random));
      if (random() < 0.05) watch(run, run.track.last + random() * 30 * 60_000);
      if (random() < 0.03) run.engine.forget(VEHICLE);
      if (random() < 0.03) run.engine = engineOn(run.memory, run.track, checkpointEvery);
      at += size;
    }
    watch(run, now);
    expect(run.memory.sorted()).toEqual(expected);
  });
});

test('the days hold events of nearly every type that a track can give', () => {
  const types = new Set(
    Array.from({ length: 30 }, (_, i) => clean(wildDay(i, 500), Infinity))
      .flat()
      .map(({ type }) => type),
  );
  for (const type of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 24])
    expect(types, `type ${type}`).toContain(type);
});

test('what a late record costs does not depend on how long the track is', () => {
  const cost = (length: number) => {
    const points = wildDay(SEED, length);
    const late = points[Math.floor(length / 2)]!;
    const run = fresh();
    take(
      run,
      points.filter((point) => point !== late),
    );
    run.track.read = 0;
    take(run, [late]);
    return run.track.read;
  };
  expect(cost(20_000)).toBeLessThanOrEqual(1500);
  expect(cost(2_000)).toBeLessThanOrEqual(1500);
});

test('a record in its order costs one step', () => {
  const points = wildDay(SEED, 1000);
  const run = fresh();
  take(run, points.slice(0, 900));
  run.track.read = 0;
  for (const point of points.slice(900)) take(run, [point]);
  expect(run.track.read).toBe(100);
});

test('a revision says what was created, changed and withdrawn', () => {
  const memory = new MapMemory();
  const track = new MapTrack();
  const engine = engineOn(memory, track);
  const point = (minute: number): Point => ({
    time: minute * 60_000,
    lat: 55,
    lon: 37,
    speed: 30,
    direction: 0,
    fixed: true,
    inputs: 0,
    adc: [],
    params: {},
  });
  const add = (minute: number) => {
    track.insert(point(minute));
    const revision = engine.revise(
      VEHICLE,
      { from: minute * 60_000, until: minute * 60_000 },
      { ...context, zones: [], sensors: [], routes: [], requests: [] },
      minute * 60_000,
    );
    memory.save(revision);
    return revision;
  };
  add(0);
  const silence = engine.watch(VEHICLE, 0, context, 20 * 60_000);
  memory.save(silence);
  const lost = silence.created;
  expect(lost.map(({ type, until, bySilence }) => [type, until, bySilence])).toEqual([[2, null, true]]);
  const ended = add(30);
  expect(ended.changed.map(({ type, until }) => [type, until])).toEqual([[2, 30 * 60_000]]);
  const shrunk = add(12); // the black box: it was 12 minutes, and then 18
  expect(shrunk.changed.map(({ from, until }) => [from, until])).toEqual([[0, 12 * 60_000]]);
  expect(shrunk.created.map(({ from, until }) => [from, until])).toEqual([[12 * 60_000, 30 * 60_000]]);
  const gone = add(6);
  expect(gone.withdrawn.map(({ from }) => from)).toEqual([0]);
  expect(gone.created).toEqual([]);
});

test('checkpoints that were saved in a rest end no revision before its events are there, when it is broken off and done again', () => {
  // It remembers how many points there were: a late one changes every state behind it. Each third point is an
  // event that says so.
  const counting: Detector<number> = {
    name: 'counting',
    start: 0,
    lasting: () => [],
    step(count, { time, lat, lon }, _previous, _world, report) {
      if (time % 30 === 0)
        report({ type: 3, subject: '', from: time, until: time, lat, lon, info: String(count + 1), data: {} });
      return count + 1;
    },
  };
  const point = (time: number): Point => ({
    time,
    lat: 55,
    lon: 37,
    speed: 30,
    direction: 0,
    fixed: true,
    inputs: 0,
    adc: [],
    params: {},
  });
  const inOrder = Array.from({ length: 60 }, (_, i) => (i + 1) * 10).filter((time) => time !== 50);
  for (let brokenAt = 1; brokenAt < 80; brokenAt++) {
    const [memory, track] = [new MapMemory(), new MapTrack()];
    const engine = () =>
      new EventEngine([counting as unknown as Detector<never>], memory, (_vehicle, after) => track.after(after), 4);
    for (const time of inOrder) track.insert(point(time));
    memory.save(engine().revise(VEHICLE, { from: 10, until: 600 }, EMPTY_CONTEXT, 600));
    track.insert(point(50));
    const pieces = engine().reviseInPieces(VEHICLE, { from: 50, until: 50 }, EMPTY_CONTEXT, 600, () => true);
    for (let rests = 0; rests < brokenAt; rests++) {
      const piece = pieces.next();
      if (!piece.done)
        memory.save({ created: [], changed: [], withdrawn: [], addCheckpoints: piece.value, dropCheckpoints: [] });
    }
    memory.save(engine().revise(VEHICLE, { from: 50, until: 50 }, EMPTY_CONTEXT, 600));
    expect(memory.sorted().map(({ from, info }) => [from, info])).toEqual(
      Array.from({ length: 20 }, (_, i) => [(i + 1) * 30, String((i + 1) * 3)]),
    );
  }
});

test('a question looks at so many points and events and no more, also where a late record takes back what thousands of others showed', () => {
  const PORTION = 20;
  const looking = { step: 0, most: 0 };
  const look = () => (looking.most = Math.max(looking.most, ++looking.step));
  // Each point is an event, unless there is one at 5.
  const once: Detector<boolean> = {
    name: 'once',
    start: false,
    lasting: () => [],
    step(isOff, { time, lat, lon }, _previous, _world, report) {
      look();
      if (!isOff && time !== 5)
        report({
          type: 3,
          subject: '',
          from: time,
          until: time,
          lat,
          lon,
          info: '',
          data: {
            get looked() {
              look();
              return true;
            },
          },
        });
      return isOff || time === 5;
    },
  };
  const [memory, track] = [new MapMemory(), new MapTrack()];
  const seen = memory.eventsSeen.bind(memory);
  memory.eventsSeen = function* (...asked) {
    for (const event of seen(...asked)) {
      look();
      yield event;
    }
  };
  const point = (time: number): Point => ({
    time,
    lat: 55,
    lon: 37,
    speed: 30,
    direction: 0,
    fixed: true,
    inputs: 0,
    adc: [],
    params: {},
  });
  const fold = new InlineFold({
    detectors: [once as unknown as Detector<never>],
    memory,
    track: (_vehicle, after) => track.after(after),
    context: () => EMPTY_CONTEXT,
    budget: PORTION,
  });
  const work = (from: number, until: number) => {
    let outcome: FoldOutcome | undefined;
    do {
      looking.step = 0;
      [outcome] = fold.work([
        outcome
          ? { vehicleId: VEHICLE, resume: true }
          : { vehicleId: VEHICLE, from, until, points: undefined, silentUntil: until },
      ]);
    } while (outcome && 'unfinished' in outcome);
    const { pieces, ...checkpoints } = outcome as FoldResult;
    const found = pieces.map(pieceOf);
    memory.save({
      ...checkpoints,
      created: found.flatMap(({ created }) => created),
      changed: [],
      withdrawn: found.flatMap(({ withdrawn }) => withdrawn),
    });
    fold.forget([VEHICLE]);
  };
  for (let time = 10; time <= 10_000; time += 10) track.insert(point(time));
  work(10, 10_000);
  expect(memory.events.size).toBe(1_000);
  track.insert(point(5));
  work(5, 5);
  expect(memory.events.size).toBe(0);
  // A piece of a dozen events counts as one look.
  expect(looking.most).toBeLessThanOrEqual(PORTION * 12);
});

test('known checkpoints are read a page at a time, and those whose points went are dropped', () => {
  const points = wildDay(SEED, 600);
  const run = fresh(1);
  take(run, points);
  expect(run.memory.checkpoints.size).toBe(600);
  let [reads, read] = [0, 0];
  const all = run.memory.checkpointsAfter.bind(run.memory);
  run.memory.checkpointsAfter = (vehicle, time, limit) => {
    const page = all(vehicle, time, limit);
    reads++;
    read += page.length;
    return page;
  };
  // The same again: it agrees at the first one behind it.
  run.engine.forget(VEHICLE);
  run.memory.save(
    run.engine.revise(VEHICLE, { from: points[1]!.time, until: points[1]!.time }, context, run.track.last),
  );
  expect([reads, read]).toEqual([1, 50]);
  // Every second point is gone, as with retention.
  const left = points.filter((_, i) => i % 2 === 0);
  const thinned = fresh(1);
  thinned.memory.checkpoints.clear();
  for (const [time, states] of run.memory.checkpoints) thinned.memory.checkpoints.set(time, states);
  for (const [id, event] of run.memory.events) thinned.memory.events.set(id, event);
  for (const point of left) thinned.track.insert(point);
  thinned.memory.save(
    thinned.engine.revise(VEHICLE, { from: points[0]!.time, until: points.at(-1)!.time }, context, points.at(-1)!.time),
  );
  expect([...thinned.memory.checkpoints.keys()].sort((a, b) => a - b)).toEqual(left.map(({ time }) => time));
  const clear = fresh();
  take(clear, left);
  watch(clear, points.at(-1)!.time);
  watch(thinned, points.at(-1)!.time);
  expect(thinned.memory.sorted()).toEqual(clear.memory.sorted());
});

test('a detector that is added to the end of the list begins at the checkpoint, and the others go on', () => {
  const points = wildDay(3, 600);
  const memory = new MapMemory();
  const track = new MapTrack();
  const before = new EventEngine(DETECTORS.slice(0, -1), memory, (_vehicle, after) => track.after(after), 50);
  take({ memory, track, engine: before }, points.slice(0, 400));
  const known = [...memory.events.keys()];
  take({ memory, track, engine: engineOn(memory, track, 50) }, points.slice(400));
  expect([...memory.events.keys()]).toEqual(expect.arrayContaining(known));
  const left = DETECTORS.slice(0, -1);
  const ofOthers = new MapMemory();
  const alone = new EventEngine(left, ofOthers, (_vehicle, after) => track.after(after), 50);
  ofOthers.save(alone.revise(VEHICLE, { from: points[0]!.time, until: track.last }, context, track.last));
  expect([...memory.events.keys()]).toEqual(expect.arrayContaining([...ofOthers.events.keys()]));
});
