import { createReadStream, mkdtempSync, rmSync, type ReadStream } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SMTPServerOptions } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { MailQueue, PostQueue } from '../../../../server/reporting/notify/index.ts';
import { openStore } from '../../../../server/store/index.ts';
import { asBeforeStep9 } from '../../store/open-store.ts';
import { newTask } from '../../dispatch/tasks/town-hall.ts';
import { openTable, putMail, openServer, AUTHOR, noticesOf, toldIn } from './open-queues.ts';

test('a mail that was not taken is tried again by itself when its time has come', async () => {
  const store = await openTable();
  await putMail(store);
  let asked = 0;
  const smtpUrl = await openServer({
    onRcptTo: (_address, _session, done) =>
      done(asked++ === 0 ? Object.assign(new Error('Come back later'), { responseCode: 451 }) : undefined),
    onData: (stream, _session, done) => void stream.on('end', () => done()).resume(),
  });
  // Once it was refused, the clock stands just before the next attempt, and runs on each time that it is
  // looked at.
  let now = 29_999;
  const queue = new MailQueue({
    store,
    smtpUrl,
    from: 'a@example.org',
    now: () => (asked === 0 ? 0 : now++),
    report: (message) => expect.unreachable(message),
  });
  queue.wake();
  await expect.poll(() => queue.list({ limit: 1 })[0]).toMatchObject({ state: 'sent', attempts: 2, error: '' });
  expect(asked).toBe(2);
  await queue.close();
});

test('a mail that is broken off when the station stops has lost no attempt and no time', async () => {
  const store = await openTable();
  await putMail(store);
  const { promise: asked, resolve: ask } = Promise.withResolvers<(error: Error) => void>();
  const queue = new MailQueue({
    store,
    smtpUrl: await openServer({ onRcptTo: (_address, _session, done) => ask(done) }),
    from: 'a@example.org',
    now: () => 1_000_000,
    report: (message) => expect.unreachable(message),
  });
  queue.wake();
  const answer = await asked;
  const closed = queue.close();
  answer(Object.assign(new Error('The server stops, too'), { responseCode: 421 }));
  await closed;
  expect(queue.list({ limit: 1 })).toMatchObject([{ state: 'waiting', attempts: 0, nextAt: 0, error: '' }]);
});

const refusing = (responseCode: number) => Object.assign(new Error('Not this'), { responseCode });

const taken: NonNullable<SMTPServerOptions['onData']> = (stream, _session, done) =>
  void stream.on('end', () => done()).resume();

