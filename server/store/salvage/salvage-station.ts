import { DatabaseSync } from 'node:sqlite';
import { ID_SPACE } from '../../../shared/ids.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { collectionTables, integrityErrors, isCollectionTable } from '../integrity/integrity-check.ts';
import { IDS_SKIPPED } from '../sqlite/sequences.ts';
import { randomId } from '../sqlite/random-id.ts';
import { quote, type Row } from './salvage-rows.ts';

/** Why a row of `station.db` must not go into a copy; undefined: it may. */
export function rejectStationRow(table: string, row: Row): string | undefined {
  // RxDB recreates its own rows if they are missing, but does not start with a broken one.
  const isOurs = isCollectionTable(table);
  if (!isOurs && !table.includes('_rxdb_internal')) return undefined;
  const key = String(row['key']);
  const data = row['data'];
  const record = typeof data === 'string' ? parsed(data) : undefined;
  if (record === undefined || typeof record !== 'object' || record === null) return `the record ${key}: it is not JSON`;
  const named = (record as { key?: unknown }).key;
  if (isOurs && table.startsWith('station.') && named !== undefined && named !== key)
    return `the record ${key}: it calls itself ${String(named)}`;
  const { meta } = row;
  return typeof meta === 'string' && parsed(meta) === undefined
    ? `the record ${key}: its notes are not JSON`
    : undefined;
}

/**
 * Makes a salvaged `station.db` acceptable to the station: its counters are above all remaining ids, and it
 * begins a new epoch, so that linked stations send lost records. Returns the list of repairs.
 */
export function repairStation(path: string): string[] {
  const sql = new DatabaseSync(path);
  try {
    if (!sql.prepare('SELECT 1 FROM station').get())
      throw new Refusal('backup.notSalvageable', { file: path, problem: 'the station’s own id is lost' });
    const said: string[] = [];
    sql.exec('BEGIN');
    const tables = collectionTables(sql);
    const newest = Math.max(
      0,
      ...tables.map((table) => Number(sql.prepare(`SELECT max(seq) AS seq FROM ${quote(table)}`).get()!['seq'] ?? 0)),
    );
    if (!sql.prepare('SELECT 1 FROM heads').get()) {
      sql.prepare("INSERT INTO heads VALUES (?, '')").run(newest);
      said.push('heads: counted again');
    }
    sql.prepare('UPDATE heads SET seq = max(seq, ?) + ?').run(newest, IDS_SKIPPED);
    const { number } = sql.prepare('SELECT number FROM station').get() as { number: number };
    for (const table of tables) {
      const collection = table.split('.')[1]!;
      const found = sql
        .prepare(
          `SELECT data ->> '$.kind' AS kind, max(data ->> '$.id') AS last FROM ${quote(table)} WHERE CAST((data ->> '$.id') / ? AS INTEGER) = ? GROUP BY 1`,
        )
        .all(ID_SPACE, number) as { kind: string | null; last: number | null }[];
      for (const { kind, last } of found)
        for (const counter of [collection, ...(kind === null ? [] : [`${collection}/${kind}`])])
          if (typeof last === 'number')
            sql.prepare('UPDATE counters SET last = max(last, ?) WHERE name = ?').run(last % ID_SPACE, counter);
    }
    sql.prepare('UPDATE counters SET last = last + ?').run(IDS_SKIPPED);
    sql.prepare('UPDATE station SET epoch = ?').run(randomId());
    // The sums of records are counted again by the next start.
    if (sql.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'digests'").get()) sql.exec('DELETE FROM digests');
    sql.exec('COMMIT');
    const left = integrityErrors(sql);
    if (left.length > 0) throw new Refusal('backup.notSalvageable', { file: path, problem: left[0]! });
    return said;
  } finally {
    sql.close();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
