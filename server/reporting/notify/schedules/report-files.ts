import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, type ReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { syncDirectory } from '../../../platform/disk/sync-directory.ts';
import type { Store } from '../../../store/types.ts';

/** Most mail servers take this much, with the third that base64 adds. */
export const LARGEST_FILE = 15_000_000;
const PART = '.part';
/** ms for which a file that no mail names may still be on its way to one. */
const FRESH = 60 * 60_000;

/** Files of waiting mails, in a folder of their own. They are streamed, so that no report is entirely in memory. */
export class ReportFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Writes a file aside and puts it in place on the disk. Gives its name; undefined: it is too large for a mail. */
  async write(content: Readable, form: string): Promise<string | undefined> {
    await mkdir(this.#directory, { recursive: true });
    const file = `${randomUUID()}.${form}`;
    const path = join(this.#directory, file);
    try {
      await pipeline(content, limited(), createWriteStream(path + PART, { flush: true }));
    } catch (error) {
      await rm(path + PART, { force: true });
      if (error instanceof TooLarge) return undefined;
      throw error;
    }
    await rename(path + PART, path);
    await syncDirectory(this.#directory);
    return file;
  }

  read(file: string): ReadStream {
    return createReadStream(join(this.#directory, file));
  }

  async remove(file: string): Promise<void> {
    await rm(join(this.#directory, file), { force: true });
  }

  /** Removes what no mail needs any more. */
  async sweep(sql: Store['sql'], now: number): Promise<void> {
    const names = await readdir(this.#directory).catch(() => []);
    const isNeeded = sql.prepare(
      "SELECT 1 FROM mail_files JOIN mail ON mail.id = mail_id WHERE file = ? AND state <> 'sent'",
    );
    for (const name of names) {
      if (isNeeded.get(name)) continue;
      const { mtimeMs } = await stat(join(this.#directory, name));
      if (now - mtimeMs > FRESH) await this.remove(name);
    }
  }
}

class TooLarge extends Error {}

function limited(): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > LARGEST_FILE) done(new TooLarge());
      else done(null, chunk);
    },
  });
}
