import { expect, onTestFinished, test } from 'vitest';
import { MailQueue, SentSweep } from '../../../../server/reporting/notify/index.ts';
import type { Store } from '../../../../server/store/index.ts';
import { openTable, putMail, openServer } from './open-queues.ts';

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
