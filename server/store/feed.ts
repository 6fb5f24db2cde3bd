import type { DatabaseSync } from 'node:sqlite';
import { COLLECTIONS } from '../../shared/records/index.ts';
import type { CollectionName, Feed } from './door.ts';
import type { Heads } from './heads.ts';
import { Statements } from './storage/statements.ts';

export interface FeedPlace {
  readonly reader: DatabaseSync;
  readonly heads: Heads;
  readonly epoch: string;
  table(name: CollectionName): string;
  /** Names (as RxDB has them) of the collections written by the commit that is being told. */
  readonly wrote: ReadonlySet<string>;
  onCommit(listener: () => void): void;
  report(error: unknown): void;
}

export function openFeed({ reader, heads, epoch, table, wrote, onCommit, report }: FeedPlace): Feed {
  const statements = new Statements(reader);
  const listeners = new Set<Parameters<Feed['watch']>[0]>();
  onCommit(() => {
    if (wrote.size === 0 || listeners.size === 0) return;
    const changed = new Set((Object.keys(COLLECTIONS) as CollectionName[]).filter((name) => wrote.has(COLLECTIONS[name].name)));
    if (changed.size === 0) return;
    for (const listener of listeners) {
      try {
        listener(changed, heads.committed);
      } catch (error) {
        report(error);
      }
    }
  });
  return {
    epoch,
    head: () => heads.committed,
    since(collection, checkpoint, limit) {
      const rows = statements.get(`SELECT data, deleted, seq FROM ${table(collection)} WHERE seq > ? ORDER BY seq LIMIT ?`).all(checkpoint, limit);
      const records = rows.map((row) => ({ record: JSON.parse(row['data'] as string) as Record<string, unknown>, deleted: row['deleted'] === 1, seq: row['seq'] as number }));
      return { records, checkpoint: records.at(-1)?.seq ?? checkpoint };
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
