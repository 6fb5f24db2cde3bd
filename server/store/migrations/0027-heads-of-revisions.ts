import type { Migration } from './index.ts';

/** Position to which this program has read the events of event workers, by partition of the region. */
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
