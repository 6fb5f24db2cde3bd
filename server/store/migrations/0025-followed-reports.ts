import type { Migration } from './index.ts';

/** Reports by mail of the followed station, as a standby keeps them. */
export const followedReports: Migration = {
  name: 'followed reports',
  up(sql) {
    sql.exec(
      'CREATE TABLE IF NOT EXISTS followed_reports (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT NOT NULL)',
    );
  },
};
