import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import type { Attachment } from '../../../../shared/records/index.ts';
import { Attachments, Files } from '../../../../server/dispatch/files/index.ts';
import { FileCopies, type ObjectStore } from '../../../../server/replication/object-store/index.ts';
import type { Actor } from '../../../../shared/access.ts';
import { eventually } from '../../../support/eventually.ts';
import { temporaryDirectory, temporaryStore } from '../../store/open-store.ts';

const DAY = 86_400_000;
const UPLOADER = { user: { id: 1, organizationId: 1 }, role: { superuser: false } } as Actor;

/** Objects in memory. What `refuses` names fails as when a server refuses it. */
class MemoryObjects implements ObjectStore {
  readonly name: string;
  readonly stored = new Map<string, Buffer>();
  readonly refuses = new Set<string>();
  puts = 0;

  constructor(name = 'memory') {
    this.name = name;
  }
  has = (sha256: string) => Promise.resolve(this.stored.has(sha256));
  put = (sha256: string, path: string) => {
    if (this.refuses.has(sha256) || this.refuses.has('all')) return Promise.reject(new Error('refused'));
    this.puts++;
    this.stored.set(sha256, readFileSync(path));
    return Promise.resolve();
  };
  read = () => Promise.resolve(undefined);
  remove = (sha256: string) => Promise.resolve(void this.stored.delete(sha256));
  close = () => undefined;
}

async function openCopies(objects = new MemoryObjects()) {
  const clock = { now: Date.UTC(2026, 5, 1) };
  const now = () => clock.now;
  const directory = temporaryDirectory();
  const store = await temporaryStore({ directory, now });
  const files = new Files({
    ...{ directory: join(directory, 'files'), store, limit: 1e6, now },
    organizationOf: () => undefined,
  });
  const attachments = new Attachments({ store, files, now });
  files.keepReferenced((sha256) => attachments.has(sha256));
  const open = (at: ObjectStore) => {
    const log = { info: () => undefined, warn: () => undefined };
    const copies = new FileCopies({ ...{ store, files, now, log, objects: at }, directory: join(directory, 'files') });
    onTestFinished(() => copies.close());
    return copies;
  };
  const attach = async (text: string) => {
    const upload = await files.receive(Readable.from([Buffer.from(text)]), { name: 'plan.txt', userId: 1 });
    const prepared = await attachments.prepare([{ kind: 'file', uuid: upload.uuid }], UPLOADER);
    await store.transaction(() => attachments.add(1, prepared, 1));
    return attachments.of(1).at(-1)!;
  };
  const detach = (attachment: Attachment) => store.transaction(() => attachments.remove(attachment));
  const states = () =>
    store.sql.prepare('SELECT sha256, state, place FROM file_copies ORDER BY sha256').all() as { sha256: string }[];
  return { clock, store, files, objects, open, attach, detach, states };
}

test('copies what records name, and nothing that nobody attached', async () => {
  const { objects, files, open, attach, states } = await openCopies();
  const copies = open(objects);
  await files.receive(Readable.from([Buffer.from('loose')]), { name: 'a.txt', userId: 1 });
  const one = await attach('one');
  await eventually(() => expect([...objects.stored]).toEqual([[one.sha256, Buffer.from('one')]]));
  await eventually(() => expect(copies.waiting).toBe(0));
  expect(states()).toMatchObject([{ sha256: one.sha256, state: 'copied', place: 'memory' }]);
  await attach('one'); // the same bytes once more
  const two = await attach('two');
  await eventually(() => expect(objects.stored.has(two.sha256)).toBe(true));
  expect(objects.puts).toBe(2);
});

test('one file that is refused keeps no other from being copied, and is tried again', async () => {
  const { objects, open, attach } = await openCopies();
  const copies = open(objects);
  objects.refuses.add('all');
  const large = await attach('too large');
  await eventually(() => expect(copies.problem).toBe('memory accepts no files: refused'));
  objects.refuses.delete('all');
  objects.refuses.add(large.sha256);
  const small = await attach('small');
  await eventually(() => expect([...objects.stored.keys()]).toEqual([small.sha256]));
  objects.refuses.clear();
  await eventually(() => expect(objects.stored.has(large.sha256)).toBe(true));
  await eventually(() => expect([copies.problem, copies.waiting]).toEqual([undefined, 0]));
});

test('what waits when the station stops is copied after its next start', async () => {
  const { objects, open, attach } = await openCopies();
  objects.refuses.add('all');
  const first = open(objects);
  const one = await attach('one');
  await eventually(() => expect(first.problem).toBeDefined());
  await first.close();
  objects.refuses.clear();
  open(objects);
  await eventually(() => expect([...objects.stored.keys()]).toEqual([one.sha256]));
});

test('a look finds files of before, those that were lost there, and moves all to another place', async () => {
  const { clock, objects, open, attach } = await openCopies();
  const one = await attach('before there was a place');
  const copies = open(objects);
  await copies.lookNow();
  await eventually(() => expect([...objects.stored.keys()]).toEqual([one.sha256]));
  await eventually(() => expect(copies.waiting).toBe(0));
  objects.stored.clear();
  clock.now += 7 * DAY;
  await copies.lookNow(); // seven days have not passed
  await eventually(() => expect(copies.waiting).toBe(0));
  expect(objects.stored.size).toBe(0);
  clock.now += 1;
  await copies.lookNow();
  await eventually(() => expect([...objects.stored.keys()]).toEqual([one.sha256]));
  await copies.close();
  const elsewhere = new MemoryObjects('elsewhere');
  await open(elsewhere).lookNow();
  await eventually(() => expect([...elsewhere.stored.keys()]).toEqual([one.sha256]));
});

test('bytes that the station deleted are removed, unless they came again', async () => {
  const { clock, files, objects, open, attach, detach, states } = await openCopies();
  open(objects);
  const [gone, again] = [await attach('gone'), await attach('again')];
  await eventually(() => expect(objects.stored.size).toBe(2));
  await eventually(() => expect(states()).toMatchObject([{ state: 'copied' }, { state: 'copied' }]));
  await detach(gone);
  await detach(again);
  clock.now += DAY + 1;
  objects.refuses.add('all');
  await files.sweep();
  const back = await attach('again');
  objects.refuses.clear();
  await eventually(() => expect([...objects.stored.keys()]).toEqual([back.sha256]));
  await eventually(() => expect(states()).toMatchObject([{ sha256: back.sha256, state: 'copied' }]));
});
