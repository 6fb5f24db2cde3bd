import type { Migration } from './index.ts';

/** The store's own tables: identity, counters and local settings. */
export const headsAndCounters: Migration = {
  name: 'heads and counters',
  up(sql) {
    sql.exec(`
      CREATE TABLE station (id TEXT NOT NULL, number INTEGER NOT NULL, epoch TEXT NOT NULL);
      CREATE TABLE heads (seq INTEGER NOT NULL, stamp TEXT NOT NULL);
      INSERT INTO heads VALUES (0, '');
      CREATE TABLE counters (name TEXT PRIMARY KEY, last INTEGER NOT NULL) WITHOUT ROWID;
    `);
  },
};
