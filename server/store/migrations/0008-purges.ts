import type { Migration } from './index.ts';

/**
 * For each table of records the write sequence of the last purged tombstone: a reader whose position is
 * before it may have missed a deletion, and reads the table again.
 */
export const purges: Migration = {
  name: 'purges',
  up(sql) {
    sql.exec('CREATE TABLE IF NOT EXISTS purges (records TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID');
  },
};
