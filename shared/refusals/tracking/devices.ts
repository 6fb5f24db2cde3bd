import type { RefusalEntries } from '../kinds.ts';

/** Commands to the devices of vehicles. */
export const devices = {
  mayNot: { kind: 'forbidden', text: 'You may not send commands to trackers.' },
  noCommand: { kind: 'not-found', text: 'There is no command {id}.' },
  notWaiting: { kind: 'conflict', text: 'Command {id} does not wait any more, so it cannot be cancelled.' },
  tooManyWaiting: { kind: 'conflict', text: '{most} commands wait for this tracker already. Cancel some.' },
} as const satisfies RefusalEntries;
