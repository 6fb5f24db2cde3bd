import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LastStates } from '../../../../../server/dispatch/fleet/index.ts';
import { openStore } from '../../../../../server/store/index.ts';
import { openTelemetry } from '../../../../../server/tracking/telemetry/index.ts';
import { SEED } from '../../../../support/chance.ts';
import { times } from '../../../../support/long.ts';

/** Half an hour before a month begins. */
const LATE = Date.UTC(2025, 11, 31, 23, 30);

interface Drive {
  readonly seconds: number;
  readonly metres: number;
  readonly engine: boolean;
}

/**
 * What the sums are when these records come in, in portions; bit 0 of the inputs is the ignition where there
 * is one.
 */
async function sumsOf(
  records: readonly object[],
  portions: number,
  ignition: boolean,
): Promise<{ odometer: number; engineStop: number; engineMove: number }> {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-running-'));
  const telemetry = openTelemetry({
    directory,
    now: () => LATE + 86_400_000,
    findVehicle: () => ({ id: 7 }),
    publish: () => undefined,
    engineOn: (_, { inputs }) => (ignition ? (inputs & 1) === 1 : null),
  });
  for (let at = 0; at < records.length; at += portions)
    await telemetry.ingest(records.slice(at, at + portions), 'test');
  const [state] = telemetry.lastStates();
  await telemetry.close();
  rmSync(directory, { recursive: true });
  return { odometer: state?.odometer ?? 0, engineStop: state?.engineStop ?? 0, engineMove: state?.engineMove ?? 0 };
}

function recordsOf(drives: readonly Drive[]): object[] {
  let time = LATE;
  let lat = 50;
  return drives.map(({ seconds, metres, engine }) => {
    time += seconds * 1000;
    lat += metres / 111_195;
    return { glonassId: 7, time, lat, lon: 20, speed: metres > 0 ? 30 : 0, inputs: Number(engine) };
  });
}

test('the engine runs standing and moving, by its ignition', async () => {
  const drives = [
    { seconds: 0, metres: 0, engine: true },
    { seconds: 60, metres: 0, engine: true },
    { seconds: 60, metres: 500, engine: true },
    { seconds: 60, metres: 0, engine: false },
    { seconds: 60, metres: 0, engine: false },
  ];
  const sums = await sumsOf(recordsOf(drives), 10, true);
  // The last leg under way ends where the ignition is off; what counts of a leg is how it begins.
  expect(sums).toMatchObject({ engineStop: 60, engineMove: 120 });
  expect(sums.odometer).toBeCloseTo(0.5, 3);
});

test('without an ignition the engine runs while the vehicle moves; through a long silence nobody knows', async () => {
  const drives = [
    { seconds: 0, metres: 0, engine: false },
    { seconds: 60, metres: 500, engine: false },
    { seconds: 60, metres: 500, engine: false },
    { seconds: 60, metres: 0, engine: false },
    { seconds: 60, metres: 0, engine: false },
    { seconds: 3600, metres: 500, engine: false },
  ];
  // Two minutes of driving and the one in which it stops; standing, it is off.
  expect(await sumsOf(recordsOf(drives), 10, false)).toMatchObject({ engineStop: 0, engineMove: 180 });
});

test(`the same in whatever order and portions the records come (WAYPOST_SEED=${SEED})`, async () => {
  const drive = fc.record({
    seconds: fc.integer({ min: 1, max: 900 }),
    metres: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 })),
    engine: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(drive, { minLength: 2, maxLength: 25 }).chain((drives) =>
        fc.tuple(
          fc.constant(drives),
          fc.shuffledSubarray(
            drives.map((_, index) => index),
            { minLength: drives.length },
          ),
        ),
      ),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      async ([drives, order], portions, ignition) => {
        const records = recordsOf(drives);
        const straight = await sumsOf(records, 100, ignition);
        const mixed = await sumsOf(
          order.map((index) => records[index]!),
          portions,
          ignition,
        );
        for (const part of ['odometer', 'engineStop', 'engineMove'] as const)
          expect(mixed[part]).toBeCloseTo(straight[part], 6);
      },
    ),
    { seed: SEED, numRuns: times(6, 600) },
  );
});

/** A record at a second, so many metres to the north; without metres it has no place of its own. */
const at = (second: number, metres: number | undefined, more: object = {}) => {
  const place = metres === undefined ? { lat: NaN, lon: NaN } : { lat: 50 + metres / 111_195, lon: 20 };
  return { glonassId: 7, time: LATE + second * 1000, ...place, inputs: 0, ...more };
};

/**
 * What is known of a track and its vehicle once these portions came, with a restart or a move into the files of
 * the months wherever one is asked for.
 */
async function knownAfter(portions: readonly (readonly object[] | 'restart' | 'move')[]) {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-order-'));
  const open = () =>
    openTelemetry({
      directory,
      now: () => LATE + 3_600_000,
      findVehicle: () => ({ id: 7 }),
      publish: (states) => fleet.take(states),
      monthLimits: { points: Infinity, age: Infinity, atOnce: 3 },
      engineOn: (_, { inputs }) => (inputs & 1) === 1,
    });
  const store = await openStore({ directory });
  const fleet = new LastStates(store.records('vehicleStates'), { every: 1_000_000 });
  let telemetry = open();
  for (const portion of portions) {
    if (portion === 'move') await telemetry.moveToMonths();
    else if (portion !== 'restart') await telemetry.ingest(portion, 'test');
    else {
      await telemetry.close();
      telemetry = open();
    }
  }
  const track = telemetry.track(7, 0, Number.MAX_SAFE_INTEGER);
  const { storedAt: _storedAt, ...told } = telemetry.lastStates()[0]!;
  const { storedAt: _shownAt, ...shown } = fleet.get(7)!;
  await telemetry.close();
  await fleet.close();
  const saved = store.records('vehicleStates').get(7)!;
  await store.close();
  rmSync(directory, { recursive: true });
  return {
    track,
    told,
    shown,
    saved: { time: saved.time, odometer: saved.odometer, engineStop: saved.engineStop, engineMove: saved.engineMove },
  };
}

