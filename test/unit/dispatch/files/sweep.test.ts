import type { Actor } from '../../../../shared/access.ts';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import {
  Attachments,
  Files,
  fileNameOf,
  mainPhotoAfter,
  readFileName,
} from '../../../../server/dispatch/files/index.ts';
import { nextNum } from '../../../../server/dispatch/files/attach.ts';
import { openStore } from '../../../../server/store/index.ts';
import { asBeforeStep9 } from '../../store/open-store.ts';

const UPLOADER = { user: { id: 1, organizationId: 1 }, role: { superuser: false } } as Actor;

const HOUR = 3_600_000;

async function openFiles(roomForScaled = 1e6) {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-sweep-'));
  const clock = { now: Date.UTC(2026, 5, 1) };
  const store = await openStore({ directory, now: () => clock.now });
  const files = new Files({
    directory: join(directory, 'files'),
    store,
    limit: 1e6,
    roomForScaled,
    now: () => clock.now,
    organizationOf: () => undefined,
  });
  const attachments = new Attachments({ store, files, now: () => clock.now });
  files.keepReferenced((sha256) => attachments.has(sha256));
  onTestFinished(async () => {
    await store.close();
    rmSync(directory, { recursive: true });
  });
  const receive = (text: string | Buffer) =>
    files.receive(Readable.from([Buffer.from(text)]), { name: 'a.txt', userId: 1 });
  const attach = async (uuid: string, kind: 'file' | 'photo' = 'file') => {
    const prepared = await attachments.prepare([{ kind, uuid }], UPLOADER);
    await store.transaction(() => attachments.add(1, prepared, 1));
    return attachments.of(1).at(-1)!;
  };
  return { directory, clock, store, files, attachments, receive, attach };
}

test('what nobody attached is cleared after a day, and what was attached stays', async () => {
  const { clock, files, receive, attach } = await openFiles();
  const [orphan, kept] = [await receive('orphan'), await receive('kept')];
  await attach(kept.uuid);
  clock.now += 23 * HOUR;
  expect(await files.sweep()).toBe(0);
  clock.now += 2 * HOUR;
  expect(await files.sweep()).toBe(1);
  expect([files.get(orphan.uuid), files.blobs.has(orphan.sha256)]).toEqual([undefined, false]);
  expect([files.get(kept.uuid)?.name, files.blobs.has(kept.sha256)]).toEqual(['a.txt', true]);
});

test('bytes of an attachment that was taken away go a day later, unless another one has them', async () => {
  const { clock, store, files, attachments, receive, attach } = await openFiles();
  const [one, same] = [await attach((await receive('twice')).uuid), await attach((await receive('twice')).uuid)];
  const take = (attachment: typeof one) => store.transaction(() => attachments.remove(attachment));
  await take(one);
  clock.now += 25 * HOUR;
  await files.sweep();
  expect(files.blobs.has(one.sha256)).toBe(true);
  await take(same);
  expect(files.blobs.has(one.sha256)).toBe(true);
  clock.now += 25 * HOUR;
  await files.sweep();
  expect(files.blobs.has(one.sha256)).toBe(false);
});

test('other forms of an attachment stay with it, and go with it', async () => {
  const { clock, store, files, attachments, receive, attach } = await openFiles();
  const photo = await attach(
    (
      await receive(
        await sharp({ create: { width: 4, height: 3, channels: 3, background: 'red' } })
          .png()
          .toBuffer(),
      )
    ).uuid,
    'photo',
  );
  const made = await receive('another form');
  await attachments.converted(photo.id, 'done', { png: { sha256: made.sha256, size: 12 } });
  clock.now += 25 * HOUR;
  await files.sweep();
  expect(files.blobs.has(made.sha256)).toBe(true);
  await store.transaction(() => attachments.remove(attachments.of(1)[0]!));
  clock.now += 25 * HOUR;
  await files.sweep();
  expect([files.blobs.has(made.sha256), files.blobs.has(photo.sha256)]).toEqual([false, false]);
});

