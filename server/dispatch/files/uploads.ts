import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Emitter } from '../../platform/emitter.ts';
import { seesOrganization, type Actor } from '../../../shared/access.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Store } from '../../store/index.ts';
import { Blobs, type Blob } from './blobs.ts';
import type { FileKind } from './kinds.ts';
import { extensionOf, safeName } from './names.ts';
import type { VirusScanner } from './virus-scanner.ts';
import { Pictures, type PictureSize, type Scaled } from './pictures.ts';

/**
 * A file that somebody uploaded. It belongs to nothing until a record names it (`claim`); unclaimed, it is
 * cleared after a day.
 */
export interface Upload {
  /** Generated name: a UUID and the extension of the real kind. */
  uuid: string;
  sha256: string;
  size: number;
  /** The name the client gave, made safe. */
  name: string;
  type: string;
  family: FileKind['family'];
  /** epoch ms */
  at: number;
  userId: number;
}

const DAY = 24 * 60 * 60 * 1000;

export interface FilesOptions {
  directory: string;
  store: Pick<Store, 'sql' | 'writePlain'>;
  /** bytes */
  limit: number;
  now: () => number;
  /** Bytes of one user's unclaimed uploads, at least one largest file; unlimited when not given. */
  quota?: number;
  /** undefined: nobody scans files. */
  scanner?: VirusScanner | undefined;
  /** The organization of a user; undefined: there was never such a user. */
  organizationOf: (userId: number) => number | undefined;
  /** Bytes of scaled pictures that are kept; `ROOM_FOR_SCALED` when not given. */
  roomForScaled?: number;
}

/** An upload under way, or not yet registered. */
interface Coming {
  readonly userId: number;
  bytes: number;
  /** Bytes of the user's registered uploads; undefined: must be counted again. */
  stored?: number | undefined;
}

/** Bytes; some ten thousand photos in the size that a console shows. */
const ROOM_FOR_SCALED = 1_000_000_000;

/** Uploads, the bytes behind them, and scaled pictures of them. */
export class Files {
  readonly blobs: Blobs;
  readonly #pictures: Pictures;
  readonly #options: FilesOptions;
  /** Uploads without a row yet, in the order in which they began. */
  readonly #coming = new Set<Coming>();
  readonly #comingOf = new WeakMap<Blob, Coming>();
  readonly #removed = new Emitter<[sha256: string]>();
  #isReferenced: (sha256: string) => boolean = () => true;

  constructor(options: FilesOptions) {
    this.#options = options;
    this.blobs = new Blobs(options.directory, options.scanner && ((path) => options.scanner!.require(path)));
    this.#pictures = new Pictures(`${options.directory}/scaled`);
  }

  /**
   * Sets the check whether a record still refers to some bytes. Until it is set, all bytes count as referenced
   * and none are deleted.
   */
  keepReferenced(isReferenced: (sha256: string) => boolean): void {
    this.#isReferenced = isReferenced;
  }

  /** Calls the listener when bytes were deleted, since nothing refers to them. Returns the unsubscribe function. */
  onRemoved(listener: (sha256: string) => void): () => void {
    return this.#removed.on(listener);
  }

  /**
   * Stores an upload. Resolves when bytes and record are on the disk. Replaces an extension that does not
   * match the kind.
   */
  async receive(source: Readable, given: { name: string; userId: number }): Promise<Upload> {
    const blob = await this.keep(source);
    try {
      return await this.register(blob, given);
    } finally {
      this.blobs.release(blob.sha256);
    }
  }

  /**
   * Stores bytes before their name is known. They must then be registered and released, or dropped. Refuses
   * as `too-large` if the limit of a file or the quota of the user is exceeded. @param most bytes, if fewer
   * are allowed than for other files
   */
  async keep(source: Readable, userId?: number, most = Infinity): Promise<Blob> {
    const limit = Math.min(this.#options.limit, most);
    if (userId === undefined) return this.blobs.receive(source, limit);
    const coming: Coming = { userId, bytes: 0 };
    this.#coming.add(coming);
    try {
      const blob = await this.blobs.receive(this.#counted(source, coming), limit);
      this.#comingOf.set(blob, coming);
      return blob;
    } catch (error) {
      this.#coming.delete(coming);
      throw error;
    }
  }

  /** Passes the bytes on; throws as soon as they exceed the user's quota. */
  async *#counted(source: AsyncIterable<Buffer>, coming: Coming): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      coming.bytes += chunk.length;
      if (this.#roomBeside(coming) < 0) throw this.#overQuota();
      yield chunk;
    }
  }

  /** Bytes left of the user's quota for unclaimed uploads; negative: exceeded. */
  #roomBeside(coming: Coming): number {
    coming.stored ??= this.#unclaimedBytes(coming.userId);
    let room = this.#quota - coming.stored - coming.bytes;
    for (const earlier of this.#coming) {
      if (earlier === coming) break; // of several at once the first has the room
      if (earlier.userId === coming.userId) room -= earlier.bytes;
    }
    return room;
  }

