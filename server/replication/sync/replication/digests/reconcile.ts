import { z } from 'zod';
import { covers } from '../../../../../shared/merge/merge.ts';
import type { Stamps } from '../../../../../shared/records/index.ts';
import { HashSum, recordHash } from '../../../../store/index.ts';
import type { CollectionName, Store } from '../../../../store/types.ts';
import type { ChannelAnswer, Channel } from '../../types.ts';
import { isReplicated } from '../collections.ts';

/** Ranges into which one is split, and records that are compared one by one. */
const PARTS = 16;
const LEAF = 100;
/** Rows between two turns of the event loop. */
const STRIDE = 200;

/** Keys greater than `after`, up to and including `to`; an empty `to`: all that follow. */
interface KeyRange {
  readonly after: string;
  readonly to: string;
}

interface RangePart extends KeyRange {
  /** Hash sum of the live records. */
  readonly sum: string;
  /** Records, deleted ones included. */
  readonly rows: number;
}

interface KeyRow {
  readonly key: string;
  readonly hlc: Stamps;
  readonly deleted: boolean;
}

const RangeShape = z.object({
  collection: z.string().refine(isReplicated),
  after: z.string().max(60),
  to: z.string().max(60),
});
const PartsShape = z.object({
  parts: z.array(z.object({ after: z.string(), to: z.string(), sum: z.string(), rows: z.int() })).max(PARTS + 1),
});
const RowsShape = z.object({
  rows: z.array(
    z.object({
      key: z.string(),
      hlc: z.object({ base: z.string(), fields: z.record(z.string(), z.string()) }),
      deleted: z.boolean(),
    }),
  ),
});
const KeysShape = z.object({
  collection: z.string().refine(isReplicated),
  keys: z.array(z.string().max(60)).max(LEAF * 2),
});

export interface ReconcileOptions {
  readonly store: Pick<Store, 'sql' | 'table'>;
  readonly channel: Channel;
  /** Whether the link carries a record. */
  carries(collection: CollectionName, record: Readonly<Record<string, unknown>>): boolean;
  /** Takes in lines as the feed has them. */
  take(collection: CollectionName, text: string): Promise<void>;
}

/**
 * Finds differences between two stations that have read all changes of each other, by comparing hash sums of
 * ever smaller ranges of keys, as a Merkle tree does (Merkle, 1987), and applies the other station's records.
 */
export class Reconciler {
  readonly #options: ReconcileOptions;