test('a late record that shortens the way shortens what is shown, too', async () => {
  const [a, b, c, d] = [
    at(0, 0, { speed: 0 }),
    at(10, 111, { speed: 40 }),
    at(20, 222, { speed: 0 }),
    at(30, 333, { speed: 0 }),
  ];
  const straight = await knownAfter([[a!], [b!], [c!], [d!]]);
  expect(straight.shown.odometer).toBe(0.222);
  expect(await knownAfter([[d!], [a!], [c!], [b!]])).toEqual(straight);
  expect(await knownAfter([[d!], [b!], 'restart', [a!, d!], 'restart', [c!]])).toEqual(straight);
  // Of two that seem to have driven what lies between did not move: the way that was counted is taken back.
  const back = [
    at(0, 0, { speed: 30 }),
    at(60, 400, { speed: 30 }),
    at(20, 0, { speed: 0 }),
    at(40, 400, { speed: 0 }),
  ];
  expect((await knownAfter(back.map((record) => [record]))).shown.odometer).toBe(
    (await knownAfter([back.toSorted((x, y) => x.time - y.time)])).shown.odometer,
  );
});

test('a point that a late record shows to be a jump is taken back, with the place of the vehicle', async () => {
  const [far, near, on] = [at(20, 9_000), at(0, 0), at(30, 100)];
  const straight = await knownAfter([[near!, far!]]);
  expect(straight).toMatchObject({
    shown: { time: LATE, odometer: 0 },
    track: [{ marks: [] }, { marks: ['jump'] }],
    saved: { time: LATE },
  });
  expect(await knownAfter([[far!], [near!]])).toEqual(straight);
  expect(await knownAfter([[far!], 'restart', [near!], 'restart', [on!]])).toEqual(
    await knownAfter([[near!, far!, on!]]),
  );
});

test('a record without a place has the last place before its time, whenever either of them comes', async () => {
  const [first, blind, last] = [at(0, 0), at(10, undefined, { gpsCount: 0 }), at(20, 200)];
  const straight = await knownAfter([[first!, blind!, last!]]);
  expect(straight.track.map(({ lat, marks }) => [Math.round((lat - 50) * 111_195), marks])).toEqual([
    [0, []],
    [0, ['satellites', 'unplaced']],
    [200, []],
  ]);
  expect(await knownAfter([[last!], [blind!], [first!]])).toEqual(straight);
  expect(await knownAfter([[last!], [first!], 'restart', [blind!]])).toEqual(straight);
  // The same again is the same, wherever the vehicle is by then.
  expect(await knownAfter([[first!], [blind!], [last!], [blind!]])).toEqual(straight);
  // Who never was anywhere is nowhere, until it is known where that was.
  expect((await knownAfter([[blind!]])).track).toMatchObject([{ lat: 0, lon: 0, marks: ['satellites', 'unplaced'] }]);
});

test(`track, sums and last place are functions of the records, whatever order, repetition, restarts and moves into months (WAYPOST_SEED=${SEED})`, async () => {
  const record = fc.record({
    seconds: fc.integer({ min: 1, max: 700 }),
    metres: fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: -200, max: 200 }) },
      { weight: 2, arbitrary: fc.constant(0) },
      { weight: 2, arbitrary: fc.integer({ min: 10_000, max: 90_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: -90_000, max: -10_000 }) },
    ),
    speed: fc.option(fc.constantFrom(0, 2, 30), { nil: undefined }),
    kind: fc.constantFrom('placed', 'placed', 'placed', 'placed', 'blind', 'few satellites', 'zero'),
    engine: fc.boolean(),
  });
  let jumps = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 2, maxLength: 30 }),
      fc.infiniteStream(fc.nat(1_000_000)),
      async (drives, chance) => {
        const random = (below: number) => chance.next().value! % below;
        let [second, place] = [0, 0];
        const records = drives.map(({ seconds, metres, speed, kind, engine }) => {
          second += seconds;
          place += Math.abs(metres) > 5_000 && random(2) ? 0 : metres;
          const more = { inputs: Number(engine), ...(speed !== undefined && { speed }) };
          if (kind === 'blind') return at(second, undefined, { ...more, gpsCount: 0 });
          if (kind === 'zero') return { ...at(second, 0, more), lat: 0, lon: 0 };
          return at(second, Math.abs(metres) > 5_000 ? place + metres : place, {
            ...more,
            gpsCount: kind === 'placed' ? 9 : 2,
          });
        });
        const straight = await knownAfter([records]);
        jumps += straight.track.filter(({ marks }) => marks.includes('jump')).length;
        // Shuffled, some of them twice, in portions with restarts and moves in between.
        const waiting = [...records, ...records.filter(() => random(4) === 0)];
        const portions: (object[] | 'restart' | 'move')[] = [];
        while (waiting.length > 0) {
          portions.push(Array.from({ length: 1 + random(4) }, () => waiting.splice(random(waiting.length), 1)).flat());
          if (random(8) === 0) portions.push('restart');
          if (random(3) === 0) portions.push('move');
        }
        expect(await knownAfter(portions)).toEqual(straight);
      },
    ),
    { seed: SEED, numRuns: times(8, 400) },
  );
  expect(jumps).toBeGreaterThan(0);
}, 120_000);
