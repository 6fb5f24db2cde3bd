import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Safety, type SilentCrew } from '../../../../server/dispatch/shifts/index.ts';
import { openStore, type Store } from '../../../../server/store/index.ts';
import type { Actor } from '../../../../shared/access.ts';
import type { Task } from '../../../../shared/records/index.ts';
import { FREE, ON_SCENE } from '../../../../shared/fleet/unit-status.ts';
import { withReport, withUnits } from '../../../../shared/tasks/units.ts';

const MINUTE = 60_000;
const ENGINE = 7;
/** When the crew came to the scene. */
const BEGUN = 100 * MINUTE;
const admin = {
  user: { id: 1, organizationId: 1 },
  role: { admin: true, superuser: false, accesses: [] },
} as unknown as Actor;
let directory: string;
let store: Store;
let safety: Safety;
let now: number;
let said: string[];

function open(silent: number[] = []): Safety {
  return new Safety(
    {
      store,
      now: () => now,
      organizationOf: () => 1,
      raise: async ({ vehicleId, since }: SilentCrew) =>
        void said.push(`${vehicleId} silent since ${(since - BEGUN) / MINUTE}`),
      end: async (vehicleId, at) => void said.push(`${vehicleId} heard at ${(at - BEGUN) / MINUTE}`),
      report: (error) => said.push(String(error)),
    },
    silent,
  );
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'waypost-safety-'));
  now = BEGUN;
  said = [];
  store = await openStore({ directory });
  safety = open();
});
afterEach(async () => {
  await safety.close();
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

const tasks = () => store.records('tasks');
async function sendToScene(): Promise<number> {
  const id = tasks().nextId();
  const task = {
    ...{
      id,
      title: 'Smoke',
      text: '',
      organizationId: 1,
      authorId: 1,
      typeId: 1,
      categoryId: 0,
      status: 2,
      statusSince: 0,
    },
    ...{ confirmed: 0, confirmedComment: '', assignedOrganizationId: 0, assignedUserId: 0, assignedVehicleId: 0 },
    ...{ restricted: false, archived: false, isDeleted: false, notice: 0, date: 0, updatedAt: 0, systemData: '' },
    ...{ address: '', point: null, mainPhoto: null, customValues: {}, photos: 0, videos: 0, files: 0, sounds: 0 },
  } as unknown as Task;
  await tasks().insert(withReport(withUnits(task, [{ id: ENGINE, status: FREE }], '', BEGUN), ENGINE, ON_SCENE, BEGUN));
  return id;
}
async function at(minutes: number): Promise<string[]> {
  now = BEGUN + minutes * MINUTE;
  await safety.check();
  return said.splice(0);
}

test('two missed checks raise one alarm, whose time is the same at every station', async () => {
  await sendToScene();
  expect(await at(39.99)).toEqual([]);
  expect(await at(40)).toEqual(['7 silent since 40']);
  expect(await at(55)).toEqual([]);
});

test('a word of the crew ends it, and the time begins again', async () => {
  await sendToScene();
  await at(40);
  await safety.heard(admin, ENGINE);
  expect(await at(41)).toEqual(['7 heard at 41']);
  expect(await at(79)).toEqual([]);
  expect(await at(80)).toEqual(['7 silent since 80']);
});

test('a status, and leaving the scene, end it', async () => {
  const id = await sendToScene();
  await at(40);
  await tasks().change(id, (task) => withReport(task, ENGINE, ON_SCENE, BEGUN + 45 * MINUTE));
  expect(await at(45)).toEqual(['7 heard at 45']);
  expect(await at(85)).toEqual(['7 silent since 85']);
  await tasks().change(id, (task) => ({ ...task, isDeleted: true }));
  expect(await at(86)).toEqual(['7 heard at 86']);
});

test('an organization sets its own time, or none', async () => {
  await sendToScene();
  await safety.setMinutes(admin, 1, 5);
  expect(await at(10)).toEqual(['7 silent since 10']);
  await safety.setMinutes(admin, 1, 0);
  expect(await at(11)).toEqual(['7 heard at 11']);
});

test('a restart keeps an alarm that goes on, and ends one whose crew was heard meanwhile', async () => {
  await sendToScene();
  await at(40);
  await safety.close();
  safety = open([ENGINE, 8]);
  expect(await at(41)).toEqual(['8 heard at 41', '7 silent since 40']);
});

test('a station that was away for long raises nothing old', async () => {
  await sendToScene();
  expect(await at(55.5)).toEqual([]);
  await safety.heard(admin, ENGINE);
  expect(await at(56)).toEqual(['7 heard at 56']);
  expect(await at(110)).toEqual(['7 silent since 95.5']);
});
