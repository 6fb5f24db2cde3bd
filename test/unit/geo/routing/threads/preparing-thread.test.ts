import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startPlanner } from '../../../../../server/geo/routing/index.ts';
import { PreparingThread } from '../../../../../server/geo/routing/threads/preparing-thread.ts';
import { roadsMaker } from '../../../../../server/geo/territory/roads/index.ts';
import { eventually } from '../../../../support/eventually.ts';
import { drawExtract, drawRoads } from '../town.ts';

/** Too short for a thread to be asked again before it rests, and long enough to prepare. */
const SOON = 50;

async function emptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'waypost-preparing-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

async function startResting(directory: string) {
  const started: PreparingThread[] = [];
  const planner = await startPlanner({
    directory,
    prepare: (of) => started[started.push(new PreparingThread(of, { idle: SOON })) - 1]!,
  });
  onTestFinished(() => planner.close());
  return { planner, started, rests: () => eventually(() => expect(started[0]!.isResting).toBe(true)) };
}

test('the thread of a small territory rests, and the next closure starts it again', async () => {
  const town = drawRoads(`
    a---b---c
        |   |
        d---e
  `);
  const directory = await emptyDirectory();
  await writeFile(join(directory, 'roads.bin'), town.bytes);
  const { planner, started, rests } = await startResting(directory);
  const { lat, lon } = town.at('b');
  const geometry = { type: 'Point' as const, coordinates: [lon + 0.0004, lat] };
  const ask = { points: [town.at('a'), town.at('c')] };
  await rests();
  await planner.setClosures([{ id: 1, geometry, factor: 0 }]);
  expect((await planner.route(ask)).route).toMatchObject({ time: 40, closures: [1] });
  await rests();
  expect((await planner.route(ask)).route).toMatchObject({ time: 40, closures: [1] });
  expect((await planner.affectedRoads(geometry)).metres).toBeGreaterThan(0);
  await rests();
  await planner.setClosures([]);
  expect((await planner.route(ask)).route).toMatchObject({ time: 20, closures: [] });
  expect(started).toHaveLength(1);
});

test('a profile that is added after a rest has the closures, and later ones go to the right profiles', async () => {
  const drawn = drawExtract(`
    a---b---c
        |   |
        d---e
  `);
  const directory = await emptyDirectory();
  await roadsMaker({ minComponent: 1 })(drawn.roads, directory, () => {});
  const { planner, started, rests } = await startResting(directory);
  const { lat, lon } = drawn.places.get('b')!;
  const closed = (id: number) => [
    { id, geometry: { type: 'Point' as const, coordinates: [lon + 0.0004, lat] }, factor: 0 },
  ];
  const onFoot = { points: [drawn.places.get('a')!, drawn.places.get('c')!], profile: 'foot' };
  // By name, trucks come last.
  await planner.route({ ...onFoot, profile: 'truck' });
  await planner.setClosures(closed(1));
  await rests();
  const around = (await planner.route(onFoot)).route!;
  expect(around.closures).toEqual([1]);
  await rests();
  await planner.setClosures(closed(2));
  expect((await planner.route(onFoot)).route).toMatchObject({ time: around.time, closures: [2] });
  expect(started).toHaveLength(1);
});

test('a thread that is closed while it rests takes no more requests', async () => {
  const directory = await emptyDirectory();
  await writeFile(join(directory, 'roads.bin'), drawRoads('a---b').bytes);
  const thread = new PreparingThread(directory, { idle: SOON });
  await thread.prepared;
  await eventually(() => expect(thread.isResting).toBe(true));
  await thread.close();
  await expect(thread.conditions([], undefined)).rejects.toMatchObject({ kind: 'busy' });
});
