import { afterEach, beforeEach, expect, test } from 'vitest';
import { ReplicaFeed, FED_COLLECTIONS, type Replicated } from '../../../server/http/live/replica-feed.ts';
import { holds, mayRead, workingSet } from '../../../server/dispatch/tasks/index.ts';
import { seesOrganization, type Actor } from '../../../shared/access.ts';
import type {
  Category,
  Comment,
  Task,
  Organization,
  Role,
  StateRule,
  TaskType,
  User,
} from '../../../shared/records/index.ts';
import { openControlRoom, type ControlRoom } from '../../unit/dispatch/tasks/control-room.ts';
import { comment, newTask } from '../../unit/dispatch/tasks/town-hall.ts';
import { Chance } from '../../support/chance.ts';
import { BLANK_VEHICLE } from '../../support/blank-vehicle.ts';

let room: ControlRoom;
let feed: ReplicaFeed;
beforeEach(async () => {
  room = await openControlRoom();
  feed = new ReplicaFeed(room.store.feed, {
    tasks: room.tasks,
    alarms: { working: () => [], works: () => false },
    now: () => room.clock.now,
  });
});
afterEach(() => room.close());

/** A console as it should be: holds what it was sent, and begins again when the station says so. */
class Console {
  readonly held = new Map<Replicated, Map<string, Record<string, unknown>>>();
  private readonly checkpoints = new Map<Replicated, { after: string; epoch: string | undefined }>();
  private readonly feed: ReplicaFeed;
  resets = 0;

  constructor(feed: ReplicaFeed) {
    this.feed = feed;
    this.forget();
  }

  /** One page. True when there is more. */
  pull(caller: Actor, collection: Replicated, limit: number): boolean {
    const { after, epoch } = this.checkpoints.get(collection)!;
    const page = this.feed.pull(caller, collection, { after, epoch, limit });
    if (page.reset) {
      this.resets++;
      this.forget();
      return true;
    }
    const held = this.held.get(collection)!;
    for (const document of page.documents) {
      if (document._deleted) held.delete(document.key);
      else held.set(document.key, document);
    }
    this.checkpoints.set(collection, { after: page.checkpoint, epoch: page.epoch });
    return page.more;
  }

  pullAll(caller: Actor, limit: number): void {
    for (const collection of FED_COLLECTIONS) while (this.pull(caller, collection, limit));
  }

  keys(collection: Replicated): string[] {
    return [...this.held.get(collection)!.keys()].sort();
  }

  private forget(): void {
    for (const collection of FED_COLLECTIONS) {
      this.held.set(collection, new Map());
      this.checkpoints.set(collection, { after: '0', epoch: undefined });
    }
  }
}

/** Keys of what the caller may see, by asking the rules of every record. */
function expected(caller: Actor): Record<Replicated, string[]> {
  const { store, tasks, clock } = room;
  const working = workingSet(caller, tasks.rules(), clock.now);
  const visible = new Map(
    store
      .records('tasks')
      .all()
      .filter((task) => holds(working, task))
      .map((task) => [task.id, task]),
  );
  const keys = (records: readonly { key: string }[]) => records.map((record) => record.key).sort();
  const organizations = store.kind<Organization>('accounts', 'organization').all();
  const users = store
    .kind<User>('accounts', 'user')
    .all()
    .filter((user) => seesOrganization(caller, user.organizationId));
  const roles = store
    .kind<Role>('accounts', 'role')
    .all()
    .filter((role) => role.id === caller.role.id || seesOrganization(caller, role.organizationId));
  return {
    tasks: keys([...visible.values()]),
    comments: keys(
      store
        .records('comments')
        .all()
        .filter((one) => visible.has(one.taskId) && mayRead(caller, one, visible.get(one.taskId)!)),
    ),
    directories: keys([
      ...store.kind<TaskType>('directories', 'type').all(),
      ...store.kind<Category>('directories', 'category').all(),
      ...store.kind<StateRule>('directories', 'stateRule').all(),
    ]),
    accounts: keys([...organizations, ...users, ...roles]),
    vehicles: keys(
      store
        .records('vehicles')
        .all()
        .filter((vehicle) => !vehicle.isDeleted && seesOrganization(caller, vehicle.organizationId)),
    ),
    fleet: [],
    alarms: [],
  };
}

