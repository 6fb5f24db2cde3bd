import type { Migration } from './index.ts';

/**
 * Up to which write of the store notices are written. `notice_checkpoints` had it by id, and left out what
 * was written after a record with a higher one.
 */
export const noticesInTheOrderOfWriting: Migration = {
  name: 'notices in the order of writing',
  up(sql) {
    sql.exec('CREATE TABLE notice_heads (source TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID');
  },
};
