import { expect, onTestFinished, test, vi } from 'vitest';
import { keyOf } from '../../../../../shared/ids.ts';
import { firstStamps, stampFields } from '../../../../../shared/merge/merge.ts';
import { MAX_AHEAD, stampClock, stationPart } from '../../../../../shared/merge/stamps.ts';
import type { Comment } from '../../../../../shared/records/index.ts';
import type { Store } from '../../../../../server/store/index.ts';
import { eventually } from '../../../../support/eventually.ts';
import { comment, temporaryStore } from '../../../store/open-store.ts';
import { Peer, replicationOf } from './peer.ts';

const theirs = stampClock(stationPart(2, 'peer'), Date.now);

function theirComment(store: Store, number: number, over: Partial<Comment> = {}): Comment {
  const id = 20_000_000 + number;
  return { ...comment(store), key: keyOf(id), id, hlc: firstStamps(theirs.next()), ...over };
}

test('[sync 54] [sync 55] what the other station has is taken over, page after page, and from then on what it writes', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const peer = new Peer();
  const many = Array.from({ length: 1203 }, (_, number) => theirComment(store, number + 1));
  peer.write('comments', many);
  replicationOf(store).attach(peer.channel);
  await eventually(() => expect(store.records('comments').count()).toBe(1203));
  peer.write('comments', [theirComment(store, 5000, { text: 'Left' })]);
  await eventually(() => expect(store.records('comments').get(20_005_000)?.text).toBe('Left'));
});

test('[sync 52] after a new connection it goes on where it was, and from the beginning in another epoch', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const replication = replicationOf(store);
  const first = new Peer();
  first.write('comments', [theirComment(store, 1), theirComment(store, 2)]);
  replication.attach(first.channel);
  await eventually(() => expect(store.records('comments').count()).toBe(2));
  // RxDB stores the position after the records, and does not wait for it.
  await eventually(() => expect(storedPositions(store)).toContain('"seq":2'));
  first.close();
  for (const [epoch, from] of [
    ['first', 2],
    ['second', 0],
  ] as const) {
    const again = new Peer();
    again.epoch = epoch;
    again.lines.set('comments', [...first.lines.get('comments')!]);
    again.write('comments', [theirComment(store, epoch === 'first' ? 3 : 4)]);
    replication.attach(again.channel);
    await eventually(() => expect(store.records('comments').count()).toBe(epoch === 'first' ? 3 : 4));
    const asked = again.asked.filter(({ collection }) => collection === 'comments')[0]!;
    expect(asked.position?.epoch === again.epoch ? asked.position.seq : 0).toBe(from);
    again.close();
  }
});

test('[sync 56] a record that cannot be taken in is kept with the reason, said once, and stops nothing', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const said: string[] = [];
  const replication = replicationOf(store, { warn: (message) => said.push(message) });
  const peer = new Peer();
  const ahead = stampClock(stationPart(2, 'peer'), () => Date.now() + MAX_AHEAD + 60_000);
  const good = theirComment(store, 1);
  peer.write('comments', [
    { ...good, id: 20_000_002, key: keyOf(20_000_002), text: 5 },
    theirComment(store, 3, { hlc: firstStamps(ahead.next()) }),
    theirComment(store, 4, { key: keyOf(20_000_005) }),
    theirComment(store, 6, { hlc: { base: 'now', fields: {} } }),
    { ...theirComment(store, 7), sudo: true },
    theirComment(store, 8, { text: 'x'.repeat(1_000_001) }),
  ]);
  peer.writeText('comments', ['{', '[]', '7']);
  peer.write('comments', [good]);
  peer.write('directories', [{ ...theirComment(store, 9), kind: 'spell', name: '', isDeleted: false }]);
  replication.attach(peer.channel);
  await eventually(() => expect(store.records('comments').all()).toEqual([good]));
  await eventually(() => expect(replication.refused.count()).toBe(10));
  const reasons = replication.refused.list(1).map(({ reason }) => reason);
  for (const words of [
    /text/,
    /ahead of the clock/,
    /not that of its id/,
    /not a stamp/,
    /sudo/,
    /characters/,
    /spell/,
  ])
    expect(
      reasons.some((reason) => words.test(reason)),
      String(words),
    ).toBe(true);
  const count = said.length;
  expect(count).toBeGreaterThan(0);
  peer.epoch = 'again';
  peer.write('comments', [theirComment(store, 10)]);
  await eventually(() => expect(store.records('comments').count()).toBe(2));
  expect(said.length).toBe(count);
  peer.write('comments', [theirComment(store, 2)]);
  await eventually(() => expect(replication.refused.count()).toBe(9));
});

