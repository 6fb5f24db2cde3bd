import type { DatabaseSync } from 'node:sqlite';
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
    const [, collection, version] = /^[^.]+\.([^./]+)\.(\d+)$/.exec(name) ?? [];
    const shape = shapes.find((one) => one.name === collection);
    if (!shape || Number(version) === shape.version) continue;
    throw new Error(
      Number(version) > shape.version
        ? `This data directory was written by a newer Waypost (${collection} of version ${version}, this program knows ${shape.version}). Start the newer program, or restore a backup that this one made.`
        : `${collection} of version ${version} are stored and this program has version ${shape.version}: a migration is missing.`,
    );
  }
}
