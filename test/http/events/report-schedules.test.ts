import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

/** Reports by mail (rules 12 to 16 of server/reporting/notify), with a real mail server. */
const received: { to: string; text: string }[] = [];
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, session, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      received.push({ to: session.envelope.rcptTo[0]!.address, text: Buffer.concat(chunks).toString() });
      done();
    });
  },
});

let directory: string;
let at: TryStation;
let admin: string;
let dispatcher: { id: number; token: string };
const smtpUrl = () => `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`;

beforeAll(async () => {
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', () => resolve()));
  directory = mkdtempSync(join(tmpdir(), 'waypost-schedules-'));
  at = await tryStation({ data: directory, smtpUrl: smtpUrl() });
  admin = await at.signIn();
  dispatcher = await at.newUser('anna', 'Dispatcher', { email: 'anna@example.org', fio: 'Anna Weber' });
  await at.ok('POST', '/cars', { as: admin, body: { name: 'Van 1' } });
});
afterAll(async () => {
  await at.stop();
  rmSync(directory, { recursive: true, force: true });
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
});
beforeEach(() => (received.length = 0));

const ask = (method: string, path: string, body?: unknown, as = admin) => at.ask(method, path, { as, body });
const ok = (method: string, path: string, body?: unknown, as = admin) => at.ok(method, path, { as, body });
const weekly = {
  name: 'Mileage of the week',
  report: 'mileage',
  every: 'week',
  day: 1,
  minute: 420,
  tz: 'Europe/Moscow',
};
const one = async (id: number) =>
  (await ok('GET', '/reports/schedules')).find((each: { id: number }) => each.id === id);
const sent = (id: number, count: number) => expect.poll(async () => (await one(id)).last?.sent).toBe(count);

