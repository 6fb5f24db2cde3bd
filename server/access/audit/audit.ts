import type { DatabaseSync } from 'node:sqlite';
import type { AuditAction, AuditEntry, AuditKind } from '../../../shared/audit.ts';
import { isDiskFull } from '../../platform/disk/disk-full.ts';
import { Emitter } from '../../platform/emitter.ts';
import type { Store } from '../../store/types.ts';
import { whoActs, type Acting } from './acting.ts';
import { chainHash, type Head } from './chain.ts';
import { headOf, openTable, SLICE, verifyTable, type Verification } from './table.ts';

export interface Subject {
  readonly id?: number | null;
  readonly name: string;
  readonly organizationId?: number | null;
}

/** An entry as a room reports it. The trail adds the time and the actor. */
export interface AuditDraft {
  readonly kind: AuditKind;
  readonly action: AuditAction;
  readonly subject?: Subject;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Default: the caller of the request in which it happens. */
  readonly by?: Acting;
}

/** An entry with its hash, as exports contain it. */
export interface HashedEntry extends AuditEntry {
  readonly hash: string;
}

export interface AuditFilter {
  /** Epoch ms. */
  readonly from?: number | undefined;
  /** Epoch ms, exclusive. */
  readonly until?: number | undefined;
  readonly userId?: number | undefined;
  readonly kind?: AuditKind | undefined;
  readonly subject?: string | undefined;
  /** Case-insensitive part of the entry. */
  readonly text?: string | undefined;
  /** Only actions of this organization's people, or on them; undefined: everything. */
  readonly organizationId?: number | undefined;
}

interface AuditOptions {
  readonly store: Store;
  readonly now?: () => number;
}

const DAY = 86_400_000;

/**
 * The audit trail of this station: who did what, in a hash chain that reveals later changes. Reads go in
 * slices, so that a long trail blocks nobody.
 */
export class Audit {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #appended = new Emitter<[]>();
  /** Entries that a full disk did not take; the next one says how many. */
  #missed = 0;

  private constructor({ store, now = Date.now }: AuditOptions) {
    this.#store = store;
    this.#now = now;
  }

