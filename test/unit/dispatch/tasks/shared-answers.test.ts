import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { ReadingThread } from '../../../../server/dispatch/tasks/threads/reading-thread.ts';
import { openControlRoom } from './control-room.ts';

/** ms for which the event loop stands still, so that the thread answers and nobody hears it. */
const STANDSTILL = 500;

test('a question after a write shares no answer that the thread began before it', async () => {
  const room = await openControlRoom();
  const superuser = await room.person(0, { superuser: true, admin: true });
  const { id } = await room.tasks.create(superuser, { title: 'Fire', typeId: room.typeIds[0]! });
  const { store } = room;
  const table = store.table('tasks');
  // Writes and reads at once, as the event loop cannot while it stands still.
  const sql = new DatabaseSync(store.file, { timeout: 5000 });
  const head = () => Number(sql.prepare('SELECT max(seq) AS seq FROM heads').get()!['seq']);
  const thread = new ReadingThread({
    file: store.file,
    table: (name) => store.table(name),
    feed: { ...store.feed, head },
  });
  onTestFinished(async () => {
    await thread.close();
    sql.close();
    await room.close();
  });
  const ask = () => thread.stats({ actor: superuser, rules: [], count: {} });
  const before = await ask();
  const early = [ask(), ask(), ask()];
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STANDSTILL);
  sql.exec('BEGIN IMMEDIATE');
  sql.exec(`UPDATE heads SET seq = seq + 1`);
  const changed = sql
    .prepare(`UPDATE ${table} SET data = json_set(data, '$.status', 4), seq = ? WHERE data ->> '$.id' = ?`)
    .run(head(), id).changes;
  sql.exec('COMMIT');
  expect(changed).toBe(1);
  const late = await ask();
  expect([before.total, late.total]).toEqual([
    [0, 1, 0, 0, 0],
    [0, 0, 0, 0, 1],
  ]);
  expect((await Promise.all(early)).map(({ total }) => total)).toEqual(Array(3).fill(before.total));
});
