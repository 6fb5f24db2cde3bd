import type { CollectionName, Store } from '../../../../store/types.ts';
import type { FeedPosition } from '../feed-page.ts';

/**
 * Records that left the scope of a link at the other station. They go from here when the other station has read
 * what was edited here.
 */
export class Evictions {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async note(link: number, collection: CollectionName, keys: readonly string[]): Promise<void> {
    await this.#store.writePlain((sql) => {
      const write = sql.prepare('INSERT OR REPLACE INTO evictions (link, records, key) VALUES (?, ?, ?)');
      for (const key of keys) write.run(link, collection, key);
    });
  }

  /** The records came back into the scope. */
  async forget(link: number, collection: CollectionName, keys: readonly string[]): Promise<void> {
    if (!this.#store.sql.prepare('SELECT 1 FROM evictions WHERE link = ? AND records = ?').get(link, collection))
      return;
    await this.#store.writePlain((sql) => {
      const drop = sql.prepare('DELETE FROM evictions WHERE link = ? AND records = ? AND key = ?');
      for (const key of keys) drop.run(link, collection, key);
    });
  }

  /** Evicts what the other station has read; `read` is up to where. */
  async run(link: number, read: ReadonlyMap<string, FeedPosition>): Promise<void> {
    const waiting = this.#store.sql
      .prepare('SELECT records, key FROM evictions WHERE link = ? LIMIT 1000')
      .all(link) as { records: CollectionName; key: string }[];
    const due = new Map<CollectionName, string[]>();
    for (const { records, key } of waiting) {
      const position = read.get(records);
      const row = this.#store.sql.prepare(`SELECT seq FROM ${this.#store.table(records)} WHERE key = ?`).get(key);
      if (row && !(position && position.seq >= (row['seq'] as number))) continue;
      due.set(records, [...(due.get(records) ?? []), key]);
    }
    for (const [records, keys] of due) {
      await this.#store.evict(records, keys);
      await this.forget(link, records, keys);
    }
  }
}
