import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IncomingBatch, IncomingFixes } from '../../../../../server/tracking/telemetry/tracks/incoming-fixes.ts';
import { TelemetryRecord, type ValidRecord } from '../../../../../server/tracking/telemetry/records/fix.ts';
import { isValidRecord } from '../../../../../server/tracking/telemetry/records/valid-record.ts';
import { SEED } from '../../../../support/chance.ts';

const RUNS = 5_000;

/** What JSON can hold where something else is wanted, and the edges of what is wanted. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    true,
    '',
    'x'.repeat(33),
    [],
    {},
    [null],
    -1,
    0,
    -0,
    0.5,
    90,
    90.000001,
    -90,
    180,
    180.1,
    1000,
    1001,
    2_147_483_647,
    2_147_483_648,
    0xffff_ffff,
    0x1_0000_0000,
    9_007_199_254_740_990,
    9_007_199_254_740_991,
    9_007_199_254_740_992,
    NaN,
    Infinity,
    -Infinity,
    1e308,
  ),
  fc.integer(),
  fc.double(),
  fc.string(),
);
const valid = {
  time: fc.nat(),
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
  speed: fc.double({ min: 0, max: 300, noNaN: true }),
  direction: fc.integer({ min: -10, max: 400 }),
  height: fc.integer({ min: -500, max: 9_000 }),
  gpsCount: fc.nat(40),
  glonassCount: fc.nat(40),
  inputs: fc.nat(),
  adc: fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 4 }),
  params: fc.dictionary(fc.string({ maxLength: 8 }), fc.oneof(fc.integer(), fc.string(), fc.boolean()), {
    maxKeys: 4,
    noNullPrototype: true,
  }),
};
const soundRecord = fc.oneof(
  fc.record(
    { ...valid, glonassId: fc.nat() },
    { requiredKeys: ['glonassId', 'time', 'lat', 'lon'], noNullPrototype: true },
  ),
  fc.record(
    { ...valid, imei: fc.string({ minLength: 1, maxLength: 32 }) },
    { requiredKeys: ['imei', 'time', 'lat', 'lon'], noNullPrototype: true },
  ),
);
const oddParams = fc.dictionary(
  fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'n'.repeat(64), 'n'.repeat(65))),
  fc.oneof(odd, fc.constantFrom('t'.repeat(1344), 't'.repeat(1345))),
  { noNullPrototype: true },
);
/** A valid record of which one or two fields are something else. */
const spoiled = fc
  .tuple(
    soundRecord,
    fc.dictionary(fc.constantFrom('glonassId', 'imei', ...Object.keys(valid)), odd, { minKeys: 1, maxKeys: 2 }),
    fc.option(oddParams),
    fc.option(fc.array(odd, { maxLength: 66 })),
  )
  .map(([record, wrong, params, adc]) => ({ ...record, ...wrong, ...(params && { params }), ...(adc && { adc }) }));

test(`what is said yes to without the schema, the schema lets through; and of what comes nearly all is (WAYPOST_SEED=${SEED})`, () => {
  let [yes, no] = [0, 0];
  fc.assert(
    fc.property(fc.oneof(spoiled, soundRecord, odd), (record) => {
      const schema = TelemetryRecord.safeParse(record).success;
      if (schema) yes++;
      else no++;
      // Only a name that means something to JavaScript is left to the schema although it is valid.
      const special =
        typeof record === 'object' &&
        record !== null &&
        'params' in record &&
        Object.hasOwn(Object(record.params) as object, '__proto__');
      expect(isValidRecord(record)).toBe(schema && !special);
    }),
    { seed: SEED, numRuns: RUNS },
  );
  expect(Math.min(yes, no)).toBeGreaterThan(RUNS / 10);
});

test(`a record comes through the buffer as the schema reads it (WAYPOST_SEED=${SEED})`, () => {
  fc.assert(
    fc.property(fc.array(soundRecord, { minLength: 1, maxLength: 150 }), (records) => {
      const pack = new IncomingBatch();
      for (const record of records) pack.add(7, record as ValidRecord, null);
      const arrivals = IncomingFixes.from(pack.packed());
      expect(arrivals.count).toBe(records.length);
      records.forEach((record, index) => {
        const {
          params,
          adc,
          glonassId: _unit,
          imei: _imei,
          speed,
          gpsCount,
          glonassCount,
          ...rest
        } = TelemetryRecord.parse(record);
        const { extra, crewStatus: _status, ...arrival } = arrivals.at(index);
        expect(arrival).toEqual({ ...rest, vehicle: 7, engineOn: null, speed, gpsCount, glonassCount });
        expect(extra === '' ? { adc: [], params: {} } : JSON.parse(extra)).toEqual(
          JSON.parse(JSON.stringify({ adc, params })),
        );
      });
    }),
    { seed: SEED, numRuns: 200 },
  );
});
