import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '../../store/types.ts';
import type { ReadItem } from './feed-thread.ts';
import { SEVERITIES, type ReadWarning } from './reading/read-warning.ts';

/** A decision about the roads that a warning closes or slows. */
export interface RoadDecision {
  readonly state: 'accepted' | 'declined';
  readonly closureIds: readonly number[];
  readonly by: number;
  /** Epoch ms. */
  readonly at: number;
}

/** A warning that the station has taken. */
export interface Warning extends ReadWarning {
  readonly id: number;
  readonly feedId: number;
  /** When the station first saw it, epoch ms. */
  readonly seenAt: number;
  /** When its publisher ended it, or listed it no longer; null: it holds until its end. */
  readonly endedAt: number | null;
  readonly decision: RoadDecision | null;
  /** One for a warning and those that continue it: the name of its alarm. */
  readonly situation: string;
}

interface Row {
  readonly warning: Warning;
  readonly json: string;
  /** Address of the message, if the feed names it. */
  readonly source: string;
}

export interface WarningChange {
  readonly added: readonly Warning[];
  readonly changed: readonly Warning[];
  readonly ended: readonly Warning[];
}

/** ms for which an ended warning, and the key of an ended message, are kept. */
const KEEP = 30 * 86_400_000;
const COLUMNS = 'id, feed_id, key, value, source, seen_at, ended_at, decision, situation';

/** Warnings by feed, a table of this station. Those that have not ended are in memory. */
export class WarningTable {
  readonly #store: Pick<Store, 'sql' | 'writePlain'>;
  readonly #now: () => number;
  readonly #rows = new Map<number, Row>();

  private constructor(store: Pick<Store, 'sql' | 'writePlain'>, now: () => number) {
    this.#store = store;
    this.#now = now;
    for (const row of store.sql.prepare(`SELECT ${COLUMNS} FROM warnings WHERE ended_at IS NULL`).all())
      this.#remember(rowOf(row));
  }

  static async open(store: Pick<Store, 'sql' | 'writePlain'>, now: () => number): Promise<WarningTable> {
    await store.writePlain(openTables);
    return new WarningTable(store, now);
  }

