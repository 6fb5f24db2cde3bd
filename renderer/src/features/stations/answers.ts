/** Answers of the interface about other stations. */

export const LINK_STATES = ['synced', 'behind', 'unreachable', 'paused', 'refused'] as const;
export type LinkState = (typeof LINK_STATES)[number];
export type Tracks = 'none' | 'last' | 'all' | { readonly days: number };

/** What a station sets for its side of a link. */
export interface LinkLimits {
  readonly readOnly: boolean;
  /** null or empty: all */
  readonly organizations: readonly number[] | null;
  readonly tracks: Tracks;
}

/** One of GET /links. */
export interface LinkItem extends LinkLimits {
  readonly id: number;
  readonly station: { readonly id: string; readonly name: string; readonly number: number };
  /** Where this station dials it; null: it cannot be reached. */
  readonly address: string | null;
  readonly state: LinkState;
  readonly waitingIn: number;
  readonly waitingOut: number;
  /** epoch ms */
  readonly lastContact: number | null;
  readonly lastError: string | null;
  readonly paused: boolean;
  readonly digest: { readonly mine: string; readonly theirs: string } | null;
  readonly dialledBy: 'us' | 'them';
  /** SHA-256 of its certificate. */
  readonly fingerprint: string | null;
}

/** GET /sync/state */
export interface SyncState {
  readonly state: 'synced' | 'behind' | 'alone';
  readonly waiting: number;
  /** epoch ms since when it has been so */
  readonly since: number;
  readonly digest: string;
}

/** One of GET /links/nearby. */
export interface NearbyStation {
  readonly id: string;
  readonly name: string;
  readonly number: number;
  readonly address: string;
  readonly fingerprint: string;
}

export interface PairingCode {
  readonly code: string;
  /** epoch ms */
  readonly expiresAt: number;
}

/** A value of a merge: who wrote it, where and when. */
export interface WrittenValue {
  readonly value: unknown;
  readonly station: { readonly id: string | null; readonly name: string | null; readonly number: number };
  readonly user: { readonly id: number; readonly name: string } | null;
  /** epoch ms */
  readonly time: number;
}

/** One of GET /merges. */
export interface MergeItem {
  readonly id: number;
  readonly collection: string;
  readonly recordId: string;
  readonly field: string;
  /** The rule over several records that found it; empty: one field of one record. */
  readonly rule: string;
  readonly otherId: string | null;
  /** The task to which the record belongs. */
  readonly message: number | null;
  readonly kept: WrittenValue;
  readonly lost: WrittenValue;
  readonly resolved: 'kept' | 'lost' | null;
}
