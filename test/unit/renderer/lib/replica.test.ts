import 'fake-indexeddb/auto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { PATIENCE } from '../../../support/patience.ts';
import { Client } from '../../../../renderer/src/lib/api/client.ts';
import { KeptRecords } from '../../../../renderer/src/lib/replica/kept-records.ts';
import { LiveRecords } from '../../../../renderer/src/lib/replica/live-records.ts';
import { Replica, type ReplicaSinks } from '../../../../renderer/src/lib/replica/replica.ts';
import { REPLICA_NAMES } from '../../../../renderer/src/lib/replica/schemas.ts';

/**
 * A feed in memory behind real HTTP: each record once, in its current state, in write order; what may not be
 * seen is passed over, so pages come thinned out.
 */
class Feed {
  epoch = 'one';
  failing = false;
  breaks = false;
  vehicles: { lines: { key: string; id: number }[][]; checkpoint: number } = { lines: [], checkpoint: 0 };
  /** Pages of vehicles that were asked for: after which position. */
  readonly vehiclePages: number[] = [];
  /** Pages of tasks that were asked for: after which position. */
  readonly taskPages: number[] = [];
  fills = 0;
  readonly entries = new Map<string, { seq: number; id: number; text: string; deleted: boolean; hidden: boolean }>();
  private seq = 0;

  write(id: number, text: string, over: { deleted?: boolean; hidden?: boolean } = {}): void {
    const key = String(id).padStart(10, '0');
    this.entries.delete(key);
    this.entries.set(key, { seq: ++this.seq, id, text, deleted: false, hidden: false, ...over });
  }

  page(name: string, after: number, epoch: string | null, limit: number): object {
    if (epoch !== null && epoch !== this.epoch)
      return { epoch: this.epoch, reset: true, documents: [], checkpoint: 0, more: false };
    if (name === 'vehicles') this.vehiclePages.push(after);
    if (name === 'messages') this.taskPages.push(after);
    const all = name === 'messages' ? [...this.entries].filter(([, entry]) => entry.seq > after) : [];
    const taken = all.slice(0, limit);
    const documents = taken.flatMap<object>(([key, { id, text, deleted, hidden }]) =>
      hidden ? [] : deleted ? [{ key, _deleted: true }] : [{ key, id, text }],
    );
    return { epoch: this.epoch, documents, checkpoint: taken.at(-1)?.[1].seq ?? after, more: all.length > limit };
  }

  expected(): [string, string][] {
    return [...this.entries]
      .filter(([, { deleted, hidden }]) => !deleted && !hidden)
      .map(([key, { text }]): [string, string] => [key, text])
      .sort();
  }
}

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Vehicles as lines; the first stream breaks off in the midst when `feed.breaks` says so. */
function fill(feed: Feed, response: ServerResponse): void {
  const { lines, checkpoint } = feed.vehicles;
  feed.fills++;
  response.writeHead(200, { 'waypost-epoch': feed.epoch, 'waypost-checkpoint': String(checkpoint) });
  const written = lines.map((line) => `${JSON.stringify(line)}\n`);
  if (!feed.breaks) return void response.end(written.join(''));
  feed.breaks = false;
  response.write(written.slice(0, -1).join(''), () => setTimeout(() => response.destroy(), 50));
  feed.vehicles = { lines: lines.slice(1), checkpoint: checkpoint + 1 };
}

async function serve(feed: Feed): Promise<Client> {
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://station');
    if (feed.failing) return void response.writeHead(503).end('Try again.');
    if (url.pathname === '/replica/vehicles/fill') return fill(feed, response);
    const page = feed.page(
      url.pathname.split('/')[2]!,
      Number(url.searchParams.get('after')),
      url.searchParams.get('epoch'),
      Number(url.searchParams.get('limit')),
    );
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))));
  return new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const newSinks = () =>
  Object.fromEntries(REPLICA_NAMES.map((name) => [name, new LiveRecords()])) as unknown as ReplicaSinks;

async function open(client: Client, onReset = () => {}, kept?: KeptRecords, sinks = newSinks()) {
  const replica = await Replica.open(client, sinks, { onReset, onProgress: () => {} }, kept);
  closers.push(() => replica.close());
  return {
    replica,
    sinks,
    held: () => [...sinks.tasks.values()].map((record): [string, string] => [record.key, record.text]).sort(),
    caughtUp: () => expect.poll(() => replica.caughtUp, { timeout: 10_000 }).toBe(true),
  };
}

