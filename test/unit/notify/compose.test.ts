import { expect, test } from 'vitest';
import { compose, occasionOf, recipientsOf, type Recipient } from '../../../server/notify/compose.ts';
import { pauseAfter } from '../../../server/notify/mail-queue.ts';

const MESSAGE = { id: 7, title: 'Tree down', text: 'Lane closed', address: 'Mill Road 1', date: Date.UTC(2026, 5, 1, 12), assignedUserId: 2, assignedDepartmentId: 3, authorId: 1 };
const entry = (field: string, to: unknown) => ({ field, to, at: 5 });
const names = { assignedTo: 'Roads', by: 'Ann' };

test('assignment and status are told together; being taken off a task, and other changes, are not', () => {
  expect(occasionOf([entry('assignedDepartmentId', 3), entry('status', 2)], names)).toMatchObject({ assignedTo: 'Roads', status: 2 });
  expect(occasionOf([entry('assignedUserId', 0), entry('title', 'x')], names)).toBeUndefined();
  expect(occasionOf([entry('status', 4)], names)).toMatchObject({ assignedTo: '', status: 4 });
});

test('nobody gets two: the author who is the assignee, a department with the address of its chief', () => {
  const person = (userId: number, mail: string): Recipient => ({ userId, name: `user ${userId}`, mail, address: '' });
  const find = { user: (id: number) => (id === 0 ? undefined : person(id, `${id}@x`)), department: () => person(0, '2@X') };
  expect(recipientsOf(MESSAGE, find).map(({ name }) => name)).toEqual(['user 2', 'user 1']);
  expect(recipientsOf({ ...MESSAGE, authorId: 2 }, { ...find, department: () => undefined })).toHaveLength(1);
});

test('a title cannot write into the head of a mail', () => {
  const { subject } = compose({ ...MESSAGE, title: 'x\r\nBcc: all@example.org' }, { assignedTo: 'Roads', status: 0, comment: undefined, by: 'Ann', at: 0 }, 'en');
  expect(subject).not.toMatch(/[\r\n]/);
});

test('attempts come later and later, an hour apart at most', () => {
  expect([1, 2, 3, 20].map(pauseAfter)).toEqual([30_000, 60_000, 120_000, 3_600_000]);
});
