import { expect, test } from 'vitest';
import { createComment, mayRead } from '../../../../server/dispatch/tasks/comments/comment.ts';
import { asTree } from '../../../../shared/tasks/comment-tree.ts';
import { actor, comment, NOON, newTask } from './town-hall.ts';

const HIDDEN = { all: false, author: false, assignedOrganization: false, assignedUser: false };
const admin = (organizationId: number) => actor({ id: 90, organizationId }, { admin: true });

test('an answer stands one level below the comment that it answers', () => {
  expect(createComment(5, newTask(), { text: 'Yes', parentId: 3 }, comment(3, { level: 2 }), 10, NOON)).toMatchObject({
    parentId: 3,
    level: 3,
    taskId: 1,
  });
});

test('only a comment of the same message can be answered', () => {
  expect(() => createComment(5, newTask(), { text: 'Yes', parentId: 3 }, comment(3, { taskId: 2 }), 10, NOON)).toThrow(
    'reference_id 3 is not a comment of this task.',
  );
  expect(() => createComment(5, newTask(), { text: 'Yes', parentId: 3 }, undefined, 10, NOON)).toThrow(
    'reference_id 3',
  );
  expect(() => createComment(5, newTask(), { text: ' \n' }, undefined, 10, NOON)).toThrow('comment must not be empty.');
});

test('comments are read as a tree: answers behind what they answer, the older first', () => {
  const [a, b, c, d, e] = [
    comment(1),
    comment(2),
    comment(3, { parentId: 1 }),
    comment(4, { parentId: 2 }),
    comment(5, { parentId: 1, at: NOON }),
  ];
  expect(asTree([d!, c!, b!, a!, e!]).map((one) => one.id)).toEqual([1, 5, 3, 2, 4]);
});

test('an answer to a comment that one may not read is still read', () => {
  expect(asTree([comment(4, { parentId: 99 }), comment(3)]).map((one) => one.id)).toEqual([3, 4]);
});

test('a comment with no flag is for its author and the administrators of the owning department', () => {
  const hidden = comment(1, { authorId: 11, visibleTo: HIDDEN });
  expect(mayRead(actor({ id: 11 }), hidden, newTask())).toBe(true);
  expect(mayRead(admin(1), hidden, newTask())).toBe(true);
  expect(mayRead(admin(2), hidden, newTask())).toBe(false);
  expect(mayRead(actor({ id: 12 }), hidden, newTask())).toBe(false);
});

test.each([
  ['all', actor({ id: 12 })],
  ['author', actor({ id: 10 })],
  ['assignedUser', actor({ id: 33, organizationId: 2 })],
  ['assignedOrganization', admin(2)],
] as const)('the flag %s lets its readers read, and only them', (flag, reader) => {
  const task = newTask({ assignedOrganizationId: 2, assignedUserId: 33 });
  const one = comment(1, { authorId: 11, visibleTo: { ...HIDDEN, [flag]: true } });
  expect(mayRead(reader, one, task)).toBe(true);
  expect(mayRead(reader, { ...one, visibleTo: HIDDEN }, task)).toBe(false);
});

test('“the assigned user” of an unassigned message matches nobody', () => {
  expect(
    mayRead(actor({ id: 0 }), comment(1, { authorId: 11, visibleTo: { ...HIDDEN, assignedUser: true } }), newTask()),
  ).toBe(false);
});
