import { ALERT_WITHIN, alarmState, EMERGENCY, sounds } from '../../../../shared/alarms.ts';
import type { AlarmRecord } from '../../../../shared/records/index.ts';

/** What the desktop is to be told of: one alarm, or that there are too many to tell of each. */
export type AlarmCall =
  | { readonly kind: 'alarm'; readonly tag: string; readonly alarm: AlarmRecord }
  | { readonly kind: 'flood'; readonly tag: string; readonly count: number };

const FLOOD_TAG = 'alarms:flood';
/** An alarm that is raised anew, as from the shelf, is another call. */
const tagOf = (alarm: AlarmRecord) => `alarm:${alarm.id}:${alarm.raisedAt}`;

/**
 * Decides which alarms call an operator whose window is not in front: those that may be heard, each once
 * whenever it is raised; not what is silenced, on the shelf or answered, and no caution. In a flood one call
 * stands for all but the emergencies. A call is taken back when it needs no answer any more.
 */
export class AlarmCalls {
  private known: ReadonlySet<string> | undefined;
  private standing: ReadonlySet<string> = new Set();
  private flooded = false;

  /**
   * Takes what is open at `now`; `looking`: the window is in front, so that all of it is seen. What there is
   * when it is first asked is not news.
   */
  next(
    open: readonly AlarmRecord[],
    flood: { readonly count: number } | null,
    now: number,
    looking: boolean,
  ): { readonly calls: readonly AlarmCall[]; readonly over: readonly string[] } {
    const before = this.known;
    const waiting = open.filter((alarm) => alarmState(alarm, now) === 'unacknowledged');
    // What is silenced before it could call does so when the silence is over.
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
    // A flood that one has seen is not told again when the window goes to the back.
    this.flooded = flood !== null && (this.flooded || looking || calls.some(({ kind }) => kind === 'flood'));

    const still = new Set([...waiting.map(tagOf), ...(flood ? [FLOOD_TAG] : [])]);
    const over = [...this.standing].filter((tag) => !still.has(tag));
    this.standing = new Set([...[...this.standing].filter((tag) => still.has(tag)), ...calls.map(({ tag }) => tag)]);
    return { calls, over };
  }
}
