import type { Migration } from './index.ts';

/** What the board showed of crews and alarms, which their records tell of the present alone. */
export const pastOfTheBoard: Migration = {
  name: 'past of the board',
  up(sql) {
    sql.exec(`
      CREATE TABLE IF NOT EXISTS past_states (
        kind TEXT NOT NULL, id INTEGER NOT NULL, at INTEGER NOT NULL, value TEXT NOT NULL,
        PRIMARY KEY (kind, id, at)
      ) WITHOUT ROWID;
    `);
  },
};
