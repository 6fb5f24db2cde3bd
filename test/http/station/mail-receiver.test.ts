import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Chance, SEED } from '../../support/chance.ts';
import { freePorts } from '../../support/free-ports.ts';
import { tryStation, type TryStation } from '../try-station.ts';

let at: TryStation;
let as: string;
let deskId: number;
let typeId: number;
let port: number;
const ok = (method: string, path: string, body?: unknown) => at.ok(method, path, { as, body });
const set = (receiver: object, more: object = {}) => ok('PUT', '/mailbox/settings', { receiver, ...more });
const mails = () => ok('GET', '/mailbox/mails') as Promise<{ subject: string; state: string; newsId: number }[]>;
const newest = async () => (await mails())[0]!;
const subjects = async () => (await mails()).map(({ subject }) => subject);

beforeAll(async () => {
  [port] = (await freePorts(1)) as [number];
  at = await tryStation({ tlsPort: 0 });
  as = await at.signIn();
  typeId = await at.taskType(as);
  ({ id: deskId } = await at.newUser('desk', 'Administrator'));
});
afterAll(() => at.stop());
beforeEach(() =>
  set(
    { enabled: true, host: '127.0.0.1', port, recipients: ['@station.example'], networks: ['127.0.0.0/8'] },
    { userId: deskId, senderPerHour: 1_000, perHour: 10_000, rules: [{ name: 'All', newsTypeId: typeId }] },
  ),
);

/** Nodemailer, as a mail server or a program sends. Resolves with the answer to the mail. */
async function send(mail: SendMailOptions, options: object = {}): Promise<string> {
  const transport = createTransport({ host: '127.0.0.1', port, tls: { rejectUnauthorized: false }, ...options });
  try {
    const sent = await transport.sendMail({ from: 'ann@town.example', to: 'desk@station.example', text: 'x', ...mail });
    return sent.response;
  } finally {
    transport.close();
  }
}
const codeOf = (mail: SendMailOptions, options?: object) =>
  send(mail, options).then(
    (answer) => Number(answer.slice(0, 3)),
    ({ responseCode }: { responseCode?: number }) => responseCode,
  );

describe('mail by SMTP', () => {
  test('a mail is confirmed when its task is there, with its files, and makes one task however often it comes', async () => {
    const mail = {
      ...{ messageId: '<leak@town.example>', date: new Date(), subject: 'Leak', text: 'The hydrant leaks.' },
      attachments: [{ filename: 'list.csv', content: 'a;b' }],
    };
    expect(await send(mail)).toMatch(/^250 /);
    const { newsId, state } = await newest();
    expect(state).toBe('task');
    expect((await ok('GET', `/news/${newsId}`)).news_data).toMatchObject({ title: 'Leak', text: 'The hydrant leaks.' });
    expect((await ok('GET', `/news/${newsId}/files`)).files).toMatchObject([{ name: 'list.csv' }]);
    expect(await send(mail)).toMatch(/^250 /);
    expect(await send({ subject: 'Re: Leak', text: 'It is worse.', inReplyTo: mail.messageId })).toMatch(/^250 /);
    expect((await mails()).map((one) => [one.state, one.newsId])).toEqual([
      ['comment', newsId],
      ['task', newsId],
    ]);
  });

  test('curl delivers, and a rule reads the receiver of the envelope, whom the mail does not name', async () => {
    await set({}, { rules: [{ name: 'Panel', to: 'panel@station.example', newsTypeId: typeId }] });
    const child = execFile('curl', [
      ...['--silent', '--show-error', '--url', `smtp://127.0.0.1:${port}`, '--upload-file', '-'],
      ...['--mail-from', 'unit7@town.example', '--mail-rcpt', 'panel@station.example'],
    ]);
    child.stdin!.end(
      'From: unit7@town.example\r\nTo: undisclosed-recipients:;\r\nSubject: Fire alarm\r\n\r\n.Zone 3\r\n',
    );
    const said = text(child.stderr!);
    expect([await once(child, 'close'), await said]).toEqual([[0, null], '']);
    const { newsId, subject } = await newest();
    expect(subject).toBe('Fire alarm');
    expect((await ok('GET', `/news/${newsId}`)).news_data.text).toBe('.Zone 3');
  });

  test('a report of delivery, which has no sender, becomes nothing', async () => {
    expect(await send({ subject: 'Undelivered', envelope: { from: '', to: 'desk@station.example' } })).toMatch(/^250 /);
    expect(await newest()).toMatchObject({ subject: 'Undelivered', state: 'answering' });
  });

  test('other receivers and other networks are refused, and nothing is relayed', async () => {
    expect(await codeOf({ to: 'else@town.example' })).toBe(550);
    await set({ networks: ['192.0.2.0/24', '::1'] });
    expect(await codeOf({})).toBe(554);
    await set({ networks: ['127.0.0.1'] });
    expect(await codeOf({ subject: 'From here' })).toBe(250);
  });

  test('beyond the limits of an hour the sender keeps the mail, and so it does while no task can be made of it', async () => {
    await set({}, { senderPerHour: 1 });
    const [first, second] = ['first', 'second'].map((subject) => ({ subject, from: 'eve@else.example' }));
    expect([await codeOf(first!), await codeOf(second!)]).toEqual([250, 451]);
    await set({}, { senderPerHour: 100 });
    expect(await codeOf(second!)).toBe(250);

    await ok('PUT', `/users/${deskId}`, { enabled: false });
    expect(await codeOf({ subject: 'third' })).toBe(451);
    await ok('PUT', `/users/${deskId}`, { enabled: true });
    expect(await codeOf({ subject: 'third' })).toBe(250);
    expect((await subjects()).slice(0, 3)).toEqual(['third', 'second', 'first']);
  });

  test('STARTTLS shows the certificate of the station', async () => {
    const tls = { ca: [at.station.http.certificate!.cert], checkServerIdentity: () => undefined };
    expect(await codeOf({ subject: 'Sealed' }, { requireTLS: true, tls })).toBe(250);
    await expect(send({}, { requireTLS: true, tls: { ca: [] } })).rejects.toThrow('self-signed certificate');
  });

  test('a port that is taken is a problem that the settings and /health name', async () => {
    await set({ port: at.station.http.main.port });
    const problem = expect.stringMatching(/^Mail cannot be received by SMTP: .*EADDRINUSE/);
    expect((await ok('GET', '/mailbox/settings')).problems).toEqual([problem]);
    expect((await ok('GET', '/health')).problems).toContainEqual(expect.objectContaining({ code: 'mailbox.deaf' }));
    await set({ port });
    expect((await ok('GET', '/mailbox/settings')).problems).toEqual([]);
  });

  test('wrong settings are refused', async () => {
    for (const receiver of [
      { host: 'everywhere' },
      { port: 0 },
      { networks: ['10.0.0.0/40'] },
      { recipients: [''] },
      { enabled: 'perhaps' },
    ])
      expect(
        (await at.ask('PUT', '/mailbox/settings', { as, body: { receiver } })).status,
        JSON.stringify(receiver),
      ).toBe(400);
    expect((await at.ask('PUT', '/mailbox/settings', { as, body: { userId: 999_999 } })).status).toBe(400);
  });
});