  constructor(options: ReconcileOptions) {
    this.#options = options;
    const { channel, store } = options;
    channel.handle('ranges', async (body) => {
      const { collection, ...range } = RangeShape.parse(body);
      return { body: { parts: await this.#split(collection, range) } };
    });
    channel.handle('stamps', async (body) => {
      const { collection, ...range } = RangeShape.parse(body);
      const rows: KeyRow[] = [];
      for await (const row of this.#rows(collection, range)) rows.push(row);
      return { body: { rows } };
    });
    channel.handle('records', (body): ChannelAnswer => {
      const { collection, keys } = KeysShape.parse(body);
      return { body: {}, bytes: Buffer.from(linesOf(store, collection, keys, options.carries)) };
    });
  }

  /** Resolves with the number of records that were taken over. */
  async run(collection: CollectionName): Promise<number> {
    return this.#compare(collection, { after: '', to: '' });
  }

  /** Takes over these records as the other station has them. */
  async fetch(collection: CollectionName, keys: readonly string[]): Promise<void> {
    const { channel, take } = this.#options;
    for (let at = 0; at < keys.length; at += LEAF) {
      const { bytes } = await channel.request('records', { collection, keys: keys.slice(at, at + LEAF) });
      await take(collection, bytes?.toString('utf8') ?? '');
    }
  }

  async #compare(collection: CollectionName, range: KeyRange): Promise<number> {
    const { channel } = this.#options;
    const { body } = await channel.request('ranges', { collection, ...range });
    let taken = 0;
    for (const part of PartsShape.parse(body).parts) {
      const mine = await this.#sumOf(collection, part);
      if (mine.sum === part.sum) continue;
      taken += part.rows <= LEAF ? await this.#takeNew(collection, part) : await this.#compare(collection, part);
    }
    return taken;
  }

  async #takeNew(collection: CollectionName, { after, to }: KeyRange): Promise<number> {
    const { channel } = this.#options;
    const { body } = await channel.request('stamps', { collection, after, to });
    const theirs = RowsShape.parse(body).rows;
    const mine = new Map<string, Stamps>();
    const known = this.#options.store.sql
      .prepare(
        `SELECT key, json_extract(data, '$.hlc') AS hlc FROM ${this.#options.store.table(collection)} WHERE key IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(theirs.map(({ key }) => key)));
    for (const { key, hlc } of known) mine.set(key as string, JSON.parse(hlc as string) as Stamps);
    const isNew = ({ key, hlc, deleted }: KeyRow) => {
      const stamps = mine.get(key);
      // A deletion of a record that was never here is nothing new.
      return stamps ? !covers(stamps, hlc) : !deleted;
    };
    const keys = theirs.filter(isNew).map(({ key }) => key);
    await this.fetch(collection, keys);
    return keys.length;
  }

  async #split(collection: CollectionName, { after, to }: KeyRange): Promise<readonly RangePart[]> {
    const { store } = this.#options;
    const { count } = store.sql
      .prepare(`SELECT count(*) AS count FROM ${store.table(collection)} WHERE key > ? AND (? = '' OR key <= ?)`)
      .get(after, to, to) as { count: number };
    const size = Math.max(1, Math.ceil(count / PARTS));
    const parts: RangePart[] = [];
    let sum = new HashSum();
    let rows = 0;
    let from = after;
    for await (const row of this.#rows(collection, { after, to })) {
      if (rows >= size && parts.length < PARTS) {
        parts.push({ after: from, to: row.key, sum: addTo(sum, collection, row).text, rows: rows + 1 });
        from = row.key;
        sum = new HashSum();
        rows = 0;
        continue;
      }
      addTo(sum, collection, row);
      rows++;
    }
    // The last one also holds what only the asking station has after it.
    parts.push({ after: from, to, sum: sum.text, rows });
    return parts;
  }

  async #sumOf(collection: CollectionName, range: KeyRange): Promise<{ sum: string }> {
    const sum = new HashSum();
    for await (const row of this.#rows(collection, range)) addTo(sum, collection, row);
    return { sum: sum.text };
  }

  async *#rows(collection: CollectionName, { after, to }: KeyRange): AsyncGenerator<KeyRow> {
    const { store, carries } = this.#options;
    const select = store.sql.prepare(
      `SELECT key, data, deleted FROM ${store.table(collection)} WHERE key > ? AND (? = '' OR key <= ?) ORDER BY key LIMIT ?`,
    );
    for (let from = after; ;) {
      const page = select.all(from, to, to, STRIDE);
      for (const { key, data, deleted } of page) {
        from = key as string;
        const record = JSON.parse(data as string) as Record<string, unknown> & { hlc: Stamps };
        if (carries(collection, record)) yield { key: from, hlc: record.hlc, deleted: deleted === 1 };
      }
      if (page.length < STRIDE) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

function addTo(sum: HashSum, collection: CollectionName, { deleted, ...row }: KeyRow): HashSum {
  if (!deleted) sum.add(recordHash(collection, row));
  return sum;
}

/** Records as lines of the feed. */
function linesOf(
  store: Pick<Store, 'sql' | 'table'>,
  collection: CollectionName,
  keys: readonly string[],
  carries: ReconcileOptions['carries'],
): string {
  return store.sql
    .prepare(
      `SELECT data, deleted FROM ${store.table(collection)} WHERE key IN (SELECT value FROM json_each(?)) ORDER BY key`,
    )
    .all(JSON.stringify(keys))
    .filter(({ data }) => carries(collection, JSON.parse(data as string) as Record<string, unknown>))
    .map(({ data, deleted }) => `${deleted === 1 ? '-' : '+'}${data as string}`)
    .join('\n');
}
