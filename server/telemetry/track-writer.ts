import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import type { LastState } from '../../shared/last-state.ts';
import { Arrivals, type Arrival, type PackedArrivals } from './arrivals.ts';
import { packStates } from './packed-states.ts';
import { implausible, marksToBits } from './plausible.ts';
import { Quarantine, type Quarantined, type QuarantineBounds } from './quarantine.ts';
import { deleteOlder, writeRule, type RetentionRule } from './retention.ts';
import { advance, speedOf } from './state.ts';
import { sameContent, Tracks } from './tracks.ts';
import { Unsettled, type FreshSpan, type TrackSpan } from './unsettled.ts';

/** What became of an arrival. Two of one vehicle and time that differ are a conflict: the first one stands. */
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
  readonly arrivals: PackedArrivals;
  readonly orders: readonly WriteOrder[];
}

export type WriteOrder =
  /** Into the quarantine, which is then cut to its bounds. */
  | { readonly kind: 'keep-aside'; readonly entries: readonly Omit<Quarantined, 'id'>[] }
  /** The events of these stretches are on disk. It needs no answer, and is written with what else is to be. */
  | { readonly kind: 'settle'; readonly spans: readonly Pick<TrackSpan, 'vehicleId' | 'stamp'>[] }
  /** What an entry of the quarantine holds: all of it is taken, and the entry goes; or, when some of it is in conflict, it stays. */
  | { readonly kind: 'replay'; readonly entry: number; readonly arrivals: PackedArrivals }
  | { readonly kind: 'retention'; readonly rule: RetentionRule }
  /** Some points of a vehicle that are older than `before`; answered by how many went. */
  | { readonly kind: 'delete-older'; readonly vehicleId: number; readonly before: number };

export type ReplayOutcome = 'accepted' | 'duplicates' | 'remaining';
export type OrderResult = number | ReplayOutcome | undefined;

/** What was written, when it is on the disk. */
export interface Written {
  /** An `OUTCOME` for each arrival; with that of an accepted one the bits of its marks, `MARKS_FROM` bits higher. */
  readonly outcomes: Uint8Array<ArrayBuffer>;
  readonly results: readonly OrderResult[];
  /** How the vehicles stand now that the arrivals moved, packed. */
  readonly states: Float64Array<ArrayBuffer>;
  /** Which stretches of which tracks have new points. */
  readonly fresh: readonly FreshSpan[];
}

/** The disk did not store what was committed. What it has of it nobody knows, and nothing more is written. */
export class SyncFailed extends Error {
  override readonly name = 'SyncFailed';
}

/**
 * Puts points into tracks, the one who does: in groups, each of which is one transaction and one sync.
 *
 * SQLite in WAL mode with `synchronous=NORMAL` does not sync at COMMIT, so the log is synced here. After that every frame that was written before is safe; frames carry
 * checksums, so that a torn tail is no commit. A state is stored with the points that made it: nothing is replayed at a start.
 */
export class TrackWriter {
  readonly #tracks: Tracks;
  readonly #quarantine: Quarantine;
  readonly #log: number;
  /** ms that the clock of a device may be ahead. */
  readonly #ahead: number;
  readonly #states = new Map<number, LastState>();
  /** States that the open transaction changed. */
  readonly #changed = new Set<number>();
  readonly #unsettled = new Unsettled();
  #syncFailed: SyncFailed | undefined;

  /** @param stamp of the stretches that were left unsettled; new ones get greater stamps */
  constructor(directory: string, options: { readonly stamp: number; readonly futureLimit: number; readonly quarantine?: QuarantineBounds | undefined }) {
    this.#tracks = new Tracks(directory);
    this.#quarantine = new Quarantine(this.#tracks.db, options.quarantine);
    this.#ahead = options.futureLimit * 1000;
    this.#log = openSync(`${this.#tracks.file}-wal`, 'r+'); // Windows syncs only what is open for writing
    this.#reload(options.stamp);
  }

