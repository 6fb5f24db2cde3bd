import { readdir } from 'node:fs/promises';
import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import type { Files } from '../../dispatch/files/index.ts';
import { Backoff } from '../../platform/backoff.ts';
import type { AnyStored, Change, CollectionName, Store } from '../../store/types.ts';
import { COLLECTIONS_WITH_FILES, filesOfRecord } from '../sync/index.ts';
import type { ObjectPiece, ObjectStore } from './types.ts';

interface FileCopiesOptions {
  readonly store: Pick<Store, 'sql' | 'writePlain' | 'whole'>;
  readonly files: Files;
  readonly objects: ObjectStore;
  /** The directory of the files. */
  readonly directory: string;
  now(): number;
  readonly log: { info(message: string): void; warn(message: string): void };
}

/** Bytes of a file that are read at once. */
const PIECE = 1_000_000;
/** ms between two tries while the object store does not answer. */
const LONGEST_DELAY = 60_000;
/** ms from the start until all files are looked at, and between two such looks. */
const FIRST_LOOK = 30_000;
const BETWEEN_LOOKS = 86_400_000;
/** ms after which a copy is looked for again: another station may have removed it. */
const CHECKED_FOR = 7 * 86_400_000;

const SHA256 = /^[0-9a-f]{64}$/;

/**
 * Copies the bytes that records name to an object store, in the background, and gives those that are missing here.
 * The station keeps its own bytes: it acknowledges, and serves, without the object store.
 */
export class FileCopies {
  /** Files may be fetched at any time: this source carries no records. */
  readonly isQuiet = true;
  readonly #options: FileCopiesOptions;
  readonly #stops: (() => void)[] = [];
  readonly #closing = new AbortController();
  readonly #backoff = new Backoff(undefined, LONGEST_DELAY);
  readonly #runs: Promise<void>[];
  #wake = Promise.withResolvers<void>();
  #problem: string | undefined;

  constructor(options: FileCopiesOptions) {
    this.#options = options;
    const { store, files } = options;
    for (const name of COLLECTIONS_WITH_FILES) {
      const records = store.whole(name);
      this.#stops.push(records.beforeCommit((changes) => this.#note(name, changes)));
      // Only after the commit is what was noted in it there to be read.
      this.#stops.push(records.watch(() => this.#wake.resolve()));
    }
    this.#stops.push(files.onRemoved((sha256) => void this.#forget(sha256).catch(this.#notNoted)));
    this.#runs = [this.#copyAll(), this.#lookThrough()];
  }

  /** Why files are not copied now, in words; undefined: they are. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Files whose copy is not confirmed yet. */
  get waiting(): number {
    const count = "SELECT count(*) AS count FROM file_copies WHERE state = 'waiting'";
    return this.#options.store.sql.prepare(count).get()!['count'] as number;
  }

  fetchPiece(sha256: string, offset: number): Promise<ObjectPiece | undefined> {
    return this.#options.objects.read(sha256, offset, PIECE);
  }

