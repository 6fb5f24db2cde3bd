import { REPLICA_NAMES, type ReplicaName } from './schemas.ts';

/** Up to where the station was read. */
export interface ReplicaCheckpoint {
  readonly epoch: string;
  readonly after: string;
}

export interface KeptDocument {
  readonly key: string;
  readonly id?: number;
  readonly _deleted?: boolean;
}

const DATABASE = 'waypost-replica';
const RECORDS = 'records';
const FACTS = 'facts';
const OWNER = 'owner';
/** Begins the owner where the station forbids to keep records in the browser. */
const UNKEPT = 'unkept ';
/** Epoch of a collection whose first records are still coming. */
const UNFINISHED = '';
/** ms after which everything is read again: records that a console drops only by time would otherwise stay. */
const MOST_AGE = 7 * 86_400_000;

/** The person and the build to whom stored records belong. @param keeps whether the station lets them be stored */
export function ownerOfRecords(userId: number | undefined, build: string, keeps: boolean): string {
  return `${keeps ? '' : UNKEPT}${userId} ${build}`;
}

/**
 * A console's records in the browser's own database: after a reload it continues from there. It is a cache of
 * one person at one version of the station; after any fault the console starts from nothing.
 */
export class KeptRecords {
  private readonly database: IDBDatabase;
  /** Where this window's records of each collection end; none where another window keeps them. */
  private readonly at = new Map<ReplicaName, ReplicaCheckpoint>();
  private writing: Promise<unknown> = Promise.resolve();

  private constructor(database: IDBDatabase) {
    this.database = database;
  }

  /**
   * Opens what `owner` left, and deletes what somebody else did. Undefined: this browser stores nothing.
   * @param owner the person, and the version that wrote it
   */
  static async open(owner: string, now: number = Date.now()): Promise<KeptRecords | undefined> {
    if (owner.startsWith(UNKEPT)) {
      await KeptRecords.forget(); // from before the station forbade it
      return undefined;
    }
    try {
      const kept = new KeptRecords(await openDatabase());
      await kept.belongTo(owner, now);
      return kept;
    } catch {
      return undefined; // a private window, or a full disk
    }
  }

  /** Deletes everything: nobody is signed in. */
  static async forget(): Promise<void> {
    const kept = await openDatabase().catch(() => undefined);
    if (!kept) return;
    const files = kept.transaction([FACTS, RECORDS], 'readwrite');
    files.objectStore(FACTS).clear();
    files.objectStore(RECORDS).clear();
    await ended(files).catch(() => undefined);
    kept.close();
  }

  /**
   * Position at which the stored records of the collection end; undefined: they are not complete, and the
   * collection is emptied for the next ones.
   */
  async position(name: ReplicaName): Promise<ReplicaCheckpoint | undefined> {
    try {
      await this.writing;
      const files = this.database.transaction([FACTS, RECORDS], 'readwrite');
      const facts = files.objectStore(FACTS);
      let at = await answer<ReplicaCheckpoint | undefined>(facts.get(name));
      const isComplete = at !== undefined && at.epoch !== UNFINISHED;
      if (!isComplete) {
        at = { epoch: UNFINISHED, after: crypto.randomUUID() };
        files.objectStore(RECORDS).delete(IDBKeyRange.bound([name], [name, []]));
        facts.put(at, name);
      }
      await ended(files);
      this.at.set(name, at!);
      return isComplete ? at : undefined;
    } catch {
      this.at.delete(name);
      return undefined;
    }
  }

  /** The next records by their keys. Rejects when they cannot be read. */
  async page(name: ReplicaName, after: string, limit: number): Promise<readonly KeptDocument[]> {
    const range = IDBKeyRange.bound([name, after], [name, []], true, true); // arrays come after all texts
    return answer(this.database.transaction(RECORDS).objectStore(RECORDS).getAll(range, limit));
  }

  /**
   * Stores the station's changes since the last `put`, all or none. A window that finds a different position
   * than its own leaves the collection to the window that wrote it. @param to where this ends; undefined:
   * more belongs to it
   */
  put(name: ReplicaName, documents: readonly KeptDocument[], to?: ReplicaCheckpoint): void {
    this.writing = this.writing
      .then(() => this.write(name, documents, to))
      .then((isMine) => void (isMine || this.at.delete(name)))
      .catch(() => void this.at.delete(name));
  }

  /** Drops the stored data. */
  async clear(): Promise<void> {
    await this.writing;
    try {
      const files = this.database.transaction([FACTS, RECORDS], 'readwrite');
      for (const name of REPLICA_NAMES) {
        files.objectStore(FACTS).delete(name);
        files.objectStore(RECORDS).delete(IDBKeyRange.bound([name], [name, []]));
      }
      await ended(files);
    } catch {
      // data that cannot be written cannot be read either
    }
  }

  async close(): Promise<void> {
    await this.writing;
    this.database.close();
  }

  private async belongTo(owner: string, now: number): Promise<void> {
    const files = this.database.transaction([FACTS, RECORDS], 'readwrite');
    const facts = files.objectStore(FACTS);
    const before = await answer<{ owner: string; since: number } | undefined>(facts.get(OWNER));
    if (before?.owner !== owner || Math.abs(now - before.since) > MOST_AGE) {
      facts.clear();
      files.objectStore(RECORDS).clear();
      facts.put({ owner, since: now }, OWNER);
    }
    await ended(files);
  }

  private async write(name: ReplicaName, documents: readonly KeptDocument[], to: ReplicaCheckpoint | undefined) {
    const from = this.at.get(name);
    if (!from) return false;
    const files = this.database.transaction([FACTS, RECORDS], 'readwrite');
    const facts = files.objectStore(FACTS);
    const now = await answer<ReplicaCheckpoint | undefined>(facts.get(name));
    const isMine = now?.epoch === from.epoch && now.after === from.after;
    if (isMine) {
      const records = files.objectStore(RECORDS);
      for (const document of documents) {
        if (document._deleted) records.delete([name, document.key]);
        else records.put(document, [name, document.key]);
      }
      if (to) facts.put(to, name);
    }
    await ended(files);
    if (isMine && to) this.at.set(name, to);
    return isMine;
  }
}

async function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore(RECORDS);
    opening.result.createObjectStore(FACTS);
  };
  return answer(opening);
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error!);
  });
}

function ended(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('The transaction was aborted.'));
  });
}
