import { expect, test } from 'vitest';
import {
  compose,
  organizationReads,
  occasionOf,
  recipientsOf,
  type Recipient,
} from '../../../../server/reporting/notify/compose.ts';
import { pauseAfter } from '../../../../server/reporting/notify/mail-queue.ts';
import { dateOf } from '../../../../server/reporting/reports/index.ts';

const MESSAGE = {
  id: 7,
  title: 'Tree down',
  text: 'Lane closed',
  address: 'Mill Road 1',
  date: Date.UTC(2026, 5, 1, 12),
  assignedUserId: 2,
  assignedOrganizationId: 3,
  authorId: 1,
};
const entry = (field: string, to: unknown) => ({ field, to, at: 5 });
const names = { assignedTo: 'Roads', by: 'Ann' };

test('one mail reports assignment and status; being taken off a task, and other changes, have none', () => {
  expect(occasionOf([entry('assignedOrganizationId', 3), entry('status', 2)], names)).toMatchObject({
    assignedTo: 'Roads',
    status: 2,
  });
  expect(occasionOf([entry('assignedUserId', 0), entry('title', 'x')], names)).toBeUndefined();
  expect(occasionOf([entry('status', 4)], names)).toMatchObject({ assignedTo: '', status: 4 });
});

test('nobody gets two: the author who is the assignee, a department with the address of its chief', () => {
  const person = (userId: number, mail: string): Recipient => ({ userId, name: `user ${userId}`, mail, address: '' });
  const find = {
    user: (id: number) => (id === 0 ? undefined : person(id, `${id}@x`)),
    organization: () => person(0, '2@X'),
  };
  expect(recipientsOf(MESSAGE, find).map(({ name }) => name)).toEqual(['user 2', 'user 1']);
  expect(recipientsOf({ ...MESSAGE, authorId: 2 }, { ...find, organization: () => undefined })).toHaveLength(1);
});

test('a person without mail gets one notice, too, and a department without mail gets its letter', () => {
  const person = (userId: number): Recipient => ({ userId, name: `user ${userId}`, mail: '', address: '' });
  const find = { user: person, organization: () => person(0) };
  expect(recipientsOf({ ...MESSAGE, authorId: 2 }, find).map(({ name }) => name)).toEqual(['user 2', 'user 0']);
  expect(
    recipientsOf(
      { ...MESSAGE, assignedUserId: 0 },
      { ...find, user: (id) => (id === 0 ? { ...person(0), name: 'nobody yet' } : person(id)) },
    ).map(({ name }) => name),
  ).toEqual(['nobody yet', 'user 0', 'user 1']);
});

test('a department reads what everybody, or the assigned department, may read, and nothing else', () => {
  const nobody = { all: false, author: false, assignedOrganization: false, assignedUser: false };
  const readable = Object.keys(nobody).filter((flag) => organizationReads({ visibleTo: { ...nobody, [flag]: true } }));
  expect(readable).toEqual(['all', 'assignedOrganization']);
});

test('a notice says what happened, by whom, where, and what the task is', () => {
  const changed = compose(
    MESSAGE,
    { assignedTo: 'Roads', status: 2, comment: undefined, by: 'Ann', at: MESSAGE.date },
    'en',
  );
  const day = dateOf(MESSAGE.date);
  expect(changed.subject).toBe('Task 7: assigned (Tree down)');
  expect(changed.text.split('\n').slice(0, -2)).toEqual([
    'The task is assigned to Roads.',
    'Its status is now assigned.',
    `Changed by: Ann, ${day}.`,
    '',
    'Tree down',
    'Where: Mill Road 1',
    `Received: ${day}`,
    '',
    'Lane closed',
    '',
  ]);
  const commented = compose(
    { ...MESSAGE, address: '', text: '' },
    { assignedTo: '', status: 0, comment: { author: 'Ann', text: 'Still there' }, by: 'Ann', at: 0 },
    'en',
  );
  expect(commented.subject).toBe('Task 7: a comment (Tree down)');
  expect(commented.text.split('\n').slice(0, -2)).toEqual([
    'Ann wrote:',
    '',
    'Still there',
    '',
    'Tree down',
    `Received: ${day}`,
    '',
  ]);
});

test('in Russian every part of a notice is Russian', () => {
  const changed = compose(
    MESSAGE,
    { assignedTo: 'Roads', status: 2, comment: undefined, by: 'Ann', at: MESSAGE.date },
    'ru',
  );
  const day = dateOf(MESSAGE.date);
  expect(changed.subject).toBe('Задача 7: назначена (Tree down)');
  expect(changed.text).toBe(
    [
      'Задача назначена: Roads.',
      'Её статус теперь: назначена.',
      `Изменил(а): Ann, ${day}.`,
      '',
      'Tree down',
      'Где: Mill Road 1',
      `Поступила: ${day}`,
      '',
      'Lane closed',
      '',
      '—',
      'Вы получили это уведомление, потому что задача велит сообщать автору и исполнителям.',
    ].join('\n'),
  );
  const commented = compose(
    MESSAGE,
    { assignedTo: '', status: 0, comment: { author: 'Ann', text: 'Still there' }, by: 'Ann', at: 0 },
    'ru',
  );
  expect([commented.subject, commented.text.split('\n')[0]]).toEqual([
    'Задача 7: комментарий (Tree down)',
    'Ann пишет:',
  ]);
});

test('a notice says why one gets it, and is no longer than what one reads', () => {
  const long = compose(
    { ...MESSAGE, title: 'T'.repeat(300), text: 'x'.repeat(9000) },
    { assignedTo: 'Roads', status: 0, comment: undefined, by: 'Ann', at: 0 },
    'en',
  );
  expect(long.subject).toHaveLength(250);
  expect(/x+…?/.exec(long.text.replaceAll('T', ''))![0]).toBe(`${'x'.repeat(3999)}…`);
  const burning = compose(
    { ...MESSAGE, title: '🔥'.repeat(255), text: '🔥'.repeat(5000) },
    { assignedTo: 'Roads', status: 0, comment: undefined, by: 'Ann', at: 0 },
    'en',
  );
  expect([...burning.subject]).toHaveLength(250);
  expect([burning.subject.isWellFormed(), burning.text.isWellFormed()]).toEqual([true, true]);
  expect(long.text.split('\n').slice(-2)).toEqual([
    '—',
    'You get this notice because the task asks for it to be sent to its author and to those it is assigned to.',
  ]);
});

test('a title cannot write into the head of a mail', () => {
  const { subject } = compose(
    { ...MESSAGE, title: 'x\r\nBcc: all@example.org' },
    { assignedTo: 'Roads', status: 0, comment: undefined, by: 'Ann', at: 0 },
    'en',
  );
  expect(subject).not.toMatch(/[\r\n]/);
});

test('attempts come later and later, an hour apart at most', () => {
  expect([1, 2, 3, 20].map(pauseAfter)).toEqual([30_000, 60_000, 120_000, 3_600_000]);
});
