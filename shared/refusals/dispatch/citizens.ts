import type { RefusalEntries } from '../kinds.ts';

/** Requests of citizens. */
export const citizens = {
  off: { kind: 'not-found', text: 'This station does not accept requests of citizens.' },
  noType: { kind: 'not-found', text: 'There is no service {code}.' },
  noRequest: { kind: 'not-found', text: 'There is no service request {id}.' },
  noAttribute: { kind: 'invalid', text: 'The service has no attribute {name}.' },
  noPlace: { kind: 'invalid', text: 'Send lat and long, an address_string or an address_id.' },
  keyMissing: { kind: 'forbidden', text: 'api_key was not provided.' },
  keyWrong: { kind: 'forbidden', text: 'api_key is not valid here.' },
  keyOfAnother: { kind: 'forbidden', text: 'The owner of this api_key may not take requests of citizens.' },
  pageOff: { kind: 'not-found', text: 'This station has no page for citizens.' },
  noReport: { kind: 'not-found', text: 'There is no report {id} with this code.' },
  formOld: { kind: 'conflict', text: 'The form is no longer valid. Load the page again.' },
  mayNotAttach: { kind: 'forbidden', text: 'Citizens cannot send photos for this type.' },
  noPhoto: { kind: 'invalid', text: 'This is not a photo. Send a JPEG, PNG, WebP or HEIC picture.' },
  tooManyPhotos: { kind: 'invalid', text: 'A report has at most {most} photos.' },
  automatic: { kind: 'invalid', text: 'The report looks as if a program sent it.' },
} as const satisfies RefusalEntries;
