import type { ChangeOfMoved } from '../historian/catalogue.ts';
import type { CopiedPoints, PointKey } from '../moving/copy-points.ts';
import type { Month } from '../months/months.ts';
import type { NewQuarantineEntry } from '../quarantine/quarantine.ts';
import type { SumsAt } from '../replication/batch-reader.ts';
import type { TrackChunk } from '../replication/unsent-points.ts';
import type { PackedFixes } from '../tracks/incoming-fixes.ts';
import type { RetentionRule } from '../tracks/retention.ts';
import type { FreshSpan, TrackSpan } from '../tracks/unprocessed-spans.ts';

/**
 * The outcome of an arrival. Two different ones of the same vehicle and time are a conflict: the first one
 * stays.
 */
export const OUTCOME = { accepted: 0, duplicate: 1, conflict: 2 } as const;
const OUTCOME_BITS = 0b11;
const MARKS_FROM = 2;

export function writeOutcome(outcome: number): number {
  return outcome & OUTCOME_BITS;
}

export function acceptedWith(marks: number): number {
  return OUTCOME.accepted | (marks << MARKS_FROM);
}

export function marksOf(outcome: number): number {
  return outcome >> MARKS_FROM;
}

/** The contents of one transaction: points, then everything else. */
export interface WriteGroup {
  /** Time of arrival, epoch ms. */
  readonly now: number;
  readonly fixes: PackedFixes;
  readonly orders: readonly WriteOrder[];
}

/** Changes of where points are stored. Their values stay. */
export type ChangeOfPlaces =
  /** Sets the points in `tracks` apart, to be moved; the answer is 1, or 0 if there are none. */
  | { readonly kind: 'set-apart' }
  /** Points that were set apart are on disk in these months: all up to `last`, which stay until they are forgotten. */
  | ({ readonly kind: 'moved' } & CopiedPoints)
  /** Deletes some of the moved points; the answer is their number. */
  | { readonly kind: 'forget-moved'; readonly last: PointKey }
  /** Everything of this month is expired. */
  | { readonly kind: 'drop-month'; readonly month: Month }
  /** The file of this month is damaged; the answer is 1 if it was listed. */
  | { readonly kind: 'month-damaged'; readonly month: Month }
  | ChangeOfMoved;

export type WriteOrder =
  /**
   * Quarantine entries; the quarantine is then cut to its limits. The answer has the indexes of entries not
   * stored.
   */
  | { readonly kind: 'quarantine'; readonly entries: readonly NewQuarantineEntry[] }
  /** The events of these spans are on disk. Needs no answer, and is written with the next group. */
  | { readonly kind: 'processed'; readonly spans: readonly Pick<TrackSpan, 'vehicleId' | 'stamp'>[] }
  /**
   * The contents of a quarantine entry: all of it is stored and the entry removed, or the entry stays because
   * of a conflict.
   */
  | { readonly kind: 'replay'; readonly entry: number; readonly fixes: PackedFixes }
  | { readonly kind: 'retention'; readonly rule: RetentionRule }
  | ChangeOfPlaces
  /** Deletes some points of a vehicle older than `before`, of those without a month; the answer is their number. */
  | { readonly kind: 'delete-older'; readonly vehicleId: number; readonly before: number }
  /** The name of the store of tracks behind a link. */
  | { readonly kind: 'reader'; readonly link: number; readonly name: string }
  /** All links that exist. */
  | { readonly kind: 'readers'; readonly links: readonly number[] }
  /** A batch of these vehicles is about to be read; the answer is its token. Nothing is written. */
  | { readonly kind: 'sending'; readonly link: number; readonly vehicleIds: readonly number[] }
  /** The other station has stored a batch; the answer is 1, or 0 if another batch was begun since. */
  | { readonly kind: 'sent'; readonly link: number; readonly token: number; readonly chunks: readonly TrackChunk[] }
  /** Points of another station. The answer is a `PeerOutcome`. */
  | ({ readonly kind: 'from-peer'; readonly link: number } & PeerPoints);

/** Parts of tracks from another station. */
export interface PeerPoints {
  readonly chunks: readonly TrackChunk[];
  readonly bytes: Uint8Array;
  readonly sums: readonly SumsAt[];
  /** The vehicles whose points are taken, and from which time on. */
  readonly keptSince: ReadonlyMap<number, number>;
}

/** How many points were stored, and how many no station could store or contradict those here. */
export interface PeerOutcome {
  readonly stored: number;
  readonly refused: number;
  readonly conflicts: number;
}

export type ReplayOutcome = 'accepted' | 'duplicates' | 'remaining';
export type OrderResult = number | ReplayOutcome | PeerOutcome | readonly number[] | undefined;

/** The result of a group that is on disk. */
export interface WrittenGroup {
  /**
   * An `OUTCOME` for each arrival; of an accepted one with the bits of its marks, `MARKS_FROM` bits higher.
   */
  readonly outcomes: Uint16Array<ArrayBuffer>;
  readonly results: readonly OrderResult[];
  /** The new states of the vehicles, packed. */
  readonly states: Float64Array<ArrayBuffer>;
  /** Spans of tracks with new points. */
  readonly fresh: readonly FreshSpan[];
}
