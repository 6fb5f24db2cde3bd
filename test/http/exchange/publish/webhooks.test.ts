import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Chance } from '../../../support/chance.ts';
import { SEED } from '../../../support/chance.ts';
import { tryStation } from '../../try-station.ts';
import type { TryStation } from '../../try-station.ts';

let at: TryStation;
let admin: string;
let type: number;

beforeAll(async () => {
  at = await tryStation();
  admin = await at.signIn();
  type = await at.taskType(admin);
});
afterAll(() => at.stop());

interface Message {
  readonly id: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A receiver that records what it takes. `answer` chooses its status; 0 cuts the connection. */
class Receiver {
  readonly messages: Message[] = [];
  readonly attempts: string[] = [];
  answer: (message: Message) => number | Promise<number> = () => 204;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#take(request).then((status) => {
        if (status === 0) return void request.socket.destroy();
        response.writeHead(status).end(status === 204 ? undefined : 'not now');
      });
    });
  }

  async #take(request: IncomingMessage): Promise<number> {
    const chunks = (await request.toArray()) as Buffer[];
    const headers = request.headers as Record<string, string>;
    const message = { id: headers['webhook-id']!, headers, body: Buffer.concat(chunks).toString() };
    this.attempts.push(message.id);
    const status = await this.answer(message);
    if (status === 204) this.messages.push(message);
    return status;
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/in`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get payloads(): { type: string; data: Record<string, never> }[] {
    return this.messages.map(({ body }) => JSON.parse(body) as never);
  }
}

async function withReceiver(work: (receiver: Receiver, url: string) => Promise<void>): Promise<void> {
  const receiver = new Receiver();
  const url = await receiver.start();
  try {
    await work(receiver, url);
  } finally {
    for (const { id } of await at.ok('GET', '/webhooks', { as: admin }))
      await at.ask('DELETE', `/webhooks/${id}`, { as: admin });
    await receiver.stop();
  }
}

const makeTask = async (title: string): Promise<number> =>
  Number(
    (await at.ok('POST', '/news/', { as: admin, body: { action: 'put', values: { title, news_type_id: type } } }))
      .newsId,
  );
const rename = (id: number, title: string) => at.ok('POST', `/news/${id}/update`, { as: admin, body: { title } });
const TASKS = ['task.created', 'task.changed', 'task.deleted', 'comment.created'];

test('a receiver gets signed messages, as another implementation of the standard verifies them', async () => {
  await withReceiver(async (receiver, url) => {
    const body = { name: 'Board', url, types: TASKS };
    const { secret, id: webhook } = await at.ok('POST', '/webhooks', { as: admin, body });
    const id = await makeTask('Fallen tree');
    await rename(id, 'Fallen tree on a car');
    await expect.poll(() => receiver.payloads.map(({ type }) => type)).toEqual(['task.created', 'task.changed']);
    for (const { body: text, headers } of receiver.messages)
      expect(new Verifier(secret).verify(text, headers)).toMatchObject({ data: { news: { id: String(id) } } });
    expect(receiver.payloads[1]!.data).toMatchObject({ changed: ['title'], news: { title: 'Fallen tree on a car' } });
    const forged = receiver.messages[0]!;
    expect(() => new Verifier(secret).verify(`${forged.body} `, forged.headers)).toThrow();
    const renewed = await at.ok('POST', `/webhooks/${webhook}/secret`, { as: admin });
    expect(renewed.secret).not.toBe(secret);
    await at.ok('POST', `/webhooks/${webhook}/test`, { as: admin });
    await expect.poll(() => receiver.messages.length).toBe(3);
    const { body: text, headers } = receiver.messages[2]!;
    expect(new Verifier(renewed.secret).verify(text, headers)).toMatchObject({ type: 'webhook.test' });
    expect(JSON.stringify(await at.ok('GET', '/webhooks', { as: admin }))).not.toContain('whsec_');
    expect(JSON.stringify(await at.ok('GET', '/audit?limit=20', { as: admin }))).not.toContain('whsec_');
  });
});

test(`from a receiver that fails half of the time nothing is missing and each task is in order (WAYPOST_SEED=${SEED})`, async () => {
  await withReceiver(async (receiver, url) => {
    const chance = new Chance(SEED);
    receiver.answer = async () => {
      const kind = chance.next();
      if (kind < 0.1) return 0;
      if (kind < 0.4) return chance.of([500, 503, 429, 404, 302]);
      return 204;
    };
    const { id: webhook } = await at.ok('POST', '/webhooks', {
      as: admin,
      body: { name: 'Failing', url, types: TASKS },
    });
    const ids = await Promise.all(Array.from({ length: 6 }, (_, index) => makeTask(`Task ${index}`)));
    for (let round = 0; round < 4; round++) await Promise.all(ids.map((id) => rename(id, `Round ${round}`)));
    // Deliveries that wait long for their next attempt go out at once, as an administrator may wish. One that is due
    // soon could be sent before the wish comes, and would come again, after the later ones.
    const hurry = async () => {
      const waiting = await at.ok('GET', `/webhooks/${webhook}/deliveries?state=waiting`, { as: admin });
      for (const { id, nextAt } of waiting)
        if (nextAt > Date.now() + 4_000)
          await at.ok('POST', `/webhooks/${webhook}/deliveries/${id}/send`, { as: admin });
      return new Set(receiver.messages.map(({ id }) => id)).size;
    };
    await expect.poll(hurry, { timeout: 60_000, interval: 100 }).toBe(30);
    for (const id of ids) {
      const titles = receiver.payloads
        .map(({ data }) => data['news'] as { id: string; title: string })
        .filter((news) => news.id === String(id))
        .map(({ title }) => title);
      // A message whose answer was lost may come twice, never out of order.
      expect(titles.filter((title, index) => title !== titles[index - 1])).toEqual([
        expect.stringMatching(/^Task \d$/),
        'Round 0',
        'Round 1',
        'Round 2',
        'Round 3',
      ]);
    }
    expect(receiver.attempts.length).toBeGreaterThan(30);
    await expect.poll(async () => (await at.ok('GET', `/webhooks/${webhook}`, { as: admin })).waiting).toBe(0);
  });
});

test('a webhook tells what its owner may see, and only what was chosen', async () => {
  const other = await at.ok('POST', '/organizations', { as: admin, body: { name: 'Water works' } });
  await at.ok('POST', '/rights', {
    as: admin,
    body: { name: 'Local', admin: true, accesses: [{ capability_id: 1 }, { capability_id: 2 }] },
  });
  const clerk = await at.newUser('clerk', 'Local', { organizationId: other.id });
  await withReceiver(async (receiver, url) => {
    const create = (as: string, fields: object) =>
      at.ok('POST', '/webhooks', { as, body: { name: 'Some', url, types: ['task.created'], ...fields } });
    const own = await create(clerk.token, {});
    await create(admin, { orgIds: [other.id] });
    await makeTask('Of the first organization');
    const mine = await at.ok('POST', '/news/', {
      as: clerk.token,
      body: { action: 'put', values: { title: 'Burst main', news_type_id: type } },
    });
    await expect.poll(() => receiver.messages.length).toBeGreaterThan(1);
    const seen = receiver.payloads.map(({ data }) => (data['news'] as { id: string }).id);
    expect(new Set(seen)).toEqual(new Set([String(mine.newsId)]));
    const third = await at.newUser('reader', 'Viewer');
    expect((await at.ask('GET', '/webhooks', { as: third.token })).status).toBe(403);
    expect(await at.ok('GET', '/webhooks', { as: clerk.token })).toMatchObject([{ id: own.id, name: 'Some' }]);
    const [foreign] = (await at.ok('GET', '/webhooks', { as: admin })).filter(
      ({ id }: { id: number }) => id !== own.id,
    );
    expect((await at.ask('GET', `/webhooks/${foreign.id}`, { as: clerk.token })).status).toBe(404);
  });
});

test('410 switches a webhook off, and what waits goes on when it is switched on again', async () => {
  await withReceiver(async (receiver, url) => {
    receiver.answer = () => 410;
    const body = { name: 'Gone', url, types: ['task.created'] };
    const { id: webhook } = await at.ok('POST', '/webhooks', { as: admin, body });
    await makeTask('Nobody listens');
    const state = () => at.ok('GET', `/webhooks/${webhook}`, { as: admin });
    await expect.poll(state).toMatchObject({ enabled: false, gone: true, waiting: 1 });
    const [delivery] = await at.ok('GET', `/webhooks/${webhook}/deliveries`, { as: admin });
    expect(delivery).toMatchObject({ state: 'waiting', attempts: 1, status: 410, error: 'HTTP 410: not now' });
    const again = await at.ask('POST', `/webhooks/${webhook}/deliveries/${delivery.id}/send`, { as: admin });
    expect(again.status).toBe(409);
    receiver.answer = () => 204;
    await at.ok('PUT', `/webhooks/${webhook}`, { as: admin, body });
    await expect.poll(state).toMatchObject({ enabled: true, gone: false, waiting: 0 });
  });
});

test('wrong settings are refused in words', async () => {
  const refused = async (change: object) => {
    const body = { name: 'Wrong', url: 'https://example.org', types: TASKS, ...change };
    const { status, text } = await at.ask('POST', '/webhooks', { as: admin, body });
    return `${status} ${text}`;
  };
  expect(await refused({ url: 'ftp://example.org' })).toMatch(/^400 .*url/);
  expect(await refused({ url: 'https://user:secret@example.org' })).toMatch(/^400 .*url/);
  expect(await refused({ types: [] })).toMatch(/^400 .*types/);
  expect(await refused({ types: ['task.eaten'] })).toMatch(/^400 .*types/);
  expect(await refused({ orgIds: [99_999] })).toMatch(/^400 .*orgIds/);
  expect(await refused({ newsTypeIds: [99_999] })).toMatch(/^400 .*newsTypeIds/);
});
