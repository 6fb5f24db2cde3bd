import { alarmState, EMERGENCY, SILENCE_DURATION } from '../../../../shared/events/alarms.ts';
import type { AlarmRecord, AlarmRule } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Draft } from '../../../store/types.ts';

/** The reason that raises an alarm, or continues it. */
export interface Cause {
  readonly situation: string;
  readonly organizationId: number;
  /** 0: none */
  readonly eventId: number;
  readonly eventType: number;
  readonly taskId: number;
  readonly vehicleId: number;
  readonly info: string;
  readonly place: { readonly lat: number; readonly lon: number } | null;
  readonly since: number;
  /** When it ended; 0 while it lasts. */
  readonly until: number;
}

/**
 * If the cause returns within this time (ms) after the alarm was cleared, the same alarm opens again: a
 * wavering value is one alarm.
 */
export const REOPENED_WITHIN = 5 * 60_000;
/** Longest shelf (ms). For longer, change the rule. */
const LONGEST_SHELF = 24 * 3_600_000;

type Alarm = AlarmRecord;
export type RaisedRule = Pick<AlarmRule, 'id' | 'priority' | 'name' | 'response'>;

export function raised(id: number, rule: RaisedRule, cause: Cause, now: number): Draft<Alarm> {
  return {
    id,
    rule: rule.id,
    situation: cause.situation,
    organizationId: cause.organizationId,
    priority: rule.priority,
    name: rule.name,
    response: rule.response,
    ...fieldsOfCause(cause),
    since: cause.since,
    raisedAt: now,
    occurrences: 1,
    goneAt: cause.until,
    withdrawn: false,
    clearedAt: 0,
    acknowledgedAt: 0,
    acknowledgedBy: 0,
    comment: '',
    silencedUntil: 0,
    shelvedAt: 0,
    shelvedUntil: 0,
    shelvedBy: 0,
    shelveReason: '',
    assignedTo: 0,
  };
}

/** The cause returned or continues: no second alert. A different event counts as one more occurrence. */
export function reopened(alarm: Alarm, cause: Cause): Alarm {
  const again = alarm.eventId !== cause.eventId;
  const next = {
    ...alarm,
    ...fieldsOfCause(cause),
    goneAt: cause.until,
    withdrawn: false,
    clearedAt: cause.until > 0 ? alarm.clearedAt : 0,
    occurrences: alarm.occurrences + Number(again),
  };
  return JSON.stringify(next) === JSON.stringify(alarm) ? alarm : next;
}

function fieldsOfCause({
  eventId,
  eventType,
  taskId,
  vehicleId,
  info,
  place,
}: Cause): Pick<Alarm, 'eventId' | 'eventType' | 'taskId' | 'vehicleId' | 'info' | 'lat' | 'lon'> {
  return { eventId, eventType, taskId, vehicleId, info, lat: place?.lat ?? null, lon: place?.lon ?? null };
}

/** The cause is gone; `withdrawn`: late records show that it never existed. */
export function causeEnded(alarm: Alarm, at: number, withdrawn: boolean, now: number): Alarm {
  if (alarm.clearedAt > 0 || (alarm.goneAt === at && alarm.withdrawn === withdrawn)) return alarm;
  return withClearedAt({ ...alarm, goneAt: at, withdrawn }, now);
}

export function acknowledged(alarm: Alarm, userId: number, comment: string, now: number): Alarm {
  switch (alarmState(alarm, now)) {
    case 'unacknowledged':
      return withClearedAt({ ...alarm, acknowledgedAt: now, acknowledgedBy: userId, comment }, now);
    // Two operators may answer at the same moment; the first answer stands.
    case 'acknowledged':
      return alarm;
    case 'shelved':
      throw new Refusal('alarms.shelved');
    case 'cleared':
      return alarm;
  }
}

export function shelved(alarm: Alarm, userId: number, until: number, reason: string, now: number): Alarm {
  if (alarm.priority === EMERGENCY) throw new Refusal('alarms.emergency');
  if (reason.trim() === '') throw new Refusal('alarms.noReason', { field: 'reason' });
  if (until <= now) throw new Refusal('field.notAhead', { field: 'until' });
  if (until > now + LONGEST_SHELF) throw new Refusal('field.tooFarAhead', { field: 'until', hours: 24 });
  if (alarmState(alarm, now) === 'cleared') throw new Refusal('alarms.cleared');
  // It returns unanswered: the old answer does not apply.
  return {
    ...alarm,
    shelvedAt: now,
    shelvedUntil: until,
    shelvedBy: userId,
    shelveReason: reason.trim(),
    acknowledgedAt: 0,
    acknowledgedBy: 0,
    comment: '',
  };
}

/** Ends a shelf, by an operator or by time: alerts again, or clears the alarm if its cause is gone. */
export function unshelved(alarm: Alarm, now: number): Alarm {
  if (alarm.shelvedUntil === 0 || alarm.clearedAt > 0) return alarm;
  const back = { ...alarm, shelvedAt: 0, shelvedUntil: 0, shelvedBy: 0, shelveReason: '' };
  return alarm.goneAt > 0 ? { ...back, clearedAt: now } : { ...back, raisedAt: now, silencedUntil: 0 };
}

export function silenced(alarm: Alarm, now: number): Alarm {
  return alarmState(alarm, now) === 'unacknowledged' ? { ...alarm, silencedUntil: now + SILENCE_DURATION } : alarm;
}

/** @param userId 0: any user */
export function assignAlarm(alarm: Alarm, userId: number, now: number): Alarm {
  if (alarmState(alarm, now) === 'cleared') throw new Refusal('alarms.cleared');
  return alarm.assignedTo === userId ? alarm : { ...alarm, assignedTo: userId };
}

/** Records the time of clearing once the facts imply it. */
export function withClearedAt(alarm: Alarm, now: number): Alarm {
  return alarm.clearedAt === 0 && alarmState(alarm, now) === 'cleared' ? { ...alarm, clearedAt: now } : alarm;
}
