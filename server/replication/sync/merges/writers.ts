import { millisecondsOf, stationOf } from '../../../../shared/merge/stamps.ts';
import { isEqual } from '../../../../shared/merge/equal.ts';
import { history, type HistoryEntry, type MergeRecord } from '../../../../shared/records/index.ts';
import type { Store } from '../../../store/index.ts';

/** Author of a value, and the time. */
export interface Writer {
  readonly station: number;
  /** epoch ms by the clock of that station */
  readonly at: number;
  /** 0: not known */
  readonly userId: number;
}

const TASK = history.task!;
/** Between the stamp of an edit and its entry in the history (ms), when clocks run ahead of wall time. */
const NEAR = 10 * 60_000;

/**
 * Stamps tell at which station a value was written and when. The history of tasks has the user; other records
 * have none.
 */
export function writersOf(store: Store, merge: MergeRecord): { kept: Writer; lost: Writer } {
  const entries = merge.taskId === merge.recordId ? entriesOf(store, merge) : [];
  return { kept: writerOf(merge.kept, entries), lost: writerOf(merge.lost, entries) };
}

function writerOf({ value, stamp }: MergeRecord['kept'], entries: readonly HistoryEntry[]): Writer {
  const [station, at] = [stationOf(stamp), millisecondsOf(stamp)];
  let nearest: HistoryEntry | undefined;
  for (const entry of entries)
    if (
      entry.station === station &&
      Math.abs(entry.at - at) <= NEAR &&
      isEqual(entry.to, value) &&
      !(nearest && Math.abs(nearest.at - at) <= Math.abs(entry.at - at))
    )
      nearest = entry;
  return { station, at, userId: nearest?.userId ?? 0 };
}

function entriesOf(store: Store, { taskId, field }: MergeRecord): HistoryEntry[] {
  return store.sql
    .prepare(`SELECT data FROM ${store.table('history')} WHERE deleted = 0 AND ${TASK} = ?`)
    .all(taskId)
    .map((row) => JSON.parse(row['data'] as string) as HistoryEntry)
    .filter((entry) => entry.field === field);
}
