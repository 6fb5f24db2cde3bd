import type { Migration } from './index.ts';

/** The stamps of deleted records whose data were purged: what linked stations still have must not bring them back. */
export const purgedRecords: Migration = {
  name: 'purged records',
  up(sql) {
    sql.exec(
      'CREATE TABLE purged_records (records TEXT NOT NULL, key TEXT NOT NULL, hlc TEXT NOT NULL, PRIMARY KEY (records, key)) WITHOUT ROWID',
    );
  },
};
