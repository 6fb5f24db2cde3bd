import { expect, test } from 'vitest';
import { PostQueue } from '../../../../server/reporting/notify/index.ts';
import { ID_SPACE } from '../../../../shared/ids.ts';
import { comment, newTask } from '../../dispatch/tasks/town-hall.ts';
import { openTable, AUTHOR, noticesOf, toldIn } from './open-queues.ts';

test('a comment that is written after one with a higher id notifies, too', async () => {
  const store = await openTable();
  const notices = noticesOf(store);
  await store.records('tasks').insert(newTask({ notice: 1 }));
  await notices.start();
  const comments = store.records('comments');
  const [first, second] = [comments.nextId(), comments.nextId()];
  for (const id of [second, first]) {
    await comments.insert(comment(id));
    await notices.idle();
  }
  expect(toldIn(store)).toEqual([second, first]);
});

test('a station that counted its notices by id goes on where it stood', async () => {
  const store = await openTable();
  await store.records('tasks').insert(newTask({ notice: 1 }));
  const comments = store.records('comments');
  const told = await comments.insert(comment(comments.nextId()));
  const fresh = await comments.insert(comment(comments.nextId()));
  await store.writePlain((sql) =>
    sql.prepare("INSERT INTO notice_checkpoints (source, last) VALUES ('comments', ?)").run(told.key),
  );
  const notices = noticesOf(store);
  await notices.start();
  await notices.idle();
  expect(toldIn(store)).toEqual([fresh.id]);
});

test('what was before, what other stations did and what is deleted is not told; all the rest is, however much comes at once', async () => {
  const store = await openTable();
  const comments = store.records('comments');
  await store.records('tasks').insertMany([newTask({ notice: 1 }), newTask({ id: 2, notice: 1, isDeleted: true })]);
  await comments.insert(comment(comments.nextId()));
  const notices = noticesOf(store);
  await notices.start();
  const many = Array.from({ length: 250 }, () => comments.nextId());
  await comments.insertMany([
    comment(comments.nextId(), { taskId: 2 }),
    comment((store.stationNumber + 1) * ID_SPACE + 1),
    ...many.map((id) => comment(id)),
  ]);
  await notices.idle();
  expect(toldIn(store)).toEqual(many);
});

test('who may not see the message is not told; who has no mail gets the letter alone, with both addresses', async () => {
  const store = await openTable();
  const comments = store.records('comments');
  const assignee = { userId: 20, name: 'Boris', mail: '', address: 'Quay 2' };
  await store.records('tasks').insert(newTask({ notice: 2, assignedUserId: assignee.userId }));
  const people = {
    user: (id: number) => [AUTHOR, assignee].find(({ userId }) => userId === id),
    organization: (id: number) =>
      id === 1 ? { userId: 0, name: 'Control room', mail: '', address: 'Tower 1' } : undefined,
    maySee: (id: number) => id === assignee.userId,
  };
  const notices = noticesOf(store, people);
  await notices.start();
  const { id } = await comments.insert(comment(comments.nextId()));
  await notices.idle();
  expect([toldIn(store), toldIn(store, 'post')]).toEqual([[], [id]]);
  const post = new PostQueue({ store, now: () => 5 });
  expect(post.list({ limit: 9 })).toMatchObject([
    { id: 1, name: 'Boris', address: 'Quay 2', sender: 'Control room', senderAddress: 'Tower 1', printedAt: null },
  ]);
  expect((await post.printed(1)).printedAt).toBe(5);
  // When it was printed first stays; the next one is listed before it, and the page behind that holds the
  // first.
  expect((await new PostQueue({ store, now: () => 6 }).printed(1)).printedAt).toBe(5);
  await comments.insert(comment(comments.nextId()));
  await notices.idle();
  expect(
    [post.list({ limit: 9 }), post.list({ limit: 9, before: 2 })].map((page) => page.map((letter) => letter.id)),
  ).toEqual([[2, 1], [1]]);
  await expect(post.letter(3)).rejects.toMatchObject({ kind: 'not-found' });
});
