import { describe, expect, test } from 'vitest';
import { DETECTORS, EventEngine, type Point } from '../../../server/events/index.ts';
import { SEED, numbers } from '../../chance.ts';
import { wildDay, wildWorld } from './drive.ts';
import { MapMemory, MapTrack } from './memory.ts';

const world = wildWorld();
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
  run.memory.save(run.engine.revise(VEHICLE, { from: Math.min(...times), till: Math.max(...times) }, world, run.track.last));
}

function watch(run: Run, now: number): void {
  run.memory.save(run.engine.watch(VEHICLE, run.track.last, world, now));
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
    for (let at = 0; at < order.length; ) {
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
  const types = new Set(Array.from({ length: 30 }, (_, i) => clean(wildDay(i, 500), Infinity)).flat().map(({ type }) => type));
  for (const type of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 24]) expect(types, `type ${type}`).toContain(type);
});

test('what a late record costs does not depend on how long the track is', () => {
  const cost = (length: number) => {
    const points = wildDay(SEED, length);
    const late = points[Math.floor(length / 2)]!;
    const run = fresh();
    take(run, points.filter((point) => point !== late));
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
  const point = (minute: number): Point => ({ time: minute * 60_000, lat: 55, lon: 37, speed: 30, direction: 0, fixed: true, inputs: 0, adc: [], params: {} });
  const add = (minute: number) => {
    track.insert(point(minute));
    const revision = engine.revise(VEHICLE, { from: minute * 60_000, till: minute * 60_000 }, { ...world, zones: [], sensors: [], routes: [], requests: [] }, minute * 60_000);
    memory.save(revision);
    return revision;
  };
  add(0);
  const silence = engine.watch(VEHICLE, 0, world, 20 * 60_000);
  memory.save(silence);
  const lost = silence.created;
  expect(lost.map(({ type, till, bySilence }) => [type, till, bySilence])).toEqual([[2, null, true]]);
  const ended = add(30);
  expect(ended.changed.map(({ type, till }) => [type, till])).toEqual([[2, 30 * 60_000]]);
  const shrunk = add(12); // the black box: it was 12 minutes, and then 18
  expect(shrunk.changed.map(({ from, till }) => [from, till])).toEqual([[0, 12 * 60_000]]);
  expect(shrunk.created.map(({ from, till }) => [from, till])).toEqual([[12 * 60_000, 30 * 60_000]]);
  const gone = add(6);
  expect(gone.withdrawn.map(({ from }) => from)).toEqual([0]);
  expect(gone.created).toEqual([]);
});
