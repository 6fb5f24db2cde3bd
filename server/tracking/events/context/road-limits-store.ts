import { copyFile, link, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Emitter } from '../../../platform/emitter.ts';
import { RoadLimits } from '../../../../shared/roads/road-limits.ts';
import type { SignedRoads } from './vehicle-context.ts';

export interface RoadLimitsStoreOptions {
  /** The directory of the limits; created when missing. */
  readonly directory: string;
  now(): number;
  /** Whether there are any tracks: without them the limits of the first territory apply to all times. */
  hasTracks(): boolean;
  /** Epoch ms; older records are neither accepted nor computed again. */
  keptSince(): number;
  /** Called when limits are missing, or with an error when they cannot be read. */
  report(message: string, error?: unknown): void;
}

interface LimitsVersion {
  readonly file: string;
  readonly territory: string;
  readonly validFrom: number;
  /** Undefined: they cannot be read. */
  readonly bytes: SharedArrayBuffer | undefined;
}

const FILE = /^(\d+)\.(.+)\.bin$/;

/**
 * All versions of the roads' speed limits. A new territory adds a version from then on. Old versions, some
 * megabytes each, stay while records of their time may arrive or be computed again.
 */
export class RoadLimitsStore {
  readonly #options: RoadLimitsStoreOptions;
  readonly #versions: LimitsVersion[];
  readonly #emitter: Emitter<[from: number]>;
  /** The result for each first version, so that the same list is returned. */
  readonly #cache = new Map<number, readonly SignedRoads[]>();

  private constructor(options: RoadLimitsStoreOptions, versions: LimitsVersion[]) {
    this.#options = options;
    this.#emitter = new Emitter((error) => options.report('A listener to speed limits failed.', error));
    this.#versions = versions;
  }

  /** Resolves when all versions in use are in memory. */
  static async open(options: RoadLimitsStoreOptions): Promise<RoadLimitsStore> {
    const { directory, report } = options;
    await mkdir(directory, { recursive: true });
    const versions = (await readdir(directory))
      .flatMap((file) => {
        const [, validFrom, territory] = FILE.exec(file) ?? [];
        return validFrom === undefined ? [] : [{ file, territory: territory!, validFrom: Number(validFrom) }];
      })
      .sort((a, b) => a.validFrom - b.validFrom);
    const past = outlived(versions, options.keptSince());
    const kept: LimitsVersion[] = [];
    for (const version of versions.slice(past)) {
      const bytes = await readFile(join(directory, version.file))
        .then(shared)
        .catch((error: unknown) => {
          report(`The speed limits ${version.file} cannot be read.`, error);
          return undefined;
        });
      kept.push({ ...version, bytes });
    }
    const book = new RoadLimitsStore(options, kept);
    await book.#remove(versions.slice(0, past));
    return book;
  }

  /** The versions valid at a time or later, as parts of a context. */
  from(time: number): readonly SignedRoads[] {
    const first = Math.max(
      0,
      this.#versions.findLastIndex(({ validFrom }) => validFrom <= time),
    );
    let cached = this.#cache.get(first);
    if (!cached) {
      cached = this.#versions
        .slice(first)
        .flatMap(({ bytes, validFrom }, i) =>
          bytes ? [{ id: 0, bytes, validFrom, validUntil: this.#versions[first + i + 1]?.validFrom ?? null }] : [],
        );
      this.#cache.set(first, cached);
    }
    return cached;
  }

  /**
   * Switches to the limits of another territory and announces from when they apply.
   * @param territory its name; each start passes the same one again
   */
  async switchTo(territory: string, file: string): Promise<void> {
    const { directory, now, hasTracks } = this.#options;
    const last = this.#versions.at(-1);
    if (last?.territory === territory) return;
    const bytes = await this.#read(file);
    if (!bytes) return;
    const validFrom = last === undefined && !hasTracks() ? 0 : Math.max(now(), (last?.validFrom ?? 0) + 1);
    const name = `${validFrom}.${territory}.bin`;
    await keep(file, join(directory, name));
    this.#versions.push({ file: name, territory, validFrom, bytes });
    const past = this.#versions.splice(0, outlived(this.#versions, this.#options.keptSince()));
    this.#cache.clear();
    await this.#remove(past);
    this.#emitter.emit(validFrom);
  }

  /** Called with the time from which limits differ. Returns the unsubscription. */
  watch(listener: (from: number) => void): () => void {
    return this.#emitter.on(listener);
  }

  /** If a file cannot be removed, the next start tries again. */
  async #remove(versions: readonly { readonly file: string }[]): Promise<void> {
    const { directory, report } = this.#options;
    for (const { file } of versions)
      await rm(join(directory, file), { force: true }).catch((error: unknown) =>
        report(`The speed limits ${file} of the past cannot be removed.`, error),
      );
  }

  async #read(file: string): Promise<SharedArrayBuffer | undefined> {
    try {
      return shared(await readFile(file));
    } catch (error) {
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      this.#options.report(
        missing
          ? 'The territory was made without speed limits, so that those of roads are not known. Import it again.'
          : 'The speed limits of the roads cannot be read.',
        missing ? undefined : error,
      );
      return undefined;
    }
  }
}

/** How many of the versions, oldest first, had ended by a time. */
function outlived(versions: readonly { readonly validFrom: number }[], time: number): number {
  return Math.max(
    0,
    versions.findLastIndex(({ validFrom }) => validFrom <= time),
  );
}

/** In memory that threads share. Throws when the bytes are no complete limits. */
function shared(bytes: Uint8Array): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  RoadLimits.from(buffer);
  return buffer;
}

/**
 * The territory's directory is deleted with the territory, so the file gets a second link; without hard links
 * it is copied, atomically.
 */
async function keep(file: string, as: string): Promise<void> {
  try {
    await link(file, as);
  } catch {
    await copyFile(file, `${as}.part`);
    await rename(`${as}.part`, as);
  }
}
