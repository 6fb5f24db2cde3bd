import type { Migration } from './index.ts';

/**
 * Of each table of records the number, in the sequence of writes, of the last tombstone that was purged:
 * whoever followed the table not as far as that may have missed a deletion, and reads it anew.
 */
export const purges: Migration = {
  name: 'purges',
  up(sql) {
    sql.exec('CREATE TABLE IF NOT EXISTS purges (records TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID');
  },
};
