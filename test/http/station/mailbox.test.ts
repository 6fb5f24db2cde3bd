import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Dovecot, HAS_DOVECOT, MAILBOX_LOGIN } from '../../support/dovecot.ts';
import { tryStation, type TryStation } from '../try-station.ts';

let at: TryStation;
let as: string;
let deskId: number;
let typeId: number;
beforeAll(async () => {
  at = await tryStation();
  as = await at.signIn();
  typeId = await at.taskType(as);
  ({ id: deskId } = await at.newUser('desk', 'Administrator', { email: 'nina@town.example' }));
});
afterAll(() => at.stop());

const ok = (method: string, path: string, body?: unknown) => at.ok(method, path, { as, body });
const mail = (head: Record<string, string>, text = 'The hydrant leaks.') =>
  [
    ...Object.entries({
      'From': 'Ann Lee <ann@town.example>',
      'To': 'Desk <desk@station.example>',
      'Subject': 'Leak in Mill Lane',
      'Date': 'Fri, 27 Nov 2026 10:00:00 +0100',
      'Message-ID': `<${crypto.randomUUID()}@town.example>`,
      ...head,
    }).map(([name, value]) => `${name}: ${value}`),
    '',
    text,
    '',
  ].join('\n');
const fateOf = async (head: Record<string, string>, text?: string) =>
  (await ok('POST', '/mailbox/preview', { mail: mail(head, text) }))[0];
const RULES = () => [
  { name: 'Alarm panels', from: '@panel.example', takesAutomatic: true, newsTypeId: typeId, priority: 1 },
  { name: 'Water', subject: 'leak*lane', newsTypeId: typeId },
  { name: 'To the desk', to: 'desk@station.example', newsTypeId: typeId },
];

describe('what would become of a mail', () => {
  beforeAll(() => ok('PUT', '/mailbox/settings', { rules: RULES(), userId: deskId, login: MAILBOX_LOGIN.login }));

  test('the first rule that fits makes a task of it', async () => {
    expect(await fateOf({})).toMatchObject({ state: 'task', rule: 'Water', title: 'Leak in Mill Lane' });
    expect(await fateOf({ Subject: 'Noise' })).toMatchObject({ state: 'task', rule: 'To the desk', title: 'Noise' });
    expect(await fateOf({ Subject: 'Noise', To: 'other@station.example' })).toMatchObject({ state: 'noRule' });
  });

  test('what programs answer becomes nothing, and what they write only where a rule takes it', async () => {
    const answers: Record<string, string>[] = [
      { 'Auto-Submitted': 'auto-replied (vacation)' },
      { 'Return-Path': '<>' },
      { Precedence: 'auto_reply' },
      { From: 'MAILER-DAEMON@town.example' },
      { 'Content-Type': 'multipart/report; report-type=delivery-status; boundary=x' },
    ];
    for (const head of answers) expect((await fateOf(head)).state, JSON.stringify(head)).toBe('answering');
    expect((await fateOf({ From: MAILBOX_LOGIN.login })).state).toBe('own');
    expect((await fateOf({ 'Auto-Submitted': 'auto-generated' })).state).toBe('automatic');
    expect((await fateOf({ 'List-Id': '<news.town.example>' })).state).toBe('automatic');
    const panel = { 'From': 'unit7@panel.example', 'Auto-Submitted': 'auto-generated' };
    expect(await fateOf(panel)).toMatchObject({ state: 'task', rule: 'Alarm panels' });
  });

  test('text without headers, wrong settings and a mailbox that is away are refused', async () => {
    const refused = async (method: string, path: string, body: unknown) => {
      const { status, headers } = await at.ask(method, path, { as, body });
      return [status, headers.get('Waypost-Refusal')];
    };
    expect(await refused('POST', '/mailbox/preview', { mail: '' })).toEqual([400, 'mailbox.noMail']);
    expect(await refused('POST', '/mailbox/preview', {})).toEqual([409, 'mailbox.off']);
    expect(await refused('PUT', '/mailbox/settings', { enabled: true, userId: 999_999 })).toEqual([
      400,
      'field.unknown',
    ]);
    const rules = [{ name: 'x', newsTypeId: 999_999 }];
    expect(await refused('PUT', '/mailbox/settings', { rules })).toEqual([400, 'field.unknown']);
    const viewer = await at.newUser('ivan', 'Viewer');
    expect((await at.ask('GET', '/mailbox/settings', { as: viewer.token })).status).toBe(403);
  });
});