test('a console that pulls at random moments ends with exactly what its user may see', async () => {
  const chance = new Chance();
  const seed = `WAYPOST_SEED=${chance.seed}`;
  const { store, clock } = room;
  const [tasks, comments, vehicles] = [store.records('tasks'), store.records('comments'), store.records('vehicles')];
  const open = await room.addRule({ field: 'assigned_status', sign: '<', value: 4 });
  const people = [
    await room.person(0, { superuser: true, admin: true }),
    await room.person(0, {}),
    await room.person(1, { admin: true }),
    await room.person(2, { accesses: [{ id: 1, capability: 'view', stateIds: [open.id] }] }),
  ];
  const consoles = people.map(() => new Console(feed));
  const anyTask = (id: number): Task =>
    newTask({
      id,
      organizationId: chance.of(room.organizationIds),
      authorId: chance.of(people).user.id,
      status: 1 + chance.int(4),
      statusSince: clock.now - chance.int(30) * 3_600_000,
      assignedOrganizationId: chance.of([0, ...room.organizationIds]),
      assignedUserId: chance.of([0, chance.of(people).user.id]),
      archived: chance.maybe(0.2),
      isDeleted: chance.maybe(0.15),
    });
  const anyComment = (id: number): Comment =>
    comment(id, {
      taskId: 1 + chance.int(Math.max(1, tasks.count())),
      authorId: chance.of(people).user.id,
      visibleTo: {
        all: chance.maybe(),
        author: chance.maybe(),
        assignedOrganization: chance.maybe(),
        assignedUser: chance.maybe(),
      },
    });
  const writes = [
    () => tasks.insert(anyTask(tasks.nextId())),
    () => tasks.change(1 + chance.int(tasks.count()), (before) => anyTask(before.id)),
    () => tasks.change(1 + chance.int(tasks.count()), (before) => anyTask(before.id)),
    () => comments.insert(anyComment(comments.nextId())),
    () =>
      comments.count() > 0
        ? comments.change(1 + chance.int(comments.count()), (before) => ({
            ...before,
            ...anyComment(before.id),
            taskId: before.taskId,
          }))
        : Promise.resolve(),
    () =>
      vehicles.insert({
        ...BLANK_VAN,
        id: vehicles.nextId(),
        glonassId: 1000 + chance.int(1_000_000),
        organizationId: chance.of(room.organizationIds),
      }),
    () =>
      vehicles.count() > 0
        ? vehicles.change(1 + chance.int(vehicles.count()), (before) => ({
            ...before,
            isDeleted: chance.maybe(),
            organizationId: chance.of(room.organizationIds),
          }))
        : Promise.resolve(),
  ];
  for (let index = 0; index < 40; index++) await tasks.insert(anyTask(tasks.nextId()));
  for (let step = 0; step < 400; step++) {
    await chance.of(writes)();
    consoles.forEach((one, index) => {
      if (chance.maybe(0.4))
        one.pull(room.actorOf(people[index]!.user.id), chance.of(FED_COLLECTIONS), 1 + chance.int(12));
    });
    if (chance.maybe(0.01))
      await store.kind<Role>('accounts', 'role').change(people[3]!.role.id, (role) => ({
        ...role,
        accesses: [{ id: 1, capability: 'view', stateIds: chance.maybe() ? null : [open.id] }],
      }));
  }
  consoles.forEach((one, index) => {
    const caller = room.actorOf(people[index]!.user.id);
    one.pullAll(caller, 1 + chance.int(20));
    const wanted = expected(caller);
    for (const collection of FED_COLLECTIONS)
      expect(one.keys(collection), `${seed} ${collection} of person ${index}`).toEqual(wanted[collection]);
    for (const [key, held] of one.held.get('tasks')!) {
      const { hlc: _hlc, ...stored } = store.records('tasks').get(Number(key))!;
      expect(held, seed).toEqual(stored);
    }
  });
});

