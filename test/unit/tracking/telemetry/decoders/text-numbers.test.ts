import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalIn, digitsIn } from '../../../../../server/tracking/telemetry/decoders/text-numbers.ts';
import { SEED } from '../../../../support/chance.ts';

const DECIMAL = /^[+-]?\d{1,18}(?:\.\d{1,18})?$/;
const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 20 });
const decimal = fc
  .tuple(fc.constantFrom('', '', '-', '+'), digits, fc.constantFrom('', '.', '.'), digits)
  .map((parts) => parts.join(''));
const written = fc.oneof(
  decimal,
  fc.double({ noNaN: true }).map(String),
  fc.string({ unit: fc.constantFrom(...'0123456789.-+e, xN') }),
);

test(`a number is read where it stands as Number reads it, and nothing else is one (WAYPOST_SEED=${SEED})`, () => {
  let numbers = 0;
  fc.assert(
    fc.property(written, fc.string(), fc.string(), (text, before, after) => {
      const read = decimalIn(before + text + after, before.length, before.length + text.length);
      if (DECIMAL.test(text)) numbers++;
      expect(read).toBe(DECIMAL.test(text) ? Number(text) : NaN);
    }),
    { seed: SEED, numRuns: 20_000 },
  );
  expect(numbers).toBeGreaterThan(2_000);
});

test('digits are counted up to the end, or to the first other character', () => {
  expect([digitsIn('x123y4', 1, 6), digitsIn('123', 0, 2), digitsIn('', 0, 0)]).toEqual([3, 2, 0]);
});
