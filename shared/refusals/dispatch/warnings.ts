import type { RefusalEntries } from '../kinds.ts';

/** Warnings and road messages of other authorities. */
export const warnings = {
  missing: { kind: 'not-found', text: 'No warning has the id {id}.' },
  noFeed: { kind: 'not-found', text: 'No feed of warnings has the id {id}.' },
  tooManyFeeds: { kind: 'conflict', text: 'The station follows {most} feeds of warnings at most.' },
  brokenFeed: { kind: 'invalid', text: 'The document cannot be read: {problem}' },
  unreachable: { kind: 'conflict', text: 'The feed cannot be read: {problem}' },
  noRoads: { kind: 'conflict', text: 'The warning closes or slows no road that it says the place of.' },
  tooDetailed: {
    kind: 'conflict',
    text: 'The warning has more than {most} roads, or one with too many points. Draw the closure by hand.',
  },
} as const satisfies RefusalEntries;
