import type { Store } from '../../../store/types.ts';
import { differsFrom } from '../context/vehicle-context.ts';
import type { Revision } from '../fold/engine.ts';
import type { DerivedTaskEvents, TaskAssignment } from './task-life.ts';

/** The differences of one task. */
export interface TaskRevision {
  readonly taskId: number;
  readonly derived: DerivedTaskEvents;
  readonly eventIds: readonly number[];
  readonly revision: Pick<Revision, 'created' | 'changed' | 'withdrawn'>;
  /** Vehicles whose tasks differ, and from when on. */
  readonly requestsFrom: ReadonlyMap<number, number>;
}

/** Tasks and events. */
export function countChanges(revisions: readonly TaskRevision[]): number {
  return revisions.reduce(
    (sum, { revision: { created, changed, withdrawn } }) =>
      sum + 1 + created.length + changed.length + withdrawn.length,
    0,
  );
}

export function sorted(turns: readonly TaskAssignment[]): TaskAssignment[] {
  return turns
    .map(({ vehicleId, since, until, title, place }) => ({ vehicleId, since, until, title, place }))
    .sort((a, b) => a.vehicleId - b.vehicleId || a.since - b.since);
}

/** A vehicle can arrive only at a task with a place. */
export function requestsDiffer(
  before: readonly TaskAssignment[],
  after: readonly TaskAssignment[],
): Map<number, number> {
  const differing = new Map<number, number>();
  for (const vehicleId of new Set([...before, ...after].map((turn) => turn.vehicleId))) {
    const its = (turns: readonly TaskAssignment[]) =>
      turns.flatMap((turn) =>
        turn.vehicleId === vehicleId && turn.place
          ? [{ id: 0, ...turn.place, title: turn.title, validFrom: turn.since, validUntil: turn.until }]
          : [],
      );
    const from = differsFrom(its(before), its(after));
    if (from !== undefined) differing.set(vehicleId, from);
  }
  return differing;
}

export function saveTask(
  sql: Store['sql'],
  taskId: number,
  { assignments, events, due }: DerivedTaskEvents,
  eventIds: readonly number[],
): void {
  sql
    .prepare(
      'INSERT OR REPLACE INTO task_lives (task, events, due, placed_by_track, last_event) VALUES (?, ?, ?, ?, ?)',
    )
    .run(
      taskId,
      JSON.stringify(eventIds),
      due,
      Number(events.some(({ place }) => place === null)),
      Math.max(0, ...events.map(({ from }) => from)),
    );
  sql.prepare('DELETE FROM task_turns WHERE task = ?').run(taskId);
  const put = sql.prepare(
    'INSERT INTO task_turns (vehicle, since, task, until, title, lat, lon) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  for (const { vehicleId, since, until, title, place } of assignments)
    put.run(vehicleId, since, taskId, until, title, place?.lat ?? null, place?.lon ?? null);
}
