import type { RefusalEntries } from '../kinds.ts';

/** Calls through the telephone exchange. */
export const telephony = {
  mayNot: { kind: 'forbidden', text: 'You may not call from here: it needs the right to change statuses of tasks.' },
  off: { kind: 'conflict', text: 'No telephone exchange is set up.' },
  away: { kind: 'away', text: 'The telephone exchange does not answer. Dial by hand.' },
  noNumber: { kind: 'invalid', text: '{number} is not a telephone number.' },
  noExtension: { kind: 'conflict', text: 'No telephone is set for you. Enter it in your account, under Settings.' },
  noRing: { kind: 'conflict', text: 'The exchange could not ring telephone {extension}.' },
  refused: { kind: 'conflict', text: 'The exchange refused the call: {reason}' },
  noOrganization: { kind: 'invalid', text: 'There is no organisation {id}.' },
} as const satisfies RefusalEntries;
