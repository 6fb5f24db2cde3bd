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
  noSchedule: { kind: 'not-found', text: 'There is no report by mail {id}.' },
  tooManySchedules: { kind: 'conflict', text: 'A station sends at most {most} reports by mail.' },
  ownerGone: { kind: 'conflict', text: 'The user who set up this report may no longer sign in. Save it again.' },
  noReceivers: { kind: 'conflict', text: 'Nobody is left to send the report to.' },
  notMade: { kind: 'conflict', text: 'The report could not be made. The station’s log says why.' },
  fileTooLarge: { kind: 'conflict', text: 'The report is too large for a mail and was sent without its file.' },
  scheduleDay: { kind: 'invalid', text: '{field} must be 1 to 7 for a week, and 1 to 31 for a month.' },
  mailAddress: { kind: 'invalid', text: '{field}: {address} is not an e-mail address.' },
} as const satisfies RefusalEntries;
