import { ALERT_WITHIN, alarmState, EMERGENCY, sounds } from '../../../../shared/events/alarms.ts';
import type { AlarmRecord } from '../../../../shared/records/index.ts';

/** A desktop notification: one alarm, or a flood of them. */
export type AlarmCall =
  | { readonly kind: 'alarm'; readonly tag: string; readonly alarm: AlarmRecord }
  | { readonly kind: 'flood'; readonly tag: string; readonly count: number };

const FLOOD_TAG = 'alarms:flood';
/** An alarm that is raised again, for example after shelving, notifies again. */
const tagOf = (alarm: AlarmRecord) => `alarm:${alarm.id}:${alarm.raisedAt}`;

/**
 * Decides which alarms notify an operator whose window is in the background: audible ones, once each time
 * they are raised; not silenced, shelved or acknowledged ones, and no cautions. In a flood one notification
 * covers all but emergencies. A notification is withdrawn when its alarm needs no response any more.
 */
export class AlarmCalls {
  private known: ReadonlySet<string> | undefined;
  private standing: ReadonlySet<string> = new Set();
  private flooded = false;

  /**
   * Takes the open alarms at `now`; `looking`: the window has the focus, so all of them are seen. The alarms
   * of the first call are not news.
   */
  next(
    open: readonly AlarmRecord[],
    flood: { readonly count: number } | null,
    now: number,
    looking: boolean,
  ): { readonly calls: readonly AlarmCall[]; readonly over: readonly string[] } {
    const before = this.known;
    const waiting = open.filter((alarm) => alarmState(alarm, now) === 'unacknowledged');
    // A silenced alarm notifies when the silence ends.
    this.known = new Set(
      open.filter((alarm) => looking || !before || before.has(tagOf(alarm)) || alarm.silencedUntil <= now).map(tagOf),
    );

    const fresh =
      before && !looking
        ? waiting.filter(
            (alarm) => !before.has(tagOf(alarm)) && sounds(alarm, now) && now - alarm.raisedAt < ALERT_WITHIN,
          )
        : [];
    const calls: AlarmCall[] = fresh
      .filter((alarm) => !flood || alarm.priority === EMERGENCY)
      .map((alarm) => ({ kind: 'alarm', tag: tagOf(alarm), alarm }));
    if (flood && !this.flooded && fresh.length > calls.length)
      calls.push({ kind: 'flood', tag: FLOOD_TAG, count: flood.count });
    // A flood that was seen does not notify when the window loses the focus.
    this.flooded = flood !== null && (this.flooded || looking || calls.some(({ kind }) => kind === 'flood'));

    const still = new Set([...waiting.map(tagOf), ...(flood ? [FLOOD_TAG] : [])]);
    const over = [...this.standing].filter((tag) => !still.has(tag));
    this.standing = new Set([...[...this.standing].filter((tag) => still.has(tag)), ...calls.map(({ tag }) => tag)]);
    return { calls, over };
  }
}