test('an attachment has its other forms from when they are noted until it is taken away, and has them again when it comes back; a form of two belongs to both', async () => {
  const { store, attachments, receive, attach } = await openFiles();
  const [one, other] = [await attach((await receive('one')).uuid), await attach((await receive('other')).uuid)];
  const [own, shared, corrected] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string];
  const forms = (...hashes: string[]) =>
    Object.fromEntries(hashes.map((sha256, at) => [`form${at}`, { sha256, size: 1 }]));
  const had = () => [own, shared, corrected].map((sha256) => attachments.has(sha256));
  await attachments.converted(one.id, 'done', forms(own, shared));
  await attachments.converted(other.id, 'done', forms(shared));
  expect(had()).toEqual([true, true, false]);
  await attachments.converted(one.id, 'done', forms(corrected, shared));
  expect(had()).toEqual([false, true, true]);
  const [first, second] = attachments.of(1);
  await store.transaction(() => attachments.remove(first!));
  expect(had()).toEqual([false, true, false]);
  await store.transaction(() => attachments.remove(second!));
  expect(had()).toEqual([false, false, false]);
  await store.records('attachments').change(first!.id, (record) => ({ ...record, removed: false }));
  expect(had()).toEqual([false, true, true]);
  await store.records('attachments').remove(first!.id);
  expect(had()).toEqual([false, false, false]);
});

test('a store of before its forms were noted has them noted when it is opened', async () => {
  const { attachments, receive, attach, clock, store, directory } = await openFiles();
  const [kept, gone] = [await attach((await receive('kept')).uuid), await attach((await receive('gone')).uuid)];
  await attachments.converted(kept.id, 'done', { mp4: { sha256: 'a'.repeat(64), size: 1 } });
  await attachments.converted(gone.id, 'done', {
    mp4: { sha256: 'b'.repeat(64), size: 1 },
    flv: { sha256: 'a'.repeat(64), size: 1 },
  });
  await store.transaction(() => attachments.remove(attachments.of(1).at(-1)!));
  await store.close();
  const sql = new DatabaseSync(join(directory, 'station.db'));
  // As it was before step 7 and those behind it.
  asBeforeStep9(sql);
  sql.exec('DROP TABLE attachment_forms; DROP TABLE purges; PRAGMA user_version = 6');
  sql.close();
  const again = await openStore({ directory, now: () => clock.now });
  onTestFinished(() => again.close());
  const reopened = new Attachments({ store: again, files: {} as Files, now: () => clock.now });
  expect(['a', 'b'].map((letter) => reopened.has(letter.repeat(64)))).toEqual([true, false]);
});

test('the same bytes that are just being received again are not cleared', async () => {
  const { clock, files, receive, directory } = await openFiles();
  const orphan = await receive('again');
  clock.now += 25 * HOUR;
  const kept = await files.keep(Readable.from([Buffer.from('again')]));
  await files.sweep();
  expect(files.blobs.has(orphan.sha256)).toBe(true);
  const upload = await files.register(kept, { name: 'b.txt', userId: 1 });
  files.drop(kept);
  expect(files.blobs.has(upload.sha256)).toBe(true);
  expect(readdirSync(join(directory, 'files', 'incoming'))).toEqual([]);
});

test('bytes that two are just receiving stay until neither does', async () => {
  const { files } = await openFiles();
  const keep = () => files.keep(Readable.from([Buffer.from('both')]));
  const [one, other] = [await keep(), await keep()];
  files.drop(one);
  expect(files.blobs.has(one.sha256)).toBe(true);
  files.drop(other);
  expect(files.blobs.has(one.sha256)).toBe(false);
});

test('what was taken away comes back within a day and stays; later it is refused, since its bytes are gone', async () => {
  const { clock, store, files, attachments, receive, attach } = await openFiles();
  const attachment = await attach((await receive('back and forth')).uuid);
  const remove = () => store.transaction(() => attachments.remove(attachments.of(1)[0]!));
  const restore = () => store.transaction(() => attachments.restore(1, 'file', attachment.id));
  await remove();
  clock.now += 23 * HOUR;
  await files.sweep();
  await restore();
  clock.now += 25 * HOUR;
  await files.sweep();
  expect([attachments.of(1).length, files.get(attachment.upload)?.sha256, files.blobs.has(attachment.sha256)]).toEqual([
    1,
    attachment.sha256,
    true,
  ]);
  await remove();
  clock.now += 25 * HOUR;
  await files.sweep();
  await expect(restore()).rejects.toThrow('deleted too long ago');
  expect(attachments.of(1)).toEqual([]);
});

test('an upload that was deleted after it was looked at is not attached', async () => {
  const { store, files, attachments, receive } = await openFiles();
  const [kept, gone] = [await receive('kept'), await receive('gone')];
  const prepared = await attachments.prepare(
    [
      { kind: 'file', uuid: kept.uuid },
      { kind: 'file', uuid: gone.uuid },
    ],
    UPLOADER,
  );
  await files.remove(gone.uuid);
  await expect(store.transaction(() => attachments.add(1, prepared, 1))).rejects.toMatchObject({
    kind: 'invalid',
    message: `files: there is no uploaded file ${gone.uuid}.`,
  });
  expect(attachments.of(1)).toEqual([]);
});