test('a report goes out at once by hand, to people and addresses, each once, as a file of its period', async () => {
  const body = { ...weekly, userIds: [dispatcher.id], addresses: ['chief@example.org', 'Anna@Example.org'] };
  const { id, next, last } = await ok('POST', '/reports/schedules', body);
  expect(last).toBeNull();
  expect(next).toBeGreaterThan(Date.now());
  const queued = await ok('POST', `/reports/schedules/${id}/send`);
  expect(queued.last).toMatchObject({ mails: 2, problem: null });
  expect(queued.next).toBe(next);
  await sent(id, 2);
  expect(received.map(({ to }) => to.toLowerCase()).sort()).toEqual(['anna@example.org', 'chief@example.org']);
  expect(received[0]!.text).toMatch(/filename="?mileage-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.xlsx/);
  const file = /\r\n\r\n([A-Za-z0-9+/=\r\n]+)\r\n--/.exec(
    received[0]!.text.slice(received[0]!.text.indexOf('filename')),
  )!;
  expect(Buffer.from(file[1]!, 'base64').subarray(0, 2).toString()).toBe('PK');
  expect((await ok('GET', '/notify/mail')).slice(0, 2)).toMatchObject([{ newsId: 0, state: 'sent' }, { newsId: 0 }]);
  expect((await ask('DELETE', `/reports/schedules/${id}`)).status).toBe(200);
});

test('a change and a send at the same time both count; one that is removed meanwhile is refused', async () => {
  const body = { ...weekly, addresses: ['chief@example.org'] };
  const { id } = await ok('POST', '/reports/schedules', body);
  await Promise.all([
    ok('PUT', `/reports/schedules/${id}`, { ...body, name: 'Another name' }),
    ok('POST', `/reports/schedules/${id}/send`),
    ok('POST', `/reports/schedules/${id}/send`),
  ]);
  expect(await one(id)).toMatchObject({ name: 'Another name', last: { mails: 1 } });
  const [sending, removed] = await Promise.all([
    ask('POST', `/reports/schedules/${id}/send`),
    ask('DELETE', `/reports/schedules/${id}`),
  ]);
  expect([sending.status, removed.status]).toEqual([404, 200]);
});

test.each([
  ['pdf', 'application/pdf'],
  ['csv', 'text/csv'],
])('as %s in Russian', async (form, type) => {
  const body = { ...weekly, name: 'Пробег', form, lang: 'ru', addresses: ['chief@example.org'] };
  const { id } = await ok('POST', '/reports/schedules', body);
  await ok('POST', `/reports/schedules/${id}/send`);
  await sent(id, 1);
  expect(received.filter(({ text }) => text.includes(type))).toHaveLength(1);
  expect((await ask('DELETE', `/reports/schedules/${id}`)).status).toBe(200);
});

test.each([
  [{ every: 'week', day: 8 }, 'reports.scheduleDay'],
  [{ addresses: ['nobody'] }, 'reports.mailAddress'],
  [{ addresses: ['a@example.org, b@example.org'] }, 'reports.mailAddress'],
  [{ addresses: [] }, 'field.empty'],
  [{ userIds: [999_999] }, 'field.unknown'],
  [{ cars: [999_999] }, 'field.unknown'],
  [{ groups: [999_999] }, 'field.unknown'],
  [{ tz: 'Mars/Olympus' }, 'field.timeZone'],
  [{ minute: 1_440 }, 'field.wholeRange'],
  [{ report: 'gossip' }, undefined],
  [{ name: '  ' }, undefined],
])('%j is refused', async (wrong, code) => {
  const answered = await ask('POST', '/reports/schedules', { ...weekly, addresses: ['chief@example.org'], ...wrong });
  expect(answered.status).toBe(400);
  if (code !== undefined) expect(answered.headers.get('waypost-refusal')).toBe(code);
  expect(await ok('GET', '/reports/schedules')).toEqual([]);
});

test('administrators alone set reports up, each for their organization', async () => {
  expect((await ask('GET', '/reports/schedules', undefined, dispatcher.token)).status).toBe(403);
  const { id: organizationId } = await ok('POST', '/organizations', { name: 'Roads' });
  const { id: groupId } = await ok('POST', '/rights', { name: 'Head', admin: true, organizationId });
  const head = await at.newUser('head', 'Head', { groupId, organizationId });
  const { id } = await ok('POST', '/reports/schedules', { ...weekly, addresses: ['chief@example.org'] });
  expect(await ok('GET', '/reports/schedules', undefined, head.token)).toEqual([]);
  for (const [method, path] of [
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/send'],
  ] as const) {
    const body = method === 'PUT' ? { ...weekly, addresses: ['x@example.org'] } : undefined;
    expect((await ask(method, `/reports/schedules/${id}${path}`, body, head.token)).status).toBe(404);
  }
  expect((await ask('DELETE', `/reports/schedules/${id}`)).status).toBe(200);
  expect((await ask('DELETE', `/reports/schedules/${id}`)).status).toBe(404);
});

test('a superuser who changes a report leaves it to its owner, whose vehicles alone are in it', async () => {
  const { id: organizationId } = await ok('POST', '/organizations', { name: 'Parks' });
  const { id: groupId } = await ok('POST', '/rights', { name: 'Head of parks', admin: true, organizationId });
  const head = await at.newUser('parks', 'Head of parks', { groupId, organizationId });
  const body = { ...weekly, addresses: ['chief@example.org'] };
  const { id } = await ok('POST', '/reports/schedules', body, head.token);
  expect(await ok('PUT', `/reports/schedules/${id}`, { ...body, minute: 480 })).toMatchObject({
    minute: 480,
    ownerId: head.id,
  });
  const [van] = await ok('GET', '/cars');
  const refused = await ask('PUT', `/reports/schedules/${id}`, { ...body, cars: [van.id] });
  expect([refused.status, refused.headers.get('waypost-refusal')]).toEqual([400, 'field.unknown']);
  await ok('PUT', `/users/${head.id}`, { enabled: false });
  const taken = await ok('PUT', `/reports/schedules/${id}`, { ...body, cars: [van.id] });
  expect(taken.ownerId).not.toBe(head.id);
  expect((await ask('DELETE', `/reports/schedules/${id}`)).status).toBe(200);
});

test('what is due goes out by itself, once, also when the station was off at its time', async () => {
  const minute = new Date(Date.now() - 3_600_000).getUTCHours() * 60 + new Date().getUTCMinutes();
  const daily = { ...weekly, every: 'day', minute, tz: 'UTC', addresses: ['chief@example.org'] };
  const { id } = await ok('POST', '/reports/schedules', daily);
  expect((await one(id)).last).toBeNull(); // its time was before it was set up
  const restart = async (change = (_sql: DatabaseSync): void => undefined) => {
    await at.stop();
    const sql = new DatabaseSync(join(directory, 'station.db'));
    change(sql);
    sql.close();
    at = await tryStation({ data: directory, smtpUrl: smtpUrl() });
    admin = await at.signIn();
  };
  // One by hand takes the place of none.
  const byHand = (await ok('POST', `/reports/schedules/${id}/send`)).last;
  await sent(id, 1);
  received.length = 0;
  // As if it had been set up three days ago, and the station had been off since.
  await restart((sql) => sql.exec('UPDATE report_schedules SET since = since - 259200000'));
  await expect.poll(async () => (await one(id)).last.at).not.toBe(byHand.at);
  await sent(id, 1);
  expect((await one(id)).last.at).toBeLessThanOrEqual(Date.now());
  await restart();
  await expect.poll(async () => (await one(id)).last.sent).toBe(1);
  expect(received).toHaveLength(1);
  expect(readdirSync(join(directory, 'reports')).filter((name) => name.endsWith('.part'))).toEqual([]);
  // One whose report can no longer be made says so and waits for its next time.
  await ok('PUT', `/users/${dispatcher.id}`, { enabled: false });
  await restart((sql) => sql.exec(`UPDATE report_schedules SET last = NULL, owner_id = ${dispatcher.id}`));
  await expect.poll(async () => (await one(id)).last?.problem?.refusal.code).toBe('reports.ownerGone');
  expect(received).toHaveLength(1);
});
