import type { RefusalEntries } from '../kinds.ts';

/** Webhooks, and the stream of changes. */
export const publish = {
  noWebhook: { kind: 'not-found', text: 'There is no webhook {id}.' },
  noDelivery: { kind: 'not-found', text: 'There is no delivery {id}.' },
  tooManyWebhooks: { kind: 'conflict', text: 'A station has at most {most} webhooks. Delete one first.' },
  webhookOff: { kind: 'conflict', text: 'The webhook {name} is off. Switch it on first.' },
  passwordWithoutUser: {
    kind: 'invalid',
    text: 'The password needs a user in the address, before the name of the broker.',
  },
  tooManyStreams: { kind: 'busy', text: 'A user follows at most {most} streams of changes at once.' },
} as const satisfies RefusalEntries;
