import type { RefusalEntries } from '../kinds.ts';

/** The interface for spreadsheets (OData). */
export const odata = {
  syntax: { kind: 'invalid', text: '{option}: {wanted} must stand at character {at}.' },
  kinds: { kind: 'invalid', text: '{option}: values of different types are compared at character {at}.' },
  deep: { kind: 'invalid', text: '{option} has more than {most} terms, or is nested too deeply.' },
  property: { kind: 'invalid', text: '{option}: there is no property {name}.' },
  option: { kind: 'invalid', text: 'The query option {name} is not supported.' },
  most: { kind: 'invalid', text: 'This needs more than {most} records: narrow it with $filter.' },
} as const satisfies RefusalEntries;
