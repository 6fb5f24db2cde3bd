import { ALERT_WITHIN } from '../../../shared/alarms.ts';
import type { AlarmRule, EventRecord, Message } from '../../../shared/records/index.ts';
import type { LastState } from '../../../shared/fleet/last-state.ts';
import { NEW } from '../../../shared/tasks/status.ts';
import type { Cause } from './life-cycle.ts';

/**
 * Events that matter only while they last: when such a one is over before anybody heard of it, nobody is
 * alerted.
 */
const ONLY_WHILE_IT_LASTS: ReadonlySet<number> = new Set([2, 4, 5, 9, 20, 24, 25]);
/** A unit that loses power, antenna and position at once is one situation. */
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
    messageId: typeof task === 'number' ? task : 0,
    info: event.info,
    place: placeOf(event),
    since: event.from,
    until: event.until,
  };
}

/**
 * Whether operators are alerted about an event: it became known within the last 15 minutes, by the time of
 * the record that shows it and not by that of its arrival. Silence shows itself when the patience with it
 * ends.
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
    messageId: 0,
    vehicleId: state.id,
    info: String(state.unitStatus),
    place: state.time > 0 ? { lat: state.lat, lon: state.lon } : null,
    since: state.unitStatusSince,
    until: 0,
  };
}

export function causeOfMessage(rule: Pick<AlarmRule, 'id'>, message: Message): Cause {
  return {
    situation: `${rule.id}|message:${message.id}|`,
    organizationId: message.departmentId,
    eventId: 0,
    eventType: 0,
    messageId: message.id,
    vehicleId: 0,
    info: message.title,
    place: message.point && { lat: message.point.lat, lon: message.point.lon },
    since: message.statusSince,
    until: 0,
  };
}

/** A message that nobody has taken up. */
export function waits(message: Message): boolean {
  const { status, isDeleted, archived, assignedVehicleId, assignedUserId, assignedDepartmentId } = message;
  return (
    status === NEW &&
    !isDeleted &&
    !archived &&
    assignedVehicleId === 0 &&
    assignedUserId === 0 &&
    assignedDepartmentId === 0
  );
}

/** Null for an event of a vehicle that never had a position: 0, 0 is no place. */
function placeOf({ lat, lon }: { readonly lat: number; readonly lon: number }): Cause['place'] {
  return lat === 0 && lon === 0 ? null : { lat, lon };
}
