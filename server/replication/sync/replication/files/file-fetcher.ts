import type { Attachment } from '../../../../../shared/records/index.ts';
import type { Files } from '../../../../dispatch/files/index.ts';
import type { Store } from '../../../../store/types.ts';
import { COLLECTIONS_WITH_FILES, MissingFiles } from './missing-files.ts';

/** A piece of a file as another station gave it; undefined: it has not got the file. */
export interface FilePiece {
  readonly size: number;
  readonly bytes: Buffer;
}

/** A connection over which files can be had. */
export interface FileSource {
  /** Records go first: files wait while this is false. */
  readonly isQuiet: boolean;
  fetchPiece(sha256: string, offset: number): Promise<FilePiece | undefined>;
}

export interface FileFetcherOptions {
  readonly store: Store;
  readonly files: Files;
  now(): number;
  /** Whether the task of an attachment is not done yet. */
  isOpen(attachment: Attachment): boolean;
  /** Called when the number of missing files changes. */
  changed(): void;
  warn(message: string): void;
}

const AT_ONCE = 2;
/** ms until a file that no station has is asked for again. */
const RETRY_AFTER = 5_000;
/** Files that are looked at for one that can be fetched. */
const CANDIDATES = 50;

/** Fetches the bytes that records name, from whichever linked station has them. */
export class FileFetcher {
  readonly #options: FileFetcherOptions;
  readonly #missing: MissingFiles;
  readonly #sources = new Set<FileSource>();
  readonly #underWay = new Set<string>();
  readonly #notBefore = new Map<string, number>();
  readonly #stops: (() => void)[] = [];
  readonly #timer: NodeJS.Timeout;
  #closed = false;

  constructor(options: FileFetcherOptions) {
    this.#options = options;
    const { store, files, now } = options;
    this.#missing = new MissingFiles(
      store,
      (sha256) => files.blobs.has(sha256),
      (record) => options.isOpen(record),
    );
    for (const name of COLLECTIONS_WITH_FILES) {
      const records = store.whole(name);
      this.#stops.push(
        records.beforeCommit((changes) => this.#missing.note(name, changes, now())),
        records.watch(() => {
          options.changed();
          this.#pump();
        }),
      );
    }
    this.#timer = setInterval(() => this.#pump(), RETRY_AFTER);
    this.#timer.unref();
  }

  /** Files whose bytes are not here. */
  get pending(): number {
    return this.#missing.count;
  }

  /** Returns the function that removes the source. */
  add(source: FileSource): () => void {
    this.#sources.add(source);
    this.#notBefore.clear();
    this.#pump();
    return () => this.#sources.delete(source);
  }

  /** A source may have become quiet. */
  poke(): void {
    this.#pump();
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    for (const stop of this.#stops) stop();
  }

  #pump(): void {
    if (this.#closed || this.#sources.size === 0 || this.#underWay.size >= AT_ONCE) return;
    if (![...this.#sources].some(({ isQuiet }) => isQuiet)) return;
    const now = performance.now();
    for (const sha256 of this.#missing.next(CANDIDATES)) {
      if (this.#underWay.size >= AT_ONCE) return;
      if (this.#underWay.has(sha256) || (this.#notBefore.get(sha256) ?? 0) > now) continue;
      this.#underWay.add(sha256);
      void this.#fetch(sha256)
        .catch((error: unknown) => {
          this.#options.warn(`The file ${sha256} could not be fetched: ${(error as Error).message}`);
          return false;
        })
        .then((isHere) => {
          this.#underWay.delete(sha256);
          if (this.#closed) return;
          if (!isHere) this.#notBefore.set(sha256, performance.now() + RETRY_AFTER);
          else this.#notBefore.delete(sha256);
          this.#pump();
        });
    }
  }

  /** Resolves with whether nothing is missing any more. */
  async #fetch(sha256: string): Promise<boolean> {
    const { files, warn } = this.#options;
    if (!files.isReferenced(sha256) || files.blobs.has(sha256)) return this.#found(sha256);
    for (const source of this.#sources) {
      if (!source.isQuiet) continue;
      const complete = await this.#fetchFrom(source, sha256).catch(() => false);
      if (this.#closed) return false;
      if (!complete) continue;
      if (await files.blobs.finishPartial(sha256)) return this.#found(sha256);
      warn(`A linked station sent other bytes than those of the file ${sha256}. They were thrown away.`);
    }
    return false;
  }

  async #found(sha256: string): Promise<boolean> {
    await this.#missing.found(sha256);
    this.#options.changed();
    return true;
  }

  /** Resolves with whether all bytes are here; received bytes stay for the next attempt. */
  async #fetchFrom(source: FileSource, sha256: string): Promise<boolean> {
    const { blobs } = this.#options.files;
    for (;;) {
      const offset = await blobs.partialSize(sha256);
      const piece = await source.fetchPiece(sha256, offset);
      if (!piece || this.#closed) return false;
      if (piece.bytes.length > 0) await blobs.appendPartial(sha256, piece.bytes);
      const size = offset + piece.bytes.length;
      if (size >= piece.size) return true;
      if (piece.bytes.length === 0 || !source.isQuiet) return false;
    }
  }
}
