import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { tryStation } from '../try-station.ts';
import type { TryStation } from '../try-station.ts';

/** A real mail server that keeps what it is sent; `refuse` says what it answers to a recipient. */
const received: { to: string; subject: string; body: string; id: string }[] = [];
let refuse: (address: string) => number | undefined = () => undefined;
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo({ address }, _session, done) {
    const code = refuse(address);
    done(
      code === undefined
        ? undefined
        : Object.assign(new Error(code === 550 ? 'No such mailbox' : 'Come back later'), { responseCode: code }),
    );
  },
  onData(stream, session, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const split = text.indexOf('\r\n\r\n');
      const head = text.slice(0, split).replace(/\r\n\s+/g, ' ');
      const base64 = /content-transfer-encoding: base64/i.test(head);
      const body = base64
        ? Buffer.from(text.slice(split), 'base64').toString()
        : quotedPrintable(text.slice(split + 4), head);
      received.push({
        to: session.envelope.rcptTo[0]!.address,
        subject: encodedWords(/^Subject: (.*)$/im.exec(head)?.[1] ?? ''),
        body,
        id: /^Message-ID: (.*)$/im.exec(head)?.[1] ?? '',
      });
      done();
    });
  },
});

let at: TryStation;
let admin: string;
let organizationId: number;
let crew: { id: number; token: string };

