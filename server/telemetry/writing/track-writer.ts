import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import type { LastState } from '../../../shared/fleet/last-state.ts';
import { IncomingFixes, type IncomingFix, type PackedFixes } from '../tracks/incoming-fixes.ts';
import { packStates } from '../tracks/packed-states.ts';
import { speedBetween } from '../../../shared/geo/plausible-speed.ts';
import { implausible, isPlaced, marksToBits } from '../tracks/plausible.ts';
import { Quarantine, type NewQuarantineEntry, type QuarantineBounds } from '../quarantine/quarantine.ts';
import { deleteOlder, writeRule, type RetentionRule } from '../tracks/retention.ts';
import {
  advance,
  plus,
  refold,
  stateAt,
  STANDING_SPEED,
  trackPoint,
  withCrewStatus,
  type TrackPoint,
} from '../tracks/state.ts';
import { sameContent, Tracks, type StoredPoint } from '../tracks/tracks.ts';
import { UnprocessedSpans, type FreshSpan, type TrackSpan } from '../tracks/unprocessed-spans.ts';

/**
 * The outcome of an arrival. Two different ones of the same vehicle and time are a conflict: the first one
 * stays.
 */
export const OUTCOME = { accepted: 0, duplicate: 1, conflict: 2 } as const;
const OUTCOME_BITS = 0b11;
const MARKS_FROM = 2;

