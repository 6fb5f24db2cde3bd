import type { DatabaseSync } from 'node:sqlite';
import { ID_SPACE } from '../../../shared/ids.ts';

/**
 * Checks every invariant of a station's database, which must hold even after a crash. Returns the violations
 * as sentences. Reads the whole database: for tests, `restore` and diagnosis.
 */
export function integrityErrors(sql: DatabaseSync): string[] {
  const wrong = (sql.prepare('PRAGMA integrity_check(10)').all() as { integrity_check: string }[])
    .map((row) => row.integrity_check)
    .filter((text) => text !== 'ok');
  const { seq: head } = sql.prepare('SELECT seq FROM heads').get() as { seq: number };
  const { number } = sql.prepare('SELECT number FROM station').get() as { number: number };
  const counters = new Map(
    (sql.prepare('SELECT name, last FROM counters').all() as { name: string; last: number }[]).map(({ name, last }) => [
      name,
      last,
    ]),
  );
  const seen = new Map<number, string>();

  for (const table of collectionTables(sql)) {
    const rows = sql.prepare(
      `SELECT key, deleted, seq, json_valid(data) AS valid, CASE WHEN json_valid(data) THEN data ->> '$.key' END AS named, CASE WHEN json_valid(data) THEN data ->> '$.id' END AS id, CASE WHEN json_valid(data) THEN data ->> '$.kind' END AS kind FROM "${table}"`,
    );
    for (const row of rows.iterate() as Iterable<{
      key: string;
      deleted: number;
      seq: number;
      valid: number;
      named: string | null;
      id: number | null;
      kind: string | null;
    }>) {
      const which = `${table} ${row.key}`;
      if (!row.valid) wrong.push(`${which} is not JSON.`);
      else if (table.startsWith('station.') && row.named !== row.key) wrong.push(`${which} calls itself ${row.named}.`);
      if (row.seq > head) wrong.push(`${which} has the sequence number ${row.seq}, beyond the head ${head}.`);
      if (seen.has(row.seq)) wrong.push(`${which} has the sequence number ${row.seq} of ${seen.get(row.seq)}.`);
      seen.set(row.seq, which);
      if (typeof row.id === 'number' && Math.floor(row.id / ID_SPACE) === number) {
        const collection = table.split('.')[1]!;
        const counter =
          row.kind !== null && row.key.startsWith(`${row.kind}:`) ? `${collection}/${row.kind}` : collection;
        const last = counters.get(counter);
        if (last !== undefined && row.id % ID_SPACE > last)
          wrong.push(`${which} has an id beyond the counter ${counter}, which stands at ${last}.`);
      }
    }
  }
  return wrong;
}

/** Tables of RxDB collections: `database.collection.version`. Not those in which RxDB keeps notes of its own. */
export function collectionTables(sql: DatabaseSync): string[] {
  const rows = sql
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB '*.*.*' AND name NOT GLOB '*/attachments'`,
    )
    .all() as { name: string }[];
  return rows.map((row) => row.name).filter(isCollectionTable);
}

/** Whether a table holds records of a collection, by its name. */
export function isCollectionTable(name: string): boolean {
  return /^[^.]+\.[^.]+\.\d+$/.test(name) && !/_rxdb_internal|\.rx-replication-meta-/.test(name);
}
