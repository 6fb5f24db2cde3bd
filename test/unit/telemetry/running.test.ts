import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTelemetry } from '../../../server/telemetry/index.ts';
import { SEED } from '../../chance.ts';

const NOON = Date.UTC(2026, 0, 1, 12);

interface Drive { readonly seconds: number; readonly metres: number; readonly engine: boolean }

/** What the sums are when these records come in, in portions; bit 0 of the inputs is the ignition where there is one. */
async function sumsOf(records: readonly object[], portions: number, ignition: boolean): Promise<{ odometer: number; engineStop: number; engineMove: number }> {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-running-'));
  const telemetry = openTelemetry({ directory, now: () => NOON + 86_400_000, findVehicle: () => ({ id: 7 }), publish: () => undefined, engineOn: (_, { inputs }) => (ignition ? (inputs & 1) === 1 : null) });
  for (let at = 0; at < records.length; at += portions) await telemetry.take(records.slice(at, at + portions), 'test');
  const [state] = telemetry.lastStates();
  await telemetry.close();
  rmSync(directory, { recursive: true });
  return { odometer: state?.odometer ?? 0, engineStop: state?.engineStop ?? 0, engineMove: state?.engineMove ?? 0 };
}

function recordsOf(drives: readonly Drive[]): object[] {
  let time = NOON;
  let lat = 50;
  return drives.map(({ seconds, metres, engine }) => {
    time += seconds * 1000;
    lat += metres / 111_195;
    return { glonassId: 7, time, lat, lon: 20, speed: metres > 0 ? 30 : 0, inputs: Number(engine) };
  });
}

test('the engine runs standing and moving, by its ignition', async () => {
  const drives = [{ seconds: 0, metres: 0, engine: true }, { seconds: 60, metres: 0, engine: true }, { seconds: 60, metres: 500, engine: true }, { seconds: 60, metres: 0, engine: false }, { seconds: 60, metres: 0, engine: false }];
  const sums = await sumsOf(recordsOf(drives), 10, true);
  // The last leg under way ends where the ignition is off; what counts of a leg is how it begins.
  expect(sums).toMatchObject({ engineStop: 60, engineMove: 120 });
  expect(sums.odometer).toBeCloseTo(0.5, 3);
});

test('without an ignition the engine runs while the vehicle moves; through a long silence nobody knows', async () => {
  const drives = [{ seconds: 0, metres: 0, engine: false }, { seconds: 60, metres: 500, engine: false }, { seconds: 60, metres: 500, engine: false }, { seconds: 60, metres: 0, engine: false }, { seconds: 60, metres: 0, engine: false }, { seconds: 3600, metres: 500, engine: false }];
  // Two minutes of driving and the one in which it stops; standing, it is off.
  expect(await sumsOf(recordsOf(drives), 10, false)).toMatchObject({ engineStop: 0, engineMove: 180 });
});

test(`the same in whatever order and portions the records come (WAYPOST_SEED=${SEED})`, async () => {
  const drive = fc.record({ seconds: fc.integer({ min: 1, max: 900 }), metres: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 })), engine: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(drive, { minLength: 2, maxLength: 25 }).chain((drives) => fc.tuple(fc.constant(drives), fc.shuffledSubarray(drives.map((_, index) => index), { minLength: drives.length }))), fc.integer({ min: 1, max: 9 }), fc.boolean(), async ([drives, order], portions, ignition) => {
      const records = recordsOf(drives);
      const straight = await sumsOf(records, 100, ignition);
      const mixed = await sumsOf(order.map((index) => records[index]!), portions, ignition);
      for (const part of ['odometer', 'engineStop', 'engineMove'] as const) expect(mixed[part]).toBeCloseTo(straight[part], 6);
    }),
    { seed: SEED, numRuns: 12 },
  );
});
