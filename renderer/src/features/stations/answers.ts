import type { Schema } from '../../lib/api/operations.ts';

/** Answers of the interface about other stations. */

/** In the order of the legend. */
export const LINK_STATES: readonly LinkState[] = ['synced', 'behind', 'unreachable', 'paused', 'refused'];
export type LinkState = LinkItem['state'];
export type Tracks = LinkItem['tracks'];

/** What a station sets for its side of a link. */
export type LinkLimits = Pick<LinkItem, 'readOnly' | 'organizations' | 'tracks'>;

/** One of GET /links. */
export type LinkItem = Schema<'Link'>;

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

/** One of GET /merges. */
export type MergeItem = Schema<'Merge'>;
/** A value of a merge: who wrote it, where and when. */
export type WrittenValue = MergeItem['kept'];
