import type { LiveLink } from './live-link.ts';

/** The state of replication as a whole. */
export interface SyncState {
  readonly state: 'synced' | 'behind' | 'alone';
  /** Records and files that wait, in both directions of all links. */
  readonly waiting: number;
  /** Since when the state is what it is, in epoch ms. */
  readonly since: number;
  /** Over all replicated records: equal at two stations exactly when their records are. */
  readonly digest: string;
}

/** Paused links count only when something waits for them. */
export function stateOf(links: readonly Pick<LiveLink, 'state' | 'progress'>[], now: number): SyncState['state'] {
  if (links.length === 0) return 'alone';
  const isFine = (link: Pick<LiveLink, 'state' | 'progress'>): boolean => {
    const state = link.state(now);
    return state === 'paused' ? link.progress.waitingIn + link.progress.waitingOut === 0 : state === 'synced';
  };
  return links.every(isFine) ? 'synced' : 'behind';
}
