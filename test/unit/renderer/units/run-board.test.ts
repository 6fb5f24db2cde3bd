import { expect, test } from 'vitest';
import {
  inColumns,
  isFree,
  nextFree,
  runGroups,
  talkers,
  type RunGroup,
  type RunUnit,
} from '../../../../renderer/src/features/units/run-board.ts';
import { Chance } from '../../../support/chance.ts';

const unit = (id: number, over: Partial<RunUnit> = {}): RunUnit => ({
  id,
  name: `Unit ${id}`,
  status: 1,
  since: 1_000,
  serves: false,
  stationId: 0,
  kindId: 0,
  ...over,
});
const NAMES: Readonly<Record<number, string>> = { 0: 'Without', 1: 'Station 10', 2: 'Station 2' };
const all = { isShown: () => true, nameOf: (key: number) => NAMES[key] ?? '' };

test('a unit is free when it says so and serves nothing', () => {
  expect([unit(1), unit(2, { status: 2 }), unit(3, { serves: true }), unit(4, { status: 3 })].map(isFree)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('stations stand by name as people count, those without one last, and each says how many are free', () => {
  const units = [unit(1), unit(2, { stationId: 1 }), unit(3, { stationId: 2, status: 4 }), unit(4, { stationId: 2 })];
  expect(runGroups(units, 'station', all)).toEqual([
    { key: 2, ids: [3, 4], free: 1, all: 2, next: undefined },
    { key: 1, ids: [2], free: 1, all: 1, next: undefined },
    { key: 0, ids: [1], free: 1, all: 1, next: undefined },
  ]);
});

test('by status the digits are the order, and a unit that said nothing comes last', () => {
  const units = [unit(1, { status: undefined }), unit(2, { status: 4 }), unit(3, { status: 0 })];
  expect(runGroups(units, 'status', all).map(({ key }) => key)).toEqual([0, 4, -1]);
});

test('a filter hides units and empty groups, but the group still counts all of its units', () => {
  const units = [unit(1, { stationId: 1 }), unit(2, { stationId: 1, status: 4 }), unit(3, { stationId: 2, status: 4 })];
  expect(runGroups(units, 'station', { ...all, isShown: isFree })).toEqual([
    { key: 1, ids: [1], free: 1, all: 2, next: undefined },
  ]);
});

test('where nobody is free, the unit that is furthest on its run is named, and of equals the longest there', () => {
  const scene = unit(1, { status: 4, since: 10 });
  const early = unit(2, { status: 8, since: 20 });
  const late = unit(3, { status: 8, since: 30 });
  expect(nextFree([scene, late, early])).toBe(early);
  expect(nextFree([scene])).toBe(scene);
  expect(nextFree([unit(4, { status: 3 }), unit(5, { status: 6 })])).toBeUndefined();
  expect(runGroups([scene, late], 'kind', all)[0]!.next).toBe(3);
});

test('who calls for help comes before who wants to talk, and then the longest wait', () => {
  const waiting = [
    unit(1, { status: 5, since: 30 }),
    unit(2, { status: 1 }),
    unit(3, { status: 5, since: 10 }),
    unit(4, { status: 0, since: 50 }),
    unit(5, { status: 5, since: undefined }),
  ];
  expect(talkers(waiting).map(({ id }) => id)).toEqual([4, 3, 1, 5]);
});

test('columns hold every group once, in order, and none is higher than its share and one group', () => {
  const chance = new Chance();
  for (let round = 0; round < 300; round++) {
    const groups = Array.from({ length: chance.int(13) }, (_, key): RunGroup => ({
      key,
      ids: Array.from({ length: 1 + chance.int(40) }, (_unit, id) => id),
      free: 0,
      all: 0,
      next: undefined,
    }));
    const heightOf = ({ ids }: RunGroup) => 28 + 48 * ids.length;
    const count = 1 + chance.int(4);
    const columns = inColumns(groups, count, heightOf);
    expect(columns.length).toBeLessThanOrEqual(count);
    expect(columns.flat().map(({ key }) => key)).toEqual(groups.map(({ key }) => key));
    const share = groups.reduce((sum, group) => sum + heightOf(group), 0) / count;
    const highest = Math.max(0, ...groups.map(heightOf));
    for (const column of columns)
      expect(column.reduce((sum, group) => sum + heightOf(group), 0)).toBeLessThanOrEqual(share + highest);
  }
});
