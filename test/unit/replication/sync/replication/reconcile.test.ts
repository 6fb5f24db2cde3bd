import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { keyOf } from '../../../../../shared/ids.ts';
import { covers, firstStamps, joinStamps, stampDeletion, stampFields } from '../../../../../shared/merge/merge.ts';
import { stampClock, stationPart } from '../../../../../shared/merge/stamps.ts';
import type { Stamps } from '../../../../../shared/records/index.ts';
import { Reconciler } from '../../../../../server/replication/sync/replication/digests/reconcile.ts';
import type { Channel } from '../../../../../server/replication/sync/types.ts';
import { Chance, SEED } from '../../../../support/chance.ts';

type Handler = Parameters<Channel['handle']>[1];

/** A station that has a table and nothing else; it takes in what covers more than what it has. */
class Side {
  readonly sql = new DatabaseSync(':memory:');
  readonly reconciler: Reconciler;
  readonly #handlers = new Map<string, Handler>();
  other!: Side;
  requests = 0;

  constructor() {
    this.sql.exec('CREATE TABLE records (key TEXT PRIMARY KEY, data TEXT, deleted INTEGER)');
    onTestFinished(() => this.sql.close());
    const channel = {
      handle: (kind: string, handler: Handler) => this.#handlers.set(kind, handler),
      request: async (kind: string, body: unknown) => {
        this.requests++;
        return this.other.#handlers.get(kind)!(structuredClone(body), new AbortController().signal);
      },
    } as unknown as Channel;
    this.reconciler = new Reconciler({
      store: { sql: this.sql, table: () => 'records' },
      channel,
      carries: () => true,
      take: (_collection, text) => {
        for (const line of text.split('\n').filter(Boolean))
          this.put(JSON.parse(line.slice(1)) as { hlc: Stamps; key: string }, line[0] === '-');
        return Promise.resolve();
      },
    });
  }

  put(record: { readonly key: string; readonly hlc: Stamps }, deleted = false): void {
    const known = this.stampsOf(record.key);
    const hlc = known ? joinStamps(known, record.hlc) : record.hlc;
    const isDeleted = known && covers(known, record.hlc) ? this.isDeleted(record.key) : deleted;
    this.sql
      .prepare('INSERT OR REPLACE INTO records VALUES (?, ?, ?)')
      .run(record.key, JSON.stringify({ ...record, hlc }), isDeleted ? 1 : 0);
  }

  stampsOf(key: string): Stamps | undefined {
    const row = this.sql.prepare('SELECT data FROM records WHERE key = ?').get(key);
    return row && (JSON.parse(row['data'] as string) as { hlc: Stamps }).hlc;
  }

  isDeleted(key: string): boolean {
    return this.sql.prepare('SELECT deleted FROM records WHERE key = ?').get(key)?.['deleted'] === 1;
  }

  live(): string[] {
    return this.sql
      .prepare('SELECT data FROM records WHERE deleted = 0 ORDER BY key')
      .all()
      .map(({ data }) => {
        const { key, hlc } = JSON.parse(data as string) as { key: string; hlc: Stamps };
        return JSON.stringify([key, joinStamps(hlc, hlc)]);
      });
  }
}

test(`[sync 63] stations that differ anywhere are equal after both compared, and ask for little (WAYPOST_SEED=${SEED})`, async () => {
  const chance = new Chance();
  for (const size of [0, 1, 99, 100, 101, 102, 1700, 5000]) {
    const [a, b] = [new Side(), new Side()];
    [a.other, b.other] = [b, a];
    const clock = stampClock(stationPart(1, 'a'), Date.now);
    for (let id = 0; id < size; id++) {
      const record = { key: keyOf(id), hlc: firstStamps(clock.next()) };
      const changed = { ...record, hlc: stampFields(record.hlc, ['text'], clock.next()) };
      const kind = chance.int(1000);
      const deleted = { ...changed, hlc: stampDeletion(changed.hlc) };
      if (kind !== 1) a.put(kind === 2 ? changed : kind === 3 ? deleted : record, kind === 3);
      if (kind !== 4) b.put(kind === 5 ? changed : kind === 6 ? deleted : record, kind === 6);
    }
    await a.reconciler.run('comments');
    await b.reconciler.run('comments');
    expect(a.live(), `${size} records`).toEqual(b.live());
    expect(a.requests + b.requests).toBeLessThan(300);
    a.requests = 0;
    expect(await a.reconciler.run('comments')).toBe(0);
    expect(a.requests).toBe(1);
  }
});

test('[sync 63] a station with nothing takes over everything, and gives it', async () => {
  const [a, b] = [new Side(), new Side()];
  [a.other, b.other] = [b, a];
  const clock = stampClock(stationPart(1, 'a'), Date.now);
  for (let id = 0; id < 3000; id++) a.put({ key: keyOf(id), hlc: firstStamps(clock.next()) });
  expect(await a.reconciler.run('comments')).toBe(0);
  expect(await b.reconciler.run('comments')).toBe(3000);
  expect(b.live()).toEqual(a.live());
});
