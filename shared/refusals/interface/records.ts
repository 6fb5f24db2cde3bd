import type { RefusalEntries } from '../kinds.ts';

/** Records of any directory: `{what}` is a noun. */
export const record = {
  missing: { kind: 'not-found', text: 'There is no {what} {id}.' },
  exists: { kind: 'conflict', text: 'The {what} {id} exists already.' },
  administratorOnly: { kind: 'forbidden', text: 'Only an administrator may change this {what}.' },
  ownAdministratorOnly: {
    kind: 'forbidden',
    text: 'Only an administrator of the organisation may change this {what}.',
  },
} as const satisfies RefusalEntries;
