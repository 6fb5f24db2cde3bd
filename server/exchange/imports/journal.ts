import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '../../store/types.ts';
import { IMPORT_KINDS, type ImportKind, type RowValues } from './fields.ts';

/**
 * `broken`: the station stopped while the import was written or undone; the written part can be undone.
 * `kept`: too old to be undone.
 */
export type JournalState = 'writing' | 'done' | 'broken' | 'undoing' | 'undone' | 'kept';

/** An import that was confirmed. */
export interface ImportEntry {
  readonly id: number;
  readonly kind: ImportKind;
  /** Name of the file. */
  readonly file: string;
  readonly userId: number;
  readonly organizationId: number;
  /** Epoch ms. */
  readonly at: number;
  readonly state: JournalState;
  /** Rows of the file, and those that are through. */
  readonly rows: number;
  readonly done: number;
  readonly created: number;
  readonly changed: number;
  readonly refused: number;
  /** Records that an undo left unchanged, because somebody changed them since or a rule forbids it. */
  readonly left: number;
}

/** The planned change of one row. */
export interface JournalLine {
  readonly recordId: number;
  /** undefined: the record is new. */
  readonly before: RowValues | undefined;
  readonly after: RowValues;
}

/** Imports that can be undone. */
const KEPT = 50;

/**
 * Steps of imports, written before they are done, so that after a crash, too, everything can be undone. Plain
 * tables of this station.
 */
export class ImportJournal {
  readonly #store: Store;

  private constructor(store: Store) {
    this.#store = store;
  }

  static async open(store: Store): Promise<ImportJournal> {
    await store.writePlain((sql) => {
      openTables(sql);
      sql.exec("UPDATE imports SET state = 'broken' WHERE state IN ('writing', 'undoing')");
    });
    return new ImportJournal(store);
  }

  add(entry: Omit<ImportEntry, 'id'>): Promise<ImportEntry> {
    return this.#store.writePlain((sql) => {
      const { lastInsertRowid } = sql
        .prepare(`INSERT INTO imports (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
        .run(...valuesOf(entry));
      const id = Number(lastInsertRowid);
      sql.prepare('DELETE FROM import_lines WHERE import_id <= ?').run(id - KEPT);
      sql.prepare("UPDATE imports SET state = 'kept' WHERE id <= ? AND state <> 'undone'").run(id - KEPT);
      return { id, ...entry };
    });
  }

  /** Newest first. */
  list(): ImportEntry[] {
    return this.#store.sql.prepare('SELECT * FROM imports ORDER BY id DESC LIMIT 200').all().map(entryOf);
  }

  get(id: number): ImportEntry | undefined {
    const row = this.#store.sql.prepare('SELECT * FROM imports WHERE id = ?').get(id);
    return row && entryOf(row);
  }

  save(entry: ImportEntry): Promise<unknown> {
    return this.#store.writePlain((sql) =>
      sql
        .prepare(`UPDATE imports SET (${COLUMNS}) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?`)
        .run(...valuesOf(entry), entry.id),
    );
  }

  note(importId: number, lines: readonly JournalLine[]): Promise<void> {
    return this.#store.writePlain((sql) => {
      const insert = sql.prepare(
        'INSERT INTO import_lines (import_id, record_id, before_values, after_values) VALUES (?, ?, ?, ?)',
      );
      for (const { recordId, before, after } of lines)
        insert.run(importId, recordId, before === undefined ? null : JSON.stringify(before), JSON.stringify(after));
    });
  }

  /** The last lines that were not undone, last first. */
  lines(importId: number, limit: number): (JournalLine & { readonly id: number })[] {
    return this.#store.sql
      .prepare('SELECT * FROM import_lines WHERE import_id = ? ORDER BY id DESC LIMIT ?')
      .all(importId, limit)
      .map((row) => ({
        id: Number(row['id']),
        recordId: Number(row['record_id']),
        before: row['before_values'] === null ? undefined : (JSON.parse(String(row['before_values'])) as RowValues),
        after: JSON.parse(String(row['after_values'])) as RowValues,
      }));
  }

  /** These lines are undone. */
  forget(lines: readonly { readonly id: number }[]): Promise<void> {
    return this.#store.writePlain((sql) => {
      const remove = sql.prepare('DELETE FROM import_lines WHERE id = ?');
      for (const { id } of lines) remove.run(id);
    });
  }

  /** The last assignment of the heads of files of this kind; null: the column was left out. */
  remembered(kind: ImportKind): Map<string, string | null> {
    const rows = this.#store.sql.prepare('SELECT head, field FROM import_heads WHERE kind = ?').all(kind);
    return new Map(rows.map((row) => [String(row['head']), row['field'] === null ? null : String(row['field'])]));
  }

  remember(kind: ImportKind, heads: ReadonlyMap<string, string | null>): Promise<void> {
    return this.#store.writePlain((sql) => {
      const put = sql.prepare('INSERT OR REPLACE INTO import_heads (kind, head, field) VALUES (?, ?, ?)');
      for (const [head, field] of heads) if (head !== '') put.run(kind, head, field);
    });
  }
}

function openTables(sql: DatabaseSync): void {
  sql.exec(`
    CREATE TABLE IF NOT EXISTS imports (
      id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, file TEXT NOT NULL, user_id INTEGER NOT NULL,
      organization_id INTEGER NOT NULL, at INTEGER NOT NULL, state TEXT NOT NULL, rows INTEGER NOT NULL,
      done INTEGER NOT NULL, created INTEGER NOT NULL, changed INTEGER NOT NULL, refused INTEGER NOT NULL,
      "left" INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS import_lines (
      id INTEGER PRIMARY KEY, import_id INTEGER NOT NULL, record_id INTEGER NOT NULL, before_values TEXT,
      after_values TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS import_lines_of ON import_lines (import_id, id);
    CREATE TABLE IF NOT EXISTS import_heads (
      kind TEXT NOT NULL, head TEXT NOT NULL, field TEXT, PRIMARY KEY (kind, head)) WITHOUT ROWID;`);
}

const COLUMNS = 'kind, file, user_id, organization_id, at, state, rows, done, created, changed, refused, "left"';

/** In the order of the columns. */
function valuesOf(entry: Omit<ImportEntry, 'id'>): (string | number)[] {
  const { kind, file, userId, organizationId, at, state, rows, done, created, changed, refused, left } = entry;
  return [kind, file, userId, organizationId, at, state, rows, done, created, changed, refused, left];
}

function entryOf(row: Record<string, unknown>): ImportEntry {
  const number = (name: string) => Number(row[name]);
  return {
    id: number('id'),
    kind: IMPORT_KINDS.find((kind) => kind === row['kind']) ?? 'tasks',
    file: String(row['file']),
    userId: number('user_id'),
    organizationId: number('organization_id'),
    at: number('at'),
    state: String(row['state']) as JournalState,
    rows: number('rows'),
    done: number('done'),
    created: number('created'),
    changed: number('changed'),
    refused: number('refused'),
    left: number('left'),
  };
}
