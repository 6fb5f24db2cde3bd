import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { MailQueue, Notices, PostQueue, type People, SentSweep } from '../../../server/notify/index.ts';
import { openStore, type Store } from '../../../server/store/index.ts';
import { ID_SPACE } from '../../../shared/ids.ts';
import { asBeforeStep9 } from '../store/open-store.ts';
import { comment, newTask } from '../tasks/town-hall.ts';

async function openTable() {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-notices-'));
  const store = await openStore({ directory });
  onTestFinished(async () => {
    await store.close();
    rmSync(directory, { recursive: true });
  });
  return store;
}

const putMail = (store: Store) =>
  store.writePlain((sql) =>
    sql.exec(
      "INSERT INTO mail (at, task_id, name, address, subject, text, state, attempts, next_at, sent_at, error) VALUES (0, 1, 'Anna', 'anna@example.org', 'x', 'x', 'waiting', 0, 0, NULL, '')",
    ),
  );

/** A real mail server; returns its address. */
async function openServer(options: SMTPServerOptions): Promise<string> {
  const smtp = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], ...options });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => new Promise<void>((resolve) => smtp.close(() => resolve())));
  return `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`;
}

const AUTHOR = { userId: 10, name: 'Anna', mail: 'anna@example.org', address: 'Mill Road 1' };

function noticesOf(store: Store, more: Partial<People> = {}): Notices {
  const people: People = {
    user: (id) => (id === AUTHOR.userId ? AUTHOR : undefined),
    organization: () => undefined,
    maySee: () => true,
    mayRead: () => true,
    ...more,
  };
  const notices = new Notices({
    store,
    people,
    now: Date.now,
    queued: () => undefined,
    report: (_message, error) => expect.unreachable(String(error)),
  });
  onTestFinished(() => notices.close());
  return notices;
}

/** The comments that were told, by the ids in their texts. */
const toldIn = (store: Store, table: 'mail' | 'post' = 'mail') =>
  store.sql
    .prepare(`SELECT text FROM ${table} ORDER BY id`)
    .all()
    .map(({ text }) => /c(\d+)/.exec(String(text))?.[1])
    .map(Number);

