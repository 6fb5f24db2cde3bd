import type { Migration } from './index.ts';

/** What the store itself needs: who it is, what it counts, what local settings there are. */
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
