/** Milliseconds and bytes. Tests shorten them. */
export interface LiveTimings {
  /** Least time between two CAR_UPDATES to one client. */
  carUpdates: number;
  /** Least time between two REPLICA_CHANGES to one client. */
  replicaChanges: number;
  /** Between two looks at the state of replication: counts and ages of confirmations change without an event. */
  syncLooks: number;
  /** Least time between two looks. */
  syncChanges: number;
  /** After this time links are sent again although only their times of contact have changed. */
  linksRefresh: number;
  /** Least time between two PRESENCE messages about one task. */
  presence: number;
  ping: number;
  /** A client that sends nothing for so long is disconnected. */
  idleTimeout: number;
  /** Above this many buffered bytes no positions are sent; newer ones replace them meanwhile. */
  positionsHighWater: number;
  /** Above this many buffered bytes the client is disconnected. */
  maxBuffered: number;
}

/** README rule 8. */
export const DEFAULT_TIMINGS: LiveTimings = {
  carUpdates: 250,
  replicaChanges: 100,
  syncLooks: 500,
  syncChanges: 100,
  linksRefresh: 5_000,
  presence: 200,
  ping: 30_000,
  idleTimeout: 90_000,
  positionsHighWater: 256 * 1024,
  maxBuffered: 8 * 1024 * 1024,
};
