import type { DatabaseSync } from 'node:sqlite';
import type { RxJsonSchema } from 'rxdb';
import { getPrimaryFieldOfPrimaryKey } from 'rxdb';
import type { KindIndex, TableIndex } from '../../../shared/records/index.ts';
import { indexName } from '../types.ts';

/**
 * The layout of one collection in SQLite. The record is JSON text in `data`, without RxDB's own fields; those
 * have columns. Each indexed field is a virtual generated column over `data`: it costs no more than a stored
 * one, can be added later without rewriting rows, and cannot drift from the JSON.
 */
export interface Layout {
  /** The table, quoted. */
  readonly table: string;
  readonly primaryPath: string;
  /**
   * SQL for a field, by its path, and the values that its schema allows. `undefined`: only RxDB's own matcher
   * can tell.
   */
  field(path: string): SqlField | undefined;
  /** The statement that makes the table where it is missing. */
  readonly create: string;
  /** Definitions of the virtual columns, by their names (unquoted). */
  readonly columns: ReadonlyMap<string, string>;
  /** Statements that make the indexes, by their names (unquoted). */
  readonly indexes: ReadonlyMap<string, string>;
}

/** Indexes besides those of RxDB's schema. */
interface TableIndexes {
  readonly tableIndexes?: readonly TableIndex[];
  readonly kindIndexes?: readonly KindIndex[];
}

export interface SqlField {
  readonly sql: string;
  readonly type: 'string' | 'number' | 'boolean';
  /** Whether the field may be missing (then the SQL is NULL). */
  readonly optional: boolean;
  /** SQL that is NULL when the field is missing, and only then. */
  readonly presence: string;
}

const FIXED = ['key', 'rev', 'deleted', 'lwt', 'seq', 'data', 'meta', 'attachments'];

export function tableName(databaseName: string, collectionName: string, version: number): string {
  return quote(`${databaseName}.${collectionName}.${version}`);
}

export function layoutOf<T>(
  databaseName: string,
  collectionName: string,
  schema: RxJsonSchema<T>,
  { tableIndexes, kindIndexes = [] }: TableIndexes = {},
): Layout {
  const table = tableName(databaseName, collectionName, schema.version);
  const primaryPath = getPrimaryFieldOfPrimaryKey(schema.primaryKey) as string;
  const indexes =
    tableIndexes?.map(({ fields, ...index }) => ({ ...index, fields: ['_deleted', ...fields] })) ?? indexesOf(schema);
  const columns = columnNames(new Set(indexes.flatMap((index) => index.fields)), primaryPath);
  const fields = new Map<string, SqlField | undefined>();

  function field(path: string): SqlField | undefined {
    if (!fields.has(path)) fields.set(path, describeField(schema, path, primaryPath, columns));
    return fields.get(path);
  }

  const generated = new Map(
    [...columns].map(([path, column]) => [
      column,
      `${quote(column)} GENERATED ALWAYS AS (json_extract(data, ${jsonPath(path)})) VIRTUAL`,
    ]),
  );
  const create = `CREATE TABLE IF NOT EXISTS ${table} (
      key TEXT PRIMARY KEY NOT NULL,
      rev TEXT NOT NULL,
      deleted INTEGER NOT NULL,
      lwt REAL NOT NULL,
      seq INTEGER NOT NULL,
      data TEXT NOT NULL,
      meta TEXT,
      attachments TEXT${[...generated.values()].map((column) => `,\n      ${column}`).join('')}
    )`;
  const columnOf = (path: string): string => field(path)?.sql ?? quote(columns.get(path) ?? path);
  const made = [
    indexOn(table, { fields: ['seq'] }, String),
    ...indexes.map((index) => indexOn(table, index, columnOf)),
    ...kindIndexes.map((index) => kindIndexOn(table, index)),
  ];
  return { table, primaryPath, field, create, columns: generated, indexes: new Map(made) };
}

/**
 * Creates the table and adapts its virtual columns and indexes to the layout: adding one costs one read of
 * the table.
 */