test('a comment that is written after one with a higher id is told, too', async () => {
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

test('mail is listed newest first, by state and in pages; what was given up is tried again when somebody says so', async () => {
  const store = await openTable();
  const put = (state: string) =>
    store.writePlain((sql) =>
      sql
        .prepare(
          "INSERT INTO mail (at, task_id, name, address, subject, text, state, attempts, next_at, sent_at, error) VALUES (0, 1, 'Anna', 'anna@example.org', 'x', 'x', ?, 3, 0, NULL, 'Why')",
        )
        .run(state),
    );
  for (const state of ['failed', 'sent', 'waiting', 'failed']) await put(state);
  const queue = new MailQueue({
    store,
    smtpUrl: null,
    from: 'a@example.org',
    now: () => 77,
    report: (message) => expect.unreachable(message),
  });
  const ids = (filter: Partial<Parameters<MailQueue['list']>[0]>) =>
    queue.list({ limit: 9, ...filter }).map(({ id }) => id);
  expect([
    ids({}),
    ids({ before: 3 }),
    ids({ limit: 1 }),
    ids({ state: 'failed' }),
    ids({ state: 'failed', before: 4 }),
  ]).toEqual([[4, 3, 2, 1], [2, 1], [4], [4, 1], [1]]);
  expect(await queue.retry(1)).toMatchObject({ id: 1, state: 'waiting', nextAt: 77 });
  await expect(queue.retry(2)).rejects.toMatchObject({ kind: 'invalid' });
  await expect(queue.retry(9)).rejects.toMatchObject({ kind: 'not-found' });
  await queue.close();
});

test('a mail of which nothing can be noted is not sent', async () => {
  const store = await openTable();
  await putMail(store);
  let received = 0;
  const smtpUrl = await openServer({
    onData(stream, _session, done) {
      received++;
      stream.on('end', () => done()).resume();
    },
  });
  const { promise: failed, resolve } = Promise.withResolvers<string>();
  const full = {
    sql: store.sql,
    stationId: store.stationId,
    writePlain: () => Promise.reject(new Error('The disk is full.')),
    readOnly: undefined,
    onReadOnly: store.onReadOnly.bind(store),
  };
  const queue = new MailQueue({ store: full, smtpUrl, from: 'a@example.org', now: Date.now, report: resolve });
  queue.wake();
  expect(await failed).toBe('The mail queue failed.');
  await queue.close();
  expect(received).toBe(0);
});

test('mail goes so many days after it was sent, given up or last to be tried, letters after they were printed; a letter that nobody printed stays', async () => {
  const store = await openTable();
  const DAY = 24 * 3_600_000;
  const now = Date.UTC(2026, 5, 1);
  await store.writePlain((sql) => {
    const mail = sql.prepare(
      "INSERT INTO mail (at, task_id, name, address, subject, text, state, attempts, next_at, sent_at, error) VALUES (?, 1, '', '', ?, '', ?, 1, ?, ?, '')",
    );
    // More than one step of old mail that stays, before what goes.
    for (let i = 0; i < 450; i++) mail.run(now - 100 * DAY, 'given up late', 'failed', now - 89 * DAY, null);
    mail.run(now - 100 * DAY, 'given up', 'failed', now - 91 * DAY, null);
    mail.run(now - 100 * DAY, 'never had a server', 'waiting', now - 100 * DAY, null);
    mail.run(now - 100 * DAY, 'asked for again', 'waiting', now - DAY, null);
    mail.run(now - 100 * DAY, 'old', 'sent', now - 10 * DAY, now - 91 * DAY);
    mail.run(now - 100 * DAY, 'sent late', 'sent', now - 91 * DAY, now - 89 * DAY);
    mail.run(now - DAY, 'new', 'sent', now - DAY, now - DAY);
    const post = sql.prepare(
      "INSERT INTO post (at, task_id, name, address, sender, sender_address, subject, text, printed_at) VALUES (?, 1, '', '', '', '', ?, '', ?)",
    );
    post.run(now - 100 * DAY, 'old', now - 91 * DAY);
    post.run(now - 100 * DAY, 'printed late', now - 89 * DAY);
    post.run(now - 100 * DAY, 'not printed', null);
  });
  const sweep = new SentSweep({
    store,
    days: 90,
    now: () => now,
    report: (_message, error) => expect.unreachable(String(error)),
  });
  onTestFinished(() => sweep.close());
  await sweep.sweep();
  const subjects = (table: string) =>
    store.sql
      .prepare(`SELECT DISTINCT subject FROM ${table} ORDER BY subject`)
      .all()
      .map(({ subject }) => subject);
  expect([subjects('mail'), subjects('post')]).toEqual([
    ['asked for again', 'given up late', 'new', 'sent late'],
    ['not printed', 'printed late'],
  ]);
});

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

test('a mail names itself and its sender as a program in its head, the same in each attempt; who is unknown is given up at once, who is busy after eighty attempts', async () => {
  const store = await openTable();
  const heads: string[] = [];
  const put = (address: string, attempts: number) =>
    store.writePlain((sql) =>
      sql
        .prepare(
          "INSERT INTO mail (at, task_id, name, address, subject, text, state, attempts, next_at, sent_at, error) VALUES (0, 1, 'Anna', ?, 'x', 'x', 'waiting', ?, 0, NULL, '')",
        )
        .run(address, attempts),
    );
  for (const [address, attempts] of [
    ['anna@example.org', 0],
    ['nobody@example.org', 0],
    ['busy@example.org', 78],
    ['busy@example.org', 79],
  ] as const)
    await put(address, attempts);
  let lost = true;
  const smtpUrl = await openServer({
    onRcptTo({ address }, _session, done) {
      const code = { 'nobody@example.org': 550, 'busy@example.org': 450 }[address];
      done(code ? Object.assign(new Error('Not now'), { responseCode: code }) : undefined);
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          heads.push(Buffer.concat(chunks).toString().split('\r\n\r\n')[0]!);
          done(lost ? Object.assign(new Error('It broke'), { responseCode: 451 }) : undefined);
          lost = false;
        });
    },
  });
  const queue = new MailQueue({
    store,
    smtpUrl,
    from: 'a@example.org',
    now: () => 0,
    report: (message) => expect.unreachable(message),
  });
  onTestFinished(() => queue.close());
  const states = () =>
    queue
      .list({ limit: 9 })
      .map(({ id, state, attempts }) => [id, state, attempts])
      .reverse();
  queue.wake();
  await expect.poll(states).toEqual([
    [1, 'waiting', 1],
    [2, 'failed', 1],
    [3, 'waiting', 79],
    [4, 'failed', 80],
  ]);
  await queue.retry(1);
  await expect.poll(() => states()[0]).toEqual([1, 'sent', 2]);
  const names = heads.map((head) => /^Message-ID: (<.+>)$/im.exec(head)?.[1]);
  expect(names).toEqual([`<waypost-${store.stationId}-1@waypost>`, names[0]]);
  expect(heads.every((head) => /^Auto-Submitted: auto-generated$/im.test(head))).toBe(true);
});

