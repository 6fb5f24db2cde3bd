import { z } from 'zod';
import type { CollectionName, Store } from '../../../store/types.ts';

/** Up to where a station has read what another one wrote. */
export interface FeedPosition {
  readonly epoch: string;
  readonly seq: number;
}

export const PositionShape = z.object({ epoch: z.string(), seq: z.int().min(0) });

export interface PullRequest {
  readonly collection: CollectionName;
  /** null: from the beginning. */
  readonly position: FeedPosition | null;
  readonly limit: number;
}

/**
 * The records are in the bytes of the answer, each as one line: `-` when deleted, else `+`, then its JSON; of one
 * that left the scope of the link `!` and its key.
 */
export interface PullAnswer {
  readonly position: FeedPosition;
  /** There is more after this page. */
  readonly more: boolean;
  /** Records after this page. */
  readonly waiting: number;
}

const LARGEST_PAGE = 500;
/** Bytes after which a page ends. */
const PAGE_BYTES = 256_000;
const SKIPPED_AT_MOST = 100;

export interface FeedPage {
  readonly answer: PullAnswer;
  readonly bytes: Buffer;
}

/** The records that a limited link carries. */
export interface FeedFilter {
  /** Renamed with the scope, so that a reader starts again in another one. */
  readonly epoch: string;
  carries(record: Readonly<Record<string, unknown>>): boolean;
  /** Whether records of the collection leave the scope by themselves, and not with the record that they follow. */
  readonly leaves: boolean;
  /** Whether a record that left the scope is sent as gone; otherwise it is sent one last time. */
  isGone(record: Readonly<Record<string, unknown>>): boolean;
  /** Records that came into the scope or left it. */
  moves(after: number, upTo: number): readonly { readonly key: string; readonly seq: number }[];
}

/**
 * A page of the changes of a collection since a position, in write order. Reads only data on disk: others
 * must not have records that this station could still lose. `skip` drops records that the reader has.
 */
export function feedPage(
  store: Store,
  { collection, position, limit }: PullRequest,
  skip: (key: string, data: string) => boolean,
  filter?: FeedFilter,
): FeedPage {
  const epoch = filter?.epoch ?? store.feed.epoch;
  const table = store.table(collection);
  const head = store.feed.head();
  const from = position?.epoch === epoch ? position.seq : 0;
  const most = Math.max(1, Math.min(limit, LARGEST_PAGE));
  const lines: string[] = [];
  const carried = new Set<string>();
  let bytes = 0;
  let seq = from;
  let more = false;
  let last: string | undefined;
  const rows = store.sql
    .prepare(`SELECT key, data, deleted, seq FROM ${table} WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`)
    .iterate(from, head, most + 1) as Iterable<{ key: string; data: string; deleted: number; seq: number }>;
  let count = 0;
  for (const row of rows) {
    if (count >= most || bytes >= PAGE_BYTES) {
      more = true;
      break;
    }
    count++;
    seq = row.seq;
    if (filter && !filter.carries(JSON.parse(row.data) as Record<string, unknown>)) continue;
    carried.add(row.key);
    last = `${row.deleted === 1 ? '-' : '+'}${row.data}`;
    if (row.deleted === 0 && skip(row.key, row.data)) continue;
    lines.push(last);
    bytes += last.length;
  }
  if (filter) {
    const moves = filter.moves(from, more ? seq : head);
    seq = Math.max(seq, moves.at(-1)?.seq ?? 0);
    for (const { key } of moves) {
      if (carried.has(key)) continue;
      const row = store.sql.prepare(`SELECT data, deleted FROM ${table} WHERE key = ?`).get(key);
      if (!row) continue;
      const record = JSON.parse(row['data'] as string) as Record<string, unknown>;
      const isCarried = filter.carries(record);
      if (!isCarried && filter.isGone(record)) lines.push(`!${key}`);
      else if (isCarried || filter.leaves) lines.push(`${row['deleted'] === 1 ? '-' : '+'}${row['data'] as string}`);
    }
  }
  // A reader stores its position with a record, so a long page of records that it has brings one of them.
  if (lines.length === 0 && last !== undefined && count >= SKIPPED_AT_MOST) lines.push(last);
  const waiting = more ? countAfter(store, collection, seq) : 0;
  return {
    answer: { position: { epoch, seq }, more, waiting },
    bytes: Buffer.from(lines.join('\n')),
  };
}

/** Records of a collection that were written after a position. */
export function countAfter(store: Store, collection: CollectionName, seq: number): number {
  const row = store.sql
    .prepare(`SELECT count(*) AS count FROM ${store.table(collection)} WHERE seq > ? AND seq <= ?`)
    .get(seq, store.feed.head());
  return row!['count'] as number;
}
