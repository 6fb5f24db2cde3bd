import type { RefusalEntries } from '../kinds.ts';

/** Own places. */
export const places = {
  mayNotKeep: { kind: 'forbidden', text: 'You may not create or edit own places.' },
  mayNotCode: { kind: 'forbidden', text: '{field}: you may not write access codes, because you may not read them.' },
  shape: { kind: 'invalid', text: '{field} must be a LineString or a Polygon.' },
  large: { kind: 'invalid', text: '{field} has at most {most} positions.' },
  twice: { kind: 'invalid', text: '{field} {id} occurs twice.' },
} as const satisfies RefusalEntries;
