import type { RefusalEntries } from '../kinds.ts';

/** Reports, mail and letters. */
export const reports = {
  longPeriod: { kind: 'invalid', text: 'A report covers a year at most.' },
  tooLong: {
    kind: 'too-large',
    text: 'The report has more than {most} rows. Ask for fewer vehicles or a shorter time.',
  },
  tooMany: { kind: 'busy', text: 'Too many reports are being made. Try again.' },
  noMail: { kind: 'not-found', text: 'There is no mail {id}.' },
  mailSent: { kind: 'invalid', text: 'The mail {id} was sent already.' },
  noLetter: { kind: 'not-found', text: 'There is no letter {id}.' },
} as const satisfies RefusalEntries;
