import { closeSync, fsyncSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../../../shared/refusal.ts';
import { isDiskFull } from '../../platform/disk/disk-full.ts';
import { openDamaged, quote, salvageRows, type Row } from './salvage-rows.ts';

/** Outcome for one table. */
export interface SalvagedTable {
  readonly table: string;
  readonly rows: number;
  /** Records that are not in the copy, in words. */
  readonly lost: readonly string[];
}

interface SchemaEntry {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

/** Lines about one table; the rest is counted. */
const NAMED = 200;

/**
 * Copies the readable rows of a damaged database into a new one, without indexes, which are built again. Rows
 * that `reject` finds wrong, or that break a constraint, are left out and listed. Throws a Refusal if not
 * even the list of tables can be read.
 */
export function salvageDatabase(
  path: string,
  to: string,
  reject: (table: string, row: Row) => string | undefined = () => undefined,
): SalvagedTable[] {
  const { entries, pragmas } = schemaOf(path);
  const copy = new DatabaseSync(to);
  try {
    copy.exec(`PRAGMA page_size = ${pragmas.pageSize}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF`);
    copy.exec('BEGIN');
    const tables = entries.filter(({ type, sql }) => type === 'table' && !/^CREATE VIRTUAL/i.test(sql));
    for (const table of tables) makeTable(copy, table, path);
    const report = tables.map(({ name }) => copyTable(path, copy, name, reject));
    if (tables.some(({ sql }) => /\bAUTOINCREMENT\b/i.test(sql))) copySequences(path, copy);
    const unmade = entries
      .filter(({ type }) => type !== 'table')
      .flatMap(({ sql, name }) => makeIndex(copy, sql, name));
    if (unmade.length > 0) report.push({ table: 'indexes', rows: 0, lost: unmade });
    copy.exec(`PRAGMA user_version = ${pragmas.userVersion}; PRAGMA application_id = ${pragmas.applicationId}; COMMIT`);
    return report;
  } finally {
    copy.close();
    const file = openSync(to, 'r+');
    fsyncSync(file);
    closeSync(file);
  }
}

function schemaOf(path: string): {
  entries: SchemaEntry[];
  pragmas: { pageSize: number; userVersion: number; applicationId: number };
} {
  let sql: DatabaseSync | undefined;
  try {
    sql = openDamaged(path);
    const number = (name: string) => Number(Object.values(sql!.prepare(`PRAGMA ${name}`).get()!)[0]);
    const entries = sql
      .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
      .all() as unknown as SchemaEntry[];
    if (entries.length === 0) throw new Error('it has no tables');
    return {
      entries,
      pragmas: {
        pageSize: number('page_size'),
        userVersion: number('user_version'),
        applicationId: number('application_id'),
      },
    };
  } catch (error) {
    throw new Refusal('backup.notSalvageable', { file: path, problem: (error as Error).message }, { cause: error });
  } finally {
    sql?.close();
  }
}

/** Without a table of the station's there is no station: only a backup helps then. */
function makeTable(copy: DatabaseSync, { sql, name }: SchemaEntry, path: string): void {
  try {
    copy.exec(sql);
  } catch (error) {
    if (isDiskFull(error)) throw error;
    const problem = `its table ${name} cannot be read: ${(error as Error).message}`;
    throw new Refusal('backup.notSalvageable', { file: path, problem }, { cause: error });
  }
}

function copyTable(
  path: string,
  copy: DatabaseSync,
  table: string,
  reject: (table: string, row: Row) => string | undefined,
): SalvagedTable {
  const lost: string[] = [];
  let more = 0;
  const lose = (what: string) => void (lost.length < NAMED ? lost.push(what) : more++);
  const columns = copy
    .prepare(`PRAGMA table_xinfo(${quote(table)})`)
    .all()
    .filter(({ hidden }) => hidden === 0)
    .map(({ name }) => String(name));
  const insert = copy.prepare(
    `INSERT INTO ${quote(table)} (${columns.map(quote).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  let rows = 0;
  const take = (row: Row) => {
    const wrong = reject(table, row);
    if (wrong !== undefined) return lose(wrong);
    try {
      insert.run(...columns.map((column) => row[column]!));
      rows++;
    } catch (error) {
      if ((error as { errcode?: number }).errcode === undefined || isDiskFull(error)) throw error;
      lose(
        `the row ${columns
          .slice(0, 2)
          .map((column) => String(row[column]))
          .join('/')}: ${(error as Error).message}`,
      );
    }
  };
  try {
    for (const gap of salvageRows(path, table, take)) lose(`rows from ${gap}`);
  } catch (error) {
    if ((error as { errcode?: number }).errcode === undefined || isDiskFull(error)) throw error;
    lose(`everything: ${(error as Error).message}`);
  }
  if (more > 0) lost.push(`and ${more} more`);
  return { table, rows, lost };
}

/** The numbers that were given last, so that none is given twice. */
function copySequences(path: string, copy: DatabaseSync): void {
  try {
    salvageRows(path, 'sqlite_sequence', (row) => {
      copy.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(row['name']!);
      copy.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(row['name']!, row['seq']!);
    });
  } catch (error) {
    if (isDiskFull(error)) throw error;
    // The copied rows give SQLite the highest number that is left.
  }
}

function makeIndex(copy: DatabaseSync, sql: string, name: string): string[] {
  try {
    copy.exec(sql);
    return [];
  } catch (error) {
    if (isDiskFull(error)) throw error;
    return [`${name} cannot be made: ${(error as Error).message}`];
  }
}
