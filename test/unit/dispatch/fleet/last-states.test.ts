import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LastStates } from '../../../../server/dispatch/fleet/index.ts';
import { openStore, type Store } from '../../../../server/store/index.ts';
import { unknownState, type LastState } from '../../../../shared/fleet/last-state.ts';

let directory: string;
let store: Store;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'waypost-states-'));
  store = await openStore({ directory });
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

const NEVER = 1_000_000;
const at = (id: number, time: number, more: Partial<LastState> = {}): LastState => ({
  ...unknownState(id),
  time,
  storedAt: time,
  lat: time,
  ...more,
});
const saved = () => store.records('vehicleStates');

test('positions are known at once and saved later; all of them when the station ends', async () => {
  const states = new LastStates(saved(), { every: NEVER });
  states.take([at(1, 100), at(2, 100)]);
  states.take([at(1, 200)]);
  expect(states.get(1)).toMatchObject({ time: 200 });
  expect(saved().count()).toBe(0);
  await states.close();
  expect(
    saved()
      .all()
      .map((record) => [record.id, record.time]),
  ).toEqual([
    [1, 200],
    [2, 100],
  ]);
});

test('a round saves the longest waiting vehicles, and only so many', async () => {
  const states = new LastStates(saved(), { every: 20, perRound: 2 });
  states.take([1, 2, 3, 4, 5].map((id) => at(id, 100)));
  while (saved().count() < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(
    saved()
      .all()
      .map((record) => record.id),
  ).toEqual([1, 2]);
  while (saved().count() < 5) await new Promise((resolve) => setTimeout(resolve, 5));
  await states.close();
});

test('a crew status is saved before the answer, also of a vehicle that was never heard', async () => {
  const states = new LastStates(saved(), { every: NEVER });
  await states.setUnitStatus(7, 6, 5_000);
  expect(saved().get(7)).toMatchObject({ unitStatus: 6, unitStatusSince: 5_000, time: 0 });
  states.take([at(7, 100, { unitStatus: 3, unitStatusSince: 100 })]); // the device repeats what the crew said before
  expect(states.get(7)).toMatchObject({ time: 100, unitStatus: 6 });
  await Promise.all([1, 2, 3].map((status) => states.setUnitStatus(7, status, 5_000)));
  expect(states.get(7)).toMatchObject({ unitStatus: 3 }); // the last one, though all came within one millisecond
  expect(saved().get(7)).toMatchObject({ unitStatus: 3 });
  await states.close();
});

test('the first status of a vehicle is taken while another one, of a link perhaps, makes its record', async () => {
  const [one, other] = [1, 2].map(() => new LastStates(saved(), { every: NEVER })) as [LastStates, LastStates];
  await Promise.all([one.setUnitStatus(7, 3, 5_000), other.setUnitStatus(7, 4, 6_000)]);
  expect(saved().get(7)).toMatchObject({ unitStatus: 4, unitStatusSince: 6_000 });
  await Promise.all([one.close(), other.close()]);
});

test('what a linked station knows later is learned, and told', async () => {
  const states = new LastStates(saved(), { every: NEVER });
  const told: number[] = [];
  states.watch((changed) => told.push(...changed.map((state) => state.time)));
  states.take([at(1, 100)]);
  states.take([at(1, 50)]); // a late report moves nothing and is not told
  await saved().insert(at(1, 300));
  await saved().change(1, (record) => ({ ...record, time: 200 }));
  expect(states.get(1)).toMatchObject({ time: 300 });
  expect(told).toEqual([100, 300]);
  await states.close();
});

test('what was saved is known after a restart', async () => {
  const states = new LastStates(saved(), { every: NEVER });
  states.take([at(1, 100)]);
  await states.close();
  const again = new LastStates(saved(), { every: NEVER });
  expect(again.get(1)).toEqual(at(1, 100));
  await again.close();
});
