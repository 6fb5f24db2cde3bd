import type { Migration } from './index.ts';

/** The stamps of purged records, so that copies at linked stations do not bring them back. */
export const purgedRecords: Migration = {
  name: 'purged records',
  up(sql) {
    sql.exec(
      'CREATE TABLE purged_records (records TEXT NOT NULL, key TEXT NOT NULL, hlc TEXT NOT NULL, PRIMARY KEY (records, key)) WITHOUT ROWID',
    );
  },
};