export function outcomeOf(outcome: number): number {
  return outcome & OUTCOME_BITS;
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
  /** Deletes some points of a vehicle older than `before`; the answer is their number. */
  | { readonly kind: 'delete-older'; readonly vehicleId: number; readonly before: number };

export type ReplayOutcome = 'accepted' | 'duplicates' | 'remaining';
export type OrderResult = number | ReplayOutcome | readonly number[] | undefined;

/** The result of a group that is on disk. */
export interface Written {
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

/** The disk failed to store a commit. Its state is unknown, so nothing more is written. */
export class SyncFailed extends Error {
  override readonly name = 'SyncFailed';
}

/**
 * The only writer of tracks: one transaction and one sync per group.
 *
 * SQLite in WAL mode with `synchronous=NORMAL` does not sync at COMMIT, so this class syncs the log. Then
 * every earlier frame is safe; frames carry checksums, so a torn tail is no commit. A state is stored with
 * its points: a start replays nothing.
 */
export class TrackWriter {
  readonly #tracks: Tracks;
  readonly #quarantine: Quarantine;
  readonly #log: number;
  /** ms that the clock of a device may be ahead. */
  readonly #ahead: number;
  readonly #states = new Map<number, LastState>();
  /** The time of the newest point of each vehicle, believed or not; filled on demand. */
  readonly #newest = new Map<number, number>();
  /** States that the open transaction changed. */
  readonly #changed = new Set<number>();
  readonly #unprocessed = new UnprocessedSpans();
  #syncFailed: SyncFailed | undefined;

  /** @param stamp of the spans left unprocessed; new ones get greater stamps */
  constructor(
    directory: string,
    options: {
      readonly stamp: number;
      readonly futureLimit: number;
      readonly quarantineLimit?: number;
      readonly quarantine?: QuarantineBounds | undefined;
    },
  ) {
    this.#tracks = new Tracks(directory);
    this.#quarantine = new Quarantine(this.#tracks.db, options.quarantine, options.quarantineLimit);
    this.#ahead = options.futureLimit * 1000;
    this.#log = openSync(`${this.#tracks.file}-wal`, 'r+'); // Windows syncs only files open for writing
    this.#reload(options.stamp);
  }

  /** Throws if writing failed; then nothing is stored. */
  write({ now, fixes: packed, orders }: WriteGroup): Written {
    if (this.#syncFailed) throw this.#syncFailed;
    const fixes = IncomingFixes.from(packed);
    const outcomes = new Uint16Array(fixes.count);
    if (outcomes.length === 0 && orders.every(({ kind }) => kind === 'processed')) {
      for (const order of orders) this.#execute(order, now);
      return { outcomes, results: orders.map(() => undefined), states: packStates([]), fresh: [] };
    }
    const { db } = this.#tracks;
    try {
      db.exec('BEGIN IMMEDIATE');
      for (let index = 0; index < outcomes.length; index++) outcomes[index] = this.#store(fixes.at(index), now);
      const results = orders.map((order) => this.#execute(order, now));
      this.#writeProcessed();
      const states = [...this.#changed].map((vehicle) => this.#states.get(vehicle)!);
      for (const state of states) this.#tracks.saveState(state, this.#unprocessed.of(state.id));
      db.exec('COMMIT');
      this.#sync();
      this.#changed.clear();
      return { outcomes, results, states: packStates(states), fresh: this.#unprocessed.takeFresh() };
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      this.#reload();
      throw error;
    }
  }

  close(): void {
    if (this.#syncFailed) return; // the state of the log on disk is unknown: it is not moved into the database
    // Spans processed since the last group are stored too; that only saves work at the next start.
    if (this.#unprocessed.hasProcessed) this.#writeProcessed();
    closeSync(this.#log);
    this.#tracks.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#tracks.db.close();
  }

  /**
   * After a failed sync the system may report success for the next one although nothing reached the disk. So
   * there is no next one.
   */
  #sync(): void {
    try {
      fdatasyncSync(this.#log);
    } catch (error) {
      this.#syncFailed = new SyncFailed((error as Error).message, { cause: error });
      throw this.#syncFailed;
    }
  }

  #execute(order: WriteOrder, now: number): OrderResult {
    switch (order.kind) {
      case 'quarantine': {
        const dropped = order.entries.flatMap((entry, index) => (this.#quarantine.add(entry, now) ? [] : [index]));
        this.#quarantine.trim(now);
        return dropped;
      }
      case 'processed':
        this.#unprocessed.markProcessed(order.spans);
        return undefined;
      case 'replay': {
        const fixes = IncomingFixes.from(order.fixes);
        const outcomes = Array.from({ length: fixes.count }, (_, index) => this.#store(fixes.at(index), now));
        if (outcomes.includes(OUTCOME.conflict)) return 'remaining';
        this.#quarantine.remove(order.entry);
        return outcomes.every((outcome) => outcome === OUTCOME.duplicate) ? 'duplicates' : 'accepted';
      }
      case 'retention':
        writeRule(this.#tracks.db, order.rule);
        return undefined;
      case 'delete-older':
        return deleteOlder(this.#tracks.db, order.vehicleId, order.before);
    }
  }

  /** An outcome with marks, as in `Written`. */
  #store(fix: IncomingFix, now: number): number {
    const { vehicle, time, engineOn } = fix;
    const state = this.#states.get(vehicle);
    // Usually the record is the newest: the last believed point is the last state, and the track need not be
    // read.
    const isLast = state === undefined || time > state.time;
    const before = isLast ? believedIn(state) : this.#tracks.before(vehicle, time);
    const marks = implausible(fix, before, now + this.#ahead);
    const place = isPlaced(fix) ? fix : (before ?? NOWHERE);
    const point: StoredPoint = {
      vehicle,
      time,
      storedAt: now,
      lat: place.lat,
      lon: place.lon,
      speed: fix.speed ?? (before && marks.length === 0 ? speedBetween(before, fix) : 0),
      direction: fix.direction,
      height: fix.height,
      gpsCount: fix.gpsCount ?? null,
      glonassCount: fix.glonassCount ?? null,
      inputs: fix.inputs,
      marks: marksToBits(marks),
      extra: fix.extra,
      speedDerived: fix.speed === undefined ? 1 : 0,
      engine: engineOn === null ? null : Number(engineOn),
    };
    const newest = this.#newestTime(vehicle, state);
    if (!this.#tracks.insert(point)) {
      return sameContent(this.#tracks.point(vehicle, time)!, fix) ? OUTCOME.duplicate : OUTCOME.conflict;
    }
    const known = withCrewStatus(state, fix, marks);
    if (marks.length > 0) this.#states.set(vehicle, known);
    else
      this.#states.set(
        vehicle,
        isLast ? advance(known, point, before, now) : this.#insertLate(known, point, before, now),
      );
    // Later records without a position take the position of this one.
    if (marks.length === 0 && isLast && time < newest) {
      this.#extendSpan(vehicle, this.#tracks.placeBetween(vehicle, trackPoint(point), Infinity));
    }
    if (time > newest) this.#newest.set(vehicle, time);
    this.#changed.add(vehicle);
    this.#unprocessed.add(vehicle, time);
    return OUTCOME.accepted | (point.marks << MARKS_FROM);
  }

  /** The state after a believed point was inserted between others. */
  #insertLate(known: LastState, point: StoredPoint, before: TrackPoint | undefined, now: number): LastState {
    const { vehicle } = point;
    const {
      sums: more,
      changed,
      chain,
      last,
    } = refold(before, trackPoint(point), this.#tracks.candidates(vehicle, point.time));
    for (const candidate of changed) this.#tracks.setBelief(vehicle, candidate);
    this.#extendSpan(vehicle, changed.at(-1)?.time);
    for (const [i, believed] of chain.entries()) {
      const until = chain[i + 1]?.time ?? (last && Infinity);
      if (until !== undefined) this.#extendSpan(vehicle, this.#tracks.placeBetween(vehicle, believed, until));
    }
    const sums = plus(known, more);
    // Published with a later time, so that others take the new sums.
    const state = { ...known, ...sums, storedAt: Math.max(now, known.storedAt + 1) };
    if (changed.length === 0) return { ...state, stoppedSince: stoppedWith(known, point, chain[1]) };
    const moved = last ? stateAt(state, this.#tracks.point(vehicle, last.time)!, sums, state.storedAt) : state;
    return { ...moved, stoppedSince: moved.stopped ? this.#tracks.stoppedSince(vehicle, moved.time) : 0 };
  }

  /** A point after a new one changed: the span extends to it. */
  #extendSpan(vehicle: number, until: number | undefined): void {
    if (until !== undefined) this.#unprocessed.add(vehicle, until);
  }

  #newestTime(vehicle: number, state: LastState | undefined): number {
    if (state === undefined) return -1;
    const known = this.#newest.get(vehicle);
    if (known !== undefined) return known;
    const newest = this.#tracks.newestTime(vehicle);
    this.#newest.set(vehicle, newest);
    return newest;
  }

  #writeProcessed(): void {
    for (const vehicle of this.#unprocessed.takeProcessed()) this.#tracks.markProcessed(vehicle);
  }

  #reload(stamp?: number): void {
    this.#changed.clear();
    this.#states.clear();
    this.#newest.clear();
    for (const state of this.#tracks.states()) this.#states.set(state.id, state);
    this.#unprocessed.restore(this.#tracks.unprocessed(), stamp);
  }
}

/** The position of a record before the first position of its vehicle. */
const NOWHERE = { lat: 0, lon: 0 };

function believedIn(state: LastState | undefined): TrackPoint | undefined {
  return state !== undefined && state.time > 0 ? state : undefined;
}

/**
 * Since when the vehicle has been standing, after a believed point was inserted before its last one and
 * nothing else changed.
 */
function stoppedWith({ stopped, stoppedSince }: LastState, point: StoredPoint, next: TrackPoint | undefined): number {
  if (!stopped || !next) return stoppedSince;
  const moves = point.speed >= STANDING_SPEED;
  if (point.time > stoppedSince) return moves ? next.time : stoppedSince;
  return !moves && next.time === stoppedSince ? point.time : stoppedSince;
}
