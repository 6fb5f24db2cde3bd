import type { Migration } from './index.ts';

/** Uploaded files, and the progress of event computation of each vehicle. */
export const uploadsAndCheckpoints: Migration = {
  name: 'uploads and checkpoints of events',
  up(sql) {
    sql.exec(`
      CREATE TABLE uploads (
        uuid TEXT PRIMARY KEY, sha256 TEXT NOT NULL, size INTEGER NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL, family TEXT NOT NULL,
        at INTEGER NOT NULL, user_id INTEGER NOT NULL, claimed INTEGER NOT NULL
      ) WITHOUT ROWID;
      CREATE INDEX uploads_sha256 ON uploads (sha256);
      CREATE INDEX uploads_orphans ON uploads (at) WHERE claimed = 0;
      CREATE TABLE event_checkpoints (vehicle INTEGER NOT NULL, time INTEGER NOT NULL, states TEXT NOT NULL, PRIMARY KEY (vehicle, time)) WITHOUT ROWID;
    `);
  },
};
