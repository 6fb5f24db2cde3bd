import type { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../../../shared/refusal.ts';
import type { CollectionShape } from '../../../shared/records/index.ts';

/**
 * Throws when a collection is stored in another version than this program has. RxDB would begin an empty
 * table for its own version and say nothing. Raising a version takes a numbered migration that renames the
 * table and rewrites its records, in SQL: the records are there as JSON, and RxDB's way, which replicates
 * them one by one into a new table, takes minutes for what SQL does in seconds.
 */
export function requireVersions(
  sql: DatabaseSync,
  databaseName: string,
  shapes: readonly Pick<CollectionShape<never>, 'name' | 'version'>[],
): void {
  const tables = sql
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB ?")
    .all(`${databaseName}.*.*`);
  for (const { name } of tables as { name: string }[]) {
    const [, collection = '', version = ''] = /^[^.]+\.([^./]+)\.(\d+)$/.exec(name) ?? [];
    const shape = shapes.find((one) => one.name === collection);
    if (!shape || Number(version) === shape.version) continue;
    if (Number(version) > shape.version)
      throw new Refusal('store.newer', { file: 'station.db', what: collection, found: version, known: shape.version });
    throw new Error(
      `${collection} of version ${version} are stored and this program has version ${shape.version}: a migration is missing.`,
    );
  }
}
