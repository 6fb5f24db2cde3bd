import type { HistoryEntry, Message } from '../../shared/records/index.ts';
import type { Draft } from '../store/door.ts';
import { changedFields } from './update.ts';

/** One entry for each field that a change touched. `note` says which rule did it when no person did. */
export function historyOf(before: Message, after: Message, by: { userId: number; station: number; at: number; note?: string }, nextId: () => number): Draft<HistoryEntry>[] {
  return changedFields(before, after).map((field) => ({
    id: nextId(),
    messageId: after.id,
    at: by.at,
    userId: by.userId,
    station: by.station,
    field,
    from: before[field] ?? null,
    to: after[field] ?? null,
    note: by.note ?? '',
  }));
}
