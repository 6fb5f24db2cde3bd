import { describe, expect, test } from 'vitest';
import {
  DETECTORS,
  EventEngine,
  contextAt,
  type Point,
  type VehicleEvent,
  type VehicleContext,
} from '../../../../../server/tracking/events/index.ts';
import { SEED, numbers } from '../../../../support/chance.ts';
import { NOON } from '../drive.ts';
import { MapMemory, MapTrack } from '../memory.ts';
import { randomDay, randomContext } from '../random-context.ts';

const DAYS = 30;
const POINTS = 400;
const VEHICLE = 7;

/** A vehicle whose records come in as they like, in a context that may be edited meanwhile. */
class Run {
  readonly memory = new MapMemory();
  readonly track = new MapTrack();
  context: VehicleContext;
  readonly #checkpointEvery: number | undefined;
  /** With it, work rests now and then, and is sometimes broken off and done again. */
  readonly #random: (() => number) | undefined;
  #engine: EventEngine;
  rests = 0;

  constructor(context: VehicleContext, checkpointEvery?: number, random?: () => number) {
    this.context = context;
    this.#random = random;
    this.#checkpointEvery = checkpointEvery;
    this.#engine = this.#start();
  }
  take(batch: readonly Point[]): void {
    const times = batch.filter((point) => this.track.insert(point)).map(({ time }) => time);
    if (times.length > 0) this.#revise({ from: Math.min(...times), until: Math.max(...times) });
  }
  /** From `from` on it is another context, as `Events.recompute` does it. */
  edit(context: VehicleContext, from: number): void {
    this.context = context;
    if (this.track.points.size > 0 && this.track.last >= from) this.#revise({ from, until: this.track.last });
  }
  silence(now: number): void {
    this.memory.save(this.#engine.watch(VEHICLE, this.track.last, this.context, now));
  }
  restart(): void {
    this.#engine = this.#start();
  }
  #revise(span: { from: number; until: number }, again = false): void {
    const random = this.#random;
    if (!random) return this.memory.save(this.#engine.revise(VEHICLE, span, () => this.context, this.track.last));
    const pieces = this.#engine.reviseInPieces(
      VEHICLE,
      span,
      () => this.context,
      this.track.last,
      () => random() < 0.1,
    );
    for (let piece = pieces.next(); ; piece = pieces.next()) {
      if (piece.done) {
        if (again || random() > 0.3) return this.memory.save(piece.value);
        // Only some of its events came to the disk, and none of the checkpoints that belong to them.
        const some = <T>(items: readonly T[]): T[] => items.filter(() => random() < 0.5);
        const { created, changed, withdrawn } = piece.value;
        this.memory.save({
          created: some(created),
          changed: some(changed),
          withdrawn: some(withdrawn),
          addCheckpoints: [],
          dropCheckpoints: [],
        });
        this.restart();
        return this.#revise(span, true);
      }
      this.rests++;
      this.memory.save({ created: [], changed: [], withdrawn: [], addCheckpoints: piece.value, dropCheckpoints: [] });
      if (again || random() > 0.3) continue;
      // It went down: what it was at is done again, since nobody said that it was done.
      this.restart();
      return this.#revise(span, true);
    }
  }
  #start(): EventEngine {
    return new EventEngine(DETECTORS, this.memory, (_vehicle, after) => this.track.after(after), this.#checkpointEvery);
  }
}

function clean(context: VehicleContext, points: readonly Point[], now: number): Omit<VehicleEvent, 'seenAt'>[] {
  const run = new Run(context);
  run.take(points);
  run.silence(now);
  return run.memory.sorted();
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** In order, but for some that come hours later. */
function arrivals(points: readonly Point[], random: () => number): Point[] {
  if (random() < 0.3) return shuffled(points, random);
  return points
    .map((point, i) => ({ point, at: random() < 0.08 ? i + random() * 200 : i }))
    .sort((a, b) => a.at - b.at)
    .map(({ point }) => point);
}

function* batches(points: readonly Point[], random: () => number): Generator<Point[]> {
  for (let at = 0; at < points.length;) {
    const size = 1 + Math.floor(random() * (random() < 0.2 ? 100 : 4));
    const twice = random() < 0.2 ? points.slice(Math.max(0, at - 3), at) : [];
    yield shuffled([...points.slice(at, at + size), ...twice], random);
    at += size;
  }
}

describe(`in any context, events do not depend on how records arrive (WAYPOST_SEED=${SEED})`, () => {
  test.each(Array.from({ length: DAYS }, (_, i) => i))('world %i: permuted, duplicated, split and restarted', (i) => {
    const random = numbers(SEED + i);
    const points = randomDay(SEED + i, POINTS);
    const until = points.at(-1)!.time;
    const context = randomContext(SEED + 1000 + i, until);
    const now = until + (random() < 0.5 ? 60_000 : 3_600_000);
    const run = new Run(context, 1 + Math.floor(random() * 60));
    for (const batch of batches(arrivals(points, random), random)) {
      run.take(batch);
      if (random() < 0.04) run.silence(run.track.last + random() * 30 * 60_000);
      if (random() < 0.03) run.restart();
    }
    run.silence(now);
    expect(run.memory.sorted()).toEqual(clean(context, points, now));
  });

  test.each(Array.from({ length: DAYS }, (_, i) => i))(
    'world %i: with rests in between, and broken off at some of them',
    (i) => {
      const random = numbers(SEED + i);
      const points = randomDay(SEED + i, POINTS);
      const until = points.at(-1)!.time;
      const context = randomContext(SEED + 1000 + i, until);
      const run = new Run(context, 1 + Math.floor(random() * 20), random);
      for (const batch of batches(arrivals(points, random), random)) run.take(batch);
      run.silence(until + 60_000);
      expect(run.memory.sorted()).toEqual(clean(context, points, until + 60_000));
      expect(run.rests).toBeGreaterThan(3);
    },
  );

  test('in some contexts speeding hangs on the roads, of which there were several versions', () => {
    const speeding = (context: VehicleContext, points: readonly Point[]) =>
      clean(context, points, Infinity).filter(({ type }) => type === 5).length;
    const differing = Array.from({ length: DAYS }, (_, i) => i).filter((i) => {
      const points = randomDay(i, POINTS);
      const context = randomContext(1000 + i, points.at(-1)!.time);
      return (
        (context.roads?.length ?? 0) > 1 && speeding(context, points) !== speeding({ ...context, roads: [] }, points)
      );
    });
    expect(differing.length).toBeGreaterThan(DAYS / 6);
  });

  test('the contexts hold events of every type that a track can give', () => {
    const types = new Set(
      Array.from({ length: DAYS }, (_, i) => {
        const points = randomDay(i, POINTS);
        return clean(randomContext(1000 + i, points.at(-1)!.time), points, Infinity);
      })
        .flat()
        .map(({ type }) => type),
    );
    expect([...types].sort((a, b) => a - b)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 24, 25,
    ]);
  });
});

