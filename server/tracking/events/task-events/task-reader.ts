import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { keyOf } from '../../../../shared/ids.ts';
import type { EventRecord, HistoryEntry, Task, Posting, ReviewPeriod } from '../../../../shared/records/index.ts';
import { DONE } from '../../../../shared/tasks/status.ts';
import type { VehicleEvent } from '../fold/engine.ts';
import type { TaskHistory } from '../history/history-store.ts';
import { eventOf } from '../fold/stored-memory.ts';
import {
  timelineOf,
  deriveTaskEvents,
  type DerivedTaskEvents,
  type TaskContext,
  type TaskAssignment,
} from './task-life.ts';
import { isValidAt } from '../context/vehicle-context.ts';

/**
 * The feeds that show which tasks changed. Most changes of a history come with one of the task; those of
 * other stations may not. The history of the fleet has drivers of vehicles and periods of types.
 */
export const SOURCES = ['tasks', 'history', 'fleet'] as const;
export type FeedPositions = Readonly<Record<(typeof SOURCES)[number], number>>;

export interface TaskEventsRequest {
  readonly now: number;
  /** Sequence numbers up to which each feed is processed, and up to which it is on disk. */
  readonly positions: FeedPositions;
  readonly head: number;
  /** Tasks to read besides those of the feeds. */
  readonly taskIds: readonly number[];
  /** Omitted while it is the same as in the last request. */
  readonly history?: TaskHistory | undefined;
}

export interface TaskEventsResponse {
  readonly positions: FeedPositions;
  /** Some of the feeds or of the overdue tasks are left. */
  readonly more: boolean;
  /** Tasks that notes of the fleet concern: to be requested next. */
  readonly concerned: readonly number[];
  /** A `DerivedTask` each, as JSON: parsed one by one, they keep the event loop free. */
  readonly derivedTasks: readonly string[];
  /** Tasks that could not be computed. */
  readonly failed: readonly { readonly taskId: number; readonly reason: string }[];
}

/** A task whose events may differ from the stored ones. */
export interface DerivedTask {
  readonly taskId: number;
  readonly derived: DerivedTaskEvents;
  /** The stored value, or null. */
  readonly known: {
    readonly events: readonly VehicleEvent[];
    readonly due: number | null;
    readonly turns: readonly TaskAssignment[];
  } | null;
}

/** Most rows of a feed that one request reads. */
const ROWS = 500;
/** After this many lives a request stops reading rows. */
const LIVES = 50;

const NO_EVENTS: DerivedTaskEvents = { events: [], assignments: [], due: null };

interface Tables {
  readonly tasks: string;
  readonly history: string;
  readonly fleet: string;
  readonly events: string;
}

interface Round extends Pick<TaskEventsRequest, 'now' | 'head'> {
  readonly done: Set<number>;
  readonly derivedTasks: string[];
  readonly failed: { taskId: number; reason: string }[];
}

/** Reads the history of tasks and computes their events. Read-only, so it can run in a thread. */
export class TaskReader {
  readonly #sql: DatabaseSync;
  readonly #statements: Readonly<
    Record<
      | 'tasks'
      | 'history'
      | 'fleet'
      | 'openOfTypes'
      | 'openOfUsers'
      | 'due'
      | 'task'
      | 'entries'
      | 'life'
      | 'event'
      | 'turns',
      StatementSync
    >
  >;
  #context: TaskContext = { reviewSeconds: () => 0, vehiclesOf: () => [], changesOf: () => [] };

