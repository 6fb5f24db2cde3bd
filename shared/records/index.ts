import { accounts } from './accounts.ts';
import { alarms } from './alarms.ts';
import { directories } from './directories.ts';
import { events } from './events.ts';
import { fleet, vehicles, vehicleStates } from './fleet.ts';
import { merges } from './merges.ts';
import { attachments, comments, history, tasks } from './tasks.ts';

export * from './record.ts';
export * from './accounts.ts';
export * from './alarms.ts';
export * from './calls.ts';
export * from './crews.ts';
export * from './directories.ts';
export * from './events.ts';
export * from './fleet.ts';
export * from './merges.ts';
export * from './own-places.ts';
export * from './shifts.ts';
export * from './tasks.ts';

/**
 * Every collection of a station. At most 12: the free edition of RxDB opens 13 per process and slows down
 * from the 14th.
 */
export const COLLECTIONS = {
  tasks,
  comments,
  history,
  attachments,
  directories,
  accounts,
  vehicles,
  vehicleStates,
  fleet,
  events,
  alarms,
  merges,
} as const;
