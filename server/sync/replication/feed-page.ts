import type { CollectionName, Store } from '../../store/types.ts';

/** Up to where a station has read what another one wrote. */
export interface Position {
  readonly epoch: string;
  readonly seq: number;
}

export interface PullRequest {
  readonly collection: CollectionName;
  /** null: from the beginning. */
  readonly position: Position | null;
  readonly limit: number;
}

/** The records are in the bytes of the answer, each as one line: `-` when deleted, else `+`, then its JSON. */
export interface PullAnswer {
  readonly position: Position;
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

/**
 * A page of what changed in a collection since a position, in the order of writing. Reads only what is on disk:
 * others must not have what this station could still lose. `skip` drops records that the reader has.
 */
export function feedPage(
  store: Store,
  { collection, position, limit }: PullRequest,
  skip: (key: string, data: string) => boolean,
): FeedPage {
  const { epoch } = store.feed;
  const table = store.table(collection);
  const head = store.feed.head();
  const from = position?.epoch === epoch ? position.seq : 0;
  const most = Math.max(1, Math.min(limit, LARGEST_PAGE));
  const lines: string[] = [];
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
    last = `${row.deleted === 1 ? '-' : '+'}${row.data}`;
    if (row.deleted === 0 && skip(row.key, row.data)) continue;
    lines.push(last);
    bytes += last.length;
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