  /** @param tables SQL for the tables of these collections */
  constructor(sql: DatabaseSync, { tasks, history, fleet, events }: Tables) {
    this.#sql = sql;
    const feed = (columns: string, table: string) =>
      sql.prepare(`SELECT ${columns}, seq FROM ${table} WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ${ROWS}`);
    const open = (field: 'typeId' | 'assignedUserId') =>
      sql.prepare(
        `SELECT json_extract(data, '$.id') AS id FROM ${tasks} WHERE deleted = 0 AND isDeleted = 0 AND archived = 0 AND ${field} IN (SELECT value FROM json_each(?)) AND status <> ${DONE}`,
      );
    this.#statements = {
      tasks: feed('data, deleted', tasks),
      history: feed('taskId', history),
      fleet: feed(`CASE WHEN kind IN ('posting', 'reviewPeriod') THEN data END AS data`, fleet),
      openOfTypes: open('typeId'),
      openOfUsers: open('assignedUserId'),
      due: sql.prepare(`SELECT task FROM task_lives WHERE due < ? LIMIT ${LIVES}`),
      task: sql.prepare(`SELECT data FROM ${tasks} WHERE deleted = 0 AND key = ?`),
      entries: sql.prepare(`SELECT data FROM ${history} WHERE deleted = 0 AND taskId = ?`),
      life: sql.prepare('SELECT events, due FROM task_lives WHERE task = ?'),
      event: sql.prepare(`SELECT data FROM ${events} WHERE deleted = 0 AND key = ?`),
      turns: sql.prepare('SELECT vehicle, since, until, title, lat, lon FROM task_turns WHERE task = ?'),
    };
  }

  /** Answers from one snapshot of the database. */
  answer(request: TaskEventsRequest): TaskEventsResponse {
    if (request.history) this.#context = contextOf(request.history);
    this.#sql.exec('BEGIN');
    try {
      return this.#read(request);
    } finally {
      this.#sql.exec('COMMIT');
    }
  }

  #read({ now, head, positions, taskIds }: TaskEventsRequest): TaskEventsResponse {
    const { tasks, history, fleet, due } = this.#statements;
    const round: Round = { now, head, done: new Set(), derivedTasks: [], failed: [] };
    for (const taskId of taskIds) this.#look(round, taskId);
    const overdue = due.all(now) as { task: number }[];
    for (const { task } of overdue) this.#look(round, task);
    const concerned = new Set<number>();
    const steps = {
      tasks: this.#step(round, tasks, positions.tasks, ({ data, deleted }) => {
        const task = JSON.parse(data as string) as Task;
        this.#look(round, task.id, deleted === 0 ? task : null);
      }),
      history: this.#step(round, history, positions.history, ({ taskId }) => this.#look(round, taskId as number)),
      fleet: this.#step(round, fleet, positions.fleet, ({ data }) => {
        if (data === null) return;
        for (const id of this.#concerned(JSON.parse(data as string) as Posting | ReviewPeriod)) concerned.add(id);
      }),
    };
    return {
      positions: { tasks: steps.tasks.reached, history: steps.history.reached, fleet: steps.fleet.reached },
      more: overdue.length === LIVES || Object.values(steps).some(({ more }) => more),
      concerned: [...concerned],
      derivedTasks: round.derivedTasks,
      failed: round.failed,
    };
  }

  #step(
    { derivedTasks, head }: Round,
    feed: StatementSync,
    from: number,
    take: (row: Record<string, unknown>) => void,
  ): { reached: number; more: boolean } {
    let [reached, rows] = [from, 0];
    for (const row of feed.iterate(from, head)) {
      if (derivedTasks.length >= LIVES) return { reached, more: true };
      take(row);
      reached = row['seq'] as number;
      rows++;
    }
    return { reached, more: rows === ROWS };
  }

  /** The open tasks that a note of the fleet may concern. */
  #concerned(note: Posting | ReviewPeriod): number[] {
    const { openOfTypes, openOfUsers } = this.#statements;
    const rows =
      note.kind === 'reviewPeriod'
        ? openOfTypes.all(JSON.stringify([note.id]))
        : openOfUsers.all(JSON.stringify([...new Set(note.versions.flatMap(({ userIds }) => userIds))]));
    return rows.map((row) => row['id'] as number);
  }

  /** A task that cannot be computed does not block others. */
  #look({ done, derivedTasks, failed, now }: Round, taskId: number, task?: Task | null): void {
    if (done.has(taskId)) return;
    done.add(taskId);
    try {
      const life = this.#life(taskId, task === undefined ? this.#task(taskId) : task, now);
      if (life) derivedTasks.push(JSON.stringify(life));
    } catch (error) {
      failed.push({ taskId, reason: (error as Error).message });
    }
  }

  #life(taskId: number, task: Task | null, now: number): DerivedTask | undefined {
    const row = this.#statements.life.get(taskId) as { events: string; due: number | null } | undefined;
    const story = task ? deriveTaskEvents(timelineOf(task, this.#historyOf(taskId)), this.#context, now) : NO_EVENTS;
    // Most tasks never belong to a vehicle.
    if (!row && story.assignments.length === 0 && story.events.length === 0) return undefined;
    const known = row
      ? { events: this.#events(JSON.parse(row.events) as number[]), due: row.due, turns: this.#turnsOf(taskId) }
      : null;
    return { taskId, derived: story, known };
  }

  #task(taskId: number): Task | null {
    const row = this.#statements.task.get(keyOf(taskId));
    return row ? (JSON.parse(row['data'] as string) as Task) : null;
  }

  #historyOf(taskId: number): HistoryEntry[] {
    return this.#statements.entries.all(taskId).map((row) => JSON.parse(row['data'] as string) as HistoryEntry);
  }

  #events(ids: readonly number[]): VehicleEvent[] {
    return ids.flatMap((id) => {
      const row = this.#statements.event.get(keyOf(id));
      return row ? eventOf(JSON.parse(row['data'] as string) as EventRecord) : [];
    });
  }

  #turnsOf(taskId: number): TaskAssignment[] {
    const rows = this.#statements.turns.all(taskId) as unknown as {
      vehicle: number;
      since: number;
      until: number | null;
      title: string;
      lat: number | null;
      lon: number | null;
    }[];
    return rows.map(({ vehicle, since, until, title, lat, lon }) => ({
      vehicleId: vehicle,
      since,
      until,
      title,
      place: lat === null || lon === null ? null : { lon, lat },
    }));
  }
}

function contextOf(history: TaskHistory): TaskContext {
  const services = new Map(history.services);
  const periods = new Map(history.periods);
  return {
    reviewSeconds: (typeId, at) => periods.get(typeId)?.findLast(({ validFrom }) => validFrom <= at)?.seconds ?? 0,
    vehiclesOf: (userId, at) =>
      (services.get(userId) ?? []).filter((service) => isValidAt(service, at)).map(({ vehicleId }) => vehicleId),
    changesOf: (userId, typeId) => [
      ...(services.get(userId) ?? []).flatMap(({ validFrom, validUntil }) =>
        validUntil === null ? [validFrom] : [validFrom, validUntil],
      ),
      ...(periods.get(typeId) ?? []).map(({ validFrom }) => validFrom),
    ],
  };
}
