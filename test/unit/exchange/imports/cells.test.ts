import { expect, test } from 'vitest';
import { readCell } from '../../../../server/exchange/imports/cells.ts';
import { ZonedTime } from '../../../../shared/zoned-time.ts';

const read = (cell: string, zone = 'Europe/Zurich') =>
  readCell(cell, { kind: 'instant' }, { zone: new ZonedTime(zone), idsOf: () => [] });
const iso = (cell: string, zone?: string) => new Date(read(cell, zone) as number).toISOString();

test('a time without a zone is one of the zone asked for, in summer and in winter', () => {
  expect(iso('2026-07-01 12:00')).toBe('2026-07-01T10:00:00.000Z');
  expect(iso('2026-01-01T12:00:30')).toBe('2026-01-01T11:00:30.000Z');
  expect(iso('01.07.2026 12:00')).toBe('2026-07-01T10:00:00.000Z');
  expect(iso('2026-07-01')).toBe('2026-06-30T22:00:00.000Z');
  expect(iso('2026-07-01 12:00', 'Asia/Yekaterinburg')).toBe('2026-07-01T07:00:00.000Z');
});

test('a time that names its zone keeps it', () => {
  expect(iso('2026-07-01T12:00:00Z')).toBe('2026-07-01T12:00:00.000Z');
  expect(iso('2026-07-01T12:00:00+05:00')).toBe('2026-07-01T07:00:00.000Z');
});

test('what is no time is refused', () => {
  for (const cell of ['2026-02-30', '2026-07-01 25:00', '31.13.2026', 'soon']) expect(() => read(cell), cell).toThrow();
});
