import { ALERT_WITHIN } from '../../../../shared/events/alarms.ts';
import type { AlarmRule, EventRecord, Task } from '../../../../shared/records/index.ts';
import type { LastState } from '../../../../shared/fleet/last-state.ts';
import type { Cause } from './life-cycle.ts';

/** Events that matter only while they last: if one has ended before it is known, it raises no alarm. */
const ONLY_WHILE_IT_LASTS: ReadonlySet<number> = new Set([2, 4, 5, 9, 20, 24, 25]);
/** Loss of power, antenna and position of one unit are one situation. */
const ONE_FOR_ALL_SUBJECTS: ReadonlySet<number> = new Set([4]);

export function situationOfEvent(
  rule: Pick<AlarmRule, 'id'>,
  { vehicleId, type, subject }: Pick<EventRecord, 'vehicleId' | 'type' | 'subject'>,
): string {
  return `${rule.id}|vehicle:${vehicleId}|${ONE_FOR_ALL_SUBJECTS.has(type) ? '' : subject}`.slice(0, 100);
}

export function causeOfEvent(rule: Pick<AlarmRule, 'id'>, event: EventRecord, organizationId: number): Cause {
  const task = event.data['newsId'];
  return {
    situation: situationOfEvent(rule, event),
    organizationId,
    eventId: event.id,
    eventType: event.type,
    vehicleId: event.vehicleId,
    taskId: typeof task === 'number' ? task : 0,
    info: event.info,
    place: placeOf(event),
    since: event.from,
    until: event.until,
  };
}

/**
 * Whether an event raises an alarm: it became known at most 15 minutes after the time of the record that
 * shows it. Silence becomes known when its limit ends.
 * @param lostAfter ms of silence that make a loss of signal
 */
export function alerts(
  event: Pick<EventRecord, 'type' | 'from' | 'until' | 'seenAt' | 'bySilence'>,
  lostAfter: number,
  now: number,
): boolean {
  if (event.until > 0 && ONLY_WHILE_IT_LASTS.has(event.type)) return false;
  const knownAt = event.bySilence ? event.from + lostAfter : Math.max(event.from, event.seenAt);
  return now - knownAt <= ALERT_WITHIN;
}

export function causeOfUnitStatus(rule: Pick<AlarmRule, 'id'>, state: LastState, organizationId: number): Cause {
  return {
    situation: `${rule.id}|vehicle:${state.id}|`,
    organizationId,
    eventId: 0,
    eventType: 0,
    taskId: 0,
    vehicleId: state.id,
    info: String(state.unitStatus),
    place: state.time > 0 ? { lat: state.lat, lon: state.lon } : null,
    since: state.unitStatusSince,
    until: 0,
  };
}

export function causeOfTask(rule: Pick<AlarmRule, 'id'>, task: Task): Cause {
  return {
    situation: `${rule.id}|message:${task.id}|`,
    organizationId: task.organizationId,
    eventId: 0,
    eventType: 0,
    taskId: task.id,
    vehicleId: 0,
    info: task.title,
    place: task.point && { lat: task.point.lat, lon: task.point.lon },
    since: task.statusSince,
    until: 0,
  };
}

/** Null for an event of a vehicle without a position yet: 0, 0 is no place. */
function placeOf({ lat, lon }: { readonly lat: number; readonly lon: number }): Cause['place'] {
  return lat === 0 && lon === 0 ? null : { lat, lon };
}