export function makeTable(sql: DatabaseSync, { table, create, columns, indexes }: Layout): void {
  sql.exec(create);
  const namesOf = (pragma: string) =>
    new Set(
      sql
        .prepare(`PRAGMA ${pragma}(${table})`)
        .all()
        .filter((row) => row['origin'] === undefined || row['origin'] === 'c')
        .map((row) => String(row['name'])),
    );
  const present = namesOf('table_xinfo');
  for (const [name, definition] of columns)
    if (!present.has(name)) sql.exec(`ALTER TABLE ${table} ADD COLUMN ${definition}`);
  for (const name of namesOf('index_list')) if (!indexes.has(name)) sql.exec(`DROP INDEX ${quote(name)}`);
  for (const statement of indexes.values()) sql.exec(statement);
}

interface Index {
  readonly name?: string;
  readonly fields: readonly string[];
  readonly sparse?: string | undefined;
}

function indexesOf<T>(schema: RxJsonSchema<T>): Index[] {
  const indexes = (schema.indexes ?? []).map((index): Index => ({
    fields: (typeof index === 'string' ? [index] : [...index]) as string[],
  }));
  // RxDB adds an index by the time of writing for reading changes; ours are read by `seq`.
  return indexes.filter(({ fields }) => fields[0] !== '_meta.lwt');
}

function kindIndexOn(table: string, { name, kind, fields }: KindIndex): [string, string] {
  const columns = fields.map((path) => `json_extract(data, ${jsonPath(path)})`).join(', ');
  return [name, `CREATE INDEX IF NOT EXISTS ${quote(name)} ON ${table} (${columns}) WHERE kind = '${kind}'`];
}

/** Its name and the statement. */
function indexOn(table: string, { name, fields, sparse }: Index, columnOf: (path: string) => string): [string, string] {
  const columns = fields.map(columnOf);
  const full = unquote(
    name === undefined
      ? quote(`${unquote(table)}(${columns.map(unquote).join(',')})`)
      : indexName(table, { name, fields: fields.slice(1) }),
  );
  return [
    full,
    `CREATE INDEX IF NOT EXISTS ${quote(full)} ON ${table} (${columns.join(', ')})${sparse ? ` WHERE ${columnOf(sparse)} > 0` : ''}`,
  ];
}

/**
 * Columns are named as their fields; SQLite does not tell cases apart, so that a second `Name` beside `name`
 * gets a number.
 */
function columnNames(paths: Set<string>, primaryPath: string): Map<string, string> {
  const taken = new Set(FIXED);
  const names = new Map<string, string>();
  for (const path of paths) {
    if (path === primaryPath || path === '_deleted' || path === '_meta.lwt') continue;
    let name = path;
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${path}_${number}`;
    taken.add(name.toLowerCase());
    names.set(path, name);
  }
  return names;
}

function describeField<T>(
  schema: RxJsonSchema<T>,
  path: string,
  primaryPath: string,
  columns: Map<string, string>,
): SqlField | undefined {
  if (path === primaryPath) return { sql: 'key', type: 'string', optional: false, presence: 'key' };
  if (path === '_deleted') return { sql: 'deleted', type: 'boolean', optional: false, presence: 'deleted' };
  if (path === '_meta.lwt') return { sql: 'lwt', type: 'number', optional: false, presence: 'lwt' };
  if (path.startsWith('_') || /["'\\[\]]/.test(path)) return undefined;

  let optional = false;
  let part: { type?: unknown; required?: unknown; properties?: Record<string, unknown>; enum?: unknown } =
    schema as never;
  for (const step of path.split('.')) {
    if (part.type !== 'object' || !part.properties || !Object.hasOwn(part.properties, step)) return undefined;
    optional ||= !(Array.isArray(part.required) && part.required.includes(step));
    part = part.properties[step] as typeof part;
  }
  const type = part.type === 'integer' ? 'number' : part.type;
  if (type !== 'string' && type !== 'number' && type !== 'boolean') return undefined;
  const column = columns.get(path);
  return {
    sql: column ? quote(column) : `json_extract(data, ${jsonPath(path)})`,
    type,
    optional,
    presence: `json_type(data, ${jsonPath(path)})`,
  };
}

function jsonPath(path: string): string {
  const steps = path.split('.').map((step) => `"${step}"`);
  return `'$.${steps.join('.').replaceAll("'", "''")}'`;
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function unquote(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
}
