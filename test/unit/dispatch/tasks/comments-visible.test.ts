import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Actor } from '../../../../shared/access.ts';
import type { Comment, Task } from '../../../../shared/records/index.ts';
import { Chance } from '../../../support/chance.ts';
import { openControlRoom, type ControlRoom } from './control-room.ts';

const chance = new Chance();
const seed = `WAYPOST_SEED=${chance.seed}`;
const TASKS = 24;

let room: ControlRoom;
let readers: Actor[];
let ids: number[];

beforeAll(async () => {
  room = await openControlRoom();
  const limited = await room.addRule({ field: 'title', sign: '=', value: 'Fire' });
  const view = { id: 1, capability: 'view', stateIds: null };
  const speaking = { accesses: [view, { id: 2, capability: 'comment', stateIds: null }] };
  readers = [
    await room.person(0, { superuser: true, admin: true }),
    await room.person(0, { superuser: true, ...speaking }),
    await room.person(0, { admin: true, accesses: [] }),
    await room.person(0, speaking),
    await room.person(1, { admin: true, ...speaking }),
    await room.person(1, speaking),
    await room.person(1, { accesses: [{ id: 1, capability: 'view', stateIds: [limited.id] }] }),
    await room.person(2, speaking),
    await room.person(2, { accesses: [] }),
  ];
  const [superuser] = readers as [Actor];
  ids = [];
  for (let n = 0; n < TASKS; n++) {
    const { id } = await room.tasks.create(superuser, {
      title: chance.of(['Fire', 'Pipe']),
      typeId: room.typeIds[0]!,
      organizationId: chance.of(room.organizationIds),
    });
    ids.push(id);
    const reporter = chance.of(readers).user.id;
    await room.store.records('tasks').change(id, (task) => ({ ...task, authorId: reporter }));
    await room.tasks.update(superuser, id, {
      assignedOrganizationId: chance.of([0, ...room.organizationIds]),
      assignedUserId: chance.of([0, chance.of(readers).user.id]),
    });
    for (let written = 0; written < 6; written++) {
      const author = chance.of(
        readers.filter((one) => reads(one, room.tasks.stored(id)!) && (one.role.admin || one.role.accesses.length > 1)),
      );
      const visibleTo = {
        all: chance.maybe(0.2),
        author: chance.maybe(0.3),
        assignedOrganization: chance.maybe(0.3),
        assignedUser: chance.maybe(0.3),
      };
      // Other words each time, so that each comes with a change.
      if (author.user.id === superuser.user.id)
        await room.tasks.update(author, id, { text: `${written}` }, { text: `with an update ${written}`, visibleTo });
      else if (chance.maybe())
        await room.tasks.comments.add(author, id, {
          text: 'said',
          parentId: chance.of([0, room.tasks.comments.of(author, id).at(-1)?.id ?? 0]),
        });
      else await room.tasks.update(author, id, {}, { text: 'with no change', visibleTo });
    }
  }
});
afterAll(() => room.close());

/** May the reader see the message? As the interface says it, once more and apart from the code. */
function reads({ user, role }: Actor, task: Task): boolean {
  const concerned =
    role.superuser ||
    task.organizationId === user.organizationId ||
    task.assignedOrganizationId === user.organizationId ||
    task.assignedUserId === user.id;
  const view = role.accesses.find(({ capability }) => capability === 'view');
  const granted = view !== undefined && (view.stateIds === null || task.title === 'Fire');
  return concerned && (granted || (role.admin && (role.superuser || task.organizationId === user.organizationId)));
}

/**
 * The same of a comment: everyone, its author, administrators of the owning department, and whom the flags
 * name.
 */
function readsComment({ user, role }: Actor, comment: Comment, task: Task): boolean {
  const administers = (organization: number) => role.admin && (role.superuser || user.organizationId === organization);
  if (comment.visibleTo.all || comment.authorId === user.id || administers(task.organizationId)) return true;
  if (comment.visibleTo.author && task.authorId === user.id) return true;
  if (comment.visibleTo.assignedUser && task.assignedUserId === user.id) return true;
  return (
    comment.visibleTo.assignedOrganization &&
    task.assignedOrganizationId > 0 &&
    administers(task.assignedOrganizationId)
  );
}

const commentsOf = (id: number) => room.tasks.comments.ofTasks([id]).get(id) ?? [];

test('everybody reads the comments that the flags let them read, and no others', () => {
  let hidden = 0;
  for (const id of ids) {
    const task = room.tasks.stored(id)!;
    const all = commentsOf(id);
    for (const reader of readers) {
      if (!reads(reader, task)) {
        expect(() => room.tasks.comments.of(reader, id), seed).toThrow(`There is no task ${id}.`);
        continue;
      }
      const expected = all.filter((comment) => readsComment(reader, comment, task)).map((comment) => comment.id);
      hidden += all.length - expected.length;
      expect(
        room.tasks.comments
          .of(reader, id)
          .map((comment) => comment.id)
          .sort((a, b) => a - b),
        seed,
      ).toEqual(expected.sort((a, b) => a - b));
    }
  }
  expect(hidden, seed).toBeGreaterThan(0);
});

test('what is read is a tree: each answer stands behind what it answers, one level deeper', () => {
  for (const id of ids) {
    for (const reader of readers.filter((one) => reads(one, room.tasks.stored(id)!))) {
      const read = room.tasks.comments.of(reader, id);
      for (const [place, comment] of read.entries()) {
        const parent = read.findIndex((one) => one.id === comment.parentId);
        if (parent < 0) continue;
        expect(parent, seed).toBeLessThan(place);
        expect(comment.level, seed).toBe(read[parent]!.level + 1);
        // Between the two stand other answers to it, and answers to those.
        for (const between of read.slice(parent + 1, place))
          expect(between.level, seed).toBeGreaterThan(read[parent]!.level);
      }
    }
  }
});

test('a comment that came with an update tells what the update changed', () => {
  const told = ids.flatMap(commentsOf).filter((comment) => comment.text.startsWith('with'));
  expect(told.length, seed).toBeGreaterThan(0);
  for (const comment of told) expect(comment.updateText, seed).toBe(comment.text === 'with no change' ? '' : 'text');
});

test('nobody answers a comment that they may not read', async () => {
  let tried = 0;
  for (const id of ids) {
    const task = room.tasks.stored(id)!;
    for (const reader of readers.filter((one) => reads(one, task) && one.role.accesses.length > 1)) {
      const secret = commentsOf(id).find((comment) => !readsComment(reader, comment, task));
      if (!secret) continue;
      tried++;
      await expect(room.tasks.comments.add(reader, id, { text: 'Yes', parentId: secret.id }), seed).rejects.toThrow(
        `reference_id ${secret.id}`,
      );
    }
  }
  expect(tried, seed).toBeGreaterThan(0);
});
