import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RoadLimitsStore } from '../../../../../server/tracking/events/index.ts';
import { RoadLimits } from '../../../../../shared/roads/road-limits.ts';

let [root, now, kept, tracks]: [string, number, number, boolean] = ['', 0, 0, true];
let reports: string[] = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'waypost-limits-'));
  [now, kept, tracks, reports] = [1_000, 0, true, []];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const open = () =>
  RoadLimitsStore.open({
    directory: join(root, 'limits'),
    now: () => now,
    hasTracks: () => tracks,
    keptSince: () => kept,
    report: (message) => reports.push(message),
  });

/** A territory with one road, northwards from 55° 37°. */
function territory(name: string, limit: number): [name: string, file: string] {
  const file = join(root, `${name}.bin`);
  writeFileSync(
    file,
    RoadLimits.pack({
      fromLat: Int32Array.of(55e6),
      fromLon: Int32Array.of(37e6),
      toLat: Int32Array.of(55_010_000),
      toLon: Int32Array.of(37e6),
      along: Uint8Array.of(limit),
      against: Uint8Array.of(limit),
    }),
  );
  return [name, file];
}
const told = (book: RoadLimitsStore, from: number) =>
  book
    .from(from)
    .map(({ bytes, validFrom, validUntil }) => [
      RoadLimits.from(bytes).at({ lat: 55.005, lon: 37 }, 0),
      validFrom,
      validUntil,
    ]);

test('each territory’s limits hold until the next one takes its place, also when its own directory is gone', async () => {
  const book = await open();
  const changes: number[] = [];
  book.watch((from) => changes.push(from));
  expect(book.from(0)).toEqual([]);
  const [name, file] = territory('one', 50);
  await book.switchTo(name, file);
  rmSync(file);
  now = 5_000;
  await book.switchTo(...territory('two', 70));
  expect(told(book, 0)).toEqual([
    [50, 1_000, 5_000],
    [70, 5_000, null],
  ]);
  expect(told(book, 4_999)).toEqual([
    [50, 1_000, 5_000],
    [70, 5_000, null],
  ]);
  expect(told(book, 5_000)).toEqual([[70, 5_000, null]]);
  expect(book.from(6_000)).toBe(book.from(7_000));
  expect(changes).toEqual([1_000, 5_000]);

  now = 9_000;
  const again = await open();
  await again.switchTo('two', join(root, 'nothing is read of what is known'));
  expect(told(again, 0)).toEqual([
    [50, 1_000, 5_000],
    [70, 5_000, null],
  ]);
  expect(reports).toEqual([]);
});

test('the first territory of a station without tracks holds for all time', async () => {
  tracks = false;
  const book = await open();
  await book.switchTo(...territory('one', 50));
  expect(told(book, 0)).toEqual([[50, 0, null]]);
  await book.switchTo(...territory('two', 60));
  expect(told(book, 0)).toEqual([
    [50, 0, 1_000],
    [60, 1_000, null],
  ]);
});

test('a clock that was set back puts no version before the one that it replaces', async () => {
  const book = await open();
  await book.switchTo(...territory('one', 50));
  now = 10;
  await book.switchTo(...territory('two', 60));
  expect(told(book, 0)).toEqual([
    [50, 1_000, 1_001],
    [60, 1_001, null],
  ]);
});

test('a territory of an older program has none, and says so; those before go on', async () => {
  const book = await open();
  await book.switchTo(...territory('one', 50));
  now = 2_000;
  await book.switchTo('older', join(root, 'there is none'));
  expect(told(book, 0)).toEqual([[50, 1_000, null]]);
  expect(reports).toEqual([expect.stringContaining('Import it again')]);
});

test('a damaged file is reported, and takes nothing else with it', async () => {
  const book = await open();
  await book.switchTo(...territory('one', 50));
  now = 2_000;
  await book.switchTo(...territory('two', 60));
  const [first] = readdirSync(join(root, 'limits')).sort();
  writeFileSync(join(root, 'limits', first!), 'no limits');
  const again = await open();
  expect(told(again, 0)).toEqual([[60, 2_000, null]]);
  expect(reports).toEqual([expect.stringContaining('cannot be read')]);
});

test('limits of which no record can come any more are removed, at the next start and with the next territory', async () => {
  const book = await open();
  const files = () => readdirSync(join(root, 'limits')).sort();
  for (const [at, name, limit] of [
    [1_000, 'one', 50],
    [2_000, 'two', 60],
    [3_000, 'three', 70],
  ] as const) {
    now = at;
    await book.switchTo(...territory(name, limit));
  }
  kept = 2_999; // the second still holds for a record of just then
  expect(told(await open(), 0)).toEqual([
    [60, 2_000, 3_000],
    [70, 3_000, null],
  ]);
  expect(files()).toEqual(['2000.two.bin', '3000.three.bin']);
  [now, kept] = [4_000, 3_000];
  await book.switchTo(...territory('four', 80));
  expect(told(book, 0)).toEqual([
    [70, 3_000, 4_000],
    [80, 4_000, null],
  ]);
  expect(files()).toEqual(['3000.three.bin', '4000.four.bin']);
  kept = 1_000_000; // what holds now is never removed
  expect(told(await open(), 0)).toEqual([[80, 4_000, null]]);
  expect(reports).toEqual([]);
});

test('limits of the past are read at the start, and not when a late record asks for them', async () => {
  const book = await open();
  await book.switchTo(...territory('one', 50));
  now = 2_000;
  await book.switchTo(...territory('two', 60));
  const again = await open();
  rmSync(join(root, 'limits'), { recursive: true });
  expect(told(again, 0)).toEqual([
    [50, 1_000, 2_000],
    [60, 2_000, null],
  ]);
});
