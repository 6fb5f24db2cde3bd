import { expect, test } from 'vitest';
import { LogWriter } from '../../../../server/tracking/event-workers/log-writer.ts';
import type { LogStep } from '../../../../server/tracking/event-workers/revision-log.ts';
import {
  EMPTY_CONTEXT,
  eventOf,
  InlineFold,
  type Detector,
  type FoldJob,
  type Point,
} from '../../../../server/tracking/events/index.ts';
import type { EventRecord } from '../../../../shared/records/index.ts';
import { MapMemory, MapTrack } from '../events/memory.ts';

const VEHICLE = 8;
const LAST = 9_000;
const LATE = 50;

/** Each third point is an event that says how many points there were: a late one changes all states behind it. */
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

function point(time: number): Point {
  return { time, lat: 55, lon: 37, speed: 30, direction: 0, fixed: true, inputs: 0, adc: [], params: {} };
}

/** A worker over what the steps of the log hold, with a track of its own. */
function worker(memory: MapMemory, mayWrite = (_vehicleId: number) => true) {
  const track = new MapTrack();
  const records = new Map<number, EventRecord>();
  const steps: { partition: number; step: LogStep }[] = [];
  const writer = new LogWriter({
    log: {
      head: () => undefined,
      append: async (partition, step) => {
        steps.push({ partition, step });
        for (const text of step.events) {
          const record = JSON.parse(text) as EventRecord;
          records.set(record.id, record);
          memory.events.set(record.id, eventOf(record));
        }
        for (const text of step.withdrawn) memory.events.delete((JSON.parse(text) as EventRecord).id);
        for (const [, time, states] of step.checkpoints)
          if (states === null) memory.checkpoints.delete(time);
          else memory.checkpoints.set(time, states);
      },
    },
    records: { get: (id) => records.get(id) },
    mayWrite,
    failed: () => undefined,
    now: () => LAST,
  });
  const fold = new InlineFold({
    detectors: [counting as unknown as Detector<never>],
    memory,
    track: (_vehicle, after) => track.after(after),
    context: () => EMPTY_CONTEXT,
    budget: 300,
  });
  const order = (from: number, until: number): FoldJob => ({
    ...{ vehicleId: VEHICLE, from, until },
    points: undefined,
    silentUntil: until,
  });
  /** @param rests after how many the worker is killed */
  const compute = async (from: number, until: number, rests = Infinity) => {
    for (let [outcome] = fold.work([order(from, until)]); outcome; rests--) {
      if ('error' in outcome) throw outcome.error;
      if (!('unfinished' in outcome)) return writer.save([{ folded: outcome, reason: 'live' }], LAST);
      await writer.saveCheckpoints(VEHICLE, outcome.addCheckpoints, outcome.isNew);
      if (rests === 0) return [];
      [outcome] = fold.work([{ vehicleId: VEHICLE, resume: true }]);
    }
    return [];
  };
  return { track, steps, compute };
}

const times = Array.from({ length: LAST / 10 }, (_, at) => (at + 1) * 10);

async function inOrder() {
  const memory = new MapMemory();
  const clean = worker(memory);
  for (const time of times) clean.track.insert(point(time));
  await clean.compute(times[0]!, LAST);
  return memory.sorted();
}

for (let rests = 0; rests < 4; rests++)
  test(`a worker that was killed after ${rests + 1} parts of a span leaves no states ahead of their events`, async () => {
    const memory = new MapMemory();
    const [first, next] = [worker(memory), worker(memory)];
    for (const { track } of [first, next])
      for (const time of times) if (time !== LATE && time !== LAST) track.insert(point(time));
    await first.compute(times[0]!, LAST - 10);
    // The first one read a late and a new record together, the next one reads them one by one.
    for (const time of [LATE, LAST]) first.track.insert(point(time));
    await first.compute(LATE, LAST, rests);
    for (const time of [LATE, LAST]) {
      next.track.insert(point(time));
      await next.compute(time, time);
    }
    expect(memory.sorted()).toEqual(await inOrder());
  });

test('states of a long span come with its events', async () => {
  const memory = new MapMemory();
  const { track, steps, compute } = worker(memory);
  for (const time of times) track.insert(point(time));
  await compute(times[0]!, LAST);
  expect(steps).toHaveLength(1);
  expect(steps[0]!.step.checkpoints.map(([, time]) => time)).toEqual([2_000, 4_000, 6_000, 8_000]);
});

test('events that an earlier ownership computed are not written', async () => {
  const { track, steps, compute } = worker(new MapMemory(), () => false);
  for (const time of times.slice(0, 30)) track.insert(point(time));
  await expect(compute(10, 300)).rejects.toThrow('given back');
  expect(steps).toEqual([]);
});