test('secrets never leave: no password of a person, none of a device', async () => {
  const admin = await room.person(0, { superuser: true, admin: true });
  const vehicles = room.store.records('vehicles');
  await vehicles.insert({
    ...BLANK_VAN,
    id: vehicles.nextId(),
    organizationId: room.organizationIds[0]!,
    devicePassword: 'secret',
  });
  const one = new Console(feed);
  one.pullAll(admin, 100);
  expect(one.keys('vehicles')).toHaveLength(1);
  expect(JSON.stringify([...one.held.values()].map((held) => [...held.values()]))).not.toMatch(
    /secret|passwordHash|devicePassword|"hlc"/,
  );
});

test('a comment enters and leaves the replica with its task', async () => {
  const reader = await room.person(1, {});
  const task = await room.store.records('tasks').insert(newTask({ id: 1, organizationId: room.organizationIds[0]! }));
  await room.store.records('comments').insert(comment(1));
  const one = new Console(feed);
  one.pullAll(reader, 100);
  expect(one.keys('comments')).toEqual([]);
  await room.store
    .records('tasks')
    .change(task.id, (before) => ({ ...before, assignedOrganizationId: room.organizationIds[1]! }));
  one.pullAll(reader, 100);
  expect(one.keys('comments')).toHaveLength(1);
  await room.store.records('tasks').change(task.id, (before) => ({ ...before, archived: true }));
  one.pullAll(reader, 100);
  expect([one.keys('tasks'), one.keys('comments')]).toEqual([[], []]);
});

test('an archive of thousands is not sent to a new console, not even as deleted', async () => {
  const admin = await room.person(0, { superuser: true, admin: true });
  const visible = room.store.records('tasks');
  await visible.insertMany(
    Array.from({ length: 3000 }, () =>
      newTask({ id: visible.nextId(), organizationId: room.organizationIds[0]!, archived: true }),
    ),
  );
  await visible.insert(newTask({ id: visible.nextId(), organizationId: room.organizationIds[0]! }));
  const page = feed.pull(admin, 'tasks', { after: '0', epoch: undefined, limit: 10 });
  expect(page.documents).toHaveLength(1);
  expect(page.more).toBe(false);
  expect(feed.pull(admin, 'tasks', { after: page.checkpoint, epoch: page.epoch, limit: 10 }).documents).toEqual([]);
});

test('changed access restarts a replica, a saved but unchanged role does not', async () => {
  const person = await room.person(0, {});
  const one = new Console(feed);
  one.pullAll(person, 100);
  expect(one.resets).toBe(0);
  await room.store.kind<Role>('accounts', 'role').change(person.role.id, (role) => ({ ...role, name: 'Another name' }));
  one.pullAll(room.actorOf(person.user.id), 100);
  expect(one.resets).toBe(0);
  await room.store
    .kind<User>('accounts', 'user')
    .change(person.user.id, (user) => ({ ...user, organizationId: room.organizationIds[1]! }));
  one.pullAll(room.actorOf(person.user.id), 100);
  expect(one.resets).toBeGreaterThan(0);
});

const BLANK_VAN = { ...BLANK_VEHICLE, name: 'Van', glonassId: 1, organizationId: 1 };

test('however many records a console asks for, a page holds no more than one turn of the event loop may take, and the rest follows', async () => {
  const { store, organizationIds } = room;
  const caller = await room.person(0, { admin: true });
  const visible = await store
    .records('tasks')
    .insertMany(
      Array.from({ length: 1100 }, () =>
        newTask({ id: store.records('tasks').nextId(), organizationId: organizationIds[0]! }),
      ),
    );
  await store.records('comments').insertMany(
    visible.map(({ id }) =>
      comment(store.records('comments').nextId(), {
        taskId: id,
        visibleTo: { all: true, author: false, assignedOrganization: false, assignedUser: false },
      }),
    ),
  );
  for (const [collection, most] of [
    ['tasks', 500],
    ['comments', 250],
  ] as const) {
    // In the first part, and in what follows it.
    for (const after of ['0', '1']) {
      const page = feed.pull(caller, collection, { after, epoch: undefined, limit: 5000 });
      expect([collection, after, page.documents.length, page.more]).toEqual([collection, after, most, true]);
    }
  }
  const one = new Console(feed);
  one.pullAll(caller, 5000);
  expect([one.keys('tasks').length, one.keys('comments').length]).toEqual([1100, 1100]);
});
