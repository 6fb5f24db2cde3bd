import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readdirSync, rmSync, statSync, type ReadStream } from 'node:fs';
import { appendFile, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '../../../shared/refusal.ts';
import { syncDirectory } from '../../platform/disk/sync-directory.ts';
import { KIND_BYTES, kindOf, type FileKind } from './kinds.ts';

export interface Blob {
  /** SHA-256 of the bytes, hex: the name of the file on disk. */
  sha256: string;
  /** bytes */
  size: number;
  kind: FileKind;
}

const SHA256 = /^[0-9a-f]{64}$/;

/**
 * Bytes named by their SHA-256: the same picture sent twice is stored once, and a name from outside is never
 * a path.
 */
export class Blobs {
  readonly #directory: string;
  readonly #incoming: string;
  /** Bytes that come in pieces from other stations. */
  readonly #partials: string;
  /** Bytes that a record is about to name; they must not be deleted before. */
  readonly #held = new Map<string, number>();

  readonly #scan: (path: string) => Promise<void>;

  /** @param scan refuses a file before it is stored */
  constructor(directory: string, scan: (path: string) => Promise<void> = () => Promise.resolve()) {
    this.#directory = directory;
    this.#scan = scan;
    this.#incoming = join(directory, 'incoming');
    this.#partials = join(directory, 'partial');
    mkdirSync(this.#incoming, { recursive: true });
    // Removes what a broken connection or a killed station left half-written.
    for (const name of readdirSync(this.#incoming)) rmSync(join(this.#incoming, name), { force: true });
  }

  /**
   * Streams `source` to disk: written to a temporary file, synced, renamed. Refuses more than `limit` bytes
   * as `too-large`. Leaves nothing behind when the source breaks off or the limit is passed. The bytes are
   * held until they are released.
   */
  async receive(source: AsyncIterable<Buffer>, limit: number): Promise<Blob> {
    const aside = join(this.#incoming, randomUUID());
    const hash = createHash('sha256');
    const head: Buffer[] = [];
    let size = 0;
    let headSize = 0;
    const file = await open(aside, 'wx', 0o600);
    try {
      for await (const chunk of source) {
        size += chunk.length;
        if (size > limit) throw new Refusal('files.large', { megabytes: Math.round(limit / 1_000_000) });
        hash.update(chunk);
        if (headSize < KIND_BYTES) {
          head.push(chunk.subarray(0, KIND_BYTES - headSize));
          headSize += chunk.length;
        }
        await writeAll(file, chunk);
      }
      await file.sync();
      await file.close();
      await this.#scan(aside);
      const sha256 = hash.digest('hex');
      const kind = await kindOf(Buffer.concat(head));
      this.#held.set(sha256, (this.#held.get(sha256) ?? 0) + 1);
      await this.#keep(aside, sha256).catch((error: unknown) => {
        this.release(sha256);
        throw error;
      });
      return { sha256, size, kind };
    } catch (error) {
      await file.close().catch(() => undefined);
      await rm(aside, { force: true });
      throw error;
    }
  }

  /** How many of the bytes are here that come in pieces from another station. */
  async partialSize(sha256: string): Promise<number> {
    return (await stat(this.#partial(sha256)).catch(() => undefined))?.size ?? 0;
  }

  /** Appends a piece. Pieces come in order; they stay when the station stops. */
  async appendPartial(sha256: string, bytes: Buffer): Promise<void> {
    await mkdir(this.#partials, { recursive: true });
    await appendFile(this.#partial(sha256), bytes, { mode: 0o600 });
  }

  /** Resolves with whether the pieces are the bytes of that name; others are thrown away. */
  async finishPartial(sha256: string): Promise<boolean> {
    const path = this.#partial(sha256);
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    if (hash.digest('hex') !== sha256) {
      await rm(path, { force: true });
      return false;
    }
    const file = await open(path, 'r+');
    await file.sync().finally(() => file.close());
    await this.#keep(path, sha256);
    return true;
  }

  /** Up to `length` bytes from `offset` on. */
  async readPiece(sha256: string, offset: number, length: number): Promise<Buffer> {
    const file = await open(this.path(sha256), 'r');
    try {
      const bytes = Buffer.alloc(length);
      const { bytesRead } = await file.read(bytes, 0, length, offset);
      return bytes.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  /** The path of the bytes, for tools that read files. */
  path(sha256: string): string {
    if (!SHA256.test(sha256)) throw new Error('That is not a SHA-256.');
    return join(this.#directory, sha256.slice(0, 2), sha256);
  }

  has(sha256: string): boolean {
    return existsSync(this.path(sha256));
  }

  size(sha256: string): number {
    return statSync(this.path(sha256)).size;
  }

  /** Bytes `start` to `end`, both inclusive. */
  read(sha256: string, range?: { start: number; end: number }): ReadStream {
    return createReadStream(this.path(sha256), range);
  }

  release(sha256: string): void {
    const held = this.#held.get(sha256) ?? 0;
    if (held > 1) this.#held.set(sha256, held - 1);
    else this.#held.delete(sha256);
  }

  held(sha256: string): boolean {
    return this.#held.has(sha256);
  }

  remove(sha256: string): void {
    rmSync(this.path(sha256), { force: true });
  }

  #partial(sha256: string): string {
    if (!SHA256.test(sha256)) throw new Error('That is not a SHA-256.');
    return join(this.#partials, `.${sha256}`);
  }

  async #keep(aside: string, sha256: string): Promise<void> {
    const folder = join(this.#directory, sha256.slice(0, 2));
    await mkdir(folder, { recursive: true });
    await rename(aside, this.path(sha256));
    await syncDirectory(folder);
  }
}

async function writeAll(file: Awaited<ReturnType<typeof open>>, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten;
}