  /** Those that no publisher has ended; some may have passed their end. */
  open(): Warning[] {
    return [...this.#rows.values()].map(({ warning }) => warning);
  }

  get(id: number): Warning | undefined {
    const row = this.#rows.get(id)?.warning;
    if (row) return row;
    const stored = this.#store.sql.prepare(`SELECT ${COLUMNS} FROM warnings WHERE id = ?`).get(id);
    return stored && rowOf(stored).warning;
  }

  /** Ended ones, the last ended first. */
  ended(limit: number): Warning[] {
    const query = `SELECT ${COLUMNS} FROM warnings WHERE ended_at IS NOT NULL ORDER BY ended_at DESC, id DESC LIMIT ?`;
    return this.#store.sql
      .prepare(query)
      .all(limit)
      .map((row) => rowOf(row).warning);
  }

  /**
   * Stores the content of a feed: adds new warnings, updates changed ones, and ends those that a message
   * ended or the feed no longer lists. @param read items by the address of their message; empty: the feed
   * itself @param unread addresses of messages that the feed lists, but that could not be read
   */
  async take(
    feedId: number,
    read: ReadonlyMap<string, readonly ReadItem[]>,
    { ended, unread, keepsUnlisted }: { ended: readonly string[]; unread: ReadonlySet<string>; keepsUnlisted: boolean },
  ): Promise<WarningChange> {
    const now = this.#now();
    const change = await this.#store.writePlain((sql): { rows: Row[]; gone: Warning[]; known: Set<number> } => {
      const remember = sql.prepare('INSERT INTO warning_ends (feed_id, key, at) VALUES (?, ?, ?)');
      const hasEnded = sql.prepare('SELECT 1 FROM warning_ends WHERE feed_id = ? AND key = ?');
      for (const key of ended) if (!hasEnded.get(feedId, key)) remember.run(feedId, key, now);
      const find = sql.prepare(`SELECT ${COLUMNS} FROM warnings WHERE feed_id = ? AND key = ?`);
      const insert = sql.prepare(
        'INSERT INTO warnings (feed_id, key, value, source, seen_at, situation) VALUES (?, ?, ?, ?, ?, ?)',
      );
      const update = sql.prepare('UPDATE warnings SET value = ?, source = ?, ended_at = NULL WHERE id = ?');
      const end = sql.prepare('UPDATE warnings SET ended_at = ? WHERE id = ?');
      const listed = new Set<string>();
      const rows: Row[] = [];
      const known = new Set<number>();
      for (const [source, items] of read)
        for (const { key, json } of items) {
          if (listed.has(key) || hasEnded.get(feedId, messageOf(key))) continue;
          listed.add(key);
          const stored = find.get(feedId, key);
          const before = stored && rowOf(stored);
          if (before?.json === json && before.warning.endedAt === null) continue;
          if (before) {
            update.run(json, source, before.warning.id);
            known.add(before.warning.id);
          } else {
            const situation = this.#situationOf(feedId, JSON.parse(json) as ReadWarning);
            insert.run(feedId, key, json, source, now, situation);
          }
          rows.push(rowOf(find.get(feedId, key)!));
        }
      const gone = [...this.#rows.values()].filter(({ warning, source }) => {
        if (warning.feedId !== feedId || listed.has(warning.key)) return false;
        if (hasEnded.get(feedId, messageOf(warning.key))) return true;
        return !unread.has(source) && (!keepsUnlisted || warning.until === null);
      });
      for (const { warning } of gone) end.run(now, warning.id);
      return { rows, known, gone: gone.map(({ warning }) => ({ ...warning, endedAt: now })) };
    });
    for (const row of change.rows) this.#remember(row);
    for (const { id } of change.gone) this.#rows.delete(id);
    const written = change.rows.map(({ warning }) => warning);
    return {
      added: written.filter(({ id }) => !change.known.has(id)),
      changed: written.filter(({ id }) => change.known.has(id)),
      ended: change.gone,
    };
  }

  /** Ends those that passed their end. Returns them. */
  async endPassed(): Promise<Warning[]> {
    const now = this.#now();
    const passed = this.open().filter(({ until }) => until !== null && until <= now);
    if (passed.length === 0) return [];
    await this.#store.writePlain((sql) => {
      const end = sql.prepare('UPDATE warnings SET ended_at = ? WHERE id = ?');
      for (const { id, until } of passed) end.run(until, id);
    });
    for (const { id } of passed) this.#rows.delete(id);
    return passed.map((warning) => ({ ...warning, endedAt: warning.until }));
  }

  /** Those of a feed that nobody follows any more. */
  async endFeed(feedId: number): Promise<Warning[]> {
    const change = await this.take(feedId, new Map(), { ended: [], unread: new Set(), keepsUnlisted: false });
    return [...change.ended];
  }

  async decide(id: number, decision: RoadDecision | null): Promise<void> {
    await this.#store.writePlain((sql) =>
      sql.prepare('UPDATE warnings SET decision = ? WHERE id = ?').run(decision && JSON.stringify(decision), id),
    );
    const row = this.#rows.get(id);
    if (row) this.#rows.set(id, { ...row, warning: { ...row.warning, decision } });
  }

  async sweep(): Promise<void> {
    const before = this.#now() - KEEP;
    await this.#store.writePlain((sql) => {
      sql.prepare('DELETE FROM warnings WHERE ended_at < ?').run(before);
      sql.prepare('DELETE FROM warning_ends WHERE at < ?').run(before);
    });
  }

  /** A message that replaces one as severe, or more, continues it, and so no second alarm sounds. */
  #situationOf(feedId: number, { key, replaces, severity }: ReadWarning): string {
    const rank = (one: Pick<ReadWarning, 'severity'>) => SEVERITIES.indexOf(one.severity);
    const replaced = [...this.#rows.values()].find(
      ({ warning }) =>
        warning.feedId === feedId &&
        replaces.includes(messageOf(warning.key)) &&
        rank(warning) >= SEVERITIES.indexOf(severity),
    );
    return replaced?.warning.situation ?? key;
  }

  #remember(row: Row): void {
    this.#rows.set(row.warning.id, row);
  }
}

/** The key of a message without the part of it. */
function messageOf(key: string): string {
  return key.replace(/#\d+$/, '');
}

function rowOf(row: Record<string, unknown>): Row {
  const json = String(row['value']);
  const decision = row['decision'];
  return {
    json,
    source: String(row['source']),
    warning: {
      ...(JSON.parse(json) as ReadWarning),
      id: Number(row['id']),
      feedId: Number(row['feed_id']),
      seenAt: Number(row['seen_at']),
      endedAt: row['ended_at'] === null ? null : Number(row['ended_at']),
      decision: typeof decision === 'string' ? (JSON.parse(decision) as RoadDecision) : null,
      situation: String(row['situation']),
    },
  };
}

function openTables(sql: DatabaseSync): void {
  sql.exec(`
    CREATE TABLE IF NOT EXISTS warnings (
      id INTEGER PRIMARY KEY AUTOINCREMENT, feed_id INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
      source TEXT NOT NULL, seen_at INTEGER NOT NULL, ended_at INTEGER, decision TEXT, situation TEXT NOT NULL,
      UNIQUE (feed_id, key)) STRICT;
    CREATE INDEX IF NOT EXISTS warnings_ended ON warnings (ended_at);
    CREATE TABLE IF NOT EXISTS warning_ends (
      feed_id INTEGER NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (feed_id, key)) STRICT,
      WITHOUT ROWID;`);
}
