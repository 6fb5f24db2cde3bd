import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = /^waypost-(\d{4}-\d{2}-\d{2})\.(\d{4,})\.log$/;
/** A file ends at this size, so that a flood within one day can be removed in parts. */
const PART_BYTES = 10_000_000;

/**
 * Chooses the file of the next lines: one for each day (UTC), in parts. Files are numbered in the order in
 * which they are begun. When the clock is set back over midnight, a file of the earlier day follows that of
 * the later one.
 */
export class LogFileParts {
  readonly #directory: string;
  readonly #partBytes: number;
  #day = '';
  #number: number;
  #size = 0;

  /**
   * Continues the last file of an earlier run, unless its last line is incomplete: a line after that would be
   * lost with it.
   */
  constructor(directory: string, partBytes = PART_BYTES) {
    this.#directory = directory;
    this.#partBytes = partBytes;
    const last = logFilesIn(directory).at(-1);
    this.#number = last?.number ?? -1;
    if (!last || !endsWhole(join(directory, last.name))) return;
    this.#day = last.day;
    this.#size = statSync(join(directory, last.name)).size;
  }

  take(time: number, bytes: number): string {
    const day = new Date(time).toISOString().slice(0, 10);
    if (day !== this.#day || this.#size > this.#partBytes) {
      this.#day = day;
      this.#number++;
      this.#size = 0;
    }
    this.#size += bytes;
    return join(this.#directory, `waypost-${this.#day}.${String(this.#number).padStart(4, '0')}.log`);
  }

  /** The next lines go to a new file. */
  leave(): void {
    this.#day = '';
  }
}

/** In the order of writing. */
export function logFilesIn(directory: string): { name: string; day: string; number: number }[] {
  return inOrder(readdirSync(directory));
}

/** Files of an older program, numbered from 0 each day, come first, by day and number. */
function inOrder(names: readonly string[]): { name: string; day: string; number: number }[] {
  const files = names.flatMap((name) => {
    const found = NAME.exec(name);
    return found ? [{ name, day: found[1]!, number: Number(found[2]) }] : [];
  });
  return files.sort((a, b) => a.number - b.number || (a.day < b.day ? -1 : 1));
}

function endsWhole(path: string): boolean {
  return ['', '\n'].includes(readEnd(path, 1));
}

/** The last bytes of a file, as text. */
export function readEnd(path: string, bytes: number): string {
  const { size } = statSync(path);
  const end = Buffer.alloc(Math.min(bytes, size));
  if (end.length === 0) return '';
  const file = openSync(path, 'r');
  try {
    return end.toString('utf8', 0, readSync(file, end, 0, end.length, size - end.length));
  } finally {
    closeSync(file);
  }
}

/** Paths of the log files, in the order of writing. */
export async function listFiles(directory: string): Promise<string[]> {
  return inOrder(await readdir(directory).catch(() => [])).map(({ name }) => join(directory, name));
}

/**
 * Removes files of days that ended before `oldest`, and the oldest ones beyond `bytes` in total. Always keeps
 * the newest.
 */
export async function removeOld(directory: string, oldest: number, bytes: number): Promise<void> {
  const files = (await listFiles(directory)).toReversed();
  let total = 0;
  for (const [index, file] of files.entries()) {
    total += (await stat(file)).size;
    const day = Date.parse(NAME.exec(file.slice(directory.length + 1))![1]!);
    if (index > 0 && (total > bytes || day + 24 * 3_600_000 <= oldest)) await rm(file, { force: true });
  }
}