beforeAll(async () => {
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', () => resolve()));
  at = await tryStation({ smtpUrl: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}` });
  admin = await at.signIn();
  const organization = await at.ask('POST', '/organizations', {
    as: admin,
    body: { name: 'Дорожная служба', info: { email: 'roads@example.org', address: 'ул. Мостовая, 1' } },
  });
  expect(organization.status, organization.text).toBe(200);
  organizationId = organization.json().id;
  crew = await at.newUser('crew', 'Dispatcher', {
    organizationId: organizationId,
    email: 'crew@example.org',
    fio: 'Anna Brown',
  });
  const { id } = (await at.ask('GET', '/users/current', { as: admin })).json();
  expect((await at.ask('PUT', `/users/${id}`, { as: admin, body: { email: 'desk@example.org' } })).status).toBe(200);
});
afterAll(async () => {
  await at.stop();
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
});
beforeEach(() => {
  received.length = 0;
  refuse = () => undefined;
});

async function task(notice: number, title = 'Tree across the road'): Promise<number> {
  return (
    await at.ask('POST', '/news/', { as: admin, body: { values: { title, text: title, news_type_id: 1, notice } } })
  ).json().newsId;
}
const update = (id: number, body: object) => at.ask('POST', `/news/${id}/update`, { as: admin, body });
const addresses = () => received.map(({ to }) => to).sort();
const mails = async (query = '') => (await at.ask('GET', `/notify/mail${query}`, { as: admin })).json();
const mailsOf = async (
  id: number,
): Promise<
  {
    id: number;
    name: string;
    to: string;
    state: string;
    error: string;
    attempts: number;
    nextAt: number;
    createdAt: number;
    sentAt: number | null;
  }[]
> => (await mails()).filter((one: { newsId: number }) => one.newsId === id);
/** Waits until nothing that concerns the message is on its way. */
const settled = (id: number, count: number) =>
  expect
    .poll(async () => (await mailsOf(id)).filter(({ state, attempts }) => state !== 'waiting' || attempts > 0).length)
    .toBe(count);

test('an assignment notifies the assignee, the assigned department and the author', async () => {
  const id = await task(1);
  await update(id, { assigned_organization_id: organizationId, assigned_user_id: crew.id });
  await settled(id, 3);
  expect(addresses()).toEqual(['crew@example.org', 'desk@example.org', 'roads@example.org']);
  expect(received[0]!.subject).toBe(`Task ${id}: assigned (Tree across the road)`);
  expect(received[0]!.body).toContain('assigned to Дорожная служба, Anna Brown');
});

test('the notice of a Russian task is in Russian, letter by letter', async () => {
  const id = await task(1, 'Упало дерево');
  await update(id, { assigned_status: 3 });
  await settled(id, 1);
  expect(received[0]!.subject).toBe(`Задача ${id}: обратная связь (Упало дерево)`);
  expect(received[0]!.body).toContain('Её статус теперь: обратная связь.');
});

test('a comment notifies its readers, and nobody else', async () => {
  const id = await task(1);
  await update(id, { assigned_organization_id: organizationId, assigned_user_id: crew.id });
  await settled(id, 3);
  received.length = 0;
  await update(id, { update_comments: 'Only the crew', updatecomment_visible_assigned_to_user: true });
  await settled(id, 5);
  // The author of the comment, here the author of the task, always reads it.
  expect(addresses()).toEqual(['crew@example.org', 'desk@example.org']);
  expect(received[0]!.body).toContain('Only the crew');
  received.length = 0;
  await update(id, { update_comments: 'For nobody but those who own it' });
  await settled(id, 6);
  expect(addresses()).toEqual(['desk@example.org']);
});

test('a change that is neither assignment nor status is not told, and no notice is asked for with 0', async () => {
  const quiet = await task(0);
  await update(quiet, { assigned_status: 4 });
  const edited = await task(1);
  await update(edited, { text: 'More of it' });
  const told = await task(1);
  await update(told, { assigned_status: 4 });
  await settled(told, 1);
  expect([await mailsOf(quiet), await mailsOf(edited)]).toEqual([[], []]);
});

test('a letter is put in the post for 2, and prints as PDF', async () => {
  const id = await task(2, 'Провал на дороге');
  await update(id, { assigned_organization_id: organizationId });
  await settled(id, 2);
  const letters = (await at.ask('GET', '/notify/post', { as: admin }))
    .json()
    .filter((one: { newsId: number }) => one.newsId === id);
  const letter = letters.find((one: { name: string }) => one.name === 'Дорожная служба');
  expect([letters.length, letter.address, letter.printedAt]).toEqual([2, 'ул. Мостовая, 1', null]);
  const pdf = await at.ask('GET', `/notify/post/${letter.id}/pdf`, { as: admin });
  expect([pdf.status, pdf.type, pdf.text.slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-']);
  expect((await at.ask('POST', `/notify/post/${letter.id}/printed`, { as: admin })).json().printedAt).toBeGreaterThan(
    0,
  );
});

test('sending to a busy server is retried later, or at once on an administrator’s request', async () => {
  refuse = () => 451;
  const id = await task(1);
  await update(id, { assigned_status: 4 });
  await settled(id, 1);
  const [mail] = await mailsOf(id);
  expect(mail).toMatchObject({ state: 'waiting', attempts: 1 });
  expect(mail!.error).toContain('Come back later');
  expect(mail!.nextAt).toBeGreaterThan(Date.now() + 20_000);
  refuse = () => undefined;
  expect((await at.ask('POST', `/notify/mail/${mail!.id}/retry`, { as: admin })).status).toBe(200);
  await expect.poll(async () => (await mailsOf(id))[0]!.state).toBe('sent');
  expect((await at.ask('POST', `/notify/mail/${mail!.id}/retry`, { as: admin })).status).toBe(400);
});

test('an address that does not exist is given up', async () => {
  refuse = () => 550;
  const id = await task(1);
  await update(id, { assigned_status: 4 });
  await settled(id, 1);
  expect(await mailsOf(id)).toMatchObject([{ state: 'failed', attempts: 1 }]);
});

test('a queued mail is presented with all its fields: waiting, sent and failed', async () => {
  const all = { id: expect.any(Number), to: 'desk@example.org', name: 'Administrator', createdAt: expect.any(Number) };
  const began = Date.now();
  refuse = () => 451;
  const id = await task(1, 'All of it');
  await update(id, { assigned_status: 3 });
  await settled(id, 1);
  const [waiting] = await mailsOf(id);
  const told = {
    newsId: id,
    subject: `Task ${id}: feedback (All of it)`,
    text: expect.stringContaining('Its status is now feedback.'),
  };
  expect(waiting).toEqual({
    ...all,
    ...told,
    state: 'waiting',
    attempts: 1,
    nextAt: expect.any(Number),
    sentAt: null,
    error: expect.stringContaining('Come back later'),
  });
  refuse = () => undefined;
  const retried = await at.ask('POST', `/notify/mail/${waiting!.id}/retry`, { as: admin });
  expect(retried.json()).toMatchObject({ id: waiting!.id, newsId: id, attempts: 1 });
  await expect.poll(async () => (await mailsOf(id))[0]!.state).toBe('sent');
  const [sent] = await mailsOf(id);
  expect(sent).toEqual({
    ...all,
    ...told,
    id: waiting!.id,
    state: 'sent',
    attempts: 2,
    nextAt: null,
    sentAt: expect.any(Number),
    error: '',
  });
  for (const instant of [waiting!.createdAt, sent!.sentAt!])
    expect(instant >= began && instant <= Date.now()).toBe(true);
  expect(sent!.createdAt).toBe(waiting!.createdAt);
  refuse = () => 550;
  await update(id, { assigned_status: 4 });
  await settled(id, 2);
  expect((await mailsOf(id)).find(({ state }) => state !== 'sent')).toMatchObject({
    state: 'failed',
    nextAt: null,
    sentAt: null,
    error: expect.stringContaining('No such mailbox'),
  });
});

test('the queues are listed newest first, in pages, mail by its state; what is no number or no state is refused by name', async () => {
  const before = (await mails()).length;
  for (let n = 0; n < 3; n++) {
    refuse = () => (n === 1 ? 550 : undefined);
    const id = await task(2, `Listed ${n}`);
    await update(id, { assigned_status: 4 });
    await settled(id, 1);
  }
  const list = async (path: string) =>
    (await at.ask('GET', path, { as: admin })).json().map(({ id }: { id: number }) => id) as number[];
  for (const queue of ['mail', 'post']) {
    const ids = await list(`/notify/${queue}`);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(await list(`/notify/${queue}?limit=2`)).toEqual(ids.slice(0, 2));
    expect(await list(`/notify/${queue}?limit=2&before=${ids[1]}`)).toEqual(ids.slice(2, 4));
    expect(await list(`/notify/${queue}?limit=0`)).toEqual(await list(`/notify/${queue}`));
    for (const wrong of ['limit=-1', 'limit=1001', 'limit=x', 'before=0', 'before=-1', 'before=1.5'])
      expect((await at.ask('GET', `/notify/${queue}?${wrong}`, { as: admin })).text).toMatch(
        new RegExp(`^${wrong.split('=')[0]} must be a whole number`),
      );
  }
  expect((await mails()).length).toBe(before + 3);
  for (const state of ['sent', 'failed', 'waiting'])
    expect((await mails(`?state=${state}&limit=1000`)).every((mail: { state: string }) => mail.state === state)).toBe(
      true,
    );
  expect((await mails('?state=failed')).length).toBeGreaterThan(0);
  expect((await at.ask('GET', '/notify/mail?state=lost', { as: admin })).status).toBe(400);
});

test('a letter has its recipient and the time of its first printing, which does not change', async () => {
  const began = Date.now();
  const id = await task(2, 'By post');
  await update(id, { assigned_organization_id: organizationId });
  await settled(id, 2);
  const ofTask = async () =>
    (await at.ask('GET', '/notify/post', { as: admin }))
      .json()
      .find((one: { newsId: number; name: string }) => one.newsId === id && one.name === 'Дорожная служба');
  const letter = await ofTask();
  expect(letter).toEqual({
    id: expect.any(Number),
    newsId: id,
    name: 'Дорожная служба',
    address: 'ул. Мостовая, 1',
    subject: `Task ${id}: assigned (By post)`,
    createdAt: expect.any(Number),
    printedAt: null,
  });
  expect(letter.createdAt >= began && letter.createdAt <= Date.now()).toBe(true);
  const pdf = await at.ask('GET', `/notify/post/${letter.id}/pdf`, { as: admin });
  expect(pdf.headers.get('content-disposition')).toBe(`inline; filename="letter-${letter.id}.pdf"`);
  const printed = (await at.ask('POST', `/notify/post/${letter.id}/printed`, { as: admin })).json();
  expect(printed).toEqual({ ...letter, printedAt: expect.any(Number) });
  expect((await at.ask('POST', `/notify/post/${letter.id}/printed`, { as: admin })).json()).toEqual(printed);
  expect(await ofTask()).toEqual(printed);
  for (const [method, path] of [
    ['GET', 'pdf'],
    ['POST', 'printed'],
  ] as const) {
    expect((await at.ask(method, `/notify/post/999999/${path}`, { as: admin })).status).toBe(404);
    expect((await at.ask(method, `/notify/post/${letter.id}/${path}`, { as: crew.token })).status).toBe(403);
  }
});

test('the queue is for administrators', async () => {
  for (const path of ['/notify/mail', '/notify/post']) {
    expect((await at.ask('GET', path, { as: crew.token })).status).toBe(403);
    expect((await at.ask('GET', path)).status).toBe(401);
  }
  expect((await at.ask('POST', '/notify/mail/999999/retry', { as: admin })).status).toBe(404);
});

test('an administrator sees mail and letters about messages of the own department, and of no other; `wheel` sees all', async () => {
  const local = (
    await at.ask('POST', '/rights', { as: admin, body: { name: 'Local administrator', admin: true, wheel: false } })
  ).json();
  expect(local).toMatchObject({ admin: true, wheel: false });
  const chief = await at.newUser('chief', 'Local administrator', { organizationId: organizationId });
  const ofOurs = (
    await at.ask('POST', '/news/', { as: crew.token, body: { values: { title: 'Ours', news_type_id: 1, notice: 2 } } })
  ).json().newsId;
  // Assigned to the department, which is notified of it, but not its own.
  const ofOthers = await task(2, 'Theirs');
  refuse = () => 550;
  for (const id of [ofOurs, ofOthers]) await update(id, { assigned_organization_id: organizationId });
  await settled(ofOurs, 2);
  await settled(ofOthers, 2);
  for (const queue of ['mail', 'post']) {
    const seenBy = async (as: string) =>
      new Set(
        ((await at.ok('GET', `/notify/${queue}?limit=1000`, { as })) as { newsId: number }[]).map(
          ({ newsId }) => newsId,
        ),
      );
    expect(await seenBy(chief.token)).toEqual(new Set([ofOurs]));
    expect([...(await seenBy(admin))]).toEqual(expect.arrayContaining([ofOurs, ofOthers]));
  }
  const one = async (queue: string, about: number): Promise<number> =>
    (await at.ok('GET', `/notify/${queue}`, { as: admin })).find(({ newsId }: { newsId: number }) => newsId === about)
      .id;
  for (const [about, status] of [
    [ofOthers, 404],
    [ofOurs, 200],
  ] as const) {
    const [mail, letter] = [await one('mail', about), await one('post', about)];
    expect((await at.ask('POST', `/notify/mail/${mail}/retry`, { as: chief.token })).status).toBe(status);
    expect((await at.ask('GET', `/notify/post/${letter}/pdf`, { as: chief.token })).status).toBe(status);
    expect((await at.ask('POST', `/notify/post/${letter}/printed`, { as: chief.token })).status).toBe(status);
  }
  const printed = (
    (await at.ok('GET', '/notify/post', { as: admin })) as { newsId: number; printedAt: number | null }[]
  )
    .filter(({ printedAt }) => printedAt !== null)
    .map(({ newsId }) => newsId);
  expect(printed).not.toContain(ofOthers);
  await expect.poll(async () => (await mailsOf(ofOurs)).map(({ attempts }) => attempts).toSorted()).toEqual([1, 2]);
});

test('for a department without an address the queue holds an entry that says so', async () => {
  const { id: silent } = (await at.ask('POST', '/organizations', { as: admin, body: { name: 'Quiet depot' } })).json();
  const id = await task(1);
  await update(id, { assigned_organization_id: silent });
  await expect.poll(async () => (await mailsOf(id)).length).toBe(2);
  const entry = (await mailsOf(id)).find(({ name }) => name === 'Quiet depot')!;
  expect(entry).toMatchObject({
    to: '',
    state: 'failed',
    attempts: 0,
    nextAt: null,
    error: 'The recipient has no e-mail address, so nothing is sent.',
  });
  expect((await at.ask('POST', `/notify/mail/${entry.id}/retry`, { as: admin })).status).toBe(200);
  await expect
    .poll(async () => (await mailsOf(id)).find(({ name }) => name === 'Quiet depot'))
    .toMatchObject({ state: 'failed', error: entry.error });
});

test('without a mail server mails wait with a reason; a restart with a server sends each once', async () => {
  await at.stop();
  const directory = (await import('node:fs')).mkdtempSync(
    (await import('node:path')).join((await import('node:os')).tmpdir(), 'waypost-mail-'),
  );
  const { smtpUrl } = { smtpUrl: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}` };
  at = await tryStation({ data: directory });
  admin = await at.signIn();
  const { id: user } = (await at.ask('GET', '/users/current', { as: admin })).json();
  await at.ask('PUT', `/users/${user}`, { as: admin, body: { email: 'desk@example.org' } });
  const id = await task(1);
  await update(id, { assigned_status: 4 });
  await expect.poll(async () => (await mailsOf(id)).length).toBe(1);
  expect(await mailsOf(id)).toMatchObject([
    {
      state: 'waiting',
      attempts: 0,
      nextAt: null,
      error: 'No mail server is set (WAYPOST_SMTP_URL), so nothing is sent.',
    },
  ]);
  await at.stop();
  at = await tryStation({ data: directory, smtpUrl });
  admin = await at.signIn();
  await settled(id, 1);
  expect(addresses()).toEqual(['desk@example.org']);
  expect((await mailsOf(id)).length).toBe(1);
});

function encodedWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?(q|b)\?(.*?)\?=/gi, (_all, kind: string, encoded: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(encoded, 'base64').toString('latin1')
        : encoded
            .replace(/_/g, ' ')
            .replace(/=([0-9A-F]{2})/gi, (_hex, digits: string) => String.fromCharCode(parseInt(digits, 16))),
    )
    .replace(/[\u0080-\u00ff]+/g, (bytes) => Buffer.from(bytes, 'latin1').toString());
}

function quotedPrintable(text: string, head: string): string {
  if (!/quoted-printable/i.test(head)) return text;
  return Buffer.from(
    text
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_all, digits: string) => String.fromCharCode(parseInt(digits, 16))),
    'latin1',
  ).toString();
}

let anna: { id: number; token: string };

test('who watches a task gets mail of what others do, whatever the task asks for; of the own doing none', async () => {
  anna = await at.newUser('anna', 'Dispatcher', { email: 'anna@example.org', fio: 'Anna Weber' });
  const id = await task(0);
  await at.ok('PUT', `/news/${id}/watch`, { as: anna.token });
  await at.ok('POST', `/news/${id}/comments`, { as: anna.token, body: { comment: 'My own words' } });
  await at.ok('POST', `/news/${id}/comments`, { as: admin, body: { comment: 'The saw is on its way' } });
  await settled(id, 1);
  expect(received).toMatchObject([{ to: 'anna@example.org', subject: `Task ${id}: a comment (Tree across the road)` }]);
  expect(received[0]!.body).toContain('The saw is on its way');
  expect(received[0]!.body).toContain('because you watch the task');
  await at.ok('DELETE', `/news/${id}/watch`, { as: anna.token });
  await at.ok('POST', `/news/${id}/comments`, { as: admin, body: { comment: 'Not for watchers' } });
  await update(id, { notice: 1, assigned_status: 3 });
  await settled(id, 2);
  expect(received.filter(({ body }) => body.includes('Not for watchers'))).toEqual([]);
});

test('whom a comment names gets one mail that says so, also where the task sends notices by itself', async () => {
  const id = await task(1);
  await at.ok('POST', `/news/${id}/comments`, { as: admin, body: { comment: 'Can you look, @anna? @anna!' } });
  await settled(id, 2);
  const named = received.filter(({ to }) => to === 'anna@example.org');
  expect(named).toMatchObject([{ subject: expect.stringMatching(/named you in a comment/) as string }]);
  expect(named[0]!.body).toContain('You watch the task from now on');
  expect(received.find(({ to }) => to === 'desk@example.org')!.subject).toContain('a comment');
  received.length = 0;
  await at.ok('POST', `/news/${id}/comments`, { as: anna.token, body: { comment: 'On it, @admin' } });
  await settled(id, 3);
  expect(received).toMatchObject([{ to: 'desk@example.org' }]);
  expect(received[0]!.subject).toContain('Anna Weber named you');
});