  static async open(options: AuditOptions): Promise<Audit> {
    const { store } = options;
    const audit = new Audit(options);
    await store.writePlain(openTable);
    const known = store.sql.prepare("SELECT value FROM audit_state WHERE name = 'epoch'").get()?.['value'];
    const { epoch } = store.feed;
    if (known !== epoch)
      await store.writePlain((sql) => {
        sql.prepare("INSERT OR REPLACE INTO audit_state (name, value) VALUES ('epoch', ?)").run(epoch);
        // A restored backup, or older data: entries since then are missing here.
        audit.#append(sql, {
          kind: known === undefined ? 'audit' : 'backup',
          action: known === undefined ? 'started' : 'replaced',
          subject: { name: store.stationId },
        });
      });
    return audit;
  }

  /**
   * Appends an entry. Called inside a write of the store, it is stored with that write or not at all, and throws
   * when it cannot be. Else it resolves when the entry is on disk.
   */
  record(draft: AuditDraft): Promise<void> {
    let failure: unknown;
    const by = draft.by ?? whoActs();
    const written = this.#store.writePlain((sql) => {
      try {
        this.#append(sql, { ...draft, by });
      } catch (error) {
        throw (failure = error);
      }
    });
    if (failure !== undefined) {
      written.catch(() => undefined); // It is thrown here.
      throw failure as Error;
    }
    return written.then(() => this.#appended.emit());
  }

  /** Like `record`, but a full disk must not stop people: the entry is then counted as missed. */
  async recordOrMiss(draft: AuditDraft): Promise<void> {
    try {
      await this.record(draft);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      this.#missed++;
    }
  }

  /**
   * Records `draft` if `state` differs from the one recorded under this name, in one write. The first call
   * records nothing.
   */
  async recordChange(name: string, state: string, draft: AuditDraft): Promise<void> {
    const by = whoActs();
    await this.#store.writePlain((sql) => {
      const known = sql.prepare('SELECT value FROM audit_state WHERE name = ?').get(name)?.['value'];
      if (known === state) return;
      sql.prepare('INSERT OR REPLACE INTO audit_state (name, value) VALUES (?, ?)').run(name, state);
      if (known !== undefined) this.#append(sql, { ...draft, by });
    });
    this.#appended.emit();
  }

  /** Called when there are new entries. Returns the unsubscription. */
  onAppended(listener: () => void): () => void {
    return this.#appended.on(listener);
  }

  get head(): Head {
    return headOf(this.#store.sql);
  }

  /** Matching entries, newest first, before the one with the id `before`. */
  async read(filter: AuditFilter, limit: number, before = Number.MAX_SAFE_INTEGER): Promise<HashedEntry[]> {
    const found: HashedEntry[] = [];
    for await (const entry of this.#scan(filter, 'down', before)) if (found.push(entry) >= limit) break;
    return found;
  }

  /** Matching entries, oldest first, in slices. */
  async *export(filter: AuditFilter): AsyncGenerator<HashedEntry> {
    yield* this.#scan(filter, 'up', 0);
  }

  /** Entries after this id, oldest first. */
  after(id: number, limit: number): HashedEntry[] {
    const rows = this.#store.sql
      .prepare('SELECT entry, hash FROM audit WHERE id > ? ORDER BY id LIMIT ?')
      .all(id, limit);
    return rows.map(entryOf);
  }

  verify(): Promise<Verification> {
    return verifyTable(this.#store.sql, nextTurn);
  }

  /** Removes entries older than so many days. The chain stays verifiable from the anchor that is kept. */
  async sweep(days: number): Promise<number> {
    const before = this.#now() - days * DAY;
    const last = this.#store.sql.prepare('SELECT id, hash FROM audit WHERE time < ? ORDER BY id DESC LIMIT 1');
    const anchor = last.get(before) as unknown as Head | undefined;
    if (!anchor) return 0;
    const removed = await this.#store.writePlain((sql) => {
      this.#append(sql, {
        kind: 'audit',
        action: 'deleted',
        subject: { name: '' },
        details: { days, upTo: anchor.id, hash: anchor.hash },
      });
      const { id, hash } = anchor;
      sql.prepare('INSERT OR REPLACE INTO audit_anchors (id, hash, at) VALUES (?, ?, ?)').run(id, hash, this.#now());
      return Number(sql.prepare('DELETE FROM audit WHERE id <= ?').run(id).changes);
    });
    this.#appended.emit();
    return removed;
  }

  #append(sql: DatabaseSync, draft: AuditDraft): void {
    if (this.#missed > 0) {
      const count = this.#missed;
      this.#missed = 0;
      try {
        this.#append(sql, { kind: 'audit', action: 'failed', subject: { name: '' }, details: { missed: count } });
      } catch (error) {
        this.#missed += count;
        throw error;
      }
    }
    appendEntry(sql, draft, this.#now());
  }

  /** Number of ids per slice, so that the event loop never waits long, for any filter. */
  async *#scan(filter: AuditFilter, way: 'up' | 'down', start: number): AsyncGenerator<HashedEntry> {
    const { clauses, values } = conditions(filter);
    const { low, high } = this.#range(filter);
    const order = way === 'up' ? 'ASC' : 'DESC';
    const read = this.#store.sql.prepare(
      `SELECT entry, hash FROM audit WHERE id BETWEEN ? AND ?${clauses} ORDER BY id ${order}`,
    );
    const words = filter.text?.toLowerCase();
    const subject = filter.subject?.toLowerCase();
    let [from, to] = way === 'up' ? [Math.max(low, start + 1), high] : [low, Math.min(high, start - 1)];
    while (from <= to) {
      const window = way === 'up' ? [from, Math.min(to, from + SLICE - 1)] : [Math.max(from, to - SLICE + 1), to];
      for (const row of read.all(window[0]!, window[1]!, ...values)) {
        if (words !== undefined && !String(row['entry']).toLowerCase().includes(words)) continue;
        const entry = entryOf(row);
        if (subject === undefined || entry.subject.toLowerCase().includes(subject)) yield entry;
      }
      if (way === 'up') from = window[1]! + 1;
      else to = window[0]! - 1;
      await nextTurn();
    }
  }

  /** The ids between which entries of the wanted time are. */
  #range({ from, until }: AuditFilter): { low: number; high: number } {
    const { sql } = this.#store;
    const range =
      from === undefined && until === undefined
        ? sql.prepare('SELECT (SELECT min(id) FROM audit) AS low, (SELECT max(id) FROM audit) AS high').get()
        : sql
            .prepare('SELECT min(id) AS low, max(id) AS high FROM audit WHERE time >= ? AND time < ?')
            .get(from ?? 0, until ?? Number.MAX_SAFE_INTEGER);
    return { low: Number(range?.['low'] ?? 1), high: Number(range?.['high'] ?? 0) };
  }
}

/** Chains an entry to the last one of an open database, within its transaction. */
export function appendEntry(sql: DatabaseSync, draft: AuditDraft, time: number): void {
  const { kind, action, subject, details = {}, by = whoActs() } = draft;
  const before = headOf(sql);
  const entry = JSON.stringify({
    id: before.id + 1,
    time,
    kind,
    action,
    way: by.way,
    userId: by.userId,
    login: by.login,
    userOrganizationId: by.organizationId,
    keyId: by.keyId,
    address: by.address,
    subjectId: subject?.id ?? null,
    subject: subject?.name ?? '',
    subjectOrganizationId: subject?.organizationId ?? null,
    details,
  } satisfies AuditEntry);
  const insert = sql.prepare('INSERT INTO audit (id, entry, hash) VALUES (?, ?, ?)');
  insert.run(before.id + 1, entry, chainHash(before.hash, entry));
}

function conditions(filter: AuditFilter): { clauses: string; values: (string | number)[] } {
  const { from, until, userId, kind, organizationId } = filter;
  const clauses: string[] = [];
  const values: (string | number)[] = [];
  const add = (clause: string, ...more: (string | number)[]) => (clauses.push(` AND ${clause}`), values.push(...more));
  if (from !== undefined) add('time >= ?', from);
  if (until !== undefined) add('time < ?', until);
  if (userId !== undefined) add('userId = ?', userId);
  if (kind !== undefined) add('kind = ?', kind);
  if (organizationId !== undefined)
    add('(userOrganizationId = ? OR subjectOrganizationId = ?)', organizationId, organizationId);
  return { clauses: clauses.join(''), values };
}

function entryOf(row: Record<string, unknown>): HashedEntry {
  return { ...(JSON.parse(String(row['entry'])) as AuditEntry), hash: String(row['hash']) };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
