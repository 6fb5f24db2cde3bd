import type { Migration } from './index.ts';

/** Crews and alarms of the past board, whose records hold only the present. */
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
