import type { Migration } from './index.ts';

/**
 * Events that edits made necessary to compute again: of a vehicle, of the vehicles of an organisation, of
 * those with planned routes or of all, from a time on. Written with the edit, deleted when the events are on
 * disk.
 */
export const needsOfEvents: Migration = {
  name: 'needs of events',
  up(sql) {
    sql.exec(
      'CREATE TABLE event_needs (id INTEGER PRIMARY KEY AUTOINCREMENT, since INTEGER NOT NULL, concerns TEXT NOT NULL)',
    );
  },
};
