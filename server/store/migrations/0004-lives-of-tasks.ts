import type { Migration } from './index.ts';

/**
 * Which tasks were whose and when, as events are worked out from them; and up to which change of the messages
 * that is done.
 */
export const livesOfTasks: Migration = {
  name: 'lives of tasks',
  up(sql) {
    sql.exec(`
      CREATE TABLE task_lives (message INTEGER PRIMARY KEY, events TEXT NOT NULL, due INTEGER, placed_by_track INTEGER NOT NULL, last_event INTEGER NOT NULL);
      CREATE INDEX task_lives_due ON task_lives (due) WHERE due IS NOT NULL;
      CREATE TABLE task_turns (
        vehicle INTEGER NOT NULL, since INTEGER NOT NULL, message INTEGER NOT NULL, till INTEGER, title TEXT NOT NULL, lat REAL, lon REAL,
        PRIMARY KEY (vehicle, message, since)
      ) WITHOUT ROWID;
      CREATE INDEX task_turns_message ON task_turns (message);
      CREATE INDEX task_turns_till ON task_turns (vehicle, till);
      CREATE TABLE event_checkpoints_of_feeds (source TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID;
    `);
  },
};
