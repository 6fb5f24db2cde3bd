import type { RefusalEntries } from '../kinds.ts';

/** Requests of citizens. */
export const citizens = {
  off: { kind: 'not-found', text: 'This station takes no requests of citizens.' },
  noType: { kind: 'not-found', text: 'There is no service {code}.' },
  noRequest: { kind: 'not-found', text: 'There is no service request {id}.' },
  noAttribute: { kind: 'invalid', text: 'The service has no attribute {name}.' },
  noPlace: { kind: 'invalid', text: 'Send lat and long, an address_string or an address_id.' },
  keyMissing: { kind: 'forbidden', text: 'api_key was not provided.' },
  keyWrong: { kind: 'forbidden', text: 'api_key is not valid here.' },
  keyOfAnother: { kind: 'forbidden', text: 'This api_key is of somebody who may not take requests of citizens.' },
} as const satisfies RefusalEntries;
