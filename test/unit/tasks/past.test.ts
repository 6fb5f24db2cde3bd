import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Actor } from '../../../shared/access.ts';
import { keyOf } from '../../../shared/ids.ts';
import type { Task } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { activeUnits, isOpenTask, unitsOf } from '../../../shared/tasks/units.ts';
import { Chance } from '../../support/chance.ts';
import { openControlRoom, type ControlRoom } from './control-room.ts';

/** Rules P1 to P4 of the README of tasks. */
const chance = new Chance();
const seed = `WAYPOST_SEED=${chance.seed}`;
/** Longer than the time in which a step can be taken back. */
const STEP = 20_000;

let room: ControlRoom;
let chief: Actor;
let vehicles: number[];

beforeAll(async () => {
  room = await openControlRoom();
  chief = await room.person(0, { superuser: true, admin: true });
  vehicles = [];
  for (const number of [1, 2, 3, 4, 5])
    vehicles.push((await room.fleet.create(chief, { name: `Engine ${number}`, glonassId: number })).vehicle.id);
});
afterAll(() => room.close());

const open = () => room.store.records('tasks').all().filter(isOpenTask);

/** What the board shows of a task. A status of a crew besides its times is not told by the task. */
function shown(task: Task) {
  const { id, title, text, typeId, status, statusSince, priority, address, point, date, customValues } = task;
  return {
    ...{ id, title, text, typeId, status, statusSince, priority, address, point, date, customValues },
    assigned: [task.assignedOrganizationId, task.assignedUserId],
    lead: task.assignedVehicleId,
    units: unitsOf(task).map(({ vehicleId, sentAt, acknowledgedAt, enRouteAt, onSceneAt, clearAt }) => ({
      ...{ vehicleId, sentAt, acknowledgedAt, enRouteAt, onSceneAt, clearAt },
    })),
  };
}

/** Tasks that were merged, or into which one was: a merge that is taken back leaves less than was seen (P4). */
const merged = new Set<number>();

/** A random step of people and crews, or nothing where it is refused. */
async function act(): Promise<void> {
  const { tasks, fleet, clock } = room;
  const all = room.store
    .records('tasks')
    .all()
    .filter((task) => !task.mergedInto);
  const id = all.length > 0 ? chance.of(all).id : 0;
  const vehicleId = chance.of(vehicles);
  const update = (order: Parameters<typeof tasks.update>[2]) => tasks.update(chief, id, order);
  const steps: (() => Promise<unknown>)[] = [
    () => tasks.create(chief, { title: `Call ${clock.now}`, typeId: chance.of(room.typeIds), date: clock.now }),
    () => update({ title: `Other ${chance.int(9)}`, text: `Text ${chance.int(9)}` }),
    () => update({ priority: chance.int(5), address: `Street ${chance.int(9)}` }),
    () => update({ point: chance.maybe() ? null : { lat: 50 + chance.int(9) / 10, lon: 20 } }),
    () => update({ assignedUserId: chance.maybe() ? chief.user.id : 0, typeId: chance.of(room.typeIds) }),
    () => update({ status: chance.of([1, 2, 3, 4, 4]) }),
    () => update({ archived: chance.maybe() }),
    () => update({ assignedVehicleId: chance.maybe(0.2) ? 0 : vehicleId }),
    () => tasks.units.send(chief, id, [{ vehicleId, role: '' }], chance.of(['anyway', 'move'] as const)),
    () => tasks.units.send(chief, id, [{ vehicleId, role: 'pump' }], 'move'),
    () => tasks.units.release(chief, id, [vehicleId]),
    () => tasks.units.change(chief, id, vehicleId, { lead: true }),
    async () => {
      const { unitStatus, unitStatusSince } = await fleet.states.setUnitStatus(vehicleId, chance.int(10), clock.now);
      await tasks.units.report(vehicleId, unitStatus, unitStatusSince);
    },
    async () => {
      const into = all.length > 0 ? chance.of(all).id : 0;
      if (merged.has(id) || merged.has(into)) return;
      await tasks.merging.merge(chief, id, into);
      merged.add(id).add(into);
    },
  ];
  await chance
    .of(steps)()
    .catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
}

test(`[P1 to P3] the board at a time is the one that was seen then (${seed})`, async () => {
  const seen: { at: number; board: ReturnType<typeof shown>[] }[] = [];
  const see = () => seen.push({ at: room.clock.now, board: open().map(shown) });
  // Chance alone may close tasks as fast as it opens them.
  for (const title of ['First', 'Second', 'Third', 'Fourth'])
    await room.tasks.create(chief, { title, typeId: room.typeIds[0]!, date: room.clock.now });
  see();
  for (let step = 0; step < 250; step++) {
    room.clock.now += STEP + chance.int(60_000);
    await act();
    see();
  }
  expect(Math.max(...seen.map(({ board }) => board.length))).toBeGreaterThan(3);
  for (const { at, board } of seen) {
    const { tasks, more } = await room.tasks.lists.past(chief, { at, limit: 1000 });
    const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;
    expect({ at, board: tasks.map(shown).sort(byId) }).toEqual({ at, board: board.sort(byId) });
    expect(more).toBe(false);
    expect(tasks.every((task) => task.assignedVehicleId === 0 || activeUnits(task).length > 0)).toBe(true);
  }
});

test('[P1] a task that was brought here with its story was on the board from its call', async () => {
  const { tasks, clock } = room;
  const arrival = clock.now;
  const call = arrival - 5 * 3_600_000;
  clock.now = call;
  const order = { typeId: room.typeIds[0]!, date: call };
  const untouched = await tasks.create(chief, { title: 'Untouched', ...order });
  const changed = await tasks.create(chief, { title: 'Changed', ...order });
  clock.now = call + 3_600_000;
  await tasks.update(chief, changed.id, { status: 3, title: 'Changed once' });
  clock.now = call + 2 * 3_600_000;
  await tasks.update(chief, changed.id, { status: 4 });
  clock.now = arrival;
  // The stamps of the replay are of its own time, whatever its clock says.
  const stamp = arrival.toString(16).padStart(12, '0');
  await room.store.writePlain((sql) => {
    sql.exec(
      `UPDATE ${room.store.table('tasks')} SET data = json_set(data, '$.hlc.base', '${stamp}' || substr(json_extract(data, '$.hlc.base'), 13)) WHERE key IN ('${keyOf(untouched.id)}', '${keyOf(changed.id)}')`,
    );
  });
  const titlesAt = async (at: number) =>
    (await tasks.lists.past(chief, { at, limit: 1000 })).tasks
      .filter(({ id }) => id >= untouched.id)
      .map(({ title }) => title)
      .sort();
  expect(await titlesAt(call - 1)).toEqual([]);
  expect(await titlesAt(call)).toEqual(['Changed', 'Untouched']);
  expect(await titlesAt(call + 3_600_000)).toEqual(['Changed once', 'Untouched']);
  expect(await titlesAt(call + 2 * 3_600_000)).toEqual(['Untouched']);
});
