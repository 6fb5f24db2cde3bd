import type { Migration } from './index.ts';

/** How far this program has taken in what event workers computed, by partition of the region. */
export const headsOfRevisions: Migration = {
  name: 'heads of revisions',
  up(sql) {
    sql.exec(`
      CREATE TABLE IF NOT EXISTS revision_heads (
        partition INTEGER PRIMARY KEY,
        epoch TEXT NOT NULL,
        head TEXT NOT NULL
      );
    `);
  },
};
