import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { waypost } from '../harness/command-line.ts';
import { serve, type Served } from '../harness/served.ts';

const VEHICLES = 4_000;
/** Rows that are written before the station is killed. */
const WRITTEN = 300;

interface Entry {
  readonly state: string;
  readonly done: number;
  readonly created: number;
  readonly left: number;
}

let directory: string;
let station: Served | undefined;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'waypost-import-'));
  station = await serve(directory);
});
afterEach(async () => {
  await station?.end('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

const names = async () => (await station!.ask<{ name: string }[]>('GET', '/cars')).map(({ name }) => name);
const file = (name: string, lines: readonly string[]): string => {
  const path = join(directory, name);
  writeFileSync(path, lines.join('\n'));
  return path;
};
const importRecords = (...words: string[]) => waypost({ directory }, 'import-records', ...words);

test('import-records shows what a file would do, writes it when told to, and takes it back', async () => {
  const path = file('vans.csv', ['Who,Plate,In repair', 'Van 1,A 1,no', 'Van 2,A 2,perhaps', 'Van 3,,yes']);
  const words = [path, '--kind', 'vehicles', '--column', 'Who=name', '--column', 'In repair=onService'];
  const shown = await importRecords(...words);
  expect(shown.code).toBe(0);
  expect(shown.said).toContain('Rows: 2 new, 0 changed, 0 the same, 1 refused.');
  expect(shown.said).toMatch(/C3: .*/);
  expect(shown.said).toContain('Nothing was written.');
  expect(await names()).toEqual([]);
  const written = await importRecords(...words, '--write');
  expect(written.said).toContain('Import 1 is done: 2 new, 0 changed, 1 refused.');
  expect((await names()).sort()).toEqual(['Van 1', 'Van 3']);
  const undone = await importRecords('undo', '1');
  expect([undone.code, undone.said]).toEqual([0, expect.stringContaining('Import 1 is undone.')]);
  expect(await names()).toEqual([]);
});

test('import-records says what is wrong with its words, its file and its kind', async () => {
  const path = file('vans.csv', ['Name,Plate', 'Van 1,A 1']);
  for (const words of [[], [path], [path, '--kind', 'ships'], ['undo', 'x']]) {
    const { said, code } = await importRecords(...words);
    expect([code === 0, said]).toEqual([false, expect.stringContaining('waypost import-records FILE --kind')]);
  }
  for (const [words, reason] of [
    [[path, '--kind', 'vehicles', '--column', 'x'], 'x has no =.'],
    [[file('empty.csv', []), '--kind', 'vehicles'], 'no rows'],
    [[join(directory, 'not-there.csv'), '--kind', 'vehicles'], 'not-there.csv'],
    [['undo', '999'], '999'],
  ] as const) {
    const { said, code } = await importRecords(...words);
    expect([code === 0, said]).toEqual([false, expect.stringContaining(reason)]);
    expect(said).not.toMatch(/\n\s+at /);
  }
  expect(await names()).toEqual([]);
});

test('an import that a kill broke off is undone whole, and then taken in whole', async () => {
  const lines = Array.from({ length: VEHICLES }, (_, index) => `Van ${index},P ${index}`);
  const path = file('vans.csv', ['Name,Plate', ...lines]);
  const words = [path, '--kind', 'vehicles', '--column', 'Name=name', '--write'];
  const broken = importRecords(...words);
  await eventually(async () => {
    const { state, done } = await station!.ask<Entry>('GET', '/imports/1');
    expect([state, done > WRITTEN]).toEqual(['writing', true]);
  });
  await station!.end('SIGKILL');
  expect((await broken).code).not.toBe(0);
  station = await serve(directory);
  const entry = await station.ask<Entry>('GET', '/imports/1');
  expect(entry.state).toBe('broken');
  const written = await names();
  expect(written.length).toBeGreaterThan(WRITTEN);
  expect(written.length).toBeLessThan(VEHICLES);
  const { said } = await importRecords('undo', '1');
  expect(said).toContain('Import 1 is undone. Records left, because they were changed since: 0.');
  expect(await names()).toEqual([]);
  const again = await importRecords(...words);
  expect(again.said).toContain(`Import 2 is done: ${VEHICLES} new, 0 changed, 0 refused.`);
  expect(await names()).toHaveLength(VEHICLES);
});