/** A server of its own making, for what a real one does not do; sends the given lines to each connection. */
async function openOddServer(welcome: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    welcome(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Accepts every command up to the content of the letter, and then calls `last`. */
const upToData = (last: (socket: Socket) => void) => (socket: Socket) => {
  socket.write('220 here\r\n');
  socket.on('data', (said) => {
    if (/^(?:EHLO|MAIL|RCPT)/.test(String(said))) socket.write('250 well\r\n');
    else if (String(said).startsWith('DATA')) last(socket);
  });
};

test.each<[string, () => Promise<string>, 'waiting' | 'failed', RegExp]>([
  [
    'knows no such address',
    () => openServer({ onRcptTo: (_address, _session, done) => done(refusing(550)) }),
    'failed',
    /Not this/,
  ],
  [
    'does not know the address for now',
    () => openServer({ onRcptTo: (_address, _session, done) => done(refusing(450)) }),
    'waiting',
    /Not this/,
  ],
  [
    'does not take what is in the mail',
    () => openServer({ onData: (stream, _session, done) => void stream.on('end', () => done(refusing(554))).resume() }),
    'failed',
    /Not this/,
  ],
  [
    'cannot take the mail for now',
    () => openServer({ onData: (stream, _session, done) => void stream.on('end', () => done(refusing(452))).resume() }),
    'waiting',
    /Not this/,
  ],
  [
    'does not like our sender',
    () => openServer({ onMailFrom: (_address, _session, done) => done(refusing(550)) }),
    'waiting',
    /Not this/,
  ],
  [
    'wants another password',
    async () =>
      (
        await openServer({ authOptional: false, onAuth: (_auth, _session, done) => done(refusing(535)), onData: taken })
      ).replace('//', '//desk:wrong@'),
    'waiting',
    /Invalid login|Not this/,
  ],
  ['wants a password where we have none', () => openServer({ authOptional: false, onData: taken }), 'waiting', /auth/i],
  ['is not there', async () => 'smtp://127.0.0.1:1', 'waiting', /ECONNREFUSED/],
  ['hangs up at once', () => openOddServer((socket) => socket.end()), 'waiting', /./],
  [
    'is no mail server',
    () => openOddServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    'waiting',
    /Invalid greeting|greeting/i,
  ],
  ['refuses everybody', () => openOddServer((socket) => socket.end('554 not today\r\n')), 'waiting', /not today/],
  [
    'breaks off in the middle of the mail',
    () =>
      openOddServer(
        upToData((socket) => {
          socket.write('354 go on\r\n');
          socket.on('data', () => socket.destroy());
        }),
      ),
    'waiting',
    /./,
  ],
  [
    'does not want the mail after all',
    () => openOddServer(upToData((socket) => socket.write('451 not now\r\n'))),
    'waiting',
    /not now/,
  ],
])('a server that %s: the mail waits or is given up, and says why', async (_what, server, state, why) => {
  const store = await openTable();
  await putMail(store);
  const queue = new MailQueue({
    store,
    smtpUrl: await server(),
    from: 'a@example.org',
    now: () => 1_000_000,
    report: (message) => expect.unreachable(message),
  });
  onTestFinished(() => queue.close());
  queue.wake();
  await expect
    .poll(() => queue.list({ limit: 1 })[0])
    .toMatchObject({ state, attempts: 1, nextAt: 1_030_000, sentAt: null, error: expect.stringMatching(why) });
});

test('a server that never answers does not keep the station from stopping; the mail has lost nothing', async () => {
  const store = await openTable();
  for (const hang of [(socket: Socket) => void socket, upToData((socket) => socket.write('354 go on\r\n'))]) {
    await store.writePlain((sql) => sql.exec('DELETE FROM mail'));
    await putMail(store);
    const { promise: connected, resolve } = Promise.withResolvers<Socket>();
    const smtpUrl = await openOddServer((socket) => {
      hang(socket);
      resolve(socket);
    });
    const queue = new MailQueue({
      store,
      smtpUrl,
      from: 'a@example.org',
      now: () => 1_000_000,
      report: (message) => expect.unreachable(message),
      closeTimeout: 300,
    });
    queue.wake();
    const socket = await connected;
    const ended = new Promise((resolve) => socket.on('close', resolve));
    await queue.close();
    await ended;
    expect(queue.list({ limit: 1 })).toMatchObject([{ state: 'waiting', attempts: 0, nextAt: 0, error: '' }]);
  }
}, 18_000); // sooner than the queue itself would give the server up

test('actions of one person at one time make one notice; those of others, at another time, or on another message make their own', async () => {
  const store = await openTable();
  const history = store.records('history');
  const [ann, bob] = [{ ...AUTHOR }, { userId: 11, name: 'Bob', mail: '', address: '' }];
  await store
    .records('tasks')
    .insertMany([
      newTask({ notice: 1, assignedUserId: 11 }),
      newTask({ id: 2, notice: 1, assignedUserId: 11, title: 'Лифт', text: 'Застряли' }),
      newTask({ id: 3, notice: 1, title: 'Lift', text: 'Застряли двое, этаж пятый' }),
    ]);
  const notices = noticesOf(store, { user: (id) => [ann, bob].find(({ userId }) => userId === id) });
  await notices.start();
  const entry = (taskId: number, userId: number, at: number, field: string, to: unknown) => ({
    id: history.nextId(),
    taskId,
    userId,
    at,
    field,
    from: null,
    to,
    station: 0,
    note: '',
  });
  await history.insertMany([
    entry(1, 10, 5, 'assignedUserId', 11),
    entry(1, 10, 5, 'status', 2),
    entry(1, 10, 6, 'status', 3),
    entry(1, 11, 6, 'status', 4),
    entry(2, 10, 5, 'status', 2),
    entry(3, 10, 5, 'status', 2),
    entry(3, 10, 7, 'title', 'x'),
  ]);
  await notices.idle();
  const subjects = store.sql
    .prepare('SELECT subject, text FROM mail ORDER BY id')
    .all()
    .map(
      ({ subject, text }) => `${String(subject)}: ${/^(?:Changed by|Изменил\(а\)): (.+),/m.exec(String(text))?.[1]}`,
    );
  expect(subjects).toEqual([
    'Task 1: assigned (Burst pipe): Anna',
    'Task 1: feedback (Burst pipe): Anna',
    'Task 1: done (Burst pipe): Bob',
    'Задача 2: назначена (Лифт): Anna',
    'Задача 3: назначена (Lift): Anna',
  ]);
  expect(toldIn(store, 'post')).toEqual([]); // a letter is for those that ask for one, too
});

test('mail and letters of before are given to the department of their message', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-notices-'));
  let store = await openStore({ directory });
  onTestFinished(async () => {
    await store.close();
    rmSync(directory, { recursive: true });
  });
  const about = await store.records('tasks').insert(newTask({ organizationId: 7 }));
  await store.close();
  const before = new DatabaseSync(join(directory, 'station.db'));
  asBeforeStep9(before);
  before.exec(`INSERT INTO mail (at, message_id, name, address, subject, text, state, attempts, next_at, error) VALUES (0, ${about.id}, '', '', '', '', 'failed', 0, 0, ''), (0, 999, '', '', '', '', 'failed', 0, 0, '');
    INSERT INTO post (at, message_id, name, address, sender, sender_address, subject, text) VALUES (0, ${about.id}, '', '', '', '', '', '')`);
  before.close();
  store = await openStore({ directory });
  const mail = new MailQueue({
    store,
    smtpUrl: null,
    from: '',
    now: () => 0,
    report: (message) => expect.unreachable(message),
  });
  expect(mail.list({ limit: 9 }).map(({ taskId, organizationId }) => [taskId, organizationId])).toEqual([
    [999, 0],
    [about.id, 7],
  ]);
  expect(
    new PostQueue({ store, now: () => 0 }).list({ organizationId: 7, limit: 9 }).map(({ taskId }) => taskId),
  ).toEqual([about.id]);
});

async function openQueueWithFile(smtpUrl: string, file: string) {
  const store = await openTable();
  await putMail(store);
  await store.writePlain((sql) => sql.prepare("INSERT INTO mail_files VALUES (1, 1, 0, 'mileage.xlsx', ?)").run(file));
  const opened: ReadStream[] = [];
  const queue = new MailQueue({
    ...{ store, smtpUrl, from: 'a@example.org', now: () => 1 },
    openFile: (path) => {
      const stream = createReadStream(path);
      opened.push(stream);
      return stream;
    },
    report: (message) => expect.unreachable(message),
  });
  onTestFinished(() => queue.close());
  queue.wake();
  return { queue, opened };
}

test('a mail that no server takes leaves its file closed', async () => {
  const { queue, opened } = await openQueueWithFile('smtp://127.0.0.1:1', import.meta.filename);
  await expect.poll(() => queue.list({ limit: 1 })[0]).toMatchObject({ state: 'waiting', attempts: 1 });
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
});

test('a mail whose file is lost says so, and is not sent without it', async () => {
  let taken = 0;
  const smtpUrl = await openServer({
    onData: (stream, _session, done) => void stream.on('end', () => done(void taken++)).resume(),
  });
  const { queue } = await openQueueWithFile(smtpUrl, join(tmpdir(), 'waypost-no-such-report.xlsx'));
  await expect
    .poll(() => queue.list({ limit: 1 })[0])
    .toMatchObject({ state: 'failed', attempts: 1, error: expect.stringContaining('is not on this station any more') });
  expect(queue.list({ limit: 1 })[0]!.error).not.toContain(tmpdir());
  expect(taken).toBe(0);
});
