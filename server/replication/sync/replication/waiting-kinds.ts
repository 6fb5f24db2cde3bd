import type { CollectionName } from '../../../store/types.ts';
import type { WaitingKind, WaitingRecords } from '../types.ts';

/** As what an operator knows the records of a collection. */
const KIND_OF: Readonly<Record<CollectionName, WaitingKind>> = {
  tasks: 'tasks',
  comments: 'tasks',
  history: 'tasks',
  attachments: 'tasks',
  directories: 'directories',
  accounts: 'accounts',
  vehicles: 'vehicles',
  vehicleStates: 'vehicles',
  fleet: 'vehicles',
  events: 'events',
  alarms: 'events',
  merges: 'merges',
};

/** Adds up what waits of each collection. */
export function waitingByKind(counts: Iterable<readonly [CollectionName, number]>): {
  readonly waiting: number;
  readonly kinds: WaitingRecords;
} {
  const kinds: Partial<Record<WaitingKind, number>> = {};
  let waiting = 0;
  for (const [collection, count] of counts) {
    if (count === 0) continue;
    waiting += count;
    kinds[KIND_OF[collection]] = (kinds[KIND_OF[collection]] ?? 0) + count;
  }
  return { waiting, kinds };
}
