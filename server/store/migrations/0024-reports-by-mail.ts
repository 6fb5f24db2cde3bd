import type { Migration } from './index.ts';

/** Reports that this station sends at set times, and the files of mails. */
export const reportsByMail: Migration = {
  name: 'reports by mail',
  up(sql) {
    sql.exec(`
      CREATE TABLE IF NOT EXISTS report_schedules (
        id INTEGER PRIMARY KEY AUTOINCREMENT, organization_id INTEGER NOT NULL, owner_id INTEGER NOT NULL,
        fields TEXT NOT NULL, since INTEGER NOT NULL, covered_until INTEGER NOT NULL, last TEXT
      );
      CREATE TABLE IF NOT EXISTS mail_files (
        mail_id INTEGER PRIMARY KEY, schedule_id INTEGER NOT NULL, run_at INTEGER NOT NULL,
        name TEXT NOT NULL, file TEXT NOT NULL
      );
      CREATE INDEX IF NOT EXISTS mail_files_of_runs ON mail_files (schedule_id, run_at);
      CREATE INDEX IF NOT EXISTS mail_files_by_file ON mail_files (file);
    `);
  },
};
