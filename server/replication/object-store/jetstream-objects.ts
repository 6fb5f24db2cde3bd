import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { jetstream, StorageType } from '@nats-io/jetstream';
import { Objm, type ObjectStore as Bucket } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';
import type { RegionConnection } from '../nats/index.ts';
import type { ObjectPiece, ObjectStore } from './types.ts';

/** ms to wait for an answer of the servers. */
const TIMEOUT = 10_000;
/** ms until a reader that nobody asks for its next piece is closed. */
const READER_RESTS = 30_000;

/** An object that is read from its beginning on, in order. */
interface Reader {
  readonly size: number;
  readonly chunks: ReadableStreamDefaultReader<Uint8Array>;
  /** Of the first byte of `rest`. */
  offset: number;
  rest: Buffer;
  idle?: NodeJS.Timeout;
}

/** The object store of the servers of a region (JetStream). */
export class JetStreamObjects implements ObjectStore {
  readonly name: string;
  readonly #connection: RegionConnection;
  readonly #bucketName: string;
  /** Of the connection that it was opened with: a new connection reopens it. */
  #bucket: { readonly connection: NatsConnection; readonly opened: Promise<Bucket> } | undefined;
  readonly #readers = new Map<string, Reader>();

  constructor(connection: RegionConnection) {
    const { region } = connection.options;
    this.#connection = connection;
    this.#bucketName = connection.subjects.filesBucket;
    this.name = `JetStream, region ${region}`;
  }

  async has(sha256: string): Promise<boolean> {
    const info = await (await this.#open()).info(sha256);
    return info !== null && !info.deleted;
  }

  async put(sha256: string, path: string): Promise<void> {
    const bucket = await this.#open();
    const bytes = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
    const { digest } = await bucket.put({ name: sha256 }, bytes, { timeout: TIMEOUT });
    const stored = Buffer.from(digest.replace(/^SHA-256=/i, ''), 'base64url').toString('hex');
    if (stored === sha256) return;
    await bucket.delete(sha256);
    throw new Error(`The bytes of ${sha256} are others than its name says.`);
  }

  async read(sha256: string, offset: number, length: number): Promise<ObjectPiece | undefined> {
    const reader = await this.#readerAt(sha256, offset);
    if (!reader) return undefined;
    clearTimeout(reader.idle);
    try {
      while (reader.rest.length < length) {
        const { done, value } = await reader.chunks.read();
        if (done) break;
        reader.rest = Buffer.concat([reader.rest, value]);
      }
    } catch (error) {
      this.#drop(sha256, reader);
      throw error;
    }
    const bytes = reader.rest.subarray(0, length);
    reader.rest = reader.rest.subarray(length);
    reader.offset += bytes.length;
    if (bytes.length === 0 || reader.offset >= reader.size) this.#drop(sha256, reader);
    else reader.idle = setTimeout(() => this.#drop(sha256, reader), READER_RESTS).unref();
    return { size: reader.size, bytes };
  }

  async remove(sha256: string): Promise<void> {
    const bucket = await this.#open();
    if (await this.has(sha256)) await bucket.delete(sha256);
  }

  close(): void {
    for (const [sha256, reader] of this.#readers) this.#drop(sha256, reader);
  }

  /** Pieces are asked for in order. A reader that begins elsewhere reads the object from its beginning. */
  async #readerAt(sha256: string, offset: number): Promise<Reader | undefined> {
    const found = this.#readers.get(sha256);
    if (found?.offset === offset) return found;
    if (found) this.#drop(sha256, found);
    const object = await (await this.#open()).get(sha256);
    if (!object || object.info.deleted) return undefined;
    // The fetcher compares the SHA-256 of the received bytes; an interruption shows as missing bytes.
    object.error.catch(() => undefined);
    const reader: Reader = {
      size: object.info.size,
      chunks: object.data.getReader(),
      offset: 0,
      rest: Buffer.alloc(0),
    };
    this.#readers.set(sha256, reader);
    while (reader.offset + reader.rest.length < offset) {
      const { done, value } = await reader.chunks.read();
      if (done) break;
      reader.offset += reader.rest.length;
      reader.rest = Buffer.from(value);
    }
    const ahead = offset - reader.offset;
    reader.rest = reader.rest.subarray(ahead);
    reader.offset += ahead;
    return reader;
  }

  #drop(sha256: string, reader: Reader): void {
    clearTimeout(reader.idle);
    if (this.#readers.get(sha256) === reader) this.#readers.delete(sha256);
    reader.chunks.cancel().catch(() => undefined);
  }

  #open(): Promise<Bucket> {
    const { connection } = this.#connection;
    if (!connection) return Promise.reject(new Error('No server of the region answers.'));
    if (this.#bucket?.connection !== connection) {
      const { replicas, domain } = this.#connection.options;
      const client = jetstream(connection, { timeout: TIMEOUT, ...(domain !== undefined && { domain }) });
      const opened = new Objm(client).create(this.#bucketName, {
        storage: StorageType.File,
        replicas,
        description: 'Files of the stations of the region, by their SHA-256',
      });
      this.#bucket = { connection, opened };
      opened.catch(() => (this.#bucket = undefined));
    }
    return this.#bucket.opened;
  }
}
