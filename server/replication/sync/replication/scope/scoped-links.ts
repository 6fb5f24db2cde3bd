import type { DatabaseSync } from 'node:sqlite';
import type { Stamps } from '../../../../../shared/records/index.ts';
import { HashSum, recordHash } from '../../../../store/index.ts';
import type { AnyStored, Change, CollectionName, Store } from '../../../../store/types.ts';
import type { Link } from '../../types.ts';
import { REPLICATED } from '../collections.ts';
import { FOLLOWERS, organizationsOf, Scope } from './scope.ts';

type LinkWithSettings = Pick<Link, 'id' | 'settings' | 'theirSettings'>;
type ScopedRecord = AnyStored & Readonly<Record<string, unknown>>;

/** Rows that are counted in one write. */
const COUNTED_AT_ONCE = 200;

interface SumRow {
  readonly scope: string;
  readonly sum: string;
  readonly count: number;
  /** Sum of the whole collection when this one was last written. */
  readonly whole: string;
  /** Keys up to this one are counted; null: all. */
  readonly upto: string | null;
}

/**
 * The links that are limited to organizations: the records that each carries, their sums, and the records
 * that entered or left its scope. Sums and moves are written in the transaction of each write.
 */
export class ScopedLinks {
  readonly #store: Store;
  readonly #report: (error: unknown) => void;
  readonly #scopes = new Map<number, Scope>();
  readonly #stops: (() => void)[] = [];
  readonly #counting = new Map<number, Promise<void>>();
  #closed = false;

  constructor(store: Store, report: (error: unknown) => void) {
    this.#store = store;
    this.#report = report;
    for (const name of REPLICATED) {
      this.#stops.push(
        store.whole(name).beforeCommit((changes) => {
          for (const [link, scope] of this.#scopes) this.#note(link, scope, name, changes as Change<ScopedRecord>[]);
        }),
      );
    }
  }

