import { afterEach, beforeEach, expect, test } from 'vitest';
import { ReplicaFeed, REPLICATED, type Replicated } from '../../../server/http/live/replica-feed.ts';
import { holds, mayRead, workingSet } from '../../../server/tasks/index.ts';
import { seesOrganization, type Actor } from '../../../shared/access.ts';
import type {
  Category,
  Comment,
  Message,
  Organization,
  Right,
  StateRule,
  TaskType,
  User,
  Vehicle,
} from '../../../shared/records/index.ts';
import { openControlRoom, type ControlRoom } from '../../unit/tasks/control-room.ts';
import { comment, task } from '../../unit/tasks/town-hall.ts';
import { Chance } from '../../chance.ts';

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

/** A console as it should be: holds what it was sent, and begins anew when it is told to. */
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
    for (const collection of REPLICATED) while (this.pull(caller, collection, limit));
  }

  keys(collection: Replicated): string[] {
    return [...this.held.get(collection)!.keys()].sort();
  }

  private forget(): void {
    for (const collection of REPLICATED) {
      this.held.set(collection, new Map());
      this.checkpoints.set(collection, { after: '0', epoch: undefined });
    }
  }
}

/** Keys of what the caller may see, by asking the rules of every record. */
function expected(caller: Actor): Record<Replicated, string[]> {
  const { store, tasks, clock } = room;
  const working = workingSet(caller, tasks.rules(), clock.now);
  const messages = new Map(
    store
      .records('messages')
      .all()
      .filter((message) => holds(working, message))
      .map((message) => [message.id, message]),
  );
  const keys = (records: readonly { key: string }[]) => records.map((record) => record.key).sort();
  const organizations = store.kind<Organization>('accounts', 'organization').all();
  const users = store
    .kind<User>('accounts', 'user')
    .all()
    .filter((user) => seesOrganization(caller, user.organizationId));
  const rights = store
    .kind<Right>('accounts', 'right')
    .all()
    .filter((right) => right.id === caller.right.id || seesOrganization(caller, right.organizationId));
  return {
    messages: keys([...messages.values()]),
    comments: keys(
      store
        .records('comments')
        .all()
        .filter((one) => messages.has(one.messageId) && mayRead(caller, one, messages.get(one.messageId)!)),
    ),
    directories: keys([
      ...store.kind<TaskType>('directories', 'type').all(),
      ...store.kind<Category>('directories', 'category').all(),
      ...store.kind<StateRule>('directories', 'stateRule').all(),
    ]),
    accounts: keys([...organizations, ...users, ...rights]),
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
  const [messages, comments, vehicles] = [
    store.records('messages'),
    store.records('comments'),
    store.records('vehicles'),
  ];
  const open = await room.addRule({ field: 'assigned_status', sign: '<', value: 4 });
  const people = [
    await room.person(0, { superuser: true, admin: true }),
    await room.person(0, {}),
    await room.person(1, { admin: true }),
    await room.person(2, { accesses: [{ id: 1, capability: 'view', stateIds: [open.id] }] }),
  ];
  const consoles = people.map(() => new Console(feed));
  const anyTask = (id: number): Message =>
    task({
      id,
      departmentId: chance.of(room.departments),
      authorId: chance.of(people).user.id,
      status: 1 + chance.int(4),
      statusSince: clock.now - chance.int(30) * 3_600_000,
      assignedDepartmentId: chance.of([0, ...room.departments]),
      assignedUserId: chance.of([0, chance.of(people).user.id]),
      archived: chance.maybe(0.2),
      isDeleted: chance.maybe(0.15),
    });
  const anyComment = (id: number): Comment =>
    comment(id, {
      messageId: 1 + chance.int(Math.max(1, messages.count())),
      authorId: chance.of(people).user.id,
      visibleTo: {
        all: chance.maybe(),
        author: chance.maybe(),
        assignedDepartment: chance.maybe(),
        assignedUser: chance.maybe(),
      },
    });
  const writes = [
    () => messages.insert(anyTask(messages.nextId())),
    () => messages.change(1 + chance.int(messages.count()), (before) => anyTask(before.id)),
    () => messages.change(1 + chance.int(messages.count()), (before) => anyTask(before.id)),
    () => comments.insert(anyComment(comments.nextId())),
    () =>
      comments.count() > 0
        ? comments.change(1 + chance.int(comments.count()), (before) => ({
            ...before,
            ...anyComment(before.id),
            messageId: before.messageId,
          }))
        : Promise.resolve(),
    () =>
      vehicles.insert({
        ...BLANK_VAN,
        id: vehicles.nextId(),
        glonassId: 1000 + chance.int(1_000_000),
        organizationId: chance.of(room.departments),
      }),
    () =>
      vehicles.count() > 0
        ? vehicles.change(1 + chance.int(vehicles.count()), (before) => ({
            ...before,
            isDeleted: chance.maybe(),
            organizationId: chance.of(room.departments),
          }))
        : Promise.resolve(),
  ];
  for (let index = 0; index < 40; index++) await messages.insert(anyTask(messages.nextId()));
  for (let step = 0; step < 400; step++) {
    await chance.of(writes)();
    consoles.forEach((one, index) => {
      if (chance.maybe(0.4)) one.pull(room.actorOf(people[index]!.user.id), chance.of(REPLICATED), 1 + chance.int(12));
    });
    if (chance.maybe(0.01))
      await store.kind<Right>('accounts', 'right').change(people[3]!.right.id, (right) => ({
        ...right,
        accesses: [{ id: 1, capability: 'view', stateIds: chance.maybe() ? null : [open.id] }],
      }));
  }
  consoles.forEach((one, index) => {
    const caller = room.actorOf(people[index]!.user.id);
    one.pullAll(caller, 1 + chance.int(20));
    const wanted = expected(caller);
    for (const collection of REPLICATED)
      expect(one.keys(collection), `${seed} ${collection} of person ${index}`).toEqual(wanted[collection]);
    for (const [key, held] of one.held.get('messages')!) {
      const { hlc: _hlc, ...stored } = store.records('messages').get(Number(key))!;
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
    organizationId: room.departments[0]!,
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
  const message = await room.store.records('messages').insert(task({ id: 1, departmentId: room.departments[0]! }));
  await room.store.records('comments').insert(comment(1));
  const one = new Console(feed);
  one.pullAll(reader, 100);
  expect(one.keys('comments')).toEqual([]);
  await room.store
    .records('messages')
    .change(message.id, (before) => ({ ...before, assignedDepartmentId: room.departments[1]! }));
  one.pullAll(reader, 100);
  expect(one.keys('comments')).toHaveLength(1);
  await room.store.records('messages').change(message.id, (before) => ({ ...before, archived: true }));
  one.pullAll(reader, 100);
  expect([one.keys('messages'), one.keys('comments')]).toEqual([[], []]);
});

test('an archive of thousands is not sent to a new console, not even as deleted', async () => {
  const admin = await room.person(0, { superuser: true, admin: true });
  const messages = room.store.records('messages');
  await messages.insertMany(
    Array.from({ length: 3000 }, () =>
      task({ id: messages.nextId(), departmentId: room.departments[0]!, archived: true }),
    ),
  );
  await messages.insert(task({ id: messages.nextId(), departmentId: room.departments[0]! }));
  const page = feed.pull(admin, 'messages', { after: '0', epoch: undefined, limit: 10 });
  expect(page.documents).toHaveLength(1);
  expect(page.more).toBe(false);
  expect(feed.pull(admin, 'messages', { after: page.checkpoint, epoch: page.epoch, limit: 10 }).documents).toEqual([]);
});

test('changed access restarts a replica, a saved but unchanged role does not', async () => {
  const person = await room.person(0, {});
  const one = new Console(feed);
  one.pullAll(person, 100);
  expect(one.resets).toBe(0);
  await room.store
    .kind<Right>('accounts', 'right')
    .change(person.right.id, (right) => ({ ...right, name: 'Another name' }));
  one.pullAll(room.actorOf(person.user.id), 100);
  expect(one.resets).toBe(0);
  await room.store
    .kind<User>('accounts', 'user')
    .change(person.user.id, (user) => ({ ...user, organizationId: room.departments[1]! }));
  one.pullAll(room.actorOf(person.user.id), 100);
  expect(one.resets).toBeGreaterThan(0);
});

const BLANK_VAN: Omit<Vehicle, 'key' | 'hlc' | 'id'> = {
  name: 'Van',
  glonassId: 1,
  plate: '',
  organizationId: 1,
  groupId: 0,
  makeId: 0,
  modelId: 0,
  driverIds: [],
  tagIds: [],
  profile: 'car',
  onService: false,
  view: true,
  projectPoints: false,
  iconStandard: true,
  iconIndex: 0,
  phone: '',
  imei: '',
  devicePassword: '',
  serviceOdometer: null,
  notes: '',
  picture: null,
  engineHours: { stop: 0, move: 0 },
  customValues: {},
  isDeleted: false,
};

test('however many records a console asks for, a page holds no more than one turn of the event loop may take, and the rest follows', async () => {
  const { store, departments } = room;
  const caller = await room.person(0, { admin: true });
  const messages = await store
    .records('messages')
    .insertMany(
      Array.from({ length: 1100 }, () =>
        task({ id: store.records('messages').nextId(), departmentId: departments[0]! }),
      ),
    );
  await store.records('comments').insertMany(
    messages.map(({ id }) =>
      comment(store.records('comments').nextId(), {
        messageId: id,
        visibleTo: { all: true, author: false, assignedDepartment: false, assignedUser: false },
      }),
    ),
  );
  for (const [collection, most] of [
    ['messages', 500],
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
  expect([one.keys('messages').length, one.keys('comments').length]).toEqual([1100, 1100]);
});
