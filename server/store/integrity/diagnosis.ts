import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../../../shared/refusal.ts';
import { isDiskFull } from '../../platform/disk/disk-full.ts';
import { isDamage } from '../../platform/disk/sqlite-damage.ts';
import { DamagedDatabase } from '../../platform/disk/damaged-database.ts';
import { collectionTables, integrityErrors } from './integrity-check.ts';

/** Number of problems that a message names. The rest is counted. */
const NAMED = 3;

/**
 * The error to throw when a start over a database failed. An unexpected error becomes a DamagedDatabase that
 * names the records, if the file is damaged. Other errors are returned as they are.
 */
export function describeDamage(path: string, error: unknown): unknown {
  if (
    error instanceof DamagedDatabase ||
    error instanceof Refusal ||
    (error as Error).name === 'CannotListen' ||
    isDiskFull(error) ||
    !existsSync(path)
  )
    return error;
  const found = databaseProblems(path);
  if (found.length === 0 && !isDamage(error)) return error;
  const named = found.slice(0, NAMED).map((problem) => problem.replace(/\.$/, ''));
  const rest = found.length > NAMED ? [`and ${found.length - NAMED} more`] : [];
  return new DamagedDatabase(path, [...named, ...rest].join('; ') || (error as Error).message, { cause: error });
}

/** All problems of a database, as sentences. Reads all of it. */
export function databaseProblems(path: string): string[] {
  let sql: DatabaseSync;
  try {
    sql = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  } catch (error) {
    return [(error as Error).message];
  }
  const found: string[] = [];
  const add = (look: () => readonly string[]) => {
    try {
      found.push(...look());
    } catch (error) {
      found.push((error as Error).message);
    }
  };
  try {
    add(() => unreadableTexts(sql));
    add(() => (isNew(sql) ? [] : integrityErrors(sql)));
    return [...new Set(found)];
  } finally {
    sql.close();
  }
}

/** A failed first start leaves a database without tables. */
function isNew(sql: DatabaseSync): boolean {
  return sql.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table'").get() === undefined;
}

/** Columns that hold JSON. Texts of users in other columns may begin like JSON. */
const JSON_COLUMNS = ['data', 'meta', 'attachments', 'states', 'events', 'scopes'];

/** Records and rows with invalid JSON. */
function unreadableTexts(sql: DatabaseSync): string[] {
  const found: string[] = [];
  const collections = new Set(collectionTables(sql));
  for (const { name: table } of sql.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as {
    name: string;
  }[]) {
    const wrong: string[] = [];
    try {
      // Other columns of a collection are generated from the data, and unreadable where it is broken.
      const columns = collections.has(table) ? 'key, data, meta' : '*';
      for (const row of sql.prepare(`SELECT ${columns} FROM "${table}"`).iterate()) {
        const broken = JSON_COLUMNS.some((column) => typeof row[column] === 'string' && !parses(row[column]));
        if (!broken && !(collections.has(table) && typeof row['data'] !== 'string')) continue;
        const key = String(row['key'] ?? row['id'] ?? row['name'] ?? Object.values(row)[0]);
        wrong.push(
          collections.has(table)
            ? `the record ${key} of ${table.split('.')[1]} cannot be read`
            : `row ${key} of the table ${table} cannot be read`,
        );
      }
    } catch (error) {
      wrong.push(`the table ${table} cannot be read (${(error as Error).message})`);
    }
    found.push(...wrong);
  }
  return found;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
