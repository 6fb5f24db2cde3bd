import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '../../../../shared/access.ts';
import { keyOf } from '../../../../shared/ids.ts';
import { taskAt } from '../../../../server/dispatch/tasks/past/task-at.ts';
import type { HistoryEntry, StoredUnit, Task } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { activeUnits, isOpenTask, unitsOf } from '../../../../shared/tasks/units.ts';
import { Chance } from '../../../support/chance.ts';
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

describe('[P3] a last crew that was free stays on the past board', () => {
  const SENT = Date.UTC(2026, 5, 2, 12);
  const [FREE_AT, CLOSED_AT] = [SENT + 20 * 60_000, SENT + 60 * 60_000];
  const BETWEEN = SENT + 40 * 60_000;
  const written = { ...{ key: '', hlc: { base: '', fields: {} }, userId: 1, station: 1, note: '' }, taskId: 1 };
  const entry = (id: number, at: number, field: string, from: unknown, to: unknown): HistoryEntry =>
    ({ ...written, id, at, field, from, to }) as HistoryEntry;
  const unit = (vehicleId: number, sentAt: number, times: Partial<StoredUnit> = {}): StoredUnit => ({
    ...{ vehicleId, role: '', status: 1, statusSince: FREE_AT, statusBefore: 1, fromTaskId: 0 },
    ...{ sentAt, acknowledgedAt: 0, enRouteAt: 0, onSceneAt: SENT + 60_000, clearAt: FREE_AT },
    ...times,
  });
  const closing = entry(90, CLOSED_AT, 'status', 2, 4);
  /** Entries that were not clear in the midst, of a task that was closed later. */
  const entriesOnBoard = (units: Record<string, StoredUnit>, history: readonly HistoryEntry[]) => {
    const task = { id: 1, hlc: { base: '', fields: {} }, date: SENT, status: 4, statusSince: CLOSED_AT } as Task;
    const closed = { ...task, updatedAt: CLOSED_AT, assignedVehicleId: 7, archived: false, isDeleted: false, units };
    const past = taskAt({ task: closed, history: [...history, closing], wasMerged: () => false }, BETWEEN);
    return unitsOf(past!).filter(({ clearAt }) => clearAt === 0);
  };
  const onBoard = (...story: Parameters<typeof entriesOnBoard>) =>
    entriesOnBoard(...story).map(({ vehicleId }) => vehicleId);
  const alone = { a: unit(7, SENT) };

  test('until the task is closed', () => {
    expect(onBoard(alone, [])).toEqual([7]);
  });

  test('also where a merge noted values of its crews that are no list', () => {
    const merge = entry(2, FREE_AT + 1, 'units', { vehicleId: 7 }, null);
    expect(onBoard(alone, [merge])).toEqual([7]);
    expect(onBoard(alone, [entry(2, FREE_AT + 1, 'units', null, { vehicleId: 7 })])).toEqual([7]);
  });

  test('unless somebody released it, or sent it again', () => {
    const crews = (...ids: number[]) => ids.map((vehicleId) => ({ vehicleId, role: '' }));
    expect(onBoard(alone, [entry(2, FREE_AT + 1, 'units', crews(7, 8), crews(8))])).toEqual([]);
    expect(onBoard(alone, [entry(2, FREE_AT, 'assignedVehicleId', 7, 0)])).toEqual([]);
    const again = unit(7, BETWEEN - 1, { status: 3, statusSince: BETWEEN - 1, onSceneAt: 0, clearAt: 0 });
    expect(entriesOnBoard({ ...alone, b: again }, [])).toEqual([again]);
  });

  test('unless others were there when it was free', () => {
    expect(onBoard({ ...alone, b: unit(8, SENT, { clearAt: FREE_AT + 60_000 }) }, [])).toEqual([]);
    expect(onBoard({ a: unit(7, SENT, { status: 4 }) }, [])).toEqual([]);
  });
});
