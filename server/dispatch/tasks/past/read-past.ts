import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { keyOf } from '../../../../shared/ids.ts';
import type { HistoryEntry, Task } from '../../../../shared/records/index.ts';
import { DONE } from '../../../../shared/tasks/status.ts';
import { oneByOne } from '../changes/history.ts';
import { PredicateSql } from '../predicates/predicate-sql.ts';
import type { Predicate } from '../predicates/predicate.ts';
import { taskAt, wasMergedAt } from './task-at.ts';

export interface PastQuestion {
  readonly at: number;
  /** Only this task. */
  readonly taskId?: number | undefined;
  readonly limit: number;
}
export interface PastTasks {
  /** Newest first. */
  readonly tasks: readonly Task[];
  /** There were more than `limit`. */
  readonly more: boolean;
}

/** The tasks that were open at a time, of those that the predicate holds now. For a thread. */
export function readPast(
  sql: DatabaseSync,
  tables: { readonly tasks: string; readonly history: string },
  predicate: Predicate,
  { at, taskId, limit }: PastQuestion,
): PastTasks {
  const past = new PastReader(sql, tables);
  const found: Task[] = [];
  for (const task of past.candidates(predicate, at, taskId)) {
    const then = past.taskAt(task, at);
    if (then) found.push(then);
  }
  found.sort((a, b) => b.date - a.date || b.id - a.id);
  return { tasks: found.slice(0, limit), more: found.length > limit };
}

class PastReader {
  readonly #sql: DatabaseSync;
  readonly #table: string;
  readonly #entries: StatementSync;
  readonly #task: StatementSync;

  constructor(sql: DatabaseSync, { tasks, history }: { readonly tasks: string; readonly history: string }) {
    this.#sql = sql;
    this.#table = tasks;
    this.#entries = sql.prepare(`SELECT data FROM ${history} WHERE deleted = 0 AND taskId = ?`);
    this.#task = sql.prepare(`SELECT data FROM ${tasks} WHERE deleted = 0 AND key = ?`);
  }

  /**
   * Open tasks, and tasks written before that have changed since: all others were closed by then. The stamp
   * of the first edit begins with its milliseconds in hex, so stamps compare as times do. Imported history is
   * older than its stamp.
   */
  *candidates(predicate: Predicate, at: number, taskId: number | undefined): Generator<Task> {
    const stamp = `substr(json_extract(data, '$.hlc.base'), 1, 12) <= '${at.toString(16).padStart(12, '0')}'`;
    const written = `(${stamp} OR date <= ${at} OR statusSince <= ${at})`;
    const one = taskId === undefined ? '' : ` AND key = '${keyOf(taskId)}'`;
    const select = `SELECT data FROM ${this.#table} WHERE deleted = 0 AND isDeleted = 0${one}`;
    const rows = new PredicateSql(this.#sql).with(predicate, ({ text, values }) => [
      ...this.#sql
        .prepare(`${select} AND archived = 0 AND status <> ${DONE} AND ${text} AND ${written}`)
        .all(...values),
      ...this.#sql
        .prepare(
          `${select} AND archived IN (0, 1) AND updatedAt > ? AND (archived = 1 OR status = ${DONE}) AND NOT (status = ${DONE} AND statusSince <= ?) AND ${text} AND ${written}`,
        )
        .all(at, at, ...values),
    ]);
    for (const row of rows) yield JSON.parse(row['data'] as string) as Task;
  }

  taskAt(task: Task, at: number): Task | undefined {
    // A task without a later change is as it was then. The history tells when a crew that is clear by its report left.
    const isUnchanged =
      task.updatedAt <= at &&
      Object.values(task.units ?? {}).every(
        ({ statusSince, clearAt, fromTaskId }) =>
          statusSince <= at && clearAt <= at && clearAt !== statusSince && !fromTaskId,
      );
    const history = isUnchanged ? [] : this.#historyOf(task.id);
    return taskAt({ task, history, wasMerged: (id) => this.#wasMerged(id, at) }, at);
  }

  #historyOf(taskId: number): HistoryEntry[] {
    return this.#entries.all(taskId).flatMap((row) => oneByOne(JSON.parse(row['data'] as string) as HistoryEntry));
  }

  #wasMerged(taskId: number, at: number): boolean {
    const row = this.#task.get(keyOf(taskId));
    return row !== undefined && wasMergedAt(JSON.parse(row['data'] as string) as Task, this.#historyOf(taskId), at);
  }
}
