import type { Migration } from './index.ts';

/**
 * Tables of replication: the sums of the records of each collection; refused records of linked stations, with
 * reasons; read positions of linked stations; records that entered or left the scope of a link; files whose
 * bytes are not here yet.
 */
export const replication: Migration = {
  name: 'replication',
  up(sql) {
    sql.exec(`
      CREATE TABLE IF NOT EXISTS digests (records TEXT PRIMARY KEY, sum TEXT NOT NULL, count INTEGER NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS refused_records (
        link INTEGER NOT NULL, records TEXT NOT NULL, key TEXT NOT NULL,
        reason TEXT NOT NULL, at INTEGER NOT NULL, program TEXT NOT NULL,
        PRIMARY KEY (link, records, key)
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS read_positions (
        link INTEGER NOT NULL, records TEXT NOT NULL, epoch TEXT NOT NULL, seq INTEGER NOT NULL,
        PRIMARY KEY (link, records)
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS scope_moves (
        link INTEGER NOT NULL, records TEXT NOT NULL, key TEXT NOT NULL, seq INTEGER NOT NULL,
        PRIMARY KEY (link, records, key)
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS scope_digests (
        link INTEGER NOT NULL, records TEXT NOT NULL, scope TEXT NOT NULL, sum TEXT NOT NULL, count INTEGER NOT NULL,
        whole TEXT NOT NULL, upto TEXT, PRIMARY KEY (link, records)
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS evictions (
        link INTEGER NOT NULL, records TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (link, records, key)
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS missing_files (sha256 TEXT PRIMARY KEY, priority INTEGER NOT NULL, since INTEGER NOT NULL) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS missing_files_by_priority ON missing_files (priority, since);
      CREATE INDEX IF NOT EXISTS scope_moves_by_seq ON scope_moves (link, records, seq);
    `);
  },
};
