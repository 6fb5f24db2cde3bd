import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Chance } from '../../../support/chance.ts';
import { tryStation, type TryStation } from '../../try-station.ts';

let at: TryStation;
let admin: string;
const chance = new Chance();
/** Titles that were confirmed, by task, and messages that came. */
const taken = new Map<string, string[]>();
const seen = new Set<string>();

const bytes = (length: number) => Buffer.from(Array.from({ length }, () => chance.int(256)));
/** Answers that confirm nothing, as no right server gives them. */
const WRONG: (() => (string | Buffer)[])[] = [
  () => [bytes(1 + chance.int(500))],
  () => ['HTTP/1.1 \0 OK\r\n\r\n'],
  () => ['HTTP/9.9 700 Strange\r\nContent-Length: -5\r\n\r\n'],
  () => [`HTTP/1.1 500 No\r\n${'X-Long: y\r\n'.repeat(20_000)}`],
  () => ['HTTP/1.1 503 No\r\nContent-Length: 99999999\r\n\r\n', bytes(100)],
  () => ['HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n', bytes(100)],
  () => ['HTTP/1.1 100 Continue\r\n\r\n'.repeat(50)],
  // A second answer to one request belongs to no later one.
  () => ['HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\nHTTP/1.1 204 Yes\r\n\r\nHTTP/1.1 204 Yes\r\n\r\n'],
  () => [],
];

const receiver = createServer((socket) => {
  let heard = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    heard = Buffer.concat([heard, chunk]);
    const head = heard.indexOf('\r\n\r\n');
    const length = Number(/^content-length: (\d+)/im.exec(heard.toString('latin1'))?.[1]);
    if (head < 0 || heard.length < head + 4 + length) return;
    const [text, body] = [heard.toString('latin1', 0, head), heard.toString('utf8', head + 4, head + 4 + length)];
    heard = heard.subarray(head + 4 + length);
    answer(socket, /^webhook-id: (\S+)/im.exec(text)![1]!, body);
  });
});

function answer(socket: Socket, id: string, body: string): void {
  if (!seen.has(id)) {
    seen.add(id);
    for (const part of chance.of(WRONG)()) socket.write(part);
    return void socket.end();
  }
  const { news } = (JSON.parse(body) as { data: { news: { id: string; title: string } } }).data;
  taken.set(news.id, [...(taken.get(news.id) ?? []), news.title]);
  socket.write('HTTP/1.1 204 Yes\r\n\r\n');
}

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  at = await tryStation();
  admin = await at.signIn();
});
afterAll(async () => {
  await at.stop();
  receiver.close();
});

test('a receiver that answers each message with nonsense first gets each of them, in order, and harms nobody', async () => {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/in`;
  const types = ['task.created', 'task.changed'];
  const { id: webhook } = await at.ok('POST', '/webhooks', { as: admin, body: { name: 'Odd', url, types } });
  const typeId = await at.taskType(admin);
  const ids = await Promise.all(
    Array.from({ length: 30 }, async () => {
      const body = { values: { title: 'Round 0', news_type_id: typeId } };
      return (await at.ok('POST', '/news/', { as: admin, body })).newsId;
    }),
  );
  for (const round of [1, 2])
    await Promise.all(
      ids.map((id) => at.ok('POST', `/news/${id}/update`, { as: admin, body: { title: `Round ${round}` } })),
    );
  const note = `WAYPOST_SEED=${chance.seed}`;
  const waiting = async () => (await at.ok('GET', `/webhooks/${webhook}`, { as: admin })).waiting;
  await expect.poll(waiting, { timeout: 60_000, interval: 200, message: note }).toBe(0);
  for (const id of ids) expect(taken.get(String(id)), note).toEqual(['Round 0', 'Round 1', 'Round 2']);
  expect((await at.ask('GET', '/health')).status).toBe(200);
}, 90_000);
