import type { AnswerOf, Schema } from '../../lib/api/operations.ts';

/** Answers of the interface about other stations. */

/** In the order of the legend. */
export const LINK_STATES: readonly LinkItemState[] = ['synced', 'behind', 'unreachable', 'paused', 'refused'];
export type LinkItemState = LinkItem['state'];
export type LinkItemTracks = LinkItem['tracks'];

/** A station's settings for its side of a link. */
export type LinkLimits = Pick<LinkItem, 'readOnly' | 'organizations' | 'tracks'>;

/** One of GET /links. */
export type LinkItem = Schema<'Link'>;

/** GET /sync/state */
export type SyncStateAnswer = Schema<'SyncState'>;
/** The state of this station in its region. */
export type RegionAnswer = Schema<'Region'>;
/** How this station follows another one. */
export type StandbyAnswer = Schema<'Standby'>;
/** One item of GET /links/nearby, as that station announces itself. */
export type NearbyItem = AnswerOf<'get', '/links/nearby'>[number];

export type PairingCode = AnswerOf<'post', '/links/codes'>;

/** One of GET /merges. */
export type MergeItem = Schema<'Merge'>;
/** A value of a merge: its author, station and time. */
export type WrittenValue = MergeItem['kept'];
