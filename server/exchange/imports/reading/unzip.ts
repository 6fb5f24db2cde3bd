import yauzl from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { Refusal } from '../../../../shared/refusal.ts';
import { MOST_UNPACKED } from './table.ts';

const MOST_ENTRIES = 10_000;

/** The files of a zip, by name. Sizes are checked before and while they are unpacked: a zip bomb is refused. */
export class Unzipped {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  #unpacked = 0;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  static async open(bytes: Buffer): Promise<Unzipped> {
    const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true, validateEntrySizes: true });
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) {
      if (entries.size >= MOST_ENTRIES) throw new Refusal('imports.unpacksTooLarge');
      if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry);
    }
    return new Unzipped(zip, entries);
  }

  get names(): Iterable<string> {
    return this.#entries.keys();
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Hands on the text of a file piece by piece. */
  async read(name: string, take: (piece: string) => void): Promise<void> {
    const entry = this.#entries.get(name);
    if (!entry) throw new Refusal('imports.brokenFile', { problem: `${name} is missing.` });
    if (entry.uncompressedSize > MOST_UNPACKED - this.#unpacked) throw new Refusal('imports.unpacksTooLarge');
    const decoder = new TextDecoder('utf-8');
    for await (const chunk of await this.#zip.openReadStreamPromise(entry)) {
      this.#unpacked += (chunk as Buffer).length;
      if (this.#unpacked > MOST_UNPACKED) throw new Refusal('imports.unpacksTooLarge');
      take(decoder.decode(chunk as Buffer, { stream: true }));
    }
    take(decoder.decode());
  }
}
