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
 * What became of an arrival. Two of one vehicle and time that differ are a conflict: the first one stands.
 */
export const OUTCOME = { accepted: 0, duplicate: 1, conflict: 2 } as const;
const OUTCOME_BITS = 0b11;
const MARKS_FROM = 2;

export function outcomeOf(told: number): number {
  return told & OUTCOME_BITS;
}

export function marksOf(told: number): number {
  return told >> MARKS_FROM;
}

/** What is written at once: points, then what else there is, in one transaction. */
export interface WriteGroup {
  /** When it came, epoch ms. */
  readonly now: number;
  readonly fixes: PackedFixes;
  readonly orders: readonly WriteOrder[];
}

export type WriteOrder =
  /**
   * Into the quarantine, which is then cut to its bounds; answered by the indexes of those that are not kept.
   */
  | { readonly kind: 'quarantine'; readonly entries: readonly NewQuarantineEntry[] }
  /**
   * The events of these stretches are on disk. It needs no answer, and is written with what else is to be.
   */
  | { readonly kind: 'processed'; readonly spans: readonly Pick<TrackSpan, 'vehicleId' | 'stamp'>[] }
  /**
   * What an entry of the quarantine holds: all of it is taken, and the entry goes; or, when some of it is in
   * conflict, it stays.
   */
  | { readonly kind: 'replay'; readonly entry: number; readonly fixes: PackedFixes }
  | { readonly kind: 'retention'; readonly rule: RetentionRule }
  /** Some points of a vehicle that are older than `before`; answered by how many went. */
  | { readonly kind: 'delete-older'; readonly vehicleId: number; readonly before: number };

export type ReplayOutcome = 'accepted' | 'duplicates' | 'remaining';
export type OrderResult = number | ReplayOutcome | readonly number[] | undefined;

/** What was written, when it is on the disk. */
export interface Written {
  /**
   * An `OUTCOME` for each arrival; with that of an accepted one the bits of its marks, `MARKS_FROM` bits
   * higher.
   */
  readonly outcomes: Uint16Array<ArrayBuffer>;
  readonly results: readonly OrderResult[];
  /** How the vehicles stand now that the fixes moved, packed. */
  readonly states: Float64Array<ArrayBuffer>;
  /** Which stretches of which tracks have new points. */
  readonly fresh: readonly FreshSpan[];
}

/** The disk did not store a commit. What it has of it is unknown, so nothing more is written. */
export class SyncFailed extends Error {
  override readonly name = 'SyncFailed';
}

/**
 * Puts points into tracks, the one who does: in groups, each of which is one transaction and one sync.
 *
 * SQLite in WAL mode with `synchronous=NORMAL` does not sync at COMMIT, so the log is synced here. After that
 * every frame that was written before is safe; frames carry checksums, so that a torn tail is no commit. A
 * state is stored with the points that made it: nothing is replayed at a start.
 */
export class TrackWriter {
  readonly #tracks: Tracks;
  readonly #quarantine: Quarantine;
  readonly #log: number;
  /** ms that the clock of a device may be ahead. */
  readonly #ahead: number;
  readonly #states = new Map<number, LastState>();
  /** The time of the newest point of each vehicle, believed or not, as far as it was asked for. */
  readonly #newest = new Map<number, number>();
  /** States that the open transaction changed. */
  readonly #changed = new Set<number>();
  readonly #unprocessed = new UnprocessedSpans();
  #syncFailed: SyncFailed | undefined;

  /** @param stamp of the stretches that were left unprocessed; new ones get greater stamps */
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
    this.#log = openSync(`${this.#tracks.file}-wal`, 'r+'); // Windows syncs only what is open for writing
    this.#reload(options.stamp);
  }

  /** Throws if it could not be written; then nothing of it is stored. */
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
    if (this.#syncFailed) return; // what the disk has of the log nobody knows: it is not moved into the database
    // Spans processed since the last group are stored too; that only saves work at the next start.
    if (this.#unprocessed.hasProcessed) this.#writeProcessed();
    closeSync(this.#log);
    this.#tracks.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#tracks.db.close();
  }

  /**
   * After a failed sync the system may report success for the next one though nothing reached the disk. So
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

  /** An outcome with marks, as `Written` tells it. */
  #store(fix: IncomingFix, now: number): number {
    const { vehicle, time, engineOn } = fix;
    const state = this.#states.get(vehicle);
    // The usual record is the newest: what was believed last is the last state, and the track need not be
    // asked.
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
    // Records without a place that follow have the place of this one.
    if (marks.length === 0 && isLast && time < newest) {
      this.#extendSpan(vehicle, this.#tracks.placeBetween(vehicle, trackPoint(point), Infinity));
    }
    if (time > newest) this.#newest.set(vehicle, time);
    this.#changed.add(vehicle);
    this.#unprocessed.add(vehicle, time);
    return OUTCOME.accepted | (point.marks << MARKS_FROM);
  }

  /** The state once a believed point has its place among those that were there. */
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
    // Told again with a later time, so that whoever knows it takes the sums of now.
    const state = { ...known, ...sums, storedAt: Math.max(now, known.storedAt + 1) };
    if (changed.length === 0) return { ...state, stoppedSince: stoppedWith(known, point, chain[1]) };
    const moved = last ? stateAt(state, this.#tracks.point(vehicle, last.time)!, sums, state.storedAt) : state;
    return { ...moved, stoppedSince: moved.stopped ? this.#tracks.stoppedSince(vehicle, moved.time) : 0 };
  }

  /** A point behind a new one changed: the span of the new points reaches as far as that. */
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

/** Where a record without a place stands as long as nobody knows where its vehicle was. */
const NOWHERE = { lat: 0, lon: 0 };

function believedIn(state: LastState | undefined): TrackPoint | undefined {
  return state !== undefined && state.time > 0 ? state : undefined;
}

/**
 * Since when a vehicle has stood once a believed point was put in before its last one, and nothing else
 * became another.
 */
function stoppedWith({ stopped, stoppedSince }: LastState, point: StoredPoint, next: TrackPoint | undefined): number {
  if (!stopped || !next) return stoppedSince;
  const moves = point.speed >= STANDING_SPEED;
  if (point.time > stoppedSince) return moves ? next.time : stoppedSince;
  return !moves && next.time === stoppedSince ? point.time : stoppedSince;
}
