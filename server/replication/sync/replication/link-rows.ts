import type { Store } from '../../../store/types.ts';

/** Tables with rows of single links, in their column `link`. */
const TABLES = ['refused_records', 'read_positions', 'scope_moves', 'scope_digests', 'evictions'] as const;

/** Instead of a link: this station's read position in the stream of its region, and its published position. */
export const REGION_TAKEN = 0;
export const REGION_PUT = -1;

/** Deletes the rows of links that no longer exist; `links` returns the ids of those that do. */
export async function deleteRowsOfGoneLinks(store: Store, links: () => readonly number[]): Promise<void> {
  await store.writePlain((sql) => {
    const kept = JSON.stringify([REGION_TAKEN, REGION_PUT, ...links()]);
    for (const table of TABLES)
      sql.prepare(`DELETE FROM ${table} WHERE link NOT IN (SELECT value FROM json_each(?))`).run(kept);
  });
}