  /** Throws when it could not be written; then nothing of it is. */
  write({ now, arrivals: packed, orders }: WriteGroup): Written {
    if (this.#syncFailed) throw this.#syncFailed;
    const arrivals = Arrivals.from(packed);
    const outcomes = new Uint8Array(arrivals.count);
    if (outcomes.length === 0 && orders.every(({ kind }) => kind === 'settle')) {
      for (const order of orders) this.#obey(order, now);
      return { outcomes, results: orders.map(() => undefined), states: packStates([]), fresh: [] };
    }
    const { db } = this.#tracks;
    try {
      db.exec('BEGIN IMMEDIATE');
      for (let index = 0; index < outcomes.length; index++) outcomes[index] = this.#store(arrivals.at(index), now);
      const results = orders.map((order) => this.#obey(order, now));
      this.#writeSettled();
      const states = [...this.#changed].map((vehicle) => this.#states.get(vehicle)!);
      for (const state of states) this.#tracks.saveState(state, this.#unsettled.of(state.id));
      db.exec('COMMIT');
      this.#sync();
      this.#changed.clear();
      return { outcomes, results, states: packStates(states), fresh: this.#unsettled.takeFresh() };
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      this.#reload();
      throw error;
    }
  }

  close(): void {
    if (this.#syncFailed) return; // what the disk has of the log nobody knows: it is not moved into the database
    // What was settled since the last group is written down too: it only saves work at the next start.
    if (this.#unsettled.hasSettled) this.#writeSettled();
    closeSync(this.#log);
    this.#tracks.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#tracks.db.close();
  }

  /** After a sync that failed the system may call the next one a success though nothing came to the disk: so there is no next one. */
  #sync(): void {
    try {
      fdatasyncSync(this.#log);
    } catch (error) {
      this.#syncFailed = new SyncFailed((error as Error).message, { cause: error });
      throw this.#syncFailed;
    }
  }

  #obey(order: WriteOrder, now: number): OrderResult {
    switch (order.kind) {
      case 'keep-aside':
        for (const entry of order.entries) this.#quarantine.add(entry);
        this.#quarantine.trim(now);
        return undefined;
      case 'settle':
        this.#unsettled.settle(order.spans);
        return undefined;
      case 'replay': {
        const arrivals = Arrivals.from(order.arrivals);
        const outcomes = Array.from({ length: arrivals.count }, (_, index) => this.#store(arrivals.at(index), now));
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
  #store(fix: Arrival, now: number): number {
    const { vehicle, time, engineOn } = fix;
    const state = this.#states.get(vehicle);
    // The usual record is the newest: its neighbour is the last state, and the track need not be asked.
    const newest = state === undefined || (state.time > 0 && time > state.time);
    const neighbours = newest ? { before: state, after: undefined } : this.#tracks.neighbours(vehicle, time);
    const marks = implausible(fix, neighbours.before, now + this.#ahead);
    const markBits = marksToBits(marks);
    const isNew = this.#tracks.insert({
      vehicle,
      time,
      storedAt: now,
      lat: fix.lat,
      lon: fix.lon,
      speed: speedOf(fix, neighbours.before),
      direction: fix.direction,
      height: fix.height,
      gpsCount: fix.gpsCount ?? null,
      glonassCount: fix.glonassCount ?? null,
      inputs: fix.inputs,
      marks: markBits,
      extra: fix.extra,
      speedDerived: fix.speed === undefined ? 1 : 0,
      engine: engineOn === null ? null : Number(engineOn),
    });
    if (!isNew) return sameContent(this.#tracks.point(vehicle, time)!, fix) ? OUTCOME.duplicate : OUTCOME.conflict;
    this.#states.set(vehicle, advance(state, fix, marks, neighbours, now));
    this.#changed.add(vehicle);
    this.#unsettled.add(vehicle, time);
    return OUTCOME.accepted | (markBits << MARKS_FROM);
  }

  #writeSettled(): void {
    for (const vehicle of this.#unsettled.takeSettled()) this.#tracks.settle(vehicle);
  }

  #reload(stamp?: number): void {
    this.#changed.clear();
    this.#states.clear();
    for (const state of this.#tracks.states()) this.#states.set(state.id, state);
    this.#unsettled.restore(this.#tracks.unsettled(), stamp);
  }
}
