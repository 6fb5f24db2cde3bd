import { expect, test } from 'vitest';
import type { Draft, Store } from '../../../../server/store/index.ts';
import type {
  Attachment,
  Comment,
  CustomField,
  MergeRecord,
  TaskType,
  User,
} from '../../../../shared/records/index.ts';
import { comment, draftTask } from '../../store/open-store.ts';
import { receive } from '../../store/receive.ts';
import { withoutUnit, withUnits } from '../../../../shared/tasks/units.ts';
import { MeetingStations } from './two-stations.ts';

const users = (store: Store) => store.kind<User>('accounts', 'user');
const types = (store: Store) => store.kind<TaskType>('directories', 'type');
const fields = (store: Store) => store.kind<CustomField>('directories', 'customField');
const tasks = (store: Store) => store.records('tasks');
const merges = (store: Store) => store.records('merges').all() as readonly MergeRecord[];

function user(store: Store, login: string): Draft<User> {
  const id = users(store).nextId();
  const account = {
    kind: 'user' as const,
    isDeleted: false,
    name: login,
    email: '',
    phone: '',
    passwordHash: `of ${id}`,
  };
  const flags = { monitor: false, visible: true, enabled: true };
  return { id, login, ...account, ...flags, roleId: 1, organizationId: 1 } as Draft<User>;
}

function attachment(store: Store, task: number, over: Partial<Attachment> = {}): Draft<Attachment> {
  const id = store.records('attachments').nextId();
  const file = {
    name: `${id}`,
    description: '',
    extension: 'jpg',
    sha256: `${id}`,
    size: 1,
    upload: '',
    type: 'image/jpeg',
  };
  const conversion = { conversion: 'none', conversionNote: '', converted: {} };
  return {
    id,
    taskId: task,
    kind: 'photo',
    num: 0,
    ...file,
    ...conversion,
    at: 1,
    authorId: 1,
    removed: false,
    ...over,
  } as Draft<Attachment>;
}

test('[sync 41] of two equal logins the later one gets the number of its station, also with several stations', async () => {
  const stations = new MeetingStations(3);
  const first = await stations.at(1, (store) => users(store).insert(user(store, 'admin')));
  const second = await stations.at(2, (store) => users(store).insert(user(store, 'Admin')));
  const third = await stations.at(3, (store) => users(store).insert(user(store, 'admin')));
  await stations.meet();
  await stations.at(2, async (store) => {
    expect([first, second, third].map(({ id }) => users(store).get(id)!.login)).toEqual([
      'admin',
      'Admin~2',
      'admin~3',
    ]);
    expect(users(store).get(second.id)!.passwordHash).toBe(second.passwordHash);
    expect(
      merges(store)
        .map(({ rule, recordId, kept }) => [rule, recordId, kept.value])
        .sort(),
    ).toEqual([
      ['login-twice', second.id, 'Admin~2'],
      ['login-twice', third.id, 'admin~3'],
    ]);
  });
});

test('[sync 42] of two equal ordinals the later attachment gets the next, and the task counts both', async () => {
  const stations = new MeetingStations();
  const task = await stations.at(1, (store) => tasks(store).insert(draftTask(store)));
  await stations.meet();
  const add = (number: number) =>
    stations.at(number, async (store) => {
      await tasks(store).change(task.id, (now) => ({ ...now, photos: now.photos + 1, mainPhoto: 0 }));
      return store.records('attachments').insert(attachment(store, task.id));
    });
  const [ours, theirs] = [await add(1), await add(2)];
  await stations.meet();
  await stations.at(1, async (store) => {
    expect([ours, theirs].map(({ id }) => store.records('attachments').get(id)!.num)).toEqual([0, 1]);
    expect(tasks(store).get(task.id)).toMatchObject({ photos: 2, mainPhoto: 0 });
    expect(merges(store)).toEqual([]);
  });
  await stations.at(2, async (store) => {
    await store.records('attachments').change(ours.id, (now) => ({ ...now, removed: true }));
    await tasks(store).change(task.id, (now) => ({ ...now, photos: 1 }));
  });
  const third = await add(1);
  await stations.meet();
  await stations.at(2, async (store) => {
    expect(tasks(store).get(task.id)!.photos).toBe(2);
    expect(store.records('attachments').get(third.id)!.num).toBe(2);
  });
});

test('[sync 43] of two equal slugs the field that was made later gets a suffix', async () => {
  const stations = new MeetingStations();
  const make = (number: number) =>
    stations.at(number, (store) =>
      fields(store).insert({
        id: fields(store).nextId(),
        kind: 'customField',
        name: 'Floor',
        slug: 'floor',
        typeIds: [],
      } as never),
    );
  const [ours, theirs] = [await make(1), await make(2)];
  await stations.meet();
  await stations.at(1, async (store) =>
    expect([ours, theirs].map(({ id }) => fields(store).get(id)!.slug)).toEqual(['floor', 'floor_2']),
  );
});