test('[sync 57] a record of a newer schema waits, and is taken in by a program that knows it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const store = await temporaryStore({ stationNumber: 1 });
  const replication = replicationOf(store);
  const peer = new Peer();
  const newer = theirComment(store, 1);
  const asked: unknown[] = [];
  peer.answer('records', (body) => {
    asked.push(body);
    return { body: {}, bytes: Buffer.from(`+${JSON.stringify(newer)}`) };
  });
  peer.write('comments', [{ ...newer, mood: 'calm' }, theirComment(store, 2)]);
  replication.attach(peer.channel);
  await eventually(() => expect(replication.refused.count()).toBe(1));
  await eventually(() => expect(store.records('comments').count()).toBe(1));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual([]);
  // This program is a later one than that which refused it.
  await store.writePlain((sql) => sql.exec("UPDATE refused_records SET program = '0.0.1'"));
  await vi.advanceTimersByTimeAsync(60_000);
  await eventually(() => expect(store.records('comments').get(newer.id)).toEqual(newer));
  await eventually(() => expect(replication.refused.count()).toBe(0));
  expect(asked).toEqual([{ collection: 'comments', keys: [newer.key] }]);
});

test('[sync 59] of tokens, settings, the log and queues nothing is given to another station', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const peer = new Peer();
  replicationOf(store).attach(peer.channel);
  const pull = (collection: string) => peer.ask('pull', { collection, position: null, limit: 10 });
  await eventually(() => pull('comments'));
  for (const collection of ['tokens', 'settings', 'log', 'queue', 'vehicleStates'])
    await expect(pull(collection), collection).rejects.toMatchObject({ code: 'sync.notReplicated' });
});

test('[sync 62] the green light goes out with a write, and comes back when the other station tells the same digest', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const peer = new Peer();
  replicationOf(store).attach(peer.channel);
  const told = () => peer.told.findLast(({ kind }) => kind === 'digest')?.body as { digest: string } | undefined;
  await eventually(() => expect(told()?.digest).toMatch(/./));
  const before = told()!.digest;
  peer.tell('digest', { digest: before, read: {} });
  expect(peer.progress.confirmedAt).toBeDefined();
  await store.records('comments').insert(comment(store));
  expect(peer.progress.confirmedAt).toBeUndefined();
  await eventually(() => expect(told()?.digest).not.toBe(before));
  expect(peer.progress).toMatchObject({ confirmedAt: undefined, kindsOut: { tasks: 1 } });
  peer.tell('digest', { digest: before, read: {} });
  expect(peer.progress.confirmedAt).toBeUndefined();
  peer.tell('digest', { digest: told()!.digest, read: {}, files: 3 });
  expect(peer.progress.confirmedAt).toBeDefined();
  expect(peer.progress).toMatchObject({ waitingOut: 0, kindsOut: {}, pendingFilesThere: 3 });
});

test('[sync 53] [sync 58] what it has is given in pages, from disk, and not what the other station gave', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const peer = new Peer();
  const given = theirComment(store, 1);
  peer.write('comments', [given]);
  replicationOf(store).attach(peer.channel);
  await eventually(() => expect(store.records('comments').count()).toBe(1));
  const mine = await store.records('comments').insert(comment(store, { text: 'Mine' }));
  const pull = async (seq: number) => {
    const { body, bytes } = await peer.ask<{ position: { seq: number }; more: boolean }>('pull', {
      collection: 'comments',
      position: { epoch: store.feed.epoch, seq },
      limit: 10,
    });
    return {
      ...body,
      records: bytes!
        .toString()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line.slice(1)) as Comment),
    };
  };
  const page = await pull(0);
  expect(page).toMatchObject({ more: false, records: [mine] });
  const edited = { ...given, text: 'Back', hlc: stampFields(given.hlc, ['text'], theirs.next()) };
  peer.write('comments', [edited]);
  await eventually(() => expect(store.records('comments').get(given.id)?.text).toBe('Back'));
  expect((await pull(page.position.seq)).records).toEqual([]);
  await store.records('comments').change(given.id, (record) => ({ ...record, text: 'Ours' }));
  expect((await pull(page.position.seq)).records).toMatchObject([{ text: 'Ours' }]);
});

/** The positions of comments that RxDB stored, as JSON. */
function storedPositions({ sql }: Store): string {
  const tables = sql
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '%replication-meta%'")
    .all();
  return tables
    .flatMap(({ name }) => sql.prepare(`SELECT data FROM "${String(name)}"`).all())
    .map(({ data }) => String(data))
    .join('\n');
}
