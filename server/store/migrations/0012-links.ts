import type { Migration } from './index.ts';

/** The key pair of the station, its links to other stations, and the stations whose names it knows. */
export const links: Migration = {
  name: 'links',
  up(sql) {
    sql.exec(`
      CREATE TABLE link_keys (private_key TEXT NOT NULL, public_key TEXT NOT NULL);
      CREATE TABLE links (
        id INTEGER PRIMARY KEY AUTOINCREMENT, station_id TEXT NOT NULL UNIQUE, station_number INTEGER NOT NULL,
        station_name TEXT NOT NULL, public_key TEXT NOT NULL, fingerprint TEXT NOT NULL, address TEXT,
        settings TEXT NOT NULL, their_settings TEXT NOT NULL, dialled_by TEXT NOT NULL, last_contact INTEGER NOT NULL,
        cut TEXT NOT NULL, is_address_given INTEGER NOT NULL, own_address TEXT NOT NULL
      );
      CREATE TABLE known_stations (id TEXT PRIMARY KEY, number INTEGER NOT NULL, name TEXT NOT NULL) WITHOUT ROWID;
      -- Counters after the first start: a station that has given out no other id may still change its number.
      CREATE TABLE seed_counters (name TEXT PRIMARY KEY, last INTEGER NOT NULL) WITHOUT ROWID;
      INSERT INTO seed_counters SELECT '', 0 FROM station;
      ALTER TABLE station ADD COLUMN first_number INTEGER;
    `);
  },
};
