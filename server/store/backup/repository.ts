import { createHash, randomUUID, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { link, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { Refusal } from '../../../shared/refusal.ts';
import { syncDirectory } from '../../platform/disk/sync-directory.ts';
import { decryptStream, encryptStream } from './age-stream.ts';
import { parseManifest, type Manifest } from './manifest.ts';
import type { SealingKey } from './sealing.ts';
import { UNFINISHED, writeWhole } from './write-whole.ts';

/** An object's file: the SHA-256 of its content, whether it is compressed, and the key that encrypts it. */
const OBJECT = /^([0-9a-f]{64})(\.gz)?(?:\.([0-9a-f]{8})\.age)?$/;
const MANIFEST = /^(\d{8}T\d{6}Z-[0-9a-f]{4})\.json$/;
const ID = /^\d{8}T\d{6}Z-[0-9a-f]{4}$/;
const [REPOSITORY, OBJECTS, MANIFESTS, KEYS, MAKING] = ['repository.json', 'objects', 'manifests', 'keys', '.making'];

export interface ObjectForm {
  readonly isCompressed: boolean;
  readonly key: SealingKey | undefined;
}

/**
 * A folder of backups. Each content is stored once, under its SHA-256, and never changes; a manifest for each
 * backup names what belongs to it. Files appear whole or not at all, so a process may end at any time.
 */
export class Repository {
  readonly path: string;
  readonly id: string;
  /** epoch ms */
  readonly createdAt: number;

  private constructor(path: string, note: { id: string; createdAt: number }) {
    this.path = path;
    this.id = note.id;
    this.createdAt = note.createdAt;
  }

  static isAt(path: string): boolean {
    return existsSync(join(path, REPOSITORY));
  }

  static async open(path: string): Promise<Repository> {
    try {
      const { format, id, createdAt } = JSON.parse(await readFile(join(path, REPOSITORY), 'utf8')) as {
        format?: unknown;
        id?: unknown;
        createdAt?: unknown;
      };
      if (typeof format === 'number' && format > 1) throw new Refusal('backup.newer', { file: path });
      if (format !== 1 || typeof id !== 'string' || typeof createdAt !== 'number')
        throw new Refusal('backup.notBackup', { file: path });
      return new Repository(path, { id, createdAt });
    } catch (error) {
      if (error instanceof Refusal) throw error;
      if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT')
        throw new Refusal('backup.notBackup', { file: path }, { cause: error });
      throw new Refusal('backup.unreadable', { file: path, problem: (error as Error).message }, { cause: error });
    }
  }

  static async create(path: string, now: number): Promise<Repository> {
    for (const folder of [OBJECTS, MANIFESTS, KEYS]) await mkdir(join(path, folder), { recursive: true, mode: 0o700 });
    const note = { format: 1, id: randomUUID(), createdAt: now };
    await writeWhole(join(path, REPOSITORY), `${JSON.stringify(note)}\n`);
    return new Repository(path, note);
  }

  /** An empty folder for the first copies. */
  async workshop(): Promise<string> {
    await this.clearUnfinished();
    await mkdir(join(this.path, MAKING), { mode: 0o700 });
    return join(this.path, MAKING);
  }

  /** Removes what a process left that was ended. */
  async clearUnfinished(): Promise<void> {
    await rm(join(this.path, MAKING), { recursive: true, force: true });
    for (const folder of [OBJECTS, MANIFESTS, KEYS])
      for (const name of await readdir(join(this.path, folder)))
        if (name.startsWith(UNFINISHED)) await rm(join(this.path, folder, name), { force: true });
  }

  objectPath(name: string): string {
    if (!OBJECT.test(name)) throw new Error(`${name} is no object.`);
    return join(this.path, OBJECTS, name.slice(0, 2), name);
  }

  has(name: string): boolean {
    return existsSync(this.objectPath(name));
  }

  /** Names of all objects. */
  async *objects(): AsyncGenerator<string> {
    for (const folder of await readdir(join(this.path, OBJECTS)))
      if (/^[0-9a-f]{2}$/.test(folder))
        for (const name of await readdir(join(this.path, OBJECTS, folder))) if (OBJECT.test(name)) yield name;
  }

  /**
   * Stores the content of a file and reads it back. Resolves with its object, and the bytes that this took on
   * the disk. Rejects when the content is not that of `sha256`.
   */
  async store(
    file: string,
    form: ObjectForm,
    sha256?: string,
  ): Promise<{ sha256: string; name: string; added: number }> {
    const aside = join(this.path, OBJECTS, `${UNFINISHED}${randomUUID()}`);
    try {
      const hash = createHash('sha256');
      const content = summing(createReadStream(file), hash);
      const compressed = form.isCompressed ? through(content, createGzip()) : content;
      const stored = form.key ? encryptStream(compressed, form.key.recipient) : compressed;
      await pipeline(stored, createWriteStream(aside, { flags: 'wx', mode: 0o600, flush: true }));
      const found = hash.digest('hex');
      if (sha256 !== undefined && found !== sha256) throw new WrongContent(file);
      const name = objectName(found, form);
      if (this.has(name)) return { sha256: found, name, added: 0 };
      if ((await this.#sumOf(aside, form)) !== found) throw new WrongContent(aside);
      const added = (await stat(aside)).size;
      await this.#keep(aside, name);
      return { sha256: found, name, added };
    } finally {
      await rm(aside, { force: true });
    }
  }

  /**
   * Stores a file that never changes as a hard link, if the disk allows that. Undefined: it does not. Reads
   * the file and rejects if its content does not match `sha256`.
   */
  async storeLink(file: string, sha256: string | undefined): Promise<{ sha256: string; name: string } | undefined> {
    const aside = join(this.path, OBJECTS, `${UNFINISHED}${randomUUID()}`);
    try {
      await link(file, aside);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
      return undefined;
    }
    try {
      const found = await sumOfFile(aside);
      if (sha256 !== undefined && found !== sha256) throw new WrongContent(file);
      if (!this.has(found)) await this.#keep(aside, found);
      return { sha256: found, name: found };
    } finally {
      await rm(aside, { force: true });
    }
  }

  /** The content of an object, decompressed and decrypted. */
  read(name: string, key: SealingKey | undefined): AsyncIterable<Buffer> {
    return contentOf(this.objectPath(name), { isCompressed: OBJECT.exec(name)![2] !== undefined, key });
  }

  /** Whether an object still holds its content. False: it is damaged, or the key differs. */
  async isWhole(name: string, key: SealingKey | undefined): Promise<boolean> {
    const [, sha256, compressed, keyId] = OBJECT.exec(name)!;
    if (keyId !== undefined && keyId !== key?.id) return true; // only its own passphrase can tell
    try {
      return (await this.#sumOf(this.objectPath(name), { isCompressed: compressed !== undefined, key })) === sha256;
    } catch {
      return false;
    }
  }

  async removeObject(name: string): Promise<void> {
    await rm(this.objectPath(name), { force: true });
  }

  /** Copies an object of another repository as it is. */
  async copyFrom(other: Repository, name: string): Promise<number> {
    const aside = join(this.path, OBJECTS, `${UNFINISHED}${randomUUID()}`);
    try {
      const hash = createHash('sha256');
      await pipeline(
        summing(createReadStream(other.objectPath(name)), hash),
        createWriteStream(aside, { flags: 'wx', mode: 0o600, flush: true }),
      );
      if ((await sumOfFile(aside)) !== hash.digest('hex')) throw new WrongContent(aside);
      const { size } = await stat(aside);
      await this.#keep(aside, name);
      return size;
    } finally {
      await rm(aside, { force: true });
    }
  }

  /** Copies the keys that this repository does not have. */
  async copyKeysFrom(other: Repository): Promise<void> {
    for (const name of await readdir(join(other.path, KEYS)))
      if (/^[0-9a-f]{8}\.age$/.test(name) && !existsSync(join(this.path, KEYS, name)))
        await writeWhole(join(this.path, KEYS, name), await readFile(join(other.path, KEYS, name)));
  }

  /** Ids of the backups, oldest first. */
  async ids(): Promise<string[]> {
    return (await readdir(join(this.path, MANIFESTS))).flatMap((name) => MANIFEST.exec(name)?.[1] ?? []).sort();
  }

  /** Throws a Refusal when the manifest is missing or damaged. */
  async manifest(id: string): Promise<Manifest> {
    return parseManifest(await this.manifestText(id), this.#manifestPath(id));
  }

  async manifestText(id: string): Promise<string> {
    try {
      return await readFile(this.#manifestPath(id), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        throw new Refusal('backup.noSuch', { id, folder: this.path }, { cause: error });
      throw new Refusal(
        'backup.unreadable',
        { file: this.#manifestPath(id), problem: (error as Error).message },
        { cause: error },
      );
    }
  }

  async writeManifest(id: string, text: string): Promise<void> {
    await writeWhole(this.#manifestPath(id), text);
  }

  async removeManifest(id: string): Promise<void> {
    await rm(this.#manifestPath(id), { force: true });
    await syncDirectory(join(this.path, MANIFESTS));
  }

  #manifestPath(id: string): string {
    if (!ID.test(id)) throw new Refusal('backup.noSuch', { id, folder: this.path });
    return join(this.path, MANIFESTS, `${id}.json`);
  }

  async #keep(aside: string, name: string): Promise<void> {
    const folder = join(this.path, OBJECTS, name.slice(0, 2));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await rename(aside, this.objectPath(name));
    await syncDirectory(folder);
  }

  async #sumOf(path: string, form: ObjectForm): Promise<string> {
    const hash = createHash('sha256');
    for await (const chunk of contentOf(path, form)) hash.update(chunk);
    return hash.digest('hex');
  }
}

/** A content that is not what its name says: the disk changed it. */
export class WrongContent extends Error {
  constructor(file: string) {
    super(`The bytes of ${file} are not those that were written.`);
  }
}

export function objectName(sha256: string, { isCompressed, key }: ObjectForm): string {
  return `${sha256}${isCompressed ? '.gz' : ''}${key ? `.${key.id}.age` : ''}`;
}

/** A new id of a backup: its time, so that ids sort. */
export function newId(now: number): string {
  return `${new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z-${randomUUID().slice(0, 4)}`;
}

/** The time of an id, epoch ms. */
export function timeOfId(id: string): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/.exec(id)!.map(Number);
  return Date.UTC(year!, month! - 1, day, hour, minute, second);
}

function contentOf(path: string, { isCompressed, key }: ObjectForm): AsyncIterable<Buffer> {
  const file: AsyncIterable<Buffer> = createReadStream(path);
  const opened = key ? decryptStream(file, key.identity) : file;
  return isCompressed ? through(opened, createGunzip()) : opened;
}

/** Like `pipe`, but an error of the source is one of the result. */
async function* through(source: AsyncIterable<Buffer>, transform: Duplex): AsyncGenerator<Buffer> {
  const fed = pipeline(source, transform);
  fed.catch(() => undefined); // it is thrown below
  yield* transform as AsyncIterable<Buffer>;
  await fed;
}

async function* summing(source: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
}

async function sumOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