test('an upload that is deleted in the moment in which it is attached keeps its bytes', async () => {
  const { store, files, attachments, receive } = await openFiles();
  const upload = await receive('just in time');
  const prepared = await attachments.prepare([{ kind: 'file', uuid: upload.uuid }], UPLOADER);
  const removed = files.remove(upload.uuid); // has begun to delete, and is not committed
  await store.transaction(() => attachments.add(1, prepared, 1));
  await removed;
  expect([attachments.of(1).length, files.get(upload.uuid), files.blobs.has(upload.sha256)]).toEqual([
    1,
    undefined,
    true,
  ]);
});

test('an upload that a record claimed can be deleted: its bytes stay, those of another go with what was scaled of them', async () => {
  const { files, receive, directory } = await openFiles();
  const picture = (background: string) =>
    sharp({ create: { width: 4, height: 3, channels: 3, background } })
      .png()
      .toBuffer();
  const [claimed, free] = [await receive(await picture('red')), await receive(await picture('blue'))];
  await files.claim([claimed.uuid]);
  for (const { sha256 } of [claimed, free]) await files.scale(sha256, { width: 2, height: 2, fill: true });
  for (const { uuid } of [claimed, free]) await files.remove(uuid);
  expect([files.get(claimed.uuid), files.blobs.has(claimed.sha256), files.blobs.has(free.sha256)]).toEqual([
    undefined,
    true,
    false,
  ]);
  expect(readdirSync(join(directory, 'files', 'scaled')).map((name) => name.slice(0, 64))).toEqual([claimed.sha256]);
});

test('scaled pictures are cleared with their original, however much room there is', async () => {
  const { clock, files, receive, directory } = await openFiles();
  const orphan = await receive(
    await sharp({ create: { width: 4, height: 3, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  );
  await files.scale(orphan.sha256, { width: 2, height: 2, fill: true });
  clock.now += 25 * HOUR;
  await files.sweep();
  expect(readdirSync(join(directory, 'files', 'scaled'))).toEqual([]);
});

test('scaled pictures go with their original, and the oldest beyond the room there is', async () => {
  const { clock, files, receive, directory } = await openFiles(1400);
  const scaled = () => readdirSync(join(directory, 'files', 'scaled'));
  const noise = (value: number) =>
    sharp(Buffer.from(Array.from({ length: 1200 }, (_, i) => (i * i * value) % 256)), {
      raw: { width: 20, height: 20, channels: 3 },
    })
      .png()
      .toBuffer();
  const [kept, gone] = [await receive(await noise(7)), await receive(await noise(11))];
  await files.claim([kept.uuid]);
  for (const upload of [gone, kept])
    for (const side of [10, 12, 14]) await files.scale(upload.sha256, { width: side, height: side, fill: true });
  expect(scaled().length).toBe(6);
  clock.now += 25 * HOUR;
  await files.sweep();
  const left = scaled();
  expect(left.filter((name) => name.startsWith(gone.sha256))).toEqual([]);
  expect(left.map((name) => name.slice(65)).sort()).toEqual(['12x12f.png', '14x14f.png']);
  await files.scale(kept.sha256, { width: 10, height: 10, fill: true });
  expect(scaled().length).toBe(3);
});

test('names of A4 are read as they are written, and nothing else is', () => {
  const attachment = { kind: 'sound', taskId: 12, num: 3, extension: 'wav', converted: {} };
  expect(fileNameOf(attachment, 5)).toBe('sounds_5_12_3.wav');
  expect(readFileName('sounds', 'sounds_5_12_3.wav')).toEqual({
    kind: 'sound',
    organizationId: 5,
    taskId: 12,
    num: 3,
    extension: 'wav',
  });
  expect(fileNameOf({ ...attachment, kind: 'video', converted: { flv: { sha256: '', size: 1 } } }, 5)).toBe(
    'video_5_12_3.flv',
  );
  for (const wrong of [
    'photo_5_12_3.wav',
    'sounds_5_12_3.',
    'sounds_5_12_3.wav/..',
    'sounds_5_12.wav',
    'sounds_x_1_1.wav',
  ])
    expect(readFileName('sounds', wrong)).toBeUndefined();
});

test('an ordinal follows the highest that ever was, and the title falls to the next photo', () => {
  expect([nextNum([]), nextNum([{ num: 0 }, { num: 4 }])]).toEqual([0, 5]);
  expect([
    mainPhotoAfter(1, 1, [0, 2, 5]),
    mainPhotoAfter(5, 5, [0, 2]),
    mainPhotoAfter(0, 0, []),
    mainPhotoAfter(2, 0, [0]),
  ]).toEqual([2, 0, null, 0]);
});
