import type { Migration } from './index.ts';

/** Which files have a copy in an object store. `at` is the time of the last step, in epoch ms. */
export const fileCopies: Migration = {
  name: 'file copies',
  up(sql) {
    sql.exec(`
      CREATE TABLE IF NOT EXISTS file_copies (
        sha256 TEXT PRIMARY KEY,
        place TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('waiting', 'copied', 'unwanted')),
        at INTEGER NOT NULL
      ) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS file_copies_to_do ON file_copies (at) WHERE state <> 'copied';
    `);
  },
};
