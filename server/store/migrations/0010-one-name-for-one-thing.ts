import type { DatabaseSync } from 'node:sqlite';
import type { Migration } from './index.ts';
import {
  forgetSchemas,
  renameCounters,
  renameInside,
  renameRecord,
  rewriteRecords,
  type CollectionNames,
  type FieldNames,
} from './rename-records.ts';

const ENTRY: FieldNames = { withdrawn: 'isDeleted' };

const COLLECTIONS: Readonly<Record<string, CollectionNames>> = {
  messages: { fields: ENTRY },
  directories: { fields: { ...ENTRY, translit: 'slug' } },
  accounts: { fields: { ...ENTRY, wheel: 'superuser' } },
  vehicles: { fields: { ...ENTRY, markId: 'makeId', motohours: 'engineHours' } },
  fleet: {
    fields: {
      ...ENTRY,
      withdrawnAt: 'deletedAt',
      translit: 'slug',
      markId: 'makeId',
      motohoursStop: 'engineHoursStop',
      motohoursMove: 'engineHoursMove',
      till: 'until',
    },
    kinds: { mark: 'make' },
  },
  events: { fields: { till: 'until' } },
};

/** Values of `field` in the history, which names fields of tasks. */
const HISTORY_FIELDS: FieldNames = { withdrawn: 'isDeleted' };

/**
 * Renames the fields, kinds and counters of stored records, so that the code and the disk use one word for one
 * thing. Sequence numbers, ids and stamps stay.
 */
export const oneNameForOneThing: Migration = {
  name: 'one name for one thing',
  up(sql) {
    for (const [collection, names] of Object.entries(COLLECTIONS)) {
      rewriteRecords(sql, collection, (record) => renameRecord(record, names));
      renameCounters(sql, collection, names.kinds ?? {});
    }
    rewriteRecords(sql, 'history', (entry) => ({
      ...entry,
      field: HISTORY_FIELDS[String(entry['field'])] ?? entry['field'],
    }));
    renameTurns(sql);
    rewriteStates(sql);
    forgetSchemas(sql);
  },
};

/** `task_turns`: which vehicle had which task, and until when. */
function renameTurns(sql: DatabaseSync): void {
  sql.exec(`
    ALTER TABLE task_turns RENAME COLUMN till TO until;
    DROP INDEX task_turns_till;
    CREATE INDEX task_turns_until ON task_turns (vehicle, until);
  `);
}

/** Rewrites the states of the event detectors of each vehicle. */
function rewriteStates(sql: DatabaseSync): void {
  sql.function('restated', { deterministic: true }, (states) =>
    JSON.stringify(renameInside(JSON.parse(String(states)), { till: 'until' })),
  );
  sql.exec(`UPDATE event_checkpoints SET states = restated(states) WHERE states LIKE '%"till"%'`);
}
