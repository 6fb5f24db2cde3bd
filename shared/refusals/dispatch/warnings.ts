import type { RefusalEntries } from '../kinds.ts';

/** Warnings and road messages of other authorities. */
export const warnings = {
  missing: { kind: 'not-found', text: 'No warning has the id {id}.' },
  noFeed: { kind: 'not-found', text: 'No feed of warnings has the id {id}.' },
  tooManyFeeds: { kind: 'conflict', text: 'The station follows at most {most} feeds of warnings.' },
  brokenFeed: { kind: 'invalid', text: 'The document cannot be read: {problem}' },
  unreachable: { kind: 'conflict', text: 'The feed cannot be read: {problem}' },
  noRoads: { kind: 'conflict', text: 'The warning does not say where any road is that it closes or slows.' },
  tooDetailed: {
    kind: 'conflict',
    text: 'The warning has more than {most} roads, or one with too many points. Draw the closure by hand.',
  },
} as const satisfies RefusalEntries;
