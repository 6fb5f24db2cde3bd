import { mkdtempSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startGeocoder } from '../../../../server/geo/geocoding/index.ts';
import type { Geocoder } from '../../../../server/geo/geocoding/index.ts';
import type { GeocoderOptions } from '../../../../server/geo/geocoding/geocoder.ts';
import { DrawnTown, at } from './drawn-town.ts';

const running: Geocoder[] = [];
afterEach(async () => {
  for (const geocoder of running.splice(0)) await geocoder.close();
});

function start(options?: GeocoderOptions): Geocoder {
  // No test may depend on how busy the machine is.
  const geocoder = startGeocoder({ budget: 60_000, ...options });
  running.push(geocoder);
  return geocoder;
}

async function townOf(...streets: string[]): Promise<string> {
  const town = new DrawnTown();
  streets.forEach((name, i) => town.street(name, [0, i * 500], [100, i * 500]));
  return (await town.open()).directory;
}

const dying = { worker: new URL('./dying.worker.ts', import.meta.url) };
const find = async (geocoder: Geocoder, query: string): Promise<string[]> =>
  (await geocoder.search({ query, limit: 5 })).map(({ label }) => label);

test('without a territory nothing is found', async () => {
  const geocoder = start();
  expect(await find(geocoder, 'main street')).toEqual([]);
  expect(await geocoder.reverse(at([0, 0]))).toBeUndefined();
});

test('questions go to the worker and come back in order', async () => {
  const geocoder = start();
  await geocoder.open(await townOf('Main Street', 'Second Street', 'Third Street'));
  const answers = await Promise.all(['main', 'second', 'third', 'main'].map((query) => find(geocoder, query)));
  expect(answers).toEqual([['Main Street'], ['Second Street'], ['Third Street'], ['Main Street']]);
  expect(await geocoder.reverse(at([50, 10]))).toMatchObject({ kind: 'street', label: 'Main Street' });
});

test('a small territory is looked at without a thread, which starts with the first question', async () => {
  const geocoder = start({ worker: new URL('./there-is-none.ts', import.meta.url) });
  await geocoder.open(await townOf('Main Street'));
  await expect(find(geocoder, 'main')).rejects.toMatchObject({ kind: 'busy' });
});

test('goes over to another territory, and to none', async () => {
  const geocoder = start();
  await geocoder.open(await townOf('Old Road'));
  const opened = geocoder.open(await townOf('New Road'));
  const after = find(geocoder, 'road');
  await opened;
  expect(await after).toEqual(['New Road']);
  await geocoder.open(undefined);
  expect(await find(geocoder, 'road')).toEqual([]);
});

test('a territory that cannot be opened is refused, and the one before stays', async () => {
  const geocoder = start();
  await geocoder.open(await townOf('Old Road'));
  await expect(geocoder.open(join(tmpdir(), 'no', 'such', 'territory'))).rejects.toThrow();
  const other = mkdtempSync(join(tmpdir(), 'waypost-places-'));
  const database = new DatabaseSync(join(other, 'places.db'));
  database.exec(
    'CREATE TABLE about(version INTEGER, west, south, east, north); INSERT INTO about VALUES (0, 0, 0, 0, 0)',
  );
  database.close();
  await expect(geocoder.open(other)).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('import the territory once more'),
  });
  expect(await find(geocoder, 'road')).toEqual(['Old Road']);
});

test('where the only territory cannot be opened questions are refused, not answered with nothing', async () => {
  const geocoder = start();
  await expect(geocoder.open(join(tmpdir(), 'no', 'such', 'territory'))).rejects.toThrow();
  await expect(find(geocoder, 'road')).rejects.toMatchObject({
    kind: 'no-territory',
    message: expect.stringContaining('import it again'),
  });
  await expect(geocoder.reverse(at([0, 0]))).rejects.toMatchObject({ kind: 'no-territory' });
  await geocoder.open(await townOf('New Road'));
  expect(await find(geocoder, 'road')).toEqual(['New Road']);
});

test.each(['exit', 'throw', 'hang'])(
  'a worker that dies (%s) is replaced: what it was asked is refused, the next question is answered',
  async (how) => {
    const geocoder = start({ ...dying, hangTimeout: 4000 });
    await geocoder.open(await townOf('Main Street'));
    const killing = geocoder.search({ query: how, limit: 5 });
    const behind = [geocoder.search({ query: 'main', limit: 5 }), geocoder.reverse(at([0, 0]))];
    await expect(killing).rejects.toMatchObject({ kind: 'busy' });
    // A dying thread may still get to them; nobody is left waiting.
    for (const settled of await Promise.allSettled(behind))
      if (settled.status === 'rejected') expect(settled.reason).toMatchObject({ kind: 'busy' });
    expect(await find(geocoder, 'main')).toEqual(['Main Street']);
  },
);

test('a flood of questions is refused beyond what can be answered in time, not kept', async () => {
  const geocoder = start();
  await geocoder.open(await townOf('Main Street'));
  const answers = await Promise.allSettled(
    Array.from({ length: 1000 }, () => geocoder.search({ query: 'main', limit: 1 })),
  );
  const refused = answers.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  expect(refused.length).toBe(800);
  expect(refused[0]!.reason).toMatchObject({ kind: 'busy' });
  expect(await find(geocoder, 'main')).toEqual(['Main Street']);
});

test('a closed search refuses, what waited is refused too', async () => {
  const geocoder = startGeocoder();
  await geocoder.open(await townOf('Main Street'));
  const waiting = geocoder.search({ query: 'main', limit: 1 });
  const settled = expect(waiting).rejects.toMatchObject({ kind: 'busy' });
  await geocoder.close();
  await settled;
  await expect(geocoder.search({ query: 'main', limit: 1 })).rejects.toMatchObject({ kind: 'busy' });
});
