import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawTown } from '../../town/draw-town.ts';
import { writePbf } from '../../town/pbf-writer.ts';
import { follow, waypost } from '../harness/command-line.ts';
import { pair, startStations, type TestStation } from '../harness/linked.ts';

const directory = mkdtempSync(join(tmpdir(), 'waypost-town-'));
/** Small, since it is imported three times. */
const TOWN = join(directory, 'town.osm.pbf');

beforeAll(() => writePbf(drawTown({ seed: 7, nodes: 4_000 }), TOWN));
afterAll(() => rmSync(directory, { recursive: true }));

interface TerritoryAnswer {
  readonly name?: string;
  readonly size?: number;
  readonly damaged?: readonly string[];
  readonly import: { readonly state: string; readonly done: number; readonly stage: string } | null;
}

const territory = (station: TestStation) => station.ask<TerritoryAnswer>('GET', '/territory');

/** The current files of a station's territory, by name. */
function filesOf({ directory }: TestStation): Record<string, Buffer> {
  const root = join(directory, 'territory');
  const current = join(root, readFileSync(join(root, 'current'), 'utf8').trim());
  return Object.fromEntries(readdirSync(current).map((name) => [name, readFileSync(join(current, name))]));
}

async function importTown(station: TestStation): Promise<void> {
  expect(await waypost(station, 'import', TOWN)).toMatchObject({ code: 0 });
  await expect.poll(async () => (await territory(station)).name).toBe('Town');
}

test('[sync 98] a territory comes from a linked station by its hashes, and goes on after a kill where it was', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  await importTown(a);
  const cable = await pair(b, a);
  await expect
    .poll(() => b.ask('GET', '/territory/stations'))
    .toMatchObject([{ station: { name: 'Station 1' }, territory: { name: 'Town' }, isHere: false }]);
  expect((await waypost(b, 'territory', 'from', 'Station 9')).said).toContain(
    'No connected station is called Station 9',
  );

  const size = Object.values(filesOf(a)).reduce((sum, { length }) => sum + length, 0);
  cable.rate = size / 6;
  const before = cable.carried;
  const [offered] = await b.ask<{ link: number }[]>('GET', '/territory/stations');
  await b.ask('POST', '/territory', { link: offered!.link });
  await expect.poll(async () => (await territory(b)).import!.done).toBeGreaterThan(0.3);
  expect(await territory(b)).toMatchObject({ import: { state: 'running', stage: 'fetch' } });
  expect((await territory(b)).name).toBeUndefined();
  await b.end('SIGKILL');
  cable.rate = undefined;
  await b.start();
  await expect.poll(async () => (await territory(b)).name).toBe('Town');
  // Not from the beginning again.
  expect(cable.carried - before).toBeLessThan(1.35 * size);
  expect(filesOf(b)).toEqual(filesOf(a));
  expect(readdirSync(join(b.directory, 'territory')).filter((name) => /fetched|part|take-over/.test(name))).toEqual([]);
  expect((await waypost(b, 'territory', 'list')).said).toContain('Station 1: Town');
  expect((await waypost(b, 'territory', 'from', 'Station 1')).said).toContain('is here already');

  const { bounds } = await b.ask<{ bounds: number[] }>('GET', '/territory');
  const [west, south, east, north] = bounds as [number, number, number, number];
  const at = (x: number, y: number) => `loc=${south + y * (north - south)},${west + x * (east - west)}`;
  const route = `/viaroute?${at(0.4, 0.4)}&${at(0.6, 0.6)}`;
  expect(await b.ask('GET', route)).toEqual(await a.ask('GET', route));
});

test('[sync 99] a standby has the territory of the station that it follows, and every later one', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  await importTown(a);
  await follow(b, a);
  await expect.poll(async () => (await territory(b)).name).toBe('Town');
  expect(await waypost(a, 'import', TOWN, '--name', 'Harbour')).toMatchObject({ code: 0 });
  await expect.poll(async () => (await territory(b)).name).toBe('Harbour');
  expect(filesOf(b)).toEqual(filesOf(a));
});
