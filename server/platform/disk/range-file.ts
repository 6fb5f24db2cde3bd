import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Bytes by their place in a file. */
export interface ByteSource {
  readonly size: number;
  /** The caller does not change the bytes. Throws beyond the end. */
  read(offset: number, length: number): Uint8Array;
  close(): void;
}

const PAGE = 64 * 1024;

/**
 * Reads a file by ranges through a bounded cache of its pages, so that its size does not matter for the
 * memory. Synchronous: for threads.
 */
export class RangeFile implements ByteSource {
  readonly size: number;
  readonly #file: number;
  readonly #mostPages: number;
  readonly #pages = new Map<number, Uint8Array>();

  /** @param cache bytes of the file that stay in memory */
  constructor(path: string, cache: number) {
    this.#mostPages = Math.max(1, Math.floor(cache / PAGE));
    this.#file = openSync(path, 'r');
    this.size = fstatSync(this.#file).size;
  }

  read(offset: number, length: number): Uint8Array {
    if (!(offset >= 0 && length >= 0 && offset + length <= this.size))
      throw new RangeError(`Bytes ${offset} to ${offset + length} of a file of ${this.size} bytes.`);
    const first = Math.floor(offset / PAGE);
    const within = offset - first * PAGE;
    if (within + length <= PAGE) return this.#page(first).subarray(within, within + length);
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length;) {
      const page = Math.floor((offset + done) / PAGE);
      const part = this.#page(page).subarray(offset + done - page * PAGE);
      bytes.set(part.subarray(0, length - done), done);
      done += part.length;
    }
    return bytes;
  }

  close(): void {
    closeSync(this.#file);
    this.#pages.clear();
  }

  #page(number: number): Uint8Array {
    let page = this.#pages.get(number);
    // The least recently used is the first of the map.
    if (page) this.#pages.delete(number);
    else page = this.#readPage(number);
    this.#pages.set(number, page);
    if (this.#pages.size > this.#mostPages) this.#pages.delete(this.#pages.keys().next().value!);
    return page;
  }

  #readPage(number: number): Uint8Array {
    const page = new Uint8Array(Math.min(PAGE, this.size - number * PAGE));
    for (let done = 0; done < page.length;) {
      const read = readSync(this.#file, page, done, page.length - done, number * PAGE + done);
      if (read === 0) throw new RangeError('The file became shorter while it was in use.');
      done += read;
    }
    return page;
  }
}

/** The same over bytes in memory. */
export function bytesInMemory(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read(offset, length) {
      if (!(offset >= 0 && length >= 0 && offset + length <= bytes.length))
        throw new RangeError(`Bytes ${offset} to ${offset + length} of ${bytes.length}.`);
      return bytes.subarray(offset, offset + length);
    },
    close: () => undefined,
  };
}
