import type { Migration } from './index.ts';

/** What a standby keeps of the reports by mail of the station that it follows. */
export const followedReports: Migration = {
  name: 'followed reports',
  up(sql) {
    sql.exec(
      'CREATE TABLE IF NOT EXISTS followed_reports (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT NOT NULL)',
    );
  },
};
