import type { Actor } from '../../../../shared/access.ts';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { Attachments, Conversions, Files } from '../../../../server/dispatch/files/index.ts';
import { openStore } from '../../../../server/store/index.ts';

const UPLOADER = { user: { id: 1, organizationId: 1 }, role: { superuser: false } } as Actor;

/** A WAV file without any sound in it. */
const SOUND = Buffer.concat([
  Buffer.from('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\0\0\0\0', 'latin1'),
]);

async function openRoom(ffmpeg: string | null = null) {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-conversions-'));
  const store = await openStore({ directory });
  const files = new Files({
    directory: join(directory, 'files'),
    store,
    limit: 1e6,
    now: Date.now,
    organizationOf: () => undefined,
  });
  const attachments = new Attachments({ store, files, now: Date.now });
  files.keepReferenced((sha256) => attachments.has(sha256));
  const reported: string[] = [];
  // Without a program a sound is only noted as one that cannot be converted here.
  const conversions = new Conversions({
    attachments,
    files,
    workshop: join(directory, 'converting'),
    ffmpeg,
    report: (message) => reported.push(message),
  });
  onTestFinished(async () => {
    await conversions.close();
    await store.close();
    rmSync(directory, { recursive: true });
  });
  const attachSound = async (before = async () => {}) => {
    const { uuid } = await files.receive(Readable.from([SOUND]), { name: 'a.wav', userId: 1 });
    const prepared = await attachments.prepare([{ kind: 'sound', uuid }], UPLOADER);
    await store.transaction(async () => {
      await attachments.add(1, prepared, 1);
      await before();
    });
    return attachments.of(1).at(-1)!;
  };
  return { directory, files, attachments, conversions, reported, attachSound };
}

test('what is added is taken up when it is committed, however long the change around it takes', async () => {
  const { attachments, conversions, attachSound } = await openRoom();
  await conversions.start();
  await attachSound(async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  });
  await expect.poll(() => attachments.of(1)[0]!.conversion).toBe('unavailable');
});

test('a conversion of which nothing can be noted is reported once, and not tried without end', async () => {
  const { attachments, conversions, reported, attachSound } = await openRoom();
  const { id } = await attachSound();
  let tried = 0;
  attachments.converted = () => {
    if (++tried > 6) void conversions.close(); // so that what is tried without end fails here, and does not hang
    return Promise.reject(new Error('The disk is full.'));
  };
  await conversions.start();
  await conversions.idle();
  expect(reported).toEqual([`Attachment ${id} could not be converted.`]);
});

test('what has lost its bytes cannot be converted, and the record says why', async () => {
  const { files, attachments, conversions, reported, attachSound } = await openRoom();
  const { sha256 } = await attachSound();
  files.blobs.remove(sha256);
  await conversions.start();
  await conversions.idle();
  expect(attachments.of(1)).toMatchObject([{ conversion: 'failed', conversionNote: 'The file is not here.' }]);
  expect(reported).toEqual([]);
});

test.skipIf(process.platform === 'win32')('ffmpeg is not started before an attachment needs it', async () => {
  const script = join(mkdtempSync(join(tmpdir(), 'waypost-ffmpeg-')), 'ffmpeg');
  onTestFinished(() => rmSync(dirname(script), { recursive: true }));
  writeFileSync(script, `#!/bin/sh\ntouch '${script}.started'\nexit 1\n`, { mode: 0o755 });
  const { attachments, conversions, attachSound } = await openRoom(script);
  await conversions.start();
  await conversions.idle();
  expect(existsSync(`${script}.started`)).toBe(false);
  await attachSound();
  await expect.poll(() => attachments.of(1)[0]!.conversion).toBe('unavailable');
  expect(existsSync(`${script}.started`)).toBe(true);
});

test.skipIf(process.platform === 'win32')(
  'attachments of a time without ffmpeg wait again at a start with it',
  async () => {
    const first = await openRoom();
    await first.attachSound();
    await first.conversions.start();
    await first.conversions.idle();
    expect(first.attachments.of(1)[0]!.conversion).toBe('unavailable');
    const script = join(first.directory, 'ffmpeg');
    writeFileSync(script, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    const { attachments, files, directory } = first;
    const waited: number[] = [];
    attachments.onWaiting(() => waited.push(attachments.waiting().length));
    const options = { attachments, files, workshop: join(directory, 'again'), ffmpeg: script, report: () => undefined };
    const second = new Conversions(options);
    await second.start();
    await second.close();
    expect(waited).toEqual([1]);
  },
);
