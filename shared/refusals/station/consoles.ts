import type { RefusalEntries } from '../kinds.ts';

/** Refusals of console servers, which hold copies of a region. */
export const consoles = {
  readsOnly: { kind: 'standby', text: 'This is a console server: it holds a copy. A station takes the change.' },
  away: {
    kind: 'away',
    text: 'Station {number} does not answer, and the request belongs there. Nothing was changed. Try again when the station is back.',
  },
  broken: {
    kind: 'away',
    text: 'Station {number} broke the connection before it answered. It may have made the change: look before you repeat it.',
  },
  filling: { kind: 'away', text: 'This console server is still reading the records of the region. Try again later.' },
} as const satisfies RefusalEntries;
