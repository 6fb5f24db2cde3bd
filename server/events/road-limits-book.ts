import { copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RoadLimits } from '../../shared/road-limits.ts';
import type { SignedRoads } from './world.ts';

export interface RoadLimitsOptions {
  /** Where the limits are kept; made when it is missing. */
  readonly directory: string;
  now(): number;
  /** Whether there are any tracks: the limits of a station's first territory hold for all time when there are none. */
  hasTracks(): boolean;
  /** Hears in words that limits are missing, or with an error that they cannot be read. */
  report(message: string, error?: unknown): void;
}

interface Version {
  readonly file: string;
  readonly territory: string;
  readonly validFrom: number;
  bytes: SharedArrayBuffer | undefined;
}

const FILE = /^(\d+)\.(.+)\.bin$/;

/**
 * The speed limits of the roads with all versions that they had: a territory that takes the place of another one brings those from then on, and the old ones stay on
 * the disk, so that late records are held against the roads of their own time.
 */
export class RoadLimitsBook {
  readonly #options: RoadLimitsOptions;
  readonly #versions: Version[];
  readonly #listeners = new Set<(from: number) => void>();
  /** What was told for each first version, so that the same list comes again. */
  readonly #told = new Map<number, readonly SignedRoads[]>();

  private constructor(options: RoadLimitsOptions) {
    this.#options = options;
    mkdirSync(options.directory, { recursive: true });
    this.#versions = readdirSync(options.directory).flatMap((file) => {
      const [, validFrom, territory] = FILE.exec(file) ?? [];
      return validFrom === undefined ? [] : [{ file, territory: territory!, validFrom: Number(validFrom), bytes: undefined }];
    }).sort((a, b) => a.validFrom - b.validFrom);
  }

  /** What holds now is in memory when this resolves. */
  static async open(options: RoadLimitsOptions): Promise<RoadLimitsBook> {
    const book = new RoadLimitsBook(options);
    const last = book.#versions.at(-1);
    if (last) last.bytes = await book.#read(join(options.directory, last.file));
    return book;
  }

  /** The versions that hold at a time or later, as parts of a world. */
  from(time: number): readonly SignedRoads[] {
    const first = Math.max(0, this.#versions.findLastIndex(({ validFrom }) => validFrom <= time));
    let told = this.#told.get(first);
    if (!told) {
      told = this.#versions.slice(first).flatMap((version, i) => {
        const bytes = this.#bytesOf(version);
        return bytes ? [{ id: 0, bytes, validFrom: version.validFrom, validTill: this.#versions[first + i + 1]?.validFrom ?? null }] : [];
      });
      this.#told.set(first, told);
    }
    return told;
  }

  /**
   * Goes over to the limits of another territory. Whoever watches is told from when on they hold.
   * @param territory its name; the same one comes again with each start
   */
  async goOver(territory: string, file: string): Promise<void> {
    const { directory, now, hasTracks } = this.#options;
    const last = this.#versions.at(-1);
    if (last?.territory === territory) return;
    const bytes = await this.#read(file);
    if (!bytes) return;
    const validFrom = last === undefined && !hasTracks() ? 0 : Math.max(now(), (last?.validFrom ?? 0) + 1);
    const name = `${validFrom}.${territory}.bin`;
    keep(file, join(directory, name));
    this.#versions.push({ file: name, territory, validFrom, bytes });
    this.#told.clear();
    for (const listener of this.#listeners) listener(validFrom);
  }

  /** Told from when on limits are others. Returns the way to stop. */
  watch(listener: (from: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Limits of the past are read when a late record asks for them, which is seldom; some tens of MB at most. */
  #bytesOf(version: Version): SharedArrayBuffer | undefined {
    if (version.bytes) return version.bytes;
    try {
      return (version.bytes = shared(readFileSync(join(this.#options.directory, version.file))));
    } catch (error) {
      this.#options.report(`The speed limits ${version.file} of the past cannot be read.`, error);
      return undefined;
    }
  }

  async #read(file: string): Promise<SharedArrayBuffer | undefined> {
    try {
      return shared(await readFile(file));
    } catch (error) {
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      this.#options.report(missing ? 'The territory was made without speed limits, so that those of roads are not known. Import it again.' : 'The speed limits of the roads cannot be read.', missing ? undefined : error);
      return undefined;
    }
  }
}

/** In memory that threads share. Throws when the bytes are not whole limits. */
function shared(bytes: Uint8Array): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  RoadLimits.from(buffer);
  return buffer;
}

/** The territory's directory goes away with the territory. A second name for the file costs nothing; where the disk knows no such thing it is copied, whole or not at all. */
function keep(file: string, as: string): void {
  try {
    linkSync(file, as);
  } catch {
    copyFileSync(file, `${as}.part`);
    renameSync(`${as}.part`, as);
  }
}
