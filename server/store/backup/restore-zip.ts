import { createWriteStream } from 'node:fs';
import { mkdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import yauzl from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { z } from 'zod';
import { Refusal } from '../../../shared/refusal.ts';
import { isDiskFull } from '../../platform/disk/disk-full.ts';
import { readNote, type BackupNote } from './backup.ts';
import { isPartOfBackup } from './parts.ts';

const Note = z.object({
  format: z.literal(1),
  madeAt: z.string(),
  station: z.object({ id: z.string(), number: z.int() }),
});

export async function checkedNote(path: string, fromZip: string): Promise<BackupNote> {
  const found: unknown = await readNote(path).catch(() => undefined);
  const { format } = z.object({ format: z.number() }).safeParse(found).data ?? {};
  if (format !== undefined && format > 1) throw new Refusal('backup.newer', { file: fromZip });
  const { data: note } = Note.safeParse(found);
  if (!note) throw new Refusal('backup.notBackup', { file: fromZip });
  return note;
}

/** Up to this many unpacked bytes the compression ratio is not checked. */
const SMALL = 100_000_000;
/** Highest compression ratio. Databases and pictures compress to a tenth at best; a zip bomb exceeds this. */
const MAX_GROWTH = 100;

/** Extracts the parts of a backup into a folder. Ignores everything else in the zip. */
export async function extractZip(fromZip: string, into: string, progress: (what: string) => void): Promise<void> {
  let zip: ZipFile | undefined;
  try {
    zip = await yauzl.openPromise(fromZip, { lazyEntries: true, autoClose: false });
    const entries: Entry[] = [];
    // yauzl itself refuses absolute paths, backslashes and `..`.
    for await (const entry of zip.eachEntry())
      if (entry.fileName === 'backup.json' || isPartOfBackup(entry.fileName)) entries.push(entry);
    await requireRoom(entries, fromZip, into);
    for (const entry of entries) {
      progress(entry.fileName);
      const path = join(into, entry.fileName);
      await mkdir(dirname(path), { recursive: true });
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(path, { flags: 'wx', flush: true }));
    }
  } catch (error) {
    if (error instanceof Refusal || isDiskFull(error)) throw error;
    throw new Refusal('backup.unreadable', { file: fromZip, problem: (error as Error).message }, { cause: error });
  } finally {
    zip?.close();
  }
}

async function requireRoom(entries: readonly Entry[], fromZip: string, into: string): Promise<void> {
  const total = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (total > SMALL && total > (await stat(fromZip)).size * MAX_GROWTH) {
    throw new Refusal('backup.growing', { file: fromZip, megabytes: (total / 1e6).toFixed(0) });
  }
  const { bavail, bsize } = await statfs(into);
  if (total > bavail * bsize) {
    throw new Refusal('backup.noSpace', {
      file: fromZip,
      megabytes: (total / 1e6).toFixed(0),
      free: ((bavail * bsize) / 1e6).toFixed(0),
    });
  }
}
