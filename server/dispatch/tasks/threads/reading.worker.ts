/** Reads tasks on a separate connection, so that the event loop stays free. */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { answerRequests, warn } from '../../../platform/threads/answer-requests.ts';
import { KeptColumns } from '../counts/columns/kept-columns.ts';
import type { TaskColumns } from '../counts/columns/task-columns.ts';
import { countColumns, statsOfColumns } from '../counts/columns/stats-columns.ts';
import { countPredicate, listPredicate } from '../predicates/filter.ts';
import { findTasks } from '../lists/find-tasks.ts';
import { TasksSql, ON_THE_EVENT_LOOP } from '../lists/tasks-sql.ts';
import type { Predicate } from '../predicates/predicate.ts';
import type { ReadingRequest, Which } from './reading-thread.ts';
import { readPast } from '../past/read-past.ts';
import { readResponseRows, readResponses } from '../responses/read-responses.ts';
import { countByStatus, readStats } from '../counts/stats-sql.ts';

const { file, table, history, counts } = workerData as {
  file: string;
  table: string;
  history: string;
  counts: boolean;
};
if (counts) stepBack();
const sql = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
const tasks = new TasksSql(sql, table);
const kept = counts ? new KeptColumns(sql, file, table, { warn }) : undefined;

/** Linux has priorities for single threads, by thread id. Elsewhere all threads are equal. */
function stepBack(): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), 15);
  } catch {
    // Counting works without the lower priority, too.
  }
}

/** Builds the predicate here, because it may hold code. */
function predicateOf({ actor, rules, ...filter }: Which): Predicate {
  return 'list' in filter ? listPredicate(actor, filter.list, rules) : countPredicate(actor, filter.count, rules);
}

function answer({ which, ...request }: ReadingRequest): unknown {
  const predicate = predicateOf(which);
  switch (request.kind) {
    case 'stats':
      return ofOneMoment(
        (columns) => (columns && statsOfColumns(columns, predicate)) ?? readStats(sql, table, predicate),
      );
    case 'count':
      return ofOneMoment((columns) => ({
        byStatus: (columns && countColumns(columns, predicate)) ?? countByStatus(sql, table, predicate),
        seq: Number(sql.prepare('SELECT seq FROM heads').get()!['seq']),
      }));
    case 'page':
      return tasks.readWithPlan(ON_THE_EVENT_LOOP, predicate, request.page);
    case 'find':
      return findTasks((page) => tasks.read(predicate, page), request.query, request.limit);
    case 'responses':
      return ofOneMoment(() => readResponses(sql, table, predicate, request.question));
    case 'past':
      return ofOneMoment(() => readPast(sql, { tasks: table, history }, predicate, request.question));
    case 'response-rows':
      return readResponseRows(sql, table, predicate, request.question, request.rows);
  }
}

/** The columns at the current snapshot, if they are kept. */
function ofOneMoment<R>(read: (columns: TaskColumns | undefined) => R): R {
  sql.exec('BEGIN');
  try {
    return read(kept?.now());
  } finally {
    sql.exec('COMMIT');
  }
}

answerRequests(answer, () => void kept?.read());
