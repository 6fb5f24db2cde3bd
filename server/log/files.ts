import { readdirSync, statSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = /^waypost-(\d{4}-\d{2}-\d{2})\.(\d{4})\.log$/;
/** A file is ended at this size, so that a flood of one day can be removed piece by piece too. */
const PART_BYTES = 10_000_000;

/** Decides which file the next lines go to: one for each day (UTC), in parts. */
export class Parts {
  readonly #directory: string;
  readonly #partBytes: number;
  #day = '';
  #number = 0;
  #size = 0;

  constructor(directory: string, partBytes = PART_BYTES) {
    this.#directory = directory;
    this.#partBytes = partBytes;
  }

  take(time: number, bytes: number): string {
    const day = new Date(time).toISOString().slice(0, 10);
    if (day !== this.#day) this.#goOn(day);
    else if (this.#size > this.#partBytes) {
      this.#number++;
      this.#size = 0;
    }
    this.#size += bytes;
    return this.#path();
  }

  /** Goes on where an earlier run stopped. */
  #goOn(day: string): void {
    const numbers = readdirSync(this.#directory).flatMap((name) => (NAME.exec(name)?.[1] === day ? [Number(NAME.exec(name)![2])] : []));
    this.#day = day;
    this.#number = Math.max(0, ...numbers);
    this.#size = statSync(this.#path(), { throwIfNoEntry: false })?.size ?? 0;
  }

  #path(): string {
    return join(this.#directory, `waypost-${this.#day}.${String(this.#number).padStart(4, '0')}.log`);
  }
}

/** Paths of the log files, oldest first. */
export async function listFiles(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  return names.filter((name) => NAME.test(name)).sort().map((name) => join(directory, name));
}

/** Removes files of days that ended before `oldest`, and the oldest ones beyond `bytes` in all; the newest is kept in any case. */
export async function removeOld(directory: string, oldest: number, bytes: number): Promise<void> {
  const files = (await listFiles(directory)).toReversed();
  let total = 0;
  for (const [index, file] of files.entries()) {
    total += (await stat(file)).size;
    const day = Date.parse(NAME.exec(file.slice(directory.length + 1))![1]!);
    if (index > 0 && (total > bytes || day + 24 * 3_600_000 <= oldest)) await rm(file, { force: true });
  }
}
