import { opendir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** Parts of the data directory by the beginning of their names. The rest is `other`. */
const PARTS = [
  ['records', /^station\.db/],
  ['tracks', /^tracks/],
  ['files', /^files$/],
  ['territory', /^territory$/],
  ['log', /^log$/],
] as const;

/** ms between two measurements: a directory of many files takes a while. */
const INTERVAL = 3_600_000;

/** How much room the parts of the data directory take, measured in the background at most once an hour. */
export class DataSizes {
  readonly #directory: string;
  readonly #now: () => number;
  #sizes: ReadonlyMap<string, number> = new Map();
  #measuredAt = -Infinity;
  #measuring: Promise<void> | undefined;

  constructor(directory: string, now: () => number) {
    this.#directory = directory;
    this.#now = now;
  }

  /** Bytes by part, as last measured. Empty before the first measurement has ended. */
  parts(): ReadonlyMap<string, number> {
    if (this.#now() - this.#measuredAt >= INTERVAL) void this.measure();
    return this.#sizes;
  }

  /** Never rejects: an unreadable part counts as zero. */
  measure(): Promise<void> {
    this.#measuredAt = this.#now();
    return (this.#measuring ??= this.#measure().finally(() => (this.#measuring = undefined)));
  }

  /** The disk that holds the data. */
  async disk(): Promise<{ readonly size: number; readonly free: number } | undefined> {
    try {
      const { bsize, blocks, bavail } = await statfs(this.#directory);
      return { size: blocks * bsize, free: bavail * bsize };
    } catch {
      return undefined;
    }
  }

  async #measure(): Promise<void> {
    const sizes = new Map<string, number>([...PARTS.map(([part]) => [part, 0] as const), ['other', 0]]);
    for (const name of await namesIn(this.#directory)) {
      const part = PARTS.find(([, pattern]) => pattern.test(name))?.[0] ?? 'other';
      sizes.set(part, sizes.get(part)! + (await sizeOf(join(this.#directory, name))));
    }
    this.#sizes = sizes;
  }
}

/** One file after another, so that the thread pool stays free for others. */
async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return found?.size ?? 0;
  let sum = 0;
  for (const name of await namesIn(path)) sum += await sizeOf(join(path, name));
  return sum;
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    const names: string[] = [];
    for await (const entry of await opendir(directory)) names.push(entry.name);
    return names;
  } catch {
    return [];
  }
}