test('[sync 47] of two vehicles with one device the later one loses it, and Merges says so', async () => {
  const stations = new MeetingStations();
  const make = (number: number) =>
    stations.at(number, (store) =>
      store.records('vehicles').insert({
        id: store.records('vehicles').nextId(),
        name: `Van of ${number}`,
        glonassId: 4711,
        imei: '356307042441013',
        isDeleted: false,
      } as never),
    );
  const [ours, theirs] = [await make(1), await make(2)];
  await stations.meet();
  for (const number of [1, 2])
    await stations.at(number, async (store) => {
      const vehicles = store.records('vehicles');
      expect(vehicles.get(ours.id)).toMatchObject({ glonassId: 4711, imei: '356307042441013' });
      expect(vehicles.get(theirs.id)).toMatchObject({ glonassId: theirs.id, imei: '' });
      const reported = merges(store).map(({ recordId, field, kept, lost }) => [
        recordId,
        field,
        kept.value,
        lost.value,
      ]);
      expect(reported.sort()).toEqual([
        [theirs.id, 'glonassId', theirs.id, 4711],
        [theirs.id, 'imei', '', '356307042441013'],
      ]);
    });
});

test('[sync 44] a comment that the deletion of its task did not see brings the task back', async () => {
  const stations = new MeetingStations();
  const [task, other] = await stations.at(1, (store) => tasks(store).insertMany([draftTask(store), draftTask(store)]));
  await stations.meet();
  const say = (number: number, id: number) =>
    stations.at(number, (store) => store.records('comments').insert(commentOf(store, id)));
  await say(2, task!.id); // earlier than the deletion, and unseen
  await stations.at(1, (store) => tasks(store).change(task!.id, (now) => ({ ...now, isDeleted: true })));
  await say(1, other!.id);
  await stations.meet();
  await stations.at(2, (store) => tasks(store).change(other!.id, (now) => ({ ...now, isDeleted: true })));
  await stations.meet();
  await stations.at(2, async (store) => {
    expect(tasks(store).get(task!.id)!.isDeleted).toBe(false);
    expect(tasks(store).get(other!.id)!.isDeleted).toBe(true);
    expect(merges(store)).toMatchObject([{ recordId: task!.id, field: 'isDeleted', lost: { value: true } }]);
  });
});

test('[sync 45] a type that was deleted there and used here stays deleted and is shown once', async () => {
  const stations = new MeetingStations();
  const type = await stations.at(1, (store) =>
    types(store).insert({
      id: types(store).nextId(),
      kind: 'type',
      name: 'Fire',
      isDeleted: false,
      organizationIds: [],
    } as never),
  );
  await stations.meet();
  await stations.at(1, (store) => types(store).change(type.id, (now) => ({ ...now, isDeleted: true })));
  const task = await stations.at(2, (store) => tasks(store).insert(draftTask(store, { typeId: type.id })));
  await stations.at(2, (store) => tasks(store).insert(draftTask(store, { typeId: type.id })));
  await stations.meet();
  await stations.at(1, async (store) => {
    expect(types(store).get(type.id)!.isDeleted).toBe(true);
    expect(merges(store)).toMatchObject([{ rule: 'deleted-in-use', recordId: type.id, kept: { value: true } }]);
    expect([task.id, task.id + 1]).toContain(merges(store)[0]!.otherId);
  });
});

test('[sync 40] one vehicle that two stations sent to two tasks: an alarm at both, until one task releases it', async () => {
  const stations = new MeetingStations();
  const [a, b] = await stations.at(1, (store) => tasks(store).insertMany([draftTask(store), draftTask(store)]));
  await stations.meet();
  const send = (number: number, id: number, vehicle: number) =>
    stations.at(number, (store) =>
      tasks(store).change(id, (now) => ({ ...now, assignedVehicleId: vehicle, status: 2 })),
    );
  await send(1, a!.id, 7);
  await send(2, b!.id, 7);
  await stations.meet();
  expect(stations.alarms.map((open) => [...open.values()])).toEqual([[{ vehicleId: 7 }], [{ vehicleId: 7 }]]);
  await stations.at(2, async (store) => {
    expect([a, b].map((task) => tasks(store).get(task!.id)!.assignedVehicleId)).toEqual([7, 7]);
    expect(merges(store)).toMatchObject([{ rule: 'vehicle-twice', recordId: b!.id, otherId: a!.id, resolved: '' }]);
  });
  await send(2, b!.id, 0);
  await stations.meet();
  expect(stations.alarms.map(({ size }) => size)).toEqual([0, 0]);
  await stations.at(1, async (store) => expect(merges(store)).toMatchObject([{ resolved: 'kept' }]));
});

