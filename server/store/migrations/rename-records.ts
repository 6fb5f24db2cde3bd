import type { DatabaseSync } from 'node:sqlite';

export type FieldNames = Readonly<Record<string, string>>;

/** How the records of one collection change their names. */
export interface CollectionNames {
  /** Fields at the top of a record, in its stamps too. */
  readonly fields: FieldNames;
  /** Fields of objects inside a record; `fields` hold there as well. */
  readonly inner?: FieldNames;
  /** Kinds, which are part of the keys, too. */
  readonly kinds?: FieldNames;
}

type JsonObject = Record<string, unknown>;

/**
 * Tables are made again without their virtual columns and indexes: opening the store adds those. @param
 * newName of the collection, if it changes too
 */
export function rewriteRecords(
  sql: DatabaseSync,
  collection: string,
  rewrite: (record: JsonObject) => JsonObject,
  newName = collection,
): void {
  const table = `station.${collection}.0`;
  if (!hasTable(sql, table)) return;
  sql.function('rewritten', { deterministic: true }, (data) =>
    JSON.stringify(rewrite(JSON.parse(String(data)) as JsonObject)),
  );
  sql.exec(`
    CREATE TABLE rewritten (
      key TEXT PRIMARY KEY NOT NULL, rev TEXT NOT NULL, deleted INTEGER NOT NULL, lwt REAL NOT NULL, seq INTEGER NOT NULL,
      data TEXT NOT NULL, meta TEXT, attachments TEXT
    );
    INSERT INTO rewritten
    SELECT json_extract(changed, '$.key'), rev, deleted, lwt, seq, changed, meta, attachments
    FROM (SELECT rev, deleted, lwt, seq, rewritten(data) AS changed, meta, attachments FROM "${table}");
    DROP TABLE "${table}";
    ALTER TABLE rewritten RENAME TO "station.${newName}.0";
  `);
}

export function renameRecord(record: JsonObject, { fields, inner, kinds = {} }: CollectionNames): JsonObject {
  const renamed: JsonObject = {};
  for (const [name, value] of Object.entries(record)) {
    if (name === 'hlc') renamed[name] = renameStamps(value as StampedData, fields);
    else if (name === 'customValues' || name === 'geometry' || name === 'data') renamed[name] = value;
    else renamed[fields[name] ?? name] = renameInside(value, { ...fields, ...inner });
  }
  const kind = record['kind'];
  const next = typeof kind === 'string' ? kinds[kind] : undefined;
  if (next === undefined) return renamed;
  return { ...renamed, kind: next, key: `${next}${String(record['key']).slice(String(kind).length)}` };
}

interface StampedData {
  readonly base: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** `~field` holds the stamp that a deletion saw. */
function renameStamps({ base, fields }: StampedData, names: FieldNames): StampedData {
  const renamed = Object.entries(fields).map(([field, stamp]) => {
    const [seen, name] = field.startsWith('~') ? ['~', field.slice(1)] : ['', field];
    return [seen + (names[name] ?? name), stamp];
  });
  return { base, fields: Object.fromEntries(renamed) as Record<string, string> };
}

export function renameInside(value: unknown, names: FieldNames): unknown {
  if (Array.isArray(value)) return value.map((one) => renameInside(one, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      Object.hasOwn(names, name) ? names[name] : name,
      name === 'geometry' ? inner : renameInside(inner, names),
    ]),
  );
}

/** Each kind counts its own ids: `fleet/mark`. */
export function renameCounters(sql: DatabaseSync, collection: string, kinds: FieldNames): void {
  const rename = sql.prepare('UPDATE counters SET name = ? WHERE name = ?');
  for (const [kind, next] of Object.entries(kinds)) rename.run(`${collection}/${next}`, `${collection}/${kind}`);
}

/** RxDB keeps a hash of the schema of each collection, and writes those that are missing. */
export function forgetSchemas(sql: DatabaseSync): void {
  const table = 'station._rxdb_internal.0';
  if (hasTable(sql, table)) sql.exec(`DELETE FROM "${table}" WHERE key LIKE 'collection|%'`);
}

export function hasTable(sql: DatabaseSync, name: string): boolean {
  return sql.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;
}
