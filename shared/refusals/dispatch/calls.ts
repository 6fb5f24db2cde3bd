import type { RefusalEntries } from '../kinds.ts';

/** Telephone calls. */
export const calls = {
  missing: { kind: 'not-found', text: 'There is no call {id}.' },
  taken: { kind: 'conflict', text: '{who} has taken this call.' },
  circle: { kind: 'invalid', text: 'The question “{question}” leads back to itself.' },
  ended: { kind: 'conflict', text: 'Call {id} has ended.' },
} as const satisfies RefusalEntries;