/** The old context up to a time, and the new one from then on. */
function edited(before: VehicleContext, after: VehicleContext, at: number): VehicleContext {
  const cut = <T extends { validFrom: number; validUntil: number | null }>(
    old: readonly T[] = [],
    now: readonly T[] = [],
  ): T[] => [
    ...old
      .filter(({ validFrom }) => validFrom < at)
      .map((one) => ({ ...one, validUntil: one.validUntil === null ? at : Math.min(at, one.validUntil) })),
    ...now
      .filter(({ validUntil }) => validUntil === null || validUntil > at)
      .map((one) => ({ ...one, validFrom: Math.max(at, one.validFrom) })),
  ];
  // What holds where no measures do comes last.
  const whole = ({ settings, tankLitres, measures }: VehicleContext) => [
    ...(measures ?? []),
    { settings, tankLitres, validFrom: 0, validUntil: null },
  ];
  return {
    settings: after.settings,
    tankLitres: after.tankLitres,
    measures: cut(whole(before), whole(after)),
    zones: cut(before.zones, after.zones),
    sensors: cut(before.sensors, after.sensors),
    routes: cut(before.routes, after.routes),
    requests: cut(before.requests, after.requests),
    closures: cut(before.closures, after.closures),
    roads: cut(before.roads, after.roads),
  };
}

describe(`an edit of the context does not rewrite history (WAYPOST_SEED=${SEED})`, () => {
  test.each(Array.from({ length: DAYS }, (_, i) => i))('world %i, edited in the course of the day', (i) => {
    const random = numbers(SEED + 500 + i);
    const points = randomDay(SEED + i, POINTS);
    const until = points.at(-1)!.time;
    const at = NOON + Math.floor((0.3 + random() * 0.5) * (until - NOON));
    const before = randomContext(SEED + 2000 + i, until);
    const context = edited(before, randomContext(SEED + 3000 + i, until), at);
    const past = points.filter(({ time }) => time < at);

    // Most of the past comes before the edit, some of it after, and so do devices whose clocks are ahead.
    const order = arrivals(points, random);
    const run = new Run(before, 1 + Math.floor(random() * 60));
    let done = false;
    let seen = 0;
    for (const batch of batches(order, random)) {
      if (!done && seen >= past.length) {
        run.edit(context, at);
        done = true;
      }
      run.take(batch);
      seen += batch.length;
      if (random() < 0.03) run.restart();
    }
    if (!done) run.edit(context, at);
    run.silence(until);
    const found = run.memory.sorted();
    expect(found).toEqual(clean(context, points, until));

    // What was over by then is what it would be, had nothing been edited.
    const lastBefore = past.at(-1)!.time;
    const over = (events: Omit<VehicleEvent, 'seenAt'>[]) =>
      events.filter((event) => event.until !== null && event.until < lastBefore && event.from < lastBefore);
    const unedited = over(clean(before, past, lastBefore));
    expect(unedited.length).toBeGreaterThan(0);
    expect(found).toEqual(expect.arrayContaining(unedited));
  });
});

test('a context is asked for its versions, and gives the same object as long as nothing changes', () => {
  const context = randomContext(5, NOON + 3_600_000);
  const bounds = [
    ...context.zones,
    ...context.sensors,
    ...context.routes,
    ...context.requests,
    ...(context.closures ?? []),
    ...(context.roads ?? []),
    ...(context.measures ?? []),
  ].flatMap(({ validFrom, validUntil }) => (validUntil === null ? [validFrom] : [validFrom, validUntil]));
  for (const bound of new Set(bounds)) {
    for (const time of [bound - 1, bound]) {
      const now = contextAt(context, time);
      for (const zone of context.zones)
        expect(now.zones.includes(zone)).toBe(
          time >= zone.validFrom && (zone.validUntil === null || time < zone.validUntil),
        );
    }
  }
  expect(contextAt(context, NOON)).toBe(contextAt(context, NOON));
});
