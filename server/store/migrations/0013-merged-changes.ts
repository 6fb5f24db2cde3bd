import type { Migration } from './index.ts';

/** Up to which sequence number the rules over several records have seen what peers sent. */
export const mergedChanges: Migration = {
  name: 'merged changes',
  up(sql) {
    sql.exec(`
      CREATE TABLE merged_changes (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        seq INTEGER NOT NULL
      ) STRICT;
    `);
  },
};
