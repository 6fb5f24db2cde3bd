import { isDeepStrictEqual } from 'node:util';
import type { ChangeType } from '../../../shared/change-types.ts';
import type { AlarmRecord, Comment, EventRecord, RoadClosure, Task } from '../../../shared/records/index.ts';
import { unitsOf } from '../../../shared/tasks/units.ts';
import type { AnyStored, Change, RecordOf } from '../../store/types.ts';

/** A change of a record, with the record as it was then. */
export type RecordChange =
  | { readonly type: `task.${string}` & ChangeType; readonly task: Task; readonly fields: readonly string[] }
  | { readonly type: 'unit.changed'; readonly task: Task; readonly vehicleId: number }
  | { readonly type: 'comment.created'; readonly comment: Comment }
  | { readonly type: `alarm.${string}` & ChangeType; readonly alarm: AlarmRecord }
  | { readonly type: `event.${string}` & ChangeType; readonly event: EventRecord }
  | { readonly type: `closure.${string}` & ChangeType; readonly closure: RoadClosure };

/** The store's own fields, derived ones, and who wants notices. */
const PLUMBING = new Set(['key', 'id', 'hlc', 'kind', 'updatedAt', 'units', 'watcherIds', 'mentions']);

/** Changes of a task. Each unit that differs is one of its own. */
export function changesOfTask({ record: task, before, deleted }: Change<Task>): RecordChange[] {
  if (deleted || (task.isDeleted && before?.isDeleted !== true)) return [{ type: 'task.deleted', task, fields: [] }];
  if (task.isDeleted) return [];
  const fields = before && !before.isDeleted ? differingFields(before, task) : [];
  const own: RecordChange[] =
    before === undefined || before.isDeleted
      ? [{ type: 'task.created', task, fields: [] }]
      : fields.length > 0
        ? [{ type: 'task.changed', task, fields }]
        : [];
  const old = new Map((before ? unitsOf(before) : []).map((unit) => [unit.vehicleId, unit]));
  const units = unitsOf(task)
    .filter((unit) => !isDeepStrictEqual(unit, old.get(unit.vehicleId)))
    .map(({ vehicleId }): RecordChange => ({ type: 'unit.changed', task, vehicleId }));
  return [...own, ...units];
}

export function changesOfComment({ record: comment, before, deleted }: Change<Comment>): RecordChange[] {
  return before || deleted ? [] : [{ type: 'comment.created', comment }];
}

export function changesOfAlarm({ record, before, deleted }: Change<RecordOf<'alarms'>>): RecordChange[] {
  if (deleted) return [];
  const alarm = record as AlarmRecord;
  return [{ type: before && before.raisedAt === alarm.raisedAt ? 'alarm.changed' : 'alarm.raised', alarm }];
}

export function changesOfEvent({ record: event, before, deleted }: Change<EventRecord>): RecordChange[] {
  return [{ type: deleted ? 'event.deleted' : before ? 'event.changed' : 'event.created', event }];
}

export function changesOfClosure({ record: closure, before, deleted }: Change<RoadClosure>): RecordChange[] {
  if (deleted || closure.isDeleted) return before?.isDeleted === true ? [] : [{ type: 'closure.deleted', closure }];
  return [{ type: before && !before.isDeleted ? 'closure.changed' : 'closure.created', closure }];
}

/** Changes of one record stay in order: those of a task with its units and comments, an alarm, an event, a closure. */
export function changedRecordKey(change: RecordChange): string {
  if ('task' in change) return `task/${change.task.id}`;
  if ('comment' in change) return `task/${change.comment.taskId}`;
  if ('alarm' in change) return `alarm/${change.alarm.id}`;
  return 'event' in change ? `event/${change.event.id}` : `closure/${change.closure.id}`;
}

function differingFields(before: AnyStored, after: AnyStored): string[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...old.keys(), ...now.keys()])].filter(
    (name) => !PLUMBING.has(name) && !isDeepStrictEqual(old.get(name), now.get(name)),
  );
}
