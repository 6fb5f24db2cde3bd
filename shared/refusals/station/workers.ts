import type { RefusalEntries } from '../kinds.ts';

/** Refusals of workers, which hold copies of a region. */
export const workers = {
  readsOnly: { kind: 'standby', text: 'This is a worker: it holds a copy. A station takes the change.' },
} as const satisfies RefusalEntries;