describe('senders that do what they should not', () => {
  /** Says this after the greeting, then breaks off; resolves with what the receiver said. */
  async function say(...parts: (string | Buffer)[]): Promise<string> {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const heard = text(socket).catch(() => '');
    // Who speaks before the greeting is refused at once.
    await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
    for (const part of parts) if (!socket.destroyed) socket.write(part);
    socket.end();
    return heard;
  }
  const BEFORE = ['EHLO me\r\n', 'MAIL FROM:<a@town.example>\r\n', 'RCPT TO:<desk@station.example>\r\n', 'DATA\r\n'];

  test('a mail that is longer than it says, and than is taken, is refused, and none of it is kept', async () => {
    const line = Buffer.from(`${'x'.repeat(997)}\r\n`);
    const body = Buffer.concat(Array.from({ length: 41_000 }, () => line));
    const lied = BEFORE.with(1, 'MAIL FROM:<a@town.example> SIZE=100\r\n');
    const before = await mails();
    expect(await say(...lied, 'Subject: Long\r\n\r\n', body, '\r\n.\r\nQUIT\r\n')).toMatch(/^552 /m);
    expect(await say(...BEFORE.with(1, 'MAIL FROM:<a@town.example> SIZE=50000000\r\n'))).toMatch(/^552 /m);
    expect(await mails()).toEqual(before);
  });

  test(`others are served while 300 senders break the rules (seed ${SEED})`, async () => {
    const chance = new Chance();
    const before = (await mails()).length;
    const junk = (length: number) => Buffer.from(Array.from({ length }, () => chance.int(256)));
    const WORDS = [
      'EHLO',
      'MAIL FROM:',
      'RCPT TO:',
      'DATA',
      'BDAT 5 LAST',
      'AUTH PLAIN',
      'STARTTLS',
      'XCLIENT',
      'NOOP',
    ];
    const wrong: (() => (string | Buffer)[])[] = [
      () => [junk(chance.int(5_000))],
      () => Array.from({ length: 20 }, () => `${chance.of(WORDS)} ${junk(chance.int(20)).toString('latin1')}\r\n`),
      () => ['A'.repeat(200_000)],
      () => [...BEFORE, 'Subject: Never ended\r\n\r\n', junk(chance.int(2_000))],
      () => [...BEFORE, junk(chance.int(2_000)), '\r\n.\r\n'],
      () => [BEFORE[0]!, ...Array.from({ length: 150 }, () => 'RCPT TO:<desk@station.example>\r\n')],
      () => ['STARTTLS\r\n', junk(500)],
    ];
    const others: Promise<number | undefined>[] = [];
    for (let round = 0; round < 30; round++) {
      const group = Array.from({ length: 10 }, () => say(...chance.of(wrong)()));
      others.push(codeOf({ subject: `Between ${round}` }));
      await Promise.all([...group, others.at(-1)]);
    }
    expect(new Set(await Promise.all(others))).toEqual(new Set([250]));
    const made = (await subjects()).slice(0, -before);
    expect(made).toEqual(expect.arrayContaining(Array.from({ length: 30 }, (_, round) => `Between ${round}`)));
    expect(made).not.toContain('Never ended');
  });
});
