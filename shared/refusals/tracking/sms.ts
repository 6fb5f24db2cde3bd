import type { RefusalEntries } from '../kinds.ts';

/** Texts to and from telephones. */
export const sms = {
  off: { kind: 'conflict', text: 'No SMS gateway is set up.' },
  wrongKey: { kind: 'unauthorized', text: 'The key of the SMS gateway is missing or wrong.' },
  notRead: { kind: 'invalid', text: 'The body is neither a JSON object nor a form.' },
  tooMany: { kind: 'busy', text: 'Too many SMS arrive. Send this one again later.' },
  noNumber: { kind: 'invalid', text: '{number} is not a telephone number.' },
  noSms: { kind: 'not-found', text: 'There is no SMS {id}.' },
  notFailed: { kind: 'conflict', text: 'SMS {id} did not fail, so it is not sent again.' },
  handled: { kind: 'conflict', text: 'Somebody has already dealt with SMS {id}.' },
} as const satisfies RefusalEntries;
