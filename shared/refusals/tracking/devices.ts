import type { RefusalEntries } from '../kinds.ts';

/** Commands to the devices of vehicles. */
export const devices = {
  mayNot: { kind: 'forbidden', text: 'You may not send commands to trackers.' },
  noCommand: { kind: 'not-found', text: 'There is no command {id}.' },
  notWaiting: { kind: 'conflict', text: 'Command {id} is no longer waiting, so it cannot be cancelled.' },
  tooManyWaiting: { kind: 'conflict', text: '{most} commands are already waiting for this tracker. Cancel some.' },
} as const satisfies RefusalEntries;
