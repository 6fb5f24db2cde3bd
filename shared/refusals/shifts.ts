import type { RefusalEntries } from './kinds.ts';

/** The log-book and shifts. */
export const shifts = {
  mayNotWrite: { kind: 'forbidden', text: 'Your role may not write to the log-book.' },
  entryMissing: { kind: 'not-found', text: 'The log-book has no entry {id}.' },
  busyPeriod: {
    kind: 'invalid',
    text: 'More than {most} tasks changed in this period. Choose a shorter one.',
  },
  longPaper: { kind: 'invalid', text: 'The period has more than {most} lines. Choose a shorter one, or CSV.' },
} as const satisfies RefusalEntries;
