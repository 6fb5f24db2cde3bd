import type { DatabaseSync } from 'node:sqlite';
import type { Task } from '../../../../shared/records/index.ts';
import { ZonedTime } from '../../../../shared/zoned-time.ts';
import { PredicateSql } from '../predicates/predicate-sql.ts';
import type { Predicate } from '../predicates/predicate.ts';
import { responseOf, timesOf, type ResponseRules, type ResponseStage, type TaskResponse } from './response-times.ts';
import { hourOf, LoadTally, ResponseTally, type ResponseSummary } from './summary.ts';

/** A question about a period; epoch ms, `until` is not in it. */
export interface ResponseQuestion {
  readonly from: number;
  readonly until: number;
  readonly now: number;
  readonly zone: string;
  readonly rules: ResponseRules;
  readonly priorities?: readonly number[] | undefined;
  readonly vehicleIds?: readonly number[] | undefined;
}

/** The tasks behind one figure. */
export interface ResponsePick {
  readonly weekday?: number | undefined;
  readonly hour?: number | undefined;
  /** Those that have a time of this stage. */
  readonly stage?: ResponseStage | undefined;
  /** Those that missed the target of this stage. */
  readonly missed?: 'sent' | 'response' | undefined;
  /** Nobody was sent. */
  readonly unsent?: boolean | undefined;
}

export interface ResponseRow {
  readonly key: string;
  readonly id: number;
  readonly title: string;
  readonly date: number;
  readonly organizationId: number;
  readonly typeId: number;
  readonly priority: number;
  readonly vehicleIds: readonly number[];
  /** ms: the first sending and the first unit on scene since the call. */
  readonly sent: number | null;
  readonly response: number | null;
  readonly missed: boolean;
}
export interface ResponsePage {
  readonly rows: readonly ResponseRow[];
  readonly more: boolean;
}
export type ResponsePlace = Pick<ResponseRow, 'date' | 'key'>;

/** Figures of the period, and of as long a period before it. Reads every task of both: for a thread. */
export function readResponses(
  sql: DatabaseSync,
  table: string,
  predicate: Predicate,
  question: ResponseQuestion,
): ResponseSummary {
  const { from, until, now, zone } = question;
  const [current, before] = [new ResponseTally(), new ResponseTally()];
  const load = new LoadTally(new ZonedTime(zone), from, Math.min(until, now));
  const begin = Math.max(0, from - (until - from));
  for (const [task, response] of responses(sql, table, predicate, question, { from: begin, until })) {
    if (task.date < from) before.add(response);
    else {
      current.add(response);
      load.add(task, response);
    }
  }
  return { priorities: current.summary(), before: before.summary(), ...load.summary() };
}

/** A page of the tasks behind a figure, oldest first. */
export function readResponseRows(
  sql: DatabaseSync,
  table: string,
  predicate: Predicate,
  question: ResponseQuestion,
  { pick, after, limit }: { readonly pick: ResponsePick; readonly after?: ResponsePlace | undefined; limit: number },
): ResponsePage {
  const zone = new ZonedTime(question.zone);
  const rows: ResponseRow[] = [];
  for (const [task, response] of responses(sql, table, predicate, question, question, after)) {
    if (!isPicked(task, response, pick, zone)) continue;
    if (rows.length === limit) return { rows, more: true };
    rows.push(rowOf(task, response));
  }
  return { rows, more: false };
}

function* responses(
  sql: DatabaseSync,
  table: string,
  predicate: Predicate,
  { now, rules, priorities, vehicleIds }: ResponseQuestion,
  { from, until }: { readonly from: number; readonly until: number },
  after?: ResponsePlace,
): Generator<[Task, TaskResponse]> {
  const vehicles = vehicleIds && new Set(vehicleIds);
  for (const task of tasksOf(sql, table, predicate, from, until, after)) {
    if ((task.mergedInto ?? 0) > 0) continue; // it counts as the task that it was merged into
    const response = responseOf(task, rules, now, vehicles);
    if (vehicles && response.units.length === 0) continue;
    if (priorities && !priorities.includes(response.priority)) continue;
    yield [task, response];
  }
}

/** The predicate is valid only inside `with`, so batches are read there. */
function* tasksOf(
  sql: DatabaseSync,
  table: string,
  predicate: Predicate,
  from: number,
  until: number,
  after: ResponsePlace | undefined,
): Generator<Task> {
  const BATCH = 2000;
  let place: ResponsePlace = after ?? { date: from, key: '' };
  for (;;) {
    const batch = new PredicateSql(sql).with(predicate, ({ text, values }) =>
      sql
        .prepare(
          `SELECT data, "date", key FROM ${table} WHERE deleted = 0 AND isDeleted = 0 AND archived IN (0, 1) AND ("date", key) > (?, ?) AND "date" < ? AND ${text} ORDER BY "date", key LIMIT ${BATCH}`,
        )
        .all(place.date, place.key, until, ...values),
    );
    for (const row of batch) yield JSON.parse(row['data'] as string) as Task;
    const last = batch.at(-1);
    if (!last || batch.length < BATCH) return;
    place = { date: Number(last['date']), key: String(last['key']) };
  }
}

function isPicked(task: Task, response: TaskResponse, pick: ResponsePick, zone: ZonedTime): boolean {
  const { weekday, hour } = hourOf(zone, task.date);
  return (
    (pick.weekday === undefined || pick.weekday === weekday) &&
    (pick.hour === undefined || pick.hour === hour) &&
    (pick.stage === undefined || timesOf(response, pick.stage).length > 0) &&
    (pick.missed === undefined || response.outcome[pick.missed] === 'missed') &&
    (!pick.unsent || response.units.length === 0)
  );
}

function rowOf(task: Task, { priority, units, sent, response, outcome }: TaskResponse): ResponseRow {
  const { key, id, title, date, organizationId, typeId } = task;
  return {
    ...{ key, id, title, date, organizationId, typeId, priority },
    vehicleIds: [...new Set(units.map(({ vehicleId }) => vehicleId))],
    sent: sent ?? null,
    response: response ?? null,
    missed: outcome.sent === 'missed' || outcome.response === 'missed',
  };
}
