import type { WebSocket } from 'ws';
import type { Caller } from '../../access/accounts/index.ts';
import type { Replicated } from './replica-feed.ts';

/** The records whose changes clients receive. Merges are read over HTTP. */
export type Noticed = Replicated | 'merges';

/** A connected client, and its subscriptions. */
export interface LiveClient {
  socket: WebSocket;
  caller: Caller;
  /** undefined: this machine. */
  address: string | undefined;
  /** The caller's `accessScope` at the last refresh. */
  scope: string;
  /** glonassIds, possibly of vehicles that do not exist yet. */
  followed: Set<number>;
  /** Vehicles with a state newer than the one sent. */
  moved: Set<number>;
  replicated: Set<Noticed>;
  followsLinks: boolean;
  /** Collections changed since the last REPLICA_CHANGES. */
  changed: Set<Noticed>;
  nudge: NodeJS.Timeout | undefined;
  lastNudge: number;
  lastHeard: number;
}
