import type { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../../../shared/refusal.ts';
import { headsAndCounters } from './0001-heads-and-counters.ts';
import { uploadsAndCheckpoints } from './0002-uploads-and-checkpoints.ts';
import { notices } from './0003-notices.ts';
import { livesOfTasks } from './0004-lives-of-tasks.ts';
import { noticesInTheOrderOfWriting } from './0005-notices-in-the-order-of-writing.ts';
import { needsOfEvents } from './0006-needs-of-events.ts';
import { formsOfAttachments } from './0007-forms-of-attachments.ts';
import { purges } from './0008-purges.ts';
import { departmentsOfNotices } from './0009-departments-of-notices.ts';
import { oneNameForOneThing } from './0010-one-name-for-one-thing.ts';
import { houseWords } from './0011-house-words.ts';
import { links } from './0012-links.ts';
import { mergedChanges } from './0013-merged-changes.ts';
import { replication } from './0014-replication.ts';
import { leadershipOfLinks } from './0015-leadership-of-links.ts';
import { digestsInPortions } from './0016-digests-in-portions.ts';
import { purgedRecords } from './0017-purged-records.ts';
import { answersOfTasks } from './0020-answers-of-tasks.ts';
import { mergedTasks } from './0021-merged-tasks.ts';
import { pastOfTheBoard } from './0022-past-of-the-board.ts';
import { watchersOfTasks } from './0023-watchers-of-tasks.ts';
import { reportsByMail } from './0024-reports-by-mail.ts';
import { followedReports } from './0025-followed-reports.ts';
import { fileCopies } from './0026-file-copies.ts';
import { headsOfRevisions } from './0027-heads-of-revisions.ts';
import { addUnitsOfTasks } from './0018-units-of-tasks.ts';
import { kindsOfVehicles } from './0019-kinds-of-vehicles.ts';

/**
 * One migration of the plain tables. Runs once in each database, inside a transaction; a released one never
 * changes.
 */
export interface Migration {
  readonly name: string;
  up(sql: DatabaseSync): void;
}

/** In order; the number of a migration is its place here, from 1. */
export const MIGRATIONS: readonly Migration[] = [
  headsAndCounters,
  uploadsAndCheckpoints,
  notices,
  livesOfTasks,
  noticesInTheOrderOfWriting,
  needsOfEvents,
  formsOfAttachments,
  purges,
  departmentsOfNotices,
  oneNameForOneThing,
  houseWords,
  links,
  mergedChanges,
  replication,
  leadershipOfLinks,
  digestsInPortions,
  purgedRecords,
  addUnitsOfTasks,
  kindsOfVehicles,
  answersOfTasks,
  mergedTasks,
  pastOfTheBoard,
  watchersOfTasks,
  reportsByMail,
  followedReports,
  fileCopies,
  headsOfRevisions,
];

/** The step of a database that an older program wrote; undefined: it is new, or up to date. */
export function olderStep(sql: DatabaseSync): number | undefined {
  const { user_version: found } = sql.prepare('PRAGMA user_version').get() as { user_version: number };
  return found > 0 && found < MIGRATIONS.length ? found : undefined;
}

/** Brings the plain tables up to date. Throws a Refusal when a newer program wrote the database. */
export function migrate(sql: DatabaseSync, migrations: readonly Migration[] = MIGRATIONS): void {
  const { user_version: found } = sql.prepare('PRAGMA user_version').get() as { user_version: number };
  const known = migrations.length;
  if (found > known) throw new Refusal('store.newer', { file: 'station.db', what: 'its steps', found, known });
  for (let number = found + 1; number <= migrations.length; number++) {
    sql.exec('BEGIN IMMEDIATE');
    try {
      migrations[number - 1]!.up(sql);
      sql.exec(`PRAGMA user_version = ${number}; COMMIT`);
    } catch (error) {
      if (sql.isTransaction) sql.exec('ROLLBACK');
      throw new Error(`Step ${number} (${migrations[number - 1]!.name}) of the database failed and was undone.`, {
        cause: error,
      });
    }
  }
}