test('[sync 40] a vehicle that follows the lead at both tasks is on two tasks as well', async () => {
  const stations = new MeetingStations();
  const [a, b] = await stations.at(1, (store) => tasks(store).insertMany([draftTask(store), draftTask(store)]));
  await stations.meet();
  const send = (number: number, id: number, ...vehicles: number[]) =>
    stations.at(number, (store) =>
      tasks(store).change(id, (now) => ({ ...withUnits(now, vehicles.map(onRadio), '', SENT), status: 2 })),
    );
  await send(1, a!.id, 5, 7, 8);
  await send(2, b!.id, 6, 7, 8);
  await stations.meet();
  for (const open of stations.alarms)
    expect([...open.values()].map(({ vehicleId }) => vehicleId).sort()).toEqual([7, 8]);
  await stations.at(1, (store) => tasks(store).change(a!.id, (now) => withoutUnit(now, 7, SENT + 60_000)));
  await stations.meet();
  for (const open of stations.alarms) expect([...open.values()]).toEqual([{ vehicleId: 8 }]);
});

test('[sync 108] after a merge a closed task has no unit on it, and the lead of an open one is a unit', async () => {
  const stations = new MeetingStations();
  const [shut, open] = await stations.at(1, (store) =>
    tasks(store).insertMany([draftTask(store), draftTask(store, { status: 2 })]),
  );
  await stations.at(1, (store) =>
    tasks(store).change(open!.id, (now) => withUnits(now, [onRadio(5), onRadio(6)], '', SENT)),
  );
  await stations.meet();
  await stations.at(1, async (store) => {
    await tasks(store).change(shut!.id, (now) => ({ ...now, status: 4, statusSince: SENT + 1000 }));
    await tasks(store).change(open!.id, (now) => withoutUnit(now, 6, SENT + 60_000));
  });
  await stations.at(2, async (store) => {
    await tasks(store).change(shut!.id, (now) => withUnits(now, [onRadio(7)], '', SENT));
    await tasks(store).change(open!.id, (now) => withoutUnit(now, 5, SENT + 60_000));
  });
  await stations.meet();
  for (const number of [1, 2])
    await stations.at(number, async (store) => {
      expect(tasks(store).get(shut!.id)!.units).toMatchObject({ 7: { clearAt: SENT + 1000 } });
      expect(tasks(store).get(open!.id)).toMatchObject({ assignedVehicleId: 0 });
    });
});

test('a station that sends one vehicle to two tasks does so knowingly', async () => {
  const stations = new MeetingStations();
  await stations.at(1, async (store) => {
    await tasks(store).insert(draftTask(store, { assignedVehicleId: 7 }));
    await tasks(store).insert(draftTask(store, { assignedVehicleId: 7 }));
  });
  await stations.meet();
  await stations.at(2, async (store) => expect(merges(store)).toEqual([]));
  expect(stations.alarms.map(({ size }) => size)).toEqual([0, 0]);
});

for (const field of ['assignedUserId', 'assignedOrganizationId', 'assignedVehicleId'] as const)
  test(`[sync 46] a task that was closed here and got another ${field} there is both, and stands in merges`, async () => {
    const stations = new MeetingStations();
    const task = await stations.at(1, (store) => tasks(store).insert(draftTask(store, { status: 2, [field]: 1 })));
    await stations.meet();
    await stations.at(1, (store) => tasks(store).change(task.id, (now) => ({ ...now, status: 4 })));
    await stations.at(2, (store) => tasks(store).change(task.id, (now) => ({ ...now, [field]: 2 })));
    await stations.meet();
    await stations.at(2, async (store) => {
      expect(tasks(store).get(task.id)).toMatchObject({ status: 4, [field]: 2 });
      expect(merges(store)).toMatchObject([
        { rule: 'closed-and-assigned', field, kept: { value: 4 }, lost: { value: 2 } },
      ]);
    });
  });

test('what a crash kept the rules from seeing they see at the next start', async () => {
  const stations = new MeetingStations();
  await stations.at(1, (store) => users(store).insert(user(store, 'mary')));
  const theirs = await stations.at(2, (store) => users(store).insert(user(store, 'mary')));
  await stations.atBeforeCrash(1, async (store) => expect(await receive(store, 'accounts', [theirs])).toEqual([]));
  await stations.at(1, async (store) => expect(users(store).get(theirs.id)!.login).toBe('mary~2'));
});

const SENT = 1_700_000_000_000;
const onRadio = (id: number) => ({ id, status: 1 });

function commentOf(store: Store, task: number): Draft<Comment> {
  return comment(store, { taskId: task });
}