  /** Applies the current limits of a link. If they are new, starts counting the records that it carries. */
  follow(link: LinkWithSettings): void {
    const organizations = organizationsOf(link);
    if (!organizations) this.#scopes.delete(link.id);
    else if (this.#scopes.get(link.id)?.name !== organizations.join(',')) {
      const scope = new Scope(this.#store, organizations);
      this.#scopes.set(link.id, scope);
      this.#countSoon(link.id, scope);
    }
  }

  /** Scope of a link by the limits that were taken over; undefined: everything. */
  scopeOf(link: number): Scope | undefined {
    return this.#scopes.get(link);
  }

  /** Resolves when nothing more is written for the link. */
  async forget(link: number): Promise<void> {
    this.#scopes.delete(link);
    await this.#counting.get(link);
  }

  /** Sums of the records that the link carries, by collection; undefined while they are counted. */
  sums(link: number): [CollectionName, string][] | undefined {
    const scope = this.#scopes.get(link);
    if (!scope || this.#counting.has(link)) return undefined;
    const sums: [CollectionName, string][] = [];
    for (const name of REPLICATED) {
      const row = this.#row(this.#store.sql, link, name);
      if (row?.scope !== scope.name || row.upto !== null) return undefined;
      sums.push([name, row.sum]);
    }
    return sums;
  }

  /** Counts again. */
  recount(link: number): void {
    const scope = this.#scopes.get(link);
    if (scope) this.#countSoon(link, scope, true);
  }

  /** Keys of records that came into the scope or left it, by the numbers of the writes that moved them. */
  moves(link: number, collection: CollectionName, after: number, upTo: number): { key: string; seq: number }[] {
    return this.#store.sql
      .prepare('SELECT key, seq FROM scope_moves WHERE link = ? AND records = ? AND seq > ? AND seq <= ? ORDER BY seq')
      .all(link, collection, after, upTo) as unknown as { key: string; seq: number }[];
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const stop of this.#stops) stop();
    await Promise.all(this.#counting.values());
  }

  #row(sql: DatabaseSync, link: number, collection: CollectionName): SumRow | undefined {
    return sql
      .prepare('SELECT scope, sum, count, whole, upto FROM scope_digests WHERE link = ? AND records = ?')
      .get(link, collection) as unknown as SumRow | undefined;
  }

  #save(sql: DatabaseSync, link: number, collection: CollectionName, scope: Scope, sum: HashSum, upto: string | null) {
    const whole = sql.prepare('SELECT sum FROM digests WHERE records = ?').get(collection)?.['sum'] as string;
    sql
      .prepare(
        'INSERT OR REPLACE INTO scope_digests (link, records, scope, sum, count, whole, upto) VALUES (?, ?, ?, ?, ?, ?, ?)',
      )
      .run(link, collection, scope.name, sum.text, sum.records, whole, upto);
  }

  #countSoon(link: number, scope: Scope, anew = false): void {
    const before = this.#counting.get(link) ?? Promise.resolve();
    const counting = before
      .then(() => this.#count(link, scope, anew))
      .catch((error: unknown) => this.#report(error))
      .then(() => {
        if (this.#counting.get(link) === counting) this.#counting.delete(link);
      });
    this.#counting.set(link, counting);
  }

  async #count(link: number, scope: Scope, anew: boolean): Promise<void> {
    for (const collection of REPLICATED) {
      if (this.#closed || this.#scopes.get(link) !== scope) return;
      // A command that ran without the station may have written; the sum of the whole collection reveals it.
      const isRight = await this.#store.writePlain((sql) => {
        const row = this.#row(sql, link, collection);
        const whole = sql.prepare('SELECT sum FROM digests WHERE records = ?').get(collection)?.['sum'];
        if (!anew && row && row.scope === scope.name && row.whole === whole && row.upto === null) return true;
        this.#save(sql, link, collection, scope, new HashSum(), '');
        return false;
      });
      for (let isDone = isRight; !isDone;) {
        if (this.#closed || this.#scopes.get(link) !== scope) return;
        isDone = await this.#store.writePlain((sql) => this.#countSome(sql, link, collection, scope));
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }

  #countSome(sql: DatabaseSync, link: number, collection: CollectionName, scope: Scope): boolean {
    const { sum: text, count, upto } = this.#row(sql, link, collection)!;
    const sum = new HashSum(text, count);
    const rows = sql
      .prepare(`SELECT key, data, deleted FROM ${this.#store.table(collection)} WHERE key > ? ORDER BY key LIMIT ?`)
      .all(upto!, COUNTED_AT_ONCE) as unknown as { key: string; data: string; deleted: number }[];
    for (const { data, deleted } of rows) {
      if (deleted === 1) continue;
      const record = JSON.parse(data) as ScopedRecord;
      if (scope.carries(collection, record)) sum.add(recordHash(collection, record));
    }
    const isDone = rows.length < COUNTED_AT_ONCE;
    this.#save(sql, link, collection, scope, sum, isDone ? null : rows.at(-1)!.key);
    return isDone;
  }

  /** Inside the transaction of a write. */
  #note(link: number, scope: Scope, collection: CollectionName, changes: readonly Change<ScopedRecord>[]): void {
    let failed: unknown;
    const work = (sql: DatabaseSync) => {
      try {
        this.#noteIn(sql, link, scope, collection, changes);
      } catch (error) {
        failed = error;
        throw error;
      }
    };
    this.#store.writePlain(work).catch(() => undefined); // The write around it is refused with the same error.
    if (failed) throw failed as Error;
  }

  #noteIn(
    sql: DatabaseSync,
    link: number,
    scope: Scope,
    collection: CollectionName,
    changes: readonly Change<ScopedRecord>[],
  ): void {
    const sums = new ScopeSums((name) => this.#row(sql, link, name), scope.name);
    for (const { record, before, deleted } of changes) {
      const was = before !== undefined && scope.carries(collection, before);
      const is = !deleted && scope.carries(collection, record);
      if (was) sums.take(collection, before);
      if (is) sums.add(collection, record);
      if (was === is || (before === undefined && !FOLLOWERS[collection])) continue;
      const seq = sql.prepare(`SELECT seq FROM ${this.#store.table(collection)} WHERE key = ?`).get(record.key)?.[
        'seq'
      ];
      const move = (name: CollectionName, key: string) => {
        // Deletions are sent; evictions of this station are not.
        if (before === undefined || deleted || seq === undefined) return;
        sql
          .prepare('INSERT OR REPLACE INTO scope_moves (link, records, key, seq) VALUES (?, ?, ?, ?)')
          .run(link, name, key, seq);
      };
      move(collection, record.key);
      for (const [name, where] of Object.entries(FOLLOWERS[collection] ?? {}) as [CollectionName, string][]) {
        const followers = sql
          .prepare(`SELECT data FROM ${this.#store.table(name)} WHERE deleted = 0 AND ${where}`)
          .all(record.id);
        for (const { data } of followers) {
          const follower = JSON.parse(data as string) as ScopedRecord;
          if (is) sums.add(name, follower);
          else sums.take(name, follower);
          move(name, follower.key);
        }
      }
    }
    for (const [name, sum, upto] of sums.changed()) this.#save(sql, link, name, scope, sum, upto);
    // A change that the link does not carry moves the sum of the whole collection, too.
    if (![...sums.changed()].some(([name]) => name === collection)) {
      const row = this.#row(sql, link, collection);
      if (row?.scope === scope.name)
        this.#save(sql, link, collection, scope, new HashSum(row.sum, row.count), row.upto);
    }
  }
}

/** Sums that are changed in one transaction. What is not counted yet is left out. */
class ScopeSums {
  readonly #load: (collection: CollectionName) => SumRow | undefined;
  readonly #scope: string;
  readonly #sums = new Map<CollectionName, { readonly sum: HashSum; readonly upto: string | null } | undefined>();

  constructor(load: (collection: CollectionName) => SumRow | undefined, scope: string) {
    this.#load = load;
    this.#scope = scope;
  }

  add(collection: CollectionName, record: { readonly key: string; readonly hlc: Stamps }): void {
    this.#sumFor(collection, record.key)?.add(recordHash(collection, record));
  }

  take(collection: CollectionName, record: { readonly key: string; readonly hlc: Stamps }): void {
    this.#sumFor(collection, record.key)?.take(recordHash(collection, record));
  }

  *changed(): Generator<[CollectionName, HashSum, string | null]> {
    for (const [name, loaded] of this.#sums) if (loaded) yield [name, loaded.sum, loaded.upto];
  }

  #sumFor(collection: CollectionName, key: string): HashSum | undefined {
    if (!this.#sums.has(collection)) {
      const row = this.#load(collection);
      this.#sums.set(
        collection,
        row?.scope === this.#scope ? { sum: new HashSum(row.sum, row.count), upto: row.upto } : undefined,
      );
    }
    const loaded = this.#sums.get(collection);
    return loaded && (loaded.upto === null || key <= loaded.upto) ? loaded.sum : undefined;
  }
}
