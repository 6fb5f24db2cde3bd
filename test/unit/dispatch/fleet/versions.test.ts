import { describe, expect, test } from 'vitest';
import { edited, revised, versionAt, versionsOf } from '../../../../shared/fleet/versions.ts';
import { beginOf } from '../../../../server/dispatch/fleet/geozones.ts';

interface Limit {
  readonly validFrom: number;
  readonly name: string;
  readonly limit: number;
}
const yard: Limit = { validFrom: 100, name: 'Yard', limit: 20 };
const slower: Limit = { ...yard, validFrom: 200, limit: 10 };
const renamed: Limit = { ...slower, validFrom: 300, name: 'Depot' };
const all = [yard, slower, renamed];
/** Start, name and limit of each version. */
const told = (versions: readonly Limit[]) =>
  versions.map(({ validFrom, name, limit }) => `${validFrom} ${name} ${limit}`);

describe('which version holds', () => {
  test('the latest that has begun, from its very beginning on; before all of them, the first', () => {
    expect([99, 100, 199, 200, 299, 300, 999].map((time) => versionAt({ versions: all }, time))).toEqual([
      yard,
      yard,
      yard,
      slower,
      slower,
      renamed,
      renamed,
    ]);
  });

  test('each holds up to the next, the last without end', () => {
    expect(
      versionsOf({ versions: all, deletedAt: null }).map(({ validFrom, validUntil }) => [validFrom, validUntil]),
    ).toEqual([
      [100, 200],
      [200, 300],
      [300, null],
    ]);
  });

  test('what is deleted ends then, and what was planned for later never comes', () => {
    expect(
      versionsOf({ versions: all, deletedAt: 250 }).map(({ validFrom, validUntil }) => [validFrom, validUntil]),
    ).toEqual([
      [100, 200],
      [200, 250],
    ]);
    expect(
      versionsOf({ versions: all, deletedAt: 150 }).map(({ validFrom, validUntil }) => [validFrom, validUntil]),
    ).toEqual([[100, 150]]);
    expect(versionsOf({ versions: all, deletedAt: 50 })).toEqual([]);
  });
});

describe('an edit', () => {
  test('a change after all others adds a version; one that changes nothing does not', () => {
    expect(told(revised(all, { ...renamed, validFrom: 400, limit: 5 }))).toEqual([
      '100 Yard 20',
      '200 Yard 10',
      '300 Depot 10',
      '400 Depot 5',
    ]);
    expect(revised(all, { ...renamed, validFrom: 400 })).toEqual(all);
  });

  test('before a planned version leaves it its time and what it changes; the rest goes on in it', () => {
    expect(told(revised([yard, slower], { ...yard, validFrom: 150, name: 'Gate' }))).toEqual([
      '100 Yard 20',
      '150 Gate 20',
      '200 Gate 10',
    ]);
    expect(told(revised([yard, slower], { ...yard, validFrom: 150, limit: 30 }))).toEqual([
      '100 Yard 20',
      '150 Yard 30',
      '200 Yard 10',
    ]);
    expect(told(revised(all, { ...yard, validFrom: 150, name: 'Gate', limit: 30 }))).toEqual([
      '100 Yard 20',
      '150 Gate 30',
      '200 Gate 10',
      '300 Depot 10',
    ]);
  });

  test('that says now what was planned leaves nothing to plan', () => {
    expect(told(revised([yard, slower], { ...slower, validFrom: 150 }))).toEqual(['100 Yard 20', '150 Yard 10']);
  });

  test('at the very time of a planned version replaces it, and takes it away when it says what held before', () => {
    expect(told(revised([yard, slower], { ...slower, limit: 15 }))).toEqual(['100 Yard 20', '200 Yard 15']);
    expect(told(revised([yard, slower], { ...yard, validFrom: 200 }))).toEqual(['100 Yard 20']);
    expect(told(revised(all, { ...yard, validFrom: 200 }))).toEqual(['100 Yard 20', '300 Depot 20']);
  });

  test('of what has not begun corrects it, and moves its beginning forward', () => {
    expect(told(revised([yard], { ...yard, limit: 5 }))).toEqual(['100 Yard 5']);
    expect(told(revised([yard, slower], { ...yard, validFrom: 50, name: 'Gate' }))).toEqual([
      '50 Gate 20',
      '200 Gate 10',
    ]);
  });
});

describe('from when on an edit holds', () => {
  const entry = { versions: [yard, slower] };
  test('from now on, and later than what it replaces', () => {
    expect(beginOf({}, entry, 150)).toBe(150);
    expect(beginOf({}, entry, 100)).toBe(101);
    expect(beginOf({ validFrom: 100 }, entry, 150)).toBe(101);
  });

  test('from when it says: in the past up to the version in force, or to come', () => {
    expect(beginOf({ validFrom: 120 }, entry, 150)).toBe(120);
    expect(beginOf({ validFrom: 500 }, entry, 150)).toBe(500);
    expect(() => beginOf({ validFrom: 99 }, entry, 150)).toThrow('validFrom is before 100');
    expect(() => beginOf({ validFrom: 199 }, entry, 250)).toThrow('validFrom is before 200');
  });

  test('what has not begun begins when it was to, or earlier, but not in the past', () => {
    expect(beginOf({}, entry, 60)).toBe(100);
    expect(beginOf({ validFrom: 60 }, entry, 60)).toBe(60);
    expect(() => beginOf({ validFrom: 59 }, entry, 60)).toThrow('validFrom is in the past');
  });
});

test('what is noted only comes at the end, later than the last note, and not when it says the same', () => {
  expect(edited([], yard)).toEqual([yard]);
  expect(edited([yard], { ...yard, validFrom: 300 })).toEqual([yard]);
  expect(told(edited([yard], { ...yard, validFrom: 300, limit: 5 }))).toEqual(['100 Yard 20', '300 Yard 5']);
  expect(told(edited([yard], { ...yard, validFrom: 90, limit: 5 }))).toEqual(['100 Yard 20', '101 Yard 5']);
});