test('mail goes out in the order in which its time came, each to whom it is for, from our sender; what has time yet stays', async () => {
  const store = await openTable();
  const sent: string[] = [];
  const smtpUrl = await openServer({
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          const head = Buffer.concat(chunks).toString().split('\r\n\r\n')[0]!;
          sent.push(
            [
              /^From: (.*)$/m.exec(head)?.[1],
              /^To: (.*)$/m.exec(head)?.[1],
              /^Subject: (.*)$/m.exec(head)?.[1],
              session.envelope.rcptTo.map(({ address }) => address),
            ].join(' | '),
          );
          done();
        });
    },
  });
  const put = (name: string, nextAt: number) =>
    store.writePlain((sql) =>
      sql
        .prepare(
          "INSERT INTO mail (at, task_id, name, address, subject, text, state, attempts, next_at, sent_at, error) VALUES (0, 1, ?, ?, 'about ' || ?, 'x', 'waiting', 0, ?, NULL, '')",
        )
        .run(name, `${name}@example.org`, name, nextAt),
    );
  for (const [name, nextAt] of [
    ['third', 30],
    ['first', 10],
    ['second', 20],
    ['later', 101],
    ['fourth', 30],
  ] as const)
    await put(name, nextAt);
  let rested = 0;
  const sql = {
    prepare: (text: string) =>
      text.includes('min(next_at)') ? (rested++, store.sql.prepare(text)) : store.sql.prepare(text),
  } as Store['sql'];
  const watched = {
    sql,
    stationId: store.stationId,
    writePlain: store.writePlain.bind(store),
    readOnly: undefined,
    onReadOnly: store.onReadOnly.bind(store),
  };
  const queue = new MailQueue({
    store: watched,
    smtpUrl,
    from: 'Desk <desk@example.org>',
    now: () => 100,
    report: (message) => expect.unreachable(message),
  });
  onTestFinished(() => queue.close());
  queue.wake();
  const line = (name: string) =>
    `Desk <desk@example.org> | ${name} <${name}@example.org> | about ${name} | ${name}@example.org`;
  await expect.poll(() => rested).toBe(1); // looks when the next one is due: for now it has done all
  expect(sent).toEqual(['first', 'second', 'third', 'fourth'].map(line));
  expect(queue.list({ limit: 9, state: 'waiting' }).map(({ name, attempts }) => [name, attempts])).toEqual([
    ['later', 0],
  ]);
  expect(
    queue
      .list({ limit: 9 })
      .filter(({ state }) => state === 'sent')
      .map(({ sentAt }) => sentAt),
  ).toEqual([100, 100, 100, 100]);
});

const refusing = (responseCode: number) => Object.assign(new Error('Not this'), { responseCode });
const taken: NonNullable<SMTPServerOptions['onData']> = (stream, _session, done) =>
  void stream.on('end', () => done()).resume();

/** A server of its own making, for what a real one does not do; gives what it is told to each connection. */
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

test('what one person did at one time is told in one notice, what others did, or at another time, or with another message, in their own', async () => {
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
