import { FLOOD } from '../../../../shared/events/alarms.ts';
import type { AlarmRecord } from '../../../../shared/records/index.ts';

/** The alarms that are not cleared, and those that count for a flood. */
export class OpenAlarms {
  readonly #byId = new Map<number, AlarmRecord>();
  readonly #byEvent = new Map<number, number>();
  /** Raised lately, including cleared ones. */
  readonly #recent = new Map<number, AlarmRecord>();

  /** The current record. */
  remember(alarm: AlarmRecord, now: number): void {
    const before = this.#byId.get(alarm.id);
    if (before && this.#byEvent.get(before.eventId) === alarm.id) this.#byEvent.delete(before.eventId);
    if (alarm.clearedAt > 0) this.#byId.delete(alarm.id);
    else {
      this.#byId.set(alarm.id, alarm);
      if (alarm.eventId > 0) this.#byEvent.set(alarm.eventId, alarm.id);
    }
    if (alarm.raisedAt >= now - FLOOD.within) this.#recent.set(alarm.id, alarm);
  }

  /** All that are not cleared. */
  all(): AlarmRecord[] {
    return [...this.#byId.values()];
  }

  /** The alarm of an event. */
  idOfEvent(eventId: number): number | undefined {
    return this.#byEvent.get(eventId);
  }

  /** Those that count for a flood. */
  recent(): AlarmRecord[] {
    return [...this.#recent.values()];
  }

  /** Removes alarms too old to count for a flood. */
  tick(now: number): void {
    for (const alarm of this.#recent.values()) if (alarm.raisedAt < now - FLOOD.within) this.#recent.delete(alarm.id);
  }
}
