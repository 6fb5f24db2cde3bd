import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keyOf } from '../../../../../shared/ids.ts';
import { firstStamps } from '../../../../../shared/merge/merge.ts';
import { stampClock, stationPart } from '../../../../../shared/merge/stamps.ts';
import type { Attachment } from '../../../../../shared/records/index.ts';
import { eventually } from '../../../../support/eventually.ts';
import { draftTask, temporaryStore } from '../../../store/open-store.ts';
import { filesOf, Peer, replicationOf } from './peer.ts';

const theirs = stampClock(stationPart(2, 'peer'), Date.now);
const FIRST_TASK = 20_000_001;

function bytesOf(size: number, first: number): Buffer {
  return Buffer.from(Array.from({ length: size }, (_, at) => (at * 31 + first) & 0xff));
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function attachment(number: number, bytes: Buffer, over: Partial<Attachment> = {}): Attachment {
  const id = 20_000_000 + number;
  return {
    id,
    key: keyOf(id),
    hlc: firstStamps(theirs.next()),
    taskId: FIRST_TASK,
    kind: 'photo',
    num: number,
    name: 'tree.jpg',
    description: '',
    extension: 'jpg',
    sha256: hashOf(bytes),
    size: bytes.length,
    upload: '',
    type: 'image/jpeg',
    at: 1,
    authorId: 0,
    conversion: 'none',
    conversionNote: '',
    converted: {},
    removed: false,
    ...over,
  };
}

/** A peer that has some files and answers pieces of 1,000 bytes. */
function peerWith(files: readonly Buffer[]) {
  const peer = new Peer();
  const asked: { sha256: string; offset: number }[] = [];
  const known = new Map(files.map((bytes) => [hashOf(bytes), bytes]));
  peer.answer('file', ({ sha256, offset }: { sha256: string; offset: number }) => {
    asked.push({ sha256, offset });
    const bytes = known.get(sha256);
    return bytes
      ? { body: { size: bytes.length }, bytes: bytes.subarray(offset, offset + 1000) }
      : { body: { size: null } };
  });
  return { peer, asked, known };
}

test('[sync 65] [sync 67] bytes come in pieces, go on where they stopped, and are checked; until then they count as pending', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const files = filesOf(store);
  const replication = replicationOf(store, { files });
  const photo = bytesOf(3500, 1);
  const first = peerWith([]);
  first.peer.write('attachments', [attachment(1, photo)]);
  replication.attach(first.peer.channel);
  await eventually(() => expect(first.asked.length).toBe(1));
  expect(first.peer.progress.pendingFiles).toBe(1);
  expect(files.blobs.has(hashOf(photo))).toBe(false);
  first.peer.close();

  await files.blobs.appendPartial(hashOf(photo), photo.subarray(0, 1500));
  const second = peerWith([photo]);
  replication.attach(second.peer.channel);
  await eventually(() => expect(files.blobs.has(hashOf(photo))).toBe(true));
  expect(readFileSync(files.blobs.path(hashOf(photo)))).toEqual(photo);
  expect(second.asked.map(({ offset }) => offset)).toEqual([1500, 2500]);
  await eventually(() => expect(second.peer.progress.pendingFiles).toBe(0));
});

test('[sync 65] other bytes than those that were asked for are thrown away', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const files = filesOf(store);
  const said: string[] = [];
  const photo = bytesOf(700, 1);
  const { peer, known } = peerWith([]);
  known.set(hashOf(photo), bytesOf(700, 2));
  peer.write('attachments', [attachment(1, photo)]);
  replicationOf(store, { files, warn: (words) => said.push(words) }).attach(peer.channel);
  await eventually(() => expect(said.some((words) => words.includes('other bytes'))).toBe(true));
  expect(files.blobs.has(hashOf(photo))).toBe(false);
  expect(await files.blobs.partialSize(hashOf(photo))).toBe(0);
});

test('[sync 66] photos of open tasks come first, videos last', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const files = [1, 2, 3, 4, 5].map((first) => bytesOf(100, first));
  const [video, done, file, open, other] = files.map(hashOf);
  const peer = new Peer();
  // Two files are asked for at a time, in either order. So each answer waits, and shows which file comes next.
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  peer.answer('file', async ({ sha256 }: { sha256: string }) => {
    asked.push(sha256);
    await new Promise<void>((resolve) => answers.push(resolve));
    return { body: { size: 100 }, bytes: files.find((bytes) => hashOf(bytes) === sha256)! };
  });
  const task = (id: number, status: number) => ({
    ...draftTask(store, { id, status }),
    key: keyOf(id),
    hlc: firstStamps(theirs.next()),
  });
  peer.write('tasks', [task(FIRST_TASK, 2), task(FIRST_TASK + 1, 4)]);
  const replication = replicationOf(store);
  replication.attach(peer.channel);
  await eventually(() => expect(store.records('tasks').count()).toBe(2));
  peer.write('attachments', [
    attachment(1, files[0]!, { kind: 'video' }),
    attachment(2, files[1]!, { taskId: FIRST_TASK + 1 }),
    attachment(3, files[2]!, { kind: 'file' }),
    attachment(4, files[3]!),
    attachment(5, files[4]!),
  ]);
  await eventually(() => expect(asked.length).toBe(2));
  expect(new Set(asked)).toEqual(new Set([open, other]));
  for (const next of [done, file, video]) {
    answers.shift()!();
    await eventually(() => expect(asked.at(-1)).toBe(next));
  }
  answers.forEach((answer) => answer());
  await eventually(() => expect(peer.progress.pendingFiles).toBe(0));
  expect(asked.length).toBe(files.length);
});

test('what this station has is given in pieces', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const files = filesOf(store);
  const photo = bytesOf(300_000, 5);
  const blob = await files.blobs.receive(toIterable(photo), 1e9);
  const peer = new Peer();
  replicationOf(store, { files }).attach(peer.channel);
  const ask = (sha256: string, offset: number) =>
    eventually(() => peer.ask<{ size: number }>('file', { sha256, offset }));
  const first = await ask(blob.sha256, 0);
  const second = await ask(blob.sha256, first.bytes!.length);
  expect(Buffer.concat([first.bytes!, second.bytes!]).equals(photo)).toBe(true);
  expect(first.body).toEqual({ size: 300_000 });
  expect((await ask('0'.repeat(64), 0)).body).toEqual({ size: null });
  await expect(peer.ask('file', { sha256: '../station.db', offset: 0 })).rejects.toThrow();
});

async function* toIterable(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
