import type { Actor } from '../../../../shared/access.ts';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Attachments, Conversions, Files } from '../../../../server/dispatch/files/index.ts';
import { openStore } from '../../../../server/store/index.ts';

const UPLOADER = { user: { id: 1, organizationId: 1 }, role: { superuser: false } } as Actor;

/** Processes are looked for in /proc, and the program is the real one. */
const possible = existsSync('/proc/self/cmdline') && spawnSync('ffmpeg', ['-version']).status === 0;

/** Process ids of programs that have the folder among their words. */
function programsOf(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => {
      try {
        return (
          readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(folder) &&
          readlinkSync(`/proc/${id}/exe`).includes('ffmpeg')
        );
      } catch {
        return false; // it has ended
      }
    });
}

test.runIf(possible)(
  'a conversion that is broken off ends its program, leaves nothing half-made, and is made at the next start',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'waypost-break-off-'));
    const store = await openStore({ directory });
    const files = new Files({
      directory: join(directory, 'files'),
      store,
      limit: 1e8,
      now: Date.now,
      organizationOf: () => undefined,
    });
    const attachments = new Attachments({ store, files, now: Date.now });
    files.keepReferenced((sha256) => attachments.has(sha256));
    const workshop = join(directory, 'converting');
    const begin = async (ffmpeg: string) => {
      const conversions = new Conversions({
        attachments,
        files,
        workshop,
        ffmpeg,
        report: (message, error) => expect.unreachable(`${message} ${String(error)}`),
      });
      onTestFinished(() => conversions.close());
      await conversions.start();
      return conversions;
    };
    onTestFinished(async () => {
      await store.close();
      rmSync(directory, { recursive: true });
    });
    // The first one reads no quicker than the clip is shown: on no machine is it through before it is broken
    // off.
    const atLeisure = join(directory, 'at-leisure.sh');
    writeFileSync(atLeisure, '#!/bin/sh\nexec ffmpeg -re "$@"\n', { mode: 0o755 });
    const clip = join(directory, 'clip.avi');
    execFileSync('ffmpeg', [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      'testsrc2=size=160x120:rate=10:duration=20',
      '-c:v',
      'mjpeg',
      '-q:v',
      '8',
      clip,
    ]);
    const { uuid } = await files.receive(createReadStream(clip), { name: 'clip.avi', userId: 1 });
    const prepared = await attachments.prepare([{ kind: 'video', uuid }], UPLOADER);
    await store.transaction(() => attachments.add(1, prepared, 1));
    const video = () => attachments.of(1)[0]!;

    const first = await begin(atLeisure);
    await expect
      .poll(
        () => [programsOf(workshop).length, statSync(join(workshop, 'made.mp4'), { throwIfNoEntry: false })?.isFile()],
        { interval: 10 },
      )
      .toEqual([1, true]);
    await first.close();
    expect([
      programsOf(workshop),
      readdirSync(workshop),
      readdirSync(join(directory, 'files', 'incoming')),
      video().conversion,
      video().converted,
    ]).toEqual([[], [], [], 'waiting', {}]);

    await (await begin('ffmpeg')).idle();
    expect([video().conversion, Object.keys(video().converted).sort(), readdirSync(workshop)]).toEqual([
      'done',
      ['flv', 'mp4'],
      [],
    ]);
  },
);