describe.skipIf(!HAS_DOVECOT)('a mailbox on Dovecot', () => {
  let dovecot: Dovecot;
  const settings = (more: object = {}) =>
    ok('PUT', '/mailbox/settings', {
      ...{ enabled: true, host: '127.0.0.1', port: dovecot.port, security: 'none', ...MAILBOX_LOGIN, userId: deskId },
      ...{ rules: RULES(), ...more },
    });
  const taken = async () => await ok('GET', '/mailbox/mails');
  const health = async () => ((await ok('GET', '/health')).problems ?? []).map(({ code }: { code: string }) => code);
  beforeAll(async () => {
    dovecot = await Dovecot.start();
  });
  afterAll(() => dovecot.close());

  test('unread mail is shown before anything is taken, then becomes tasks with its files, and is marked as read', async () => {
    const boundary = 'part';
    const multipart = [
      ...['--part', 'Content-Type: text/plain; charset=koi8-r', 'Content-Transfer-Encoding: base64', ''],
      Buffer.from([0xf0, 0xcf, 0xd4, 0xcf, 0xd0]).toString('base64'),
      ...[
        '--part',
        'Content-Type: text/csv; name="list.csv"',
        'Content-Disposition: attachment; filename="list.csv"',
        '',
      ],
      'a;b',
      '--part--',
    ].join('\n');
    const id = '<first@town.example>';
    dovecot.deliver(
      mail(
        { 'Message-ID': id, 'Content-Type': `multipart/mixed; boundary=${boundary}`, 'MIME-Version': '1.0' },
        multipart,
      ),
    );
    await settings({ enabled: false });
    expect(await ok('POST', '/mailbox/preview', {})).toMatchObject([
      { state: 'task', rule: 'Water', text: 'Потоп', files: ['list.csv'], known: false },
    ]);
    expect(dovecot.counts).toEqual({ read: 0, unread: 1 });

    await settings();
    await expect.poll(() => dovecot.counts).toEqual({ read: 1, unread: 0 });
    const [{ newsId }] = await taken();
    const task = (await ok('GET', `/news/${newsId}`)).news_data;
    expect(task).toMatchObject({ title: 'Leak in Mill Lane', text: 'Потоп' });
    expect(task.system_data).toContain('From: Ann Lee <ann@town.example>');
    expect((await ok('GET', `/news/${newsId}/files`)).files).toMatchObject([{ name: 'list.csv' }]);
  });

  test('a reply becomes a comment, without what it quotes; so does a mail of the sender that names the task', async () => {
    const [{ newsId }] = await taken();
    const quote =
      'It is worse now, @desk.\n\nOn Fri, 27 Nov 2026 at 10:00, Ann <ann@town.example> wrote:\n> The hydrant leaks.';
    dovecot.deliver(
      mail({ 'From': 'bob@town.example', 'Subject': 'Re: Leak', 'In-Reply-To': '<first@town.example>' }, quote),
    );
    dovecot.deliver(mail({ Subject: `Re: Task ${newsId}: done` }, 'Thank you.'));
    dovecot.deliver(mail({ From: 'nina@town.example', Subject: `[#${newsId}] mine` }, 'From a user.'));
    dovecot.deliver(
      mail({ From: 'eve@else.example', Subject: `Re: Task ${newsId}: done` }, 'A stranger names a number.'),
    );
    await expect.poll(() => dovecot.counts).toEqual({ read: 5, unread: 0 });
    const { comments } = await ok('GET', `/news/${newsId}/comments`);
    expect(comments.map(({ comment }: { comment: string }) => comment)).toEqual([
      'bob@town.example:\nIt is worse now, @\u200Bdesk.',
      'Ann Lee <ann@town.example>:\nThank you.',
      'nina@town.example:\nFrom a user.',
    ]);
    expect((await taken())[0]).toMatchObject({ from: 'eve@else.example', state: 'task' });
  });

  test('of two copies of a mail one counts; another mail behind the same Message-ID counts, too', async () => {
    const before = (await taken()).length;
    const copy = mail({ 'Message-ID': '<twice@town.example>' });
    dovecot.deliver(copy);
    dovecot.deliver(copy);
    dovecot.deliver(mail({ 'Message-ID': '<twice@town.example>', 'From': 'carl@town.example' }));
    await expect.poll(() => dovecot.counts.unread).toBe(0);
    expect((await taken()).length - before).toBe(2);
  });

  test('a flood of one sender waits unread, others go on, and health says so', async () => {
    const before = (await taken()).length;
    await settings({ senderPerHour: 3 });
    for (let count = 0; count < 5; count++)
      dovecot.deliver(mail({ From: 'flood@else.example', Subject: `Leak ${count} lane` }));
    dovecot.deliver(mail({ From: 'dora@town.example' }));
    await expect.poll(() => dovecot.counts.unread).toBe(2);
    await expect.poll(health).toContain('mailbox.waiting');
    expect((await taken()).length - before).toBe(4);
    await settings({ senderPerHour: 30 });
    await expect.poll(() => dovecot.counts.unread).toBe(0);
  });

  test('a mail that no task can be made of stays unread until it can', async () => {
    const { newstype } = await ok('POST', '/newstype', { name: 'Going' });
    const id = Number(newstype.news_type_id);
    await settings({ rules: [{ name: 'All', newsTypeId: id }] });
    await ok('DELETE', `/newstype/${id}`);
    dovecot.deliver(mail({ From: 'late@town.example' }));
    await expect.poll(health).toContain('mailbox.waiting');
    expect(dovecot.counts.unread).toBe(1);
    await settings();
    await expect.poll(() => dovecot.counts.unread).toBe(0);
    await expect.poll(health).not.toContain('mailbox.waiting');
  });

  test('hostile mail does no harm, and what follows it is taken', async () => {
    const nested = Array.from(
      { length: 300 },
      (_, depth) => `--b${depth}\nContent-Type: multipart/mixed; boundary=b${depth + 1}\n`,
    );
    dovecot.deliver(mail({ 'From': 'a@x.example', 'Content-Type': 'multipart/mixed; boundary=b0' }, nested.join('\n')));
    dovecot.deliver(mail({ 'From': 'b@x.example', 'Content-Type': 'text/html' }, '<div>'.repeat(50_000)));
    dovecot.deliver(
      mail({ From: 'c@x.example', Subject: `=?utf-8?B?${Buffer.from('\0\u202Ehi').toString('base64')}?=` }),
    );
    dovecot.deliver('no header at all');
    dovecot.deliver(mail({ From: 'after@town.example' }));
    await expect
      .poll(async () => (await taken()).map(({ from }: { from: string }) => from))
      .toContain('after@town.example');
    expect((await ok('GET', '/health')).status).toBeDefined();
  });

  test('health says when the mailbox cannot be reached, and mail is taken when it can be again', async () => {
    await dovecot.stop();
    await expect.poll(health).toContain('mailbox.unreachable');
    expect((await at.ask('POST', '/mailbox/preview', { as, body: {} })).status).toBe(409);
    dovecot.deliver(mail({ From: 'again@town.example' }));
    await dovecot.start();
    await expect
      .poll(async () => (await taken()).map(({ from }: { from: string }) => from))
      .toContain('again@town.example');
    await expect.poll(health).not.toContain('mailbox.unreachable');
    await settings({ secret: 'wrong' });
    await expect.poll(health).toContain('mailbox.unreachable');
  });
});