  #unclaimedBytes(userId: number): number {
    const sum = 'SELECT coalesce(sum(size), 0) AS bytes FROM uploads WHERE user_id = ? AND claimed = 0';
    return (this.#options.store.sql.prepare(sum).get(userId) as { bytes: number }).bytes;
  }

  get #quota(): number {
    const { quota = Infinity, limit } = this.#options;
    return Math.max(quota, limit);
  }

  #overQuota(): Refusal {
    const megabytes = Math.round(this.#quota / 1_000_000);
    return new Refusal('files.quota', { megabytes });
  }

  /** Deletes bytes that were kept and not registered. */
  drop(blob: Blob): void {
    const { sha256 } = blob;
    this.#coming.delete(this.#comingOf.get(blob)!);
    this.blobs.release(sha256);
    this.#removeIfUnused(sha256);
  }

  /** Makes kept bytes an upload. Resolves when that is on disk. */
  async register(blob: Blob, given: { name: string; userId: number }): Promise<Upload> {
    const { sha256, size, kind } = blob;
    const name = safeName(given.name);
    const said = extensionOf(name);
    // Text and unknown kinds have no signature: the extension of the name is used, unless a browser would run
    // it.
    const extension =
      kind.extension === 'txt' || kind.extension === 'bin' ? safeExtension(said) || kind.extension : kind.extension;
    const upload: Upload = {
      uuid: `${randomUUID()}.${extension}`,
      sha256,
      size,
      name,
      type: kind.type,
      family: kind.family,
      at: this.#options.now(),
      userId: given.userId,
    };
    await this.#options.store.writePlain((sql) =>
      sql
        .prepare(
          'INSERT INTO uploads (uuid, sha256, size, name, type, family, at, user_id, claimed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)',
        )
        .run(upload.uuid, sha256, size, name, upload.type, upload.family, upload.at, upload.userId),
    );
    this.#coming.delete(this.#comingOf.get(blob)!);
    for (const coming of this.#coming) if (coming.userId === given.userId) coming.stored = undefined;
    return upload;
  }

  get(uuid: string): Upload | undefined {
    const row = this.#options.store.sql
      .prepare(
        "SELECT uuid, sha256, size, name, type, family, at, user_id AS userId FROM uploads WHERE uuid = ? AND family <> 'left'",
      )
      .get(uuid);
    return row as unknown as Upload | undefined;
  }

  /** The upload when this user may use it: it is their own, or of an organization that they see. */
  seenBy(by: Actor, uuid: string): Upload | undefined {
    const upload = this.get(uuid);
    if (!upload || upload.userId === by.user.id) return upload;
    return seesOrganization(by, this.#options.organizationOf(upload.userId) ?? 0) ? upload : undefined;
  }

  require(by: Actor, uuid: string): Upload {
    return this.#requireStored(this.seenBy(by, uuid));
  }

  #requireStored(upload: Upload | undefined): Upload {
    if (!upload || !this.blobs.has(upload.sha256)) throw new Refusal('files.missing');
    return upload;
  }

  /** Marks uploads as claimed by a record, so that the sweep keeps them. */
  async claim(uuids: readonly string[]): Promise<void> {
    await this.#options.store.writePlain((sql) => {
      const claim = sql.prepare('UPDATE uploads SET claimed = 1 WHERE uuid = ?');
      for (const uuid of uuids) claim.run(uuid);
    });
  }

  /** Deletes the upload. An attachment or picture that was made of it stays. */
  async remove(uuid: string): Promise<void> {
    const { sha256 } = this.#requireStored(this.get(uuid));
    const claimed =
      this.#options.store.sql.prepare('SELECT claimed FROM uploads WHERE uuid = ?').get(uuid)?.['claimed'] === 1;
    await this.#options.store.writePlain((sql) => sql.prepare('DELETE FROM uploads WHERE uuid = ?').run(uuid));
    // The room that claimed an upload may refer to its bytes in ways that are unknown here.
    if (!claimed && this.#removeIfUnused(sha256)) await this.#pictures.forget(new Set([sha256]));
  }

  /** The picture fitted into a box; see `Pictures.scale`. */
  scale(sha256: string, box: PictureSize): Promise<Scaled> {
    return this.#pictures.scale(this.blobs.path(sha256), sha256, box);
  }

  /** Size of a picture as shown, and whether its camera was turned; undefined when it cannot be opened. */
  look(sha256: string): Promise<{ width: number; height: number; turned: boolean } | undefined> {
    return this.#pictures.measure(this.blobs.path(sha256));
  }

  /** The photo turned upright, as a file of its own. */
  upright(path: string, to: string): Promise<void> {
    return this.#pictures.upright(path, to);
  }

  safeName(given: string): string {
    return safeName(given);
  }

  /**
   * A record no longer refers to an upload and its other forms: they are deleted after a day, unless another
   * record refers to them by then.
   */
  async leave(uuid: string, hashes: readonly string[]): Promise<void> {
    const { store, now } = this.#options;
    await store.writePlain((sql) => {
      sql.prepare('UPDATE uploads SET claimed = 0, at = ? WHERE uuid = ?').run(now(), uuid);
      const note = sql.prepare(
        "INSERT INTO uploads (uuid, sha256, size, name, type, family, at, user_id, claimed) VALUES (?, ?, 0, '', '', 'left', ?, 0, 0)",
      );
      for (const sha256 of hashes)
        if (!sql.prepare('SELECT 1 FROM uploads WHERE sha256 = ?').get(sha256)) note.run(randomUUID(), sha256, now());
    });
  }

  /**
   * Deletes uploads that were not claimed within a day, their bytes where no record refers to them, and
   * scaled pictures beyond their limit. Returns the number of uploads.
   */
  async sweep(): Promise<number> {
    const before = this.#options.now() - DAY;
    const orphans = this.#options.store.sql
      .prepare('SELECT uuid, sha256 FROM uploads WHERE claimed = 0 AND at < ? LIMIT 1000')
      .all(before) as { uuid: string; sha256: string }[];
    const gone = new Set<string>();
    if (orphans.length > 0) {
      await this.#options.store.writePlain((sql) => {
        const drop = sql.prepare('DELETE FROM uploads WHERE uuid = ? AND claimed = 0');
        for (const { uuid } of orphans) drop.run(uuid);
      });
    }
    for (const sha256 of new Set(orphans.map((orphan) => orphan.sha256))) {
      if (this.#removeIfUnused(sha256)) gone.add(sha256);
      await setImmediate(); // whether a record refers to it takes some milliseconds to find out
    }
    await this.#pictures.forget(gone);
    await this.#pictures.keepWithin(this.#options.roomForScaled ?? ROOM_FOR_SCALED);
    return orphans.length;
  }

  /** Whether a record refers to these bytes. */
  isReferenced(sha256: string): boolean {
    return this.#isReferenced(sha256);
  }

  /** Synchronous, so that no record can take the bytes between the check and the deletion. */
  #removeIfUnused(sha256: string): boolean {
    const used = this.#options.store.sql.prepare('SELECT 1 FROM uploads WHERE sha256 = ? LIMIT 1').get(sha256);
    if (used || this.blobs.held(sha256) || this.#isReferenced(sha256)) return false;
    this.blobs.remove(sha256);
    this.#removed.emit(sha256);
    return true;
  }
}

const ACTIVE = new Set([
  'html',
  'htm',
  'xhtml',
  'svg',
  'xml',
  'xsl',
  'js',
  'mjs',
  'css',
  'swf',
  'exe',
  'bat',
  'cmd',
  'com',
  'scr',
  'lnk',
  'hta',
  'vbs',
  'ps1',
]);

function safeExtension(extension: string): string {
  return ACTIVE.has(extension) ? '' : extension;
}
