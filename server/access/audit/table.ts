import type { DatabaseSync } from 'node:sqlite';
import { FIRST_AUDIT_HASH, type AuditEntry } from '../../../shared/audit.ts';
import { followChain, type Break, type Head, type ChainLink } from './chain.ts';

/** Entries that are read at once; the event loop runs in between. */
export const SLICE = 1_000;

/**
 * The table never leaves the station. Entries cannot be changed; only those up to the newest anchor, which keeps
 * the hash to which the rest is chained, can be removed. The other columns are computed from the entry.
 */
export function openTable(sql: DatabaseSync): void {
  const column = (name: string, type: string) => `${name} ${type} AS (entry ->> '${name}')`;
  sql.exec(`
    CREATE TABLE IF NOT EXISTS audit (
      id INTEGER PRIMARY KEY AUTOINCREMENT, entry TEXT NOT NULL, hash TEXT NOT NULL,
      ${column('time', 'INTEGER')}, ${column('kind', 'TEXT')}, ${column('userId', 'INTEGER')},
      ${column('userOrganizationId', 'INTEGER')}, ${column('subjectOrganizationId', 'INTEGER')});
    CREATE INDEX IF NOT EXISTS audit_time ON audit (time);
    CREATE TABLE IF NOT EXISTS audit_anchors (id INTEGER PRIMARY KEY, hash TEXT NOT NULL, at INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS audit_state (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TRIGGER IF NOT EXISTS audit_unchanged BEFORE UPDATE ON audit
      BEGIN SELECT RAISE(ABORT, 'Entries of the audit trail cannot be changed.'); END;
    CREATE TRIGGER IF NOT EXISTS audit_kept BEFORE DELETE ON audit
      WHEN OLD.id > coalesce((SELECT max(id) FROM audit_anchors), 0)
      BEGIN SELECT RAISE(ABORT, 'Entries of the audit trail cannot be removed.'); END;`);
}

/** Whether the database has a trail at all; stations of older programs have none. */
export function hasAuditTable(sql: DatabaseSync): boolean {
  return sql.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'audit'").get() !== undefined;
}

/** To what the first entry that is still there is chained. */
export function anchorOf(sql: DatabaseSync): Head {
  const anchor = sql.prepare('SELECT id, hash FROM audit_anchors ORDER BY id DESC LIMIT 1').get();
  return (anchor as unknown as Head | undefined) ?? { id: 0, hash: FIRST_AUDIT_HASH };
}

export function headOf(sql: DatabaseSync): Head {
  const head = sql.prepare('SELECT id, hash FROM audit ORDER BY id DESC LIMIT 1').get();
  return (head as unknown as Head | undefined) ?? anchorOf(sql);
}

/** The result of checking the whole chain. `entries` counts the valid ones. */
export interface Verification {
  readonly from: Head;
  readonly head: Head;
  readonly entries: number;
  readonly broken: Break | null;
}

/** Checks the chain in slices; `rest` is awaited between two of them. */
export async function verifyTable(sql: DatabaseSync, rest: () => Promise<unknown>): Promise<Verification> {
  const from = anchorOf(sql);
  const newest = sql.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'audit'").get()?.['seq'];
  const read = sql.prepare('SELECT id, entry, hash FROM audit WHERE id > ? ORDER BY id LIMIT ?');
  let head = from;
  for (;;) {
    const links = read.all(head.id, SLICE) as unknown as ChainLink[];
    const next = followChain(head, links);
    if ('fault' in next) return { from, head, entries: next.id - 1 - from.id, broken: next };
    head = next;
    if (links.length < SLICE) break;
    await rest();
  }
  if (!isVouched(sql, from)) return { from, head, entries: 0, broken: { id: from.id + 1, fault: 'anchor' } };
  // SQLite remembers the highest id that it ever gave.
  const endMissing = typeof newest === 'number' && newest > head.id;
  return {
    from,
    head,
    entries: head.id - from.id,
    broken: endMissing ? { id: head.id + 1, fault: 'end-missing' } : null,
  };
}

/** Whether an entry of the chain says that everything up to this anchor was removed. */
function isVouched(sql: DatabaseSync, { id, hash }: Head): boolean {
  if (id === 0) return true;
  const removals = sql.prepare("SELECT entry FROM audit WHERE kind = 'audit' ORDER BY id DESC LIMIT 1000").all();
  return removals.some((row) => {
    const { action, details } = JSON.parse(String(row['entry'])) as AuditEntry;
    return action === 'deleted' && details['upTo'] === id && details['hash'] === hash;
  });
}
