import { VERSION } from '../../../../platform/program.ts';
import type { CollectionName, Store } from '../../../../store/types.ts';
import type { RecordFault } from '../check-record.ts';

export interface RefusedRecord {
  readonly collection: CollectionName;
  readonly key: string;
  readonly reason: string;
  /** When it was refused last, in epoch ms. */
  readonly at: number;
}

/** Records of linked stations that were not taken in, and why. They stop nothing else. */
export class RefusedRecords {
  readonly #store: Store;
  readonly #now: () => number;

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Resolves with those that were not known to be refused for this reason. */
  note(link: number, collection: CollectionName, faults: readonly RecordFault[]): Promise<readonly RecordFault[]> {
    return this.#store.writePlain((sql) => {
      const known = sql.prepare('SELECT reason FROM refused_records WHERE link = ? AND records = ? AND key = ?');
      const write = sql.prepare(
        'INSERT OR REPLACE INTO refused_records (link, records, key, reason, at, program) VALUES (?, ?, ?, ?, ?, ?)',
      );
      return faults.filter(({ key, reason }) => {
        const isNew = known.get(link, collection, key)?.['reason'] !== reason;
        write.run(link, collection, key, reason.slice(0, 500), this.#now(), VERSION);
        return isNew;
      });
    });
  }

  /** Forgets records that were taken in after all. */
  async taken(link: number, collection: CollectionName, keys: readonly string[]): Promise<void> {
    if (!this.#of(link)) return;
    await this.#store.writePlain((sql) => {
      const forget = sql.prepare('DELETE FROM refused_records WHERE link = ? AND records = ? AND key = ?');
      for (const key of keys) forget.run(link, collection, key);
    });
  }

  list(link: number): readonly RefusedRecord[] {
    return this.#store.sql
      .prepare(
        'SELECT records AS collection, key, reason, at FROM refused_records WHERE link = ? ORDER BY at DESC LIMIT 100',
      )
      .all(link) as unknown as RefusedRecord[];
  }

  /** Those to try again: the clock has gone on, or another program reads them. */
  toRetry(link: number, olderThan: number): readonly Pick<RefusedRecord, 'collection' | 'key'>[] {
    return this.#store.sql
      .prepare(
        "SELECT records AS collection, key FROM refused_records WHERE link = ? AND key NOT LIKE '?%' AND (program <> ? OR at < ?) LIMIT 500",
      )
      .all(link, VERSION, olderThan) as unknown as RefusedRecord[];
  }

  count(): number {
    return this.#store.sql.prepare('SELECT count(*) AS count FROM refused_records').get()!['count'] as number;
  }

  #of(link: number): boolean {
    return this.#store.sql.prepare('SELECT 1 FROM refused_records WHERE link = ? LIMIT 1').get(link) !== undefined;
  }
}
