import { millisecondsOf } from '../../../shared/merge/stamps.ts';
import type {
  AlarmRecord,
  CrewDuty,
  InBothLanguages,
  LogBookEntry,
  RoadClosure,
  Shift,
  Task,
} from '../../../shared/records/index.ts';
import { DONE } from '../../../shared/tasks/status.ts';
import { unitsOf } from '../../../shared/tasks/units.ts';

/** Kinds of lines. Lines of one millisecond are in this order. */
export const LOG_KINDS = [
  'shift-ended',
  'shift-begun',
  'shift-taken-over',
  'duty-begun',
  'duty-ended',
  'crew-missing',
  'task-taken',
  'unit-sent',
  'unit-on-scene',
  'unit-clear',
  'task-closed',
  'alarm',
  'alarm-answered',
  'closure-begun',
  'closure-ended',
  'entry',
] as const;
export type LogKind = (typeof LOG_KINDS)[number];

/** A line of the log-book. Ids are 0 where a line is about nothing of the kind. */
export interface LogLine {
  readonly at: number;
  readonly kind: LogKind;
  readonly organizationId: number;
  /** The text of an entry, the title of a task, or the name of a closure. */
  readonly text: string;
  readonly alarm: InBothLanguages | null;
  readonly taskId: number;
  readonly vehicleId: number;
  /** The author of the entry or of the action. */
  readonly userId: number;
  readonly entryId: number;
  readonly corrects: number;
}

const NOTHING = { alarm: null, taskId: 0, vehicleId: 0, userId: 0, entryId: 0, corrects: 0 };

export function lineOfEntry({ id, at, organizationId, authorId, text, corrects, taskId, vehicleId }: LogBookEntry) {
  const line: LogLine = {
    ...NOTHING,
    at,
    kind: 'entry',
    organizationId,
    text,
    taskId,
    vehicleId,
    userId: authorId,
    entryId: id,
    corrects,
  };
  return line;
}

/** README rule 2: the times are those of the task and of its units. */
export function linesOfTask(task: Task): LogLine[] {
  const { id: taskId, organizationId, title: text, authorId, date, status, statusSince } = task;
  const line = (at: number, kind: LogKind, vehicleId = 0, userId = 0): LogLine => ({
    ...{ ...NOTHING, at, kind, organizationId, text, taskId },
    ...{ vehicleId, userId },
  });
  return [
    line(date, 'task-taken', 0, authorId),
    ...unitsOf(task).flatMap(({ vehicleId, sentAt, onSceneAt, clearAt }) => [
      line(sentAt, 'unit-sent', vehicleId),
      ...(onSceneAt > 0 ? [line(onSceneAt, 'unit-on-scene', vehicleId)] : []),
      ...(clearAt > 0 ? [line(clearAt, 'unit-clear', vehicleId)] : []),
    ]),
    ...(status === DONE ? [line(statusSince, 'task-closed')] : []),
  ];
}

export function linesOfAlarm(alarm: AlarmRecord): LogLine[] {
  const { name, organizationId, info: text, taskId, vehicleId, raisedAt, acknowledgedAt, acknowledgedBy } = alarm;
  const about = { ...NOTHING, organizationId, text, alarm: name, taskId, vehicleId };
  return [
    { ...about, at: raisedAt, kind: 'alarm' },
    ...(acknowledgedAt > 0
      ? [{ ...about, at: acknowledgedAt, kind: 'alarm-answered' as const, userId: acknowledgedBy }]
      : []),
  ];
}

/** A closure belongs to every organization. One that was lifted ends when it was. */
export function linesOfClosure({ name: text, from, until, isDeleted, hlc }: RoadClosure, now: number): LogLine[] {
  const written = [hlc.base, ...Object.values(hlc.fields)].map(millisecondsOf);
  const begun = from ?? Math.min(...written);
  const lifted = isDeleted ? Math.max(...written) : Infinity;
  const ended = Math.min(lifted, until ?? Infinity);
  const about = { ...NOTHING, organizationId: 0, text };
  if (lifted <= begun) return [];
  return [
    { ...about, at: begun, kind: 'closure-begun' },
    ...(ended <= now ? [{ ...about, at: ended, kind: 'closure-ended' as const }] : []),
  ];
}

export function linesOfShift({ name, organizationId, begun, ended, handover, accepted }: Shift): LogLine[] {
  const line = (kind: LogKind, text: string, { at, userId }: Shift['begun']): LogLine => ({
    ...{ ...NOTHING, organizationId },
    ...{ kind, text, at, userId },
  });
  return [
    line('shift-begun', name, begun),
    ...(ended ? [line('shift-ended', [name, handover].filter(Boolean).join(': '), ended)] : []),
    ...(accepted ? [line('shift-taken-over', name, accepted)] : []),
  ];
}

/** The line of a shift covers crews that begin and end with it. */
export function linesOfDuty(duty: CrewDuty, edges: ReadonlySet<number>): LogLine[] {
  const { name: text, organizationId, vehicleId, from, until, roll } = duty;
  const about = { ...NOTHING, organizationId, text, vehicleId };
  return [
    ...(edges.has(from) ? [] : [{ ...about, at: from, kind: 'duty-begun' as const }]),
    ...(until === 0 || edges.has(until) ? [] : [{ ...about, at: until, kind: 'duty-ended' as const }]),
    ...(roll && !roll.present ? [{ ...about, at: roll.at, kind: 'crew-missing' as const, userId: roll.userId }] : []),
  ];
}

/** One order for all stations, whichever of them had a line first. */
export function byTime(one: LogLine, other: LogLine): number {
  return (
    one.at - other.at ||
    LOG_KINDS.indexOf(one.kind) - LOG_KINDS.indexOf(other.kind) ||
    one.taskId - other.taskId ||
    one.vehicleId - other.vehicleId ||
    one.entryId - other.entryId ||
    (one.text < other.text ? -1 : Number(one.text > other.text))
  );
}
