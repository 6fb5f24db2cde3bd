import { expect, test } from 'vitest';
import { isSameNumber, plainNumber } from '../../../shared/calls/number.ts';

test('a number is stored as its digits, with + before a country code (calls, rule 2)', () => {
  expect(
    [
      '+44 (1632) 960-417',
      '0044 1632 960417',
      'sip:+441632960417@pbx.local',
      '(+7) 495 12',
      '112',
      'anonymous',
      '',
    ].map(plainNumber),
  ).toEqual(['+441632960417', '+441632960417', '+441632960417', '+749512', '112', '', '']);
});

test('country and trunk codes make no other subscriber; short and withheld numbers must be the same (calls, rule 2)', () => {
  for (const written of ['+74951234567', '84951234567', '4951234567'])
    expect(isSameNumber('+74951234567', written)).toBe(true);
  expect(isSameNumber('+74951234567', '+74951234568')).toBe(false);
  expect(isSameNumber('112', '5112')).toBe(false);
  expect(isSameNumber('112', '112')).toBe(true);
  expect(isSameNumber('', '')).toBe(false);
});
