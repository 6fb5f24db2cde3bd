import { expect, test } from 'vitest';
import { diallable, numbersIn } from '../../../shared/calls/number.ts';

const found = (text: string) => numbersIn(text).flatMap((piece) => (piece.isNumber ? [piece.text] : []));

test.each([
  ['Keys: +44 1632 960 555, ring twice', ['+44 1632 960 555']],
  ['call 0800 123-45-67 or 8 (912) 000-00-01', ['0800 123-45-67', '8 (912) 000-00-01']],
  ['phone: +79120000001', ['+79120000001']],
  ['on 2026-11-29 at 08:15, place 56.19110, 18.91210', []],
  ['Flat 12, code 0451, 3000 l of water, id 123456789', []],
  ['lat: 56.0123456', []],
  ['(0161) 496 0000.', ['(0161) 496 0000']],
  ['', []],
])('in "%s" these are telephone numbers: %j', (text, numbers) => {
  expect(found(text)).toEqual(numbers);
  expect(
    numbersIn(text)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text);
});

test('what can be dialled has at least two and at most twenty digits, and no letters', () => {
  expect(['1', '12', '1'.repeat(20), '1'.repeat(21), 'call me', '', 'tel:+44 (1632) 960-555'].map(diallable)).toEqual([
    ...['', '12', '1'.repeat(20), '', '', '', '+441632960555'],
  ]);
});
