import { accounts } from './accounts.ts';
import { directories } from './directories.ts';
import { fleet, vehicles, vehicleStates } from './fleet.ts';
import { attachments, comments, history, messages } from './messages.ts';

export * from './record.ts';
export * from './accounts.ts';
export * from './directories.ts';
export * from './fleet.ts';
export * from './messages.ts';

/**
 * Every collection of a station. At most 12: the free edition of RxDB opens 13 in one process and slows down from the
 * 14th on. Three places are kept for vehicle events, alarms and merges.
 */
export const COLLECTIONS = { messages, comments, history, attachments, directories, accounts, vehicles, vehicleStates, fleet } as const;
