import { expect, test } from 'vitest';
import { Holders } from '../../../../server/dispatch/fleet/holders.ts';

test('of two who hold one value the later counts, and the other when that one lets it go', () => {
  const holders = new Holders<string>();
  expect(holders.holderOf('imei')).toBeUndefined();
  holders.enter('imei', 1);
  holders.enter('imei', 2);
  expect(holders.holderOf('imei')).toBe(2);
  holders.leave('imei', 2);
  expect(holders.holderOf('imei')).toBe(1);
  holders.leave('imei', 2);
  expect(holders.holderOf('imei')).toBe(1);
  holders.leave('imei', 1);
  expect(holders.holderOf('imei')).toBeUndefined();
});
