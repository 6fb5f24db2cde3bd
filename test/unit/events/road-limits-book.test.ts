import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RoadLimitsBook } from '../../../server/events/index.ts';
import { RoadLimits } from '../../../shared/road-limits.ts';

let [root, now, tracks]: [string, number, boolean] = ['', 0, true];
let reports: string[] = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'waypost-limits-'));
  [now, tracks, reports] = [1_000, true, []];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const open = () => RoadLimitsBook.open({ directory: join(root, 'limits'), now: () => now, hasTracks: () => tracks, report: (message) => reports.push(message) });

/** A territory with one road, northwards from 55° 37°. */
function territory(name: string, limit: number): [name: string, file: string] {
  const file = join(root, `${name}.bin`);
  writeFileSync(file, RoadLimits.pack({ fromLat: Int32Array.of(55e6), fromLon: Int32Array.of(37e6), toLat: Int32Array.of(55_010_000), toLon: Int32Array.of(37e6), along: Uint8Array.of(limit), against: Uint8Array.of(limit) }));
  return [name, file];
}
const told = (book: RoadLimitsBook, from: number) => book.from(from).map(({ bytes, validFrom, validTill }) => [RoadLimits.from(bytes).at({ lat: 55.005, lon: 37 }, 0), validFrom, validTill]);

test('each territory’s limits hold until the next one takes its place, also when its own directory is gone', async () => {
  const book = await open();
  const changes: number[] = [];
  book.watch((from) => changes.push(from));
  expect(book.from(0)).toEqual([]);
  const [name, file] = territory('one', 50);
  await book.goOver(name, file);
  rmSync(file);
  now = 5_000;
  await book.goOver(...territory('two', 70));
  expect(told(book, 0)).toEqual([[50, 1_000, 5_000], [70, 5_000, null]]);
  expect(told(book, 4_999)).toEqual([[50, 1_000, 5_000], [70, 5_000, null]]);
  expect(told(book, 5_000)).toEqual([[70, 5_000, null]]);
  expect(book.from(6_000)).toBe(book.from(7_000));
  expect(changes).toEqual([1_000, 5_000]);

  now = 9_000;
  const again = await open();
  await again.goOver('two', join(root, 'nothing is read of what is known'));
  expect(told(again, 0)).toEqual([[50, 1_000, 5_000], [70, 5_000, null]]);
  expect(reports).toEqual([]);
});

test('the first territory of a station without tracks holds for all time', async () => {
  tracks = false;
  const book = await open();
  await book.goOver(...territory('one', 50));
  expect(told(book, 0)).toEqual([[50, 0, null]]);
  await book.goOver(...territory('two', 60));
  expect(told(book, 0)).toEqual([[50, 0, 1_000], [60, 1_000, null]]);
});

test('a clock that was set back puts no version before the one that it replaces', async () => {
  const book = await open();
  await book.goOver(...territory('one', 50));
  now = 10;
  await book.goOver(...territory('two', 60));
  expect(told(book, 0)).toEqual([[50, 1_000, 1_001], [60, 1_001, null]]);
});

test('a territory of an older program has none, and says so; those before go on', async () => {
  const book = await open();
  await book.goOver(...territory('one', 50));
  now = 2_000;
  await book.goOver('older', join(root, 'there is none'));
  expect(told(book, 0)).toEqual([[50, 1_000, null]]);
  expect(reports).toEqual([expect.stringContaining('Import it again')]);
});

test('a damaged file is reported, and takes nothing else with it', async () => {
  const book = await open();
  await book.goOver(...territory('one', 50));
  now = 2_000;
  await book.goOver(...territory('two', 60));
  const [first] = readdirSync(join(root, 'limits')).sort();
  writeFileSync(join(root, 'limits', first!), 'no limits');
  const again = await open();
  expect(told(again, 0)).toEqual([[60, 2_000, null]]);
  expect(reports).toEqual([expect.stringContaining('cannot be read')]);
});
