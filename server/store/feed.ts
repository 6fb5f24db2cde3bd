import type { DatabaseSync } from 'node:sqlite';
import { COLLECTIONS } from '../../shared/records/index.ts';
import { Emitter } from '../platform/emitter.ts';
import type { Commits } from './sqlite/commits.ts';
import type { CollectionName, Feed } from './types.ts';
import type { Sequences } from './sqlite/sequences.ts';
import { Statements } from './storage/statements.ts';

interface FeedPlace {
  readonly reader: DatabaseSync;
  readonly sequences: Sequences;
  readonly commits: Commits;
  readonly station: { readonly epoch: string };
  table(name: CollectionName): string;
  report(error: unknown): void;
}

/** `onWritten` is to be called with the name (as RxDB has it) of each collection into which a commit wrote. */
export function openFeed({
  reader,
  sequences,
  commits,
  station,
  table,
  report,
}: FeedPlace): Feed & { onWritten(collection: string): void } {
  const statements = new Statements(reader);
  const emitter = new Emitter<Parameters<Parameters<Feed['watch']>[0]>>(report);
  const onWritten = commits.collect<string>((collections) => {
    const changed = new Set(
      (Object.keys(COLLECTIONS) as CollectionName[]).filter((name) => collections.includes(COLLECTIONS[name].name)),
    );
    if (changed.size === 0) return;
    emitter.emit(changed, sequences.durable);
  });
  return {
    get epoch() {
      return station.epoch;
    },
    onWritten,
    head: () => sequences.durable,
    since(collection, checkpoint, limit) {
      // Only durable records: others must not get what this station could still lose.
      const rows = statements
        .get(`SELECT data, deleted, seq FROM ${table(collection)} WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`)
        .all(checkpoint, sequences.durable, limit);
      const records = rows.map((row) => ({
        record: JSON.parse(row['data'] as string) as Record<string, unknown>,
        deleted: row['deleted'] === 1,
        seq: row['seq'] as number,
      }));
      return { records, checkpoint: records.at(-1)?.seq ?? checkpoint };
    },
    watch(listener) {
      return emitter.on(listener);
    },
  };
}
