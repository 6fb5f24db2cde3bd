import type { Store } from '../../store/types.ts';

/** Tables with rows of single links, in their column `link`. */
const TABLES = ['refused_records', 'read_positions', 'scope_moves', 'scope_digests', 'evictions'] as const;

/** Deletes the rows of links that no longer exist; `links` returns the ids of those that do. */
export async function deleteRowsOfGoneLinks(store: Store, links: () => readonly number[]): Promise<void> {
  await store.writePlain((sql) => {
    const kept = JSON.stringify(links());
    for (const table of TABLES)
      sql.prepare(`DELETE FROM ${table} WHERE link NOT IN (SELECT value FROM json_each(?))`).run(kept);
  });
}
