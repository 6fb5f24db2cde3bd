import type { Migration } from './index.ts';

/** Mail and letters that go out, and up to which change notices are written. */
export const notices: Migration = {
  name: 'notices',
  up(sql) {
    sql.exec(`
      CREATE TABLE mail (
        id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, message_id INTEGER NOT NULL, name TEXT NOT NULL, address TEXT NOT NULL, subject TEXT NOT NULL, text TEXT NOT NULL,
        state TEXT NOT NULL, attempts INTEGER NOT NULL, next_at INTEGER NOT NULL, sent_at INTEGER, error TEXT NOT NULL
      );
      CREATE INDEX mail_waiting ON mail (next_at) WHERE state = 'waiting';
      CREATE TABLE post (
        id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, message_id INTEGER NOT NULL, name TEXT NOT NULL, address TEXT NOT NULL, sender TEXT NOT NULL, sender_address TEXT NOT NULL,
        subject TEXT NOT NULL, text TEXT NOT NULL, printed_at INTEGER
      );
      CREATE TABLE notice_checkpoints (source TEXT PRIMARY KEY, last TEXT NOT NULL) WITHOUT ROWID;
    `);
  },
};
