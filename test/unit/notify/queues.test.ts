import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { MailQueue, Notices } from '../../../server/notify/index.ts';
import { openStore } from '../../../server/store/index.ts';
import { comment, task } from '../tasks/town-hall.ts';

async function openTable() {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-notices-'));
  const store = await openStore({ directory });
  onTestFinished(async () => {
    await store.close();
    rmSync(directory, { recursive: true });
  });
  return store;
}

test('a comment that is written after one with a higher id is told, too', async () => {
  const store = await openTable();
  const author = { userId: 10, name: 'Anna', mail: 'anna@example.org', address: '' };
  const people = { user: (id: number) => (id === author.userId ? author : undefined), department: () => undefined, maySee: () => true, mayRead: () => true };
  const notices = new Notices({ store, people, now: Date.now, queued: () => undefined, report: (_message, error) => expect.unreachable(String(error)) });
  onTestFinished(() => notices.close());
  await store.records('messages').insert(task({ notice: 1 }));
  await notices.start();
  const comments = store.records('comments');
  const [first, second] = [comments.nextId(), comments.nextId()];
  for (const id of [second, first]) {
    await comments.insert(comment(id));
    await notices.idle();
  }
  const told = store.sql.prepare('SELECT text FROM mail ORDER BY id').all().map(({ text }) => /c\d+/.exec(String(text))?.[0]);
  expect(told).toEqual([`c${second}`, `c${first}`]);
});

test('a station that counted its notices by id goes on where it stood', async () => {
  const store = await openTable();
  const author = { userId: 10, name: 'Anna', mail: 'anna@example.org', address: '' };
  const people = { user: () => author, department: () => undefined, maySee: () => true, mayRead: () => true };
  await store.records('messages').insert(task({ notice: 1 }));
  const comments = store.records('comments');
  const told = await comments.insert(comment(comments.nextId()));
  const fresh = await comments.insert(comment(comments.nextId()));
  await store.writePlain((sql) => sql.prepare("INSERT INTO notice_checkpoints (source, last) VALUES ('comments', ?)").run(told.key));
  const notices = new Notices({ store, people, now: Date.now, queued: () => undefined, report: (_message, error) => expect.unreachable(String(error)) });
  onTestFinished(() => notices.close());
  await notices.start();
  await notices.idle();
  expect(store.sql.prepare('SELECT text FROM mail').all().map(({ text }) => /c\d+/.exec(String(text))?.[0])).toEqual([`c${fresh.id}`]);
});

test('a mail of which nothing can be noted is not sent', async () => {
  const store = await openTable();
  await store.writePlain((sql) => sql.exec("INSERT INTO mail (at, message_id, name, address, subject, text, state, attempts, next_at, sent_at, error) VALUES (0, 1, 'Anna', 'anna@example.org', 'x', 'x', 'waiting', 0, 0, NULL, '')"));
  let received = 0;
  const smtp = new SMTPServer({
    authOptional: true, disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      received++;
      stream.on('end', () => done()).resume();
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => new Promise<void>((resolve) => smtp.close(() => resolve())));
  const { promise: failed, resolve } = Promise.withResolvers<string>();
  const full = { sql: store.sql, stationId: store.stationId, writePlain: () => Promise.reject(new Error('The disk is full.')) };
  const queue = new MailQueue({ store: full, smtpUrl: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`, from: 'a@example.org', now: Date.now, report: resolve });
  queue.wake();
  expect(await failed).toBe('The mail queue failed.');
  await queue.close();
  expect(received).toBe(0);
});
