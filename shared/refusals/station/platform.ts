import type { RefusalEntries } from '../kinds.ts';

/** Worker threads: `{part}` is the name of a service. */
export const platform = {
  closed: { kind: 'busy', text: '{part} is closed.' },
  waiting: { kind: 'busy', text: '{part} has too many requests waiting. Try again.' },
  restarted: { kind: 'busy', text: '{part} was restarted ({reason}). Try again.' },
  unavailable: { kind: 'busy', text: '{part} cannot be started at the moment ({reason}). Try again later.' },
  tooMuch: { kind: 'busy', text: '{part} cannot be made: too many requests are waiting. Try again.' },
} as const satisfies RefusalEntries;
