import type { Attachment } from '../../../../../shared/records/index.ts';
import type { AnyStored, Change, CollectionName, Store } from '../../../../store/types.ts';

/** Lowest first: files that a crew needs now, and small ones. */
const PRIORITY = { openPhoto: 0, picture: 1, photo: 2, other: 3, video: 4 } as const;

interface WantedFile {
  readonly sha256: string;
  readonly priority: number;
}

/** The collections whose records name bytes. */
export const COLLECTIONS_WITH_FILES: readonly CollectionName[] = ['attachments', 'vehicles', 'fleet', 'directories'];

const SHA256 = /^[0-9a-f]{64}$/;

/** The bytes that a record names. `isOpen` tells whether a task is not done yet. */
export function filesOfRecord(
  collection: CollectionName,
  record: AnyStored & Readonly<Record<string, unknown>>,
  isOpen: (attachment: Attachment) => boolean,
): readonly WantedFile[] {
  if (record['isDeleted'] === true || record['removed'] === true) return [];
  const hashes: unknown[] = [];
  let priority: number = PRIORITY.picture;
  if (collection === 'attachments') {
    hashes.push(record['sha256']);
    for (const form of Object.values(record['converted'] as Record<string, { sha256: string }>))
      hashes.push(form.sha256);
    const { photo, video, other, openPhoto } = { ...PRIORITY };
    priority =
      record.kind === 'photo'
        ? isOpen(record as unknown as Attachment)
          ? openPhoto
          : photo
        : record.kind === 'video'
          ? video
          : other;
  } else {
    const picture = record['picture'] ?? record['photo'];
    hashes.push(typeof picture === 'object' && picture !== null ? (picture as { sha256?: unknown }).sha256 : picture);
  }
  return hashes
    .filter((hash): hash is string => typeof hash === 'string' && SHA256.test(hash))
    .map((sha256) => ({ sha256, priority }));
}

/** Bytes that records name and that are not here yet, in a table, so that a restart continues with them. */
export class MissingFiles {
  readonly #store: Store;
  readonly #has: (sha256: string) => boolean;
  readonly #isOpen: (attachment: Attachment) => boolean;

  constructor(store: Store, has: (sha256: string) => boolean, isOpen: (attachment: Attachment) => boolean) {
    this.#store = store;
    this.#has = has;
    this.#isOpen = isOpen;
  }

  /** Inside the transaction that wrote the records. */
  note(collection: CollectionName, changes: readonly Change<AnyStored>[], now: number): void {
    const wanted = changes
      .filter(({ deleted }) => !deleted)
      .flatMap(({ record }) => filesOfRecord(collection, record as AnyStored & Record<string, unknown>, this.#isOpen))
      .filter(({ sha256 }) => !this.#has(sha256));
    if (wanted.length === 0) return;
    void this.#store.writePlain((sql) => {
      const write = sql.prepare(
        'INSERT INTO missing_files (sha256, priority, since) VALUES (?, ?, ?) ON CONFLICT (sha256) DO UPDATE SET priority = min(priority, excluded.priority)',
      );
      for (const { sha256, priority } of wanted) write.run(sha256, priority, now);
    });
  }

  async found(sha256: string): Promise<void> {
    await this.#store.writePlain((sql) => sql.prepare('DELETE FROM missing_files WHERE sha256 = ?').run(sha256));
  }

  /** The first ones: the most needed, then the latest. */
  next(count: number): readonly string[] {
    return this.#store.sql
      .prepare('SELECT sha256 FROM missing_files ORDER BY priority, since DESC LIMIT ?')
      .all(count)
      .map(({ sha256 }) => sha256 as string);
  }

  get count(): number {
    return this.#store.sql.prepare('SELECT count(*) AS count FROM missing_files').get()!['count'] as number;
  }
}