test('a replica holds what its station shows, however the pages are thinned out by rights', async () => {
  const feed = new Feed();
  for (let id = 1; id <= 3_500; id++) feed.write(id, `text ${id}`, { hidden: id > 400 && id < 3_000 });
  const { replica, held } = await open(await serve(feed));
  await expect.poll(() => replica.caughtUp, { timeout: Math.max(PATIENCE, 10_000) }).toBe(true);
  await expect.poll(() => held().length).toBe(901);
  expect(held()).toEqual(feed.expected());
});

test('when a replica has caught up, everything was told to those who show it', async () => {
  const feed = new Feed();
  for (let id = 1; id <= 2_500; id++) feed.write(id, `text ${id}`);
  const sinks = newSinks();
  let told = 0;
  sinks.tasks.watch((changes) => (told += changes.length));
  const toldThen: number[] = [];
  const opening = Replica.open(await serve(feed), sinks, {
    onReset: () => {},
    onProgress: () => void opening.then((replica) => replica.caughtUp && toldThen.push(told)),
  });
  closers.push(async () => (await opening).close());
  await expect.poll(() => toldThen.length).toBeGreaterThan(0);
  expect(toldThen[0]).toBe(2_500);
});

test('after random changes and nudges at random moments, with a station that fails now and then, the replica is what the station shows', async () => {
  const seed = Number(process.env['WAYPOST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`WAYPOST_SEED=${seed}`);
  let state = seed;
  const chance = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
  const feed = new Feed();
  const { replica, held } = await open(await serve(feed));
  for (let step = 0; step < 120; step++) {
    for (let change = chance(12); change > 0; change--)
      feed.write(1 + chance(60), `step ${step}`, { deleted: chance(5) === 0 });
    if (step % 30 === 29) feed.failing = !feed.failing;
    replica.nudge(['messages']);
    if (chance(3) === 0) await new Promise((resolve) => setTimeout(resolve, chance(8)));
  }
  feed.failing = false;
  feed.write(1, 'the last word');
  replica.nudge(['messages']);
  await expect.poll(() => held(), { timeout: Math.max(PATIENCE, 10_000) }).toEqual(feed.expected());
  await expect.poll(() => replica.caughtUp, { timeout: Math.max(PATIENCE, 10_000) }).toBe(true);
});

test('a restored station reports it, and the console starts again', async () => {
  const feed = new Feed();
  feed.write(1, 'before');
  let resets = 0;
  const { replica, held } = await open(await serve(feed), () => resets++);
  await expect.poll(() => held()).toEqual(feed.expected());
  feed.epoch = 'two';
  feed.write(2, 'after');
  replica.nudge();
  await expect.poll(() => resets).toBeGreaterThan(0);
  const again = await open(await serve(feed));
  await expect.poll(() => again.held()).toEqual(feed.expected());
});

test('records that come again stay until then; what does not come again goes', async () => {
  const feed = new Feed();
  for (let id = 1; id <= 1_500; id++) feed.write(id, `text ${id}`);
  const client = await serve(feed);
  const before = await open(client);
  await before.caughtUp();
  await before.replica.close();
  feed.write(7, 'changed');
  feed.write(8, '', { deleted: true });
  for (let id = 100; id < 200; id++) feed.write(id, '', { hidden: true });
  const { sinks } = before;
  for (const name of REPLICA_NAMES) sinks[name].beginRefill();
  expect(sinks.tasks.size).toBe(1_500);
  const sizes: number[] = [];
  sinks.tasks.watch(() => sizes.push(sinks.tasks.size));
  const { held, caughtUp } = await open(client, undefined, undefined, sinks);
  await caughtUp();
  expect(held()).toEqual(feed.expected());
  expect(Math.min(...sizes)).toBe(1_399);
});

const vehicleLines = (count: number) =>
  Array.from({ length: Math.ceil(count / 500) }, (_, line) =>
    Array.from({ length: Math.min(500, count - line * 500) }, (_, at) => ({
      key: String(line * 500 + at + 1).padStart(10, '0'),
      id: line * 500 + at + 1,
    })),
  );

test.each([0, 3, 999, 1_000, 2_750])(
  '%i vehicles come as one stream, and changes by pages from its checkpoint',
  async (count) => {
    const feed = new Feed();
    feed.vehicles = { lines: vehicleLines(count), checkpoint: 17 };
    const { replica, sinks } = await open(await serve(feed));
    await expect.poll(() => replica.caughtUp, { timeout: Math.max(PATIENCE, 10_000) }).toBe(true);
    expect(sinks.vehicles.size).toBe(count);
    expect(feed.vehiclePages).toEqual([17]);
    replica.nudge(['vehicles']);
    await expect.poll(() => feed.vehiclePages).toEqual([17, 17]);
  },
);

test('a stream of vehicles that breaks off begins again, and changes follow from where the first one began', async () => {
  const feed = new Feed();
  feed.vehicles = { lines: vehicleLines(2_750), checkpoint: 17 };
  feed.breaks = true;
  const { replica, sinks } = await open(await serve(feed));
  await expect.poll(() => replica.caughtUp, { timeout: Math.max(PATIENCE, 10_000) }).toBe(true);
  expect(feed.breaks).toBe(false);
  expect(sinks.vehicles.size).toBe(2_750);
  // From 18 on nobody would hear of the 500 vehicles that went between the two streams.
  expect(feed.vehiclePages).toEqual([17]);
});

test('the comments of a message are live', async () => {
  const feed = new Feed();
  const { replica } = await open(await serve(feed));
  let seen: readonly unknown[] | undefined;
  const stop = replica.watchComments(5, (comments) => (seen = comments));
  await expect.poll(() => seen).toEqual([]);
  stop();
});

test('[sync 106] after a reload a console goes on from what it held: only what changed is asked for', async () => {
  const feed = new Feed();
  for (let id = 1; id <= 2_300; id++) feed.write(id, `text ${id}`);
  feed.vehicles = { lines: [[{ key: '1', id: 1 }], [{ key: '2', id: 2 }]], checkpoint: 40 };
  const client = await serve(feed);
  const first = await open(client, () => {}, await KeptRecords.open('ann'));
  await first.caughtUp();
  feed.write(5, 'changed before');
  first.replica.nudge();
  await first.caughtUp();
  await expect.poll(first.held).toEqual(feed.expected());
  await first.replica.close();

  feed.write(7, 'changed meanwhile');
  feed.write(8, '', { deleted: true });
  feed.taskPages.length = 0;
  feed.failing = true; // the last part of what was kept is held until a page has followed it
  const second = await open(client, () => {}, await KeptRecords.open('ann'));
  await expect.poll(() => second.held().length).toBe(2_000);
  feed.failing = false;
  second.replica.nudge();
  await second.caughtUp();
  await expect.poll(second.held, { timeout: 10_000 }).toEqual(feed.expected());
  expect(feed.taskPages[0]).toBe(2_301);
  expect([...second.sinks.vehicles.values()].map(({ key }) => key)).toEqual(['1', '2']);
  expect(feed.fills).toBe(1);
});

test('[sync 106] what is kept is of one person and one epoch, and only one of two windows keeps it', async () => {
  const feed = new Feed();
  for (let id = 1; id <= 20; id++) feed.write(id, `text ${id}`);
  const client = await serve(feed);
  const first = await open(client, () => {}, await KeptRecords.open('carl'));
  await first.caughtUp();
  const other = await open(client, () => {}, await KeptRecords.open('carl'));
  await other.caughtUp();
  for (const text of ['once', 'twice']) {
    feed.write(1, text);
    for (const { replica, caughtUp } of [first, other]) {
      replica.nudge();
      await caughtUp();
    }
  }
  await Promise.all([first.replica.close(), other.replica.close()]);

  feed.taskPages.length = 0;
  const again = await open(client, () => {}, await KeptRecords.open('carl'));
  await again.caughtUp();
  await expect.poll(again.held).toEqual(feed.expected());
  expect(feed.taskPages).toEqual([22]);
  await again.replica.close();

  feed.epoch = 'two';
  const reset = new Promise<void>(
    (resolve) => void KeptRecords.open('carl').then((kept) => open(client, resolve, kept)),
  );
  await reset;
  const kept = await KeptRecords.open('carl');
  expect(await kept!.position('tasks')).toBeUndefined();
  await kept!.close();

  const fresh = await open(client, () => {}, await KeptRecords.open('carl'));
  await fresh.caughtUp();
  await fresh.replica.close();
  const stranger = await KeptRecords.open('bob');
  expect([await stranger!.position('tasks'), await stranger!.page('tasks', '', 10)]).toEqual([undefined, []]);
  await stranger!.close();
});
