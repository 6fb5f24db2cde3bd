import type { RefusalEntries } from '../kinds.ts';

/** Tasks and comments from mail. */
export const mailbox = {
  off: { kind: 'conflict', text: 'No mailbox is set up.' },
  unreachable: { kind: 'conflict', text: 'The mailbox cannot be reached: {problem}' },
  noMail: { kind: 'invalid', text: 'This is not a mail: it has no headers.' },
  unreadable: { kind: 'invalid', text: 'This mail cannot be read.' },
  noUser: { kind: 'conflict', text: 'The user of the mailbox is disabled or deleted.' },
  tooMany: { kind: 'busy', text: 'More mails came within an hour than the limits of the mailbox allow.' },
} as const satisfies RefusalEntries;