  /** Looks now for files that have no copy. */
  async lookNow(): Promise<void> {
    const { files, directory, now } = this.#options;
    for (const folder of (await readdir(directory)).filter((name) => /^[0-9a-f]{2}$/.test(name)))
      for (const sha256 of await readdir(`${directory}/${folder}`)) {
        if (this.#closing.signal.aborted) return;
        if (!SHA256.test(sha256) || this.#isKnown(sha256, now() - CHECKED_FOR)) continue;
        if (files.isReferenced(sha256)) await this.#want([sha256]);
        await setImmediate(); // whether a record refers to it takes some milliseconds to find out
      }
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    this.#closing.abort();
    this.#wake.resolve();
    this.#options.objects.close();
    await Promise.all(this.#runs);
  }

  /** The next look through all files finds what could not be noted. */
  readonly #notNoted = (error: unknown): void =>
    this.#options.log.warn(`The copy of a file could not be recorded: ${(error as Error).message}`);

  /** Inside the transaction that wrote the records. */
  #note(collection: CollectionName, changes: readonly Change<AnyStored>[]): void {
    const named = changes
      .filter(({ deleted }) => !deleted)
      .flatMap(({ record }) => filesOfRecord(collection, record as AnyStored & Record<string, unknown>, () => false));
    if (named.length > 0) this.#want(named.map(({ sha256 }) => sha256)).catch(this.#notNoted);
  }

  async #want(hashes: readonly string[]): Promise<void> {
    const { store, objects, now } = this.#options;
    await store.writePlain((sql) => {
      // A copy that was confirmed stays confirmed until it is looked for again.
      const want = sql.prepare(
        `INSERT INTO file_copies (sha256, place, state, at) VALUES (?, ?, 'waiting', ?)
        ON CONFLICT (sha256) DO UPDATE SET place = excluded.place, state = 'waiting', at = excluded.at
        WHERE place <> excluded.place OR state <> 'copied' OR at < ?`,
      );
      for (const sha256 of hashes) want.run(sha256, objects.name, now(), now() - CHECKED_FOR);
    });
    this.#wake.resolve();
  }

  /** The station removed the bytes, since none of its records names them. */
  async #forget(sha256: string): Promise<void> {
    await this.#options.store.writePlain((sql) =>
      sql.prepare("UPDATE file_copies SET state = 'unwanted' WHERE sha256 = ?").run(sha256),
    );
    this.#wake.resolve();
  }

  #isKnown(sha256: string, since: number): boolean {
    const { store, objects } = this.#options;
    const row = store.sql.prepare('SELECT place, state, at FROM file_copies WHERE sha256 = ?').get(sha256);
    return row?.['place'] === objects.name && (row['state'] === 'waiting' || (row['at'] as number) >= since);
  }

  async #lookThrough(): Promise<void> {
    const { signal } = this.#closing;
    for (let delay = FIRST_LOOK; ; delay = BETWEEN_LOOKS) {
      await pause(delay, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      await this.lookNow().catch((error: unknown) =>
        this.#options.log.warn(`Files could not be checked for copies: ${(error as Error).message}`),
      );
    }
  }

  async #copyAll(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const row = this.#next();
      if (row === undefined) {
        this.#wake = Promise.withResolvers<void>();
        // It may have come between the question and the new promise.
        if (this.#next() === undefined) await this.#wake.promise;
        continue;
      }
      try {
        await this.#copy(row);
        this.#works();
      } catch (error) {
        if (signal.aborted) return;
        this.#fails((error as Error).message);
        await this.#postpone(row.sha256);
        await pause(this.#backoff.remaining, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  /** Puts a file that failed behind those that wait, so that it keeps no other from being copied. */
  async #postpone(sha256: string): Promise<void> {
    const { store, now } = this.#options;
    await store
      .writePlain((sql) => sql.prepare('UPDATE file_copies SET at = ? WHERE sha256 = ?').run(now() + 1, sha256))
      .catch(() => undefined);
  }

  #next(): { readonly sha256: string; readonly state: string } | undefined {
    return this.#options.store.sql
      .prepare("SELECT sha256, state FROM file_copies WHERE state <> 'copied' ORDER BY at LIMIT 1")
      .get() as { sha256: string; state: string } | undefined;
  }

  async #copy({ sha256, state }: { readonly sha256: string; readonly state: string }): Promise<void> {
    const { store, files, objects, now } = this.#options;
    const isHere = files.blobs.has(sha256);
    if (state === 'unwanted' && !isHere) await objects.remove(sha256);
    else if (isHere && !(await objects.has(sha256)))
      await objects.put(sha256, files.blobs.path(sha256)).catch((error: unknown) => {
        if (files.blobs.has(sha256)) throw error;
      });
    await store.writePlain((sql) => {
      // The station that has the bytes copies them. The next look finds bytes that came later.
      if (isHere) sql.prepare("UPDATE file_copies SET state = 'copied', at = ? WHERE sha256 = ?").run(now(), sha256);
      else sql.prepare('DELETE FROM file_copies WHERE sha256 = ?').run(sha256);
    });
  }

  #works(): void {
    if (this.#backoff.recovered()) this.#options.log.info(`${this.#options.objects.name} accepts files again.`);
    this.#problem = undefined;
  }

  #fails(reason: string): void {
    const { objects, log } = this.#options;
    if (this.#backoff.failed(reason) === 1) log.warn(`${objects.name} accepts no files: ${reason}`);
    this.#problem = `${objects.name} accepts no files: ${reason}`;
  }
}
