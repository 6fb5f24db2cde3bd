import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import type { LastState } from '../../../../shared/fleet/last-state.ts';
import { IncomingFixes, type IncomingFix } from '../tracks/incoming-fixes.ts';
import { packStates } from '../tracks/packed-states.ts';
import type { SumsAt } from '../replication/batch-reader.ts';
import { movedUntil } from '../historian/catalogue.ts';
import { gapsOf, isInGap, type TrackGap } from '../months/damaged-months.ts';
import { PackedPoints } from '../replication/packed-points.ts';
import { UnsentPoints } from '../replication/unsent-points.ts';
import { speedBetween } from '../../../../shared/geo/plausible-speed.ts';
import { implausible, isPlaced, marksToBits } from '../tracks/plausible.ts';
import { Quarantine, type QuarantineBounds } from '../quarantine/quarantine.ts';
import { deleteOlder, writeRule } from '../tracks/retention.ts';
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
import { sameContent, type StoredPoint } from '../tracks/stored-point.ts';
import { changePlaces } from './change-places.ts';
import { Tracks, type PeerTrack } from '../tracks/tracks.ts';
import { UnprocessedSpans, type PointOfPeer } from '../tracks/unprocessed-spans.ts';
import {
  acceptedWith,
  OUTCOME,
  writeOutcome,
  type OrderResult,
  type PeerOutcome,
  type PeerPoints,
  type WriteGroup,
  type WriteOrder,
  type WrittenGroup,
} from './write-orders.ts';

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
  /** The time of the newest point of each vehicle, plausible or not; filled on demand. */
  readonly #newest = new Map<number, number>();
  /** States that the open transaction changed. */
  readonly #changed = new Set<number>();
  readonly #unprocessed = new UnprocessedSpans();
  readonly #unsent: UnsentPoints;
  /** Tracks with points of other stations. */
  readonly #peerTracks = new Map<number, PeerTrack>();
  /** Times whose positions are in a damaged file. */
  #gaps: readonly TrackGap[] = [];
  /** Up to this time points may be in the historian, for which the writer never waits. */
  #movedUntil = -1;
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
    this.#unsent = new UnsentPoints(this.#tracks.db);
    this.#log = openSync(`${this.#tracks.file}-wal`, 'r+'); // Windows syncs only files open for writing
    this.#reload(options.stamp);
  }

  /** Throws if writing failed; then nothing is stored. */
  write({ now, fixes: packed, orders }: WriteGroup): WrittenGroup {
    if (this.#syncFailed) throw this.#syncFailed;
    const fixes = IncomingFixes.from(packed);
    const outcomes = new Uint16Array(fixes.count);
    if (outcomes.length === 0 && orders.every(({ kind }) => kind === 'processed' || kind === 'sending')) {
      const results = orders.map((order) => this.#execute(order, now));
      return { outcomes, results, states: packStates([]), fresh: [] };
    }
    const { db } = this.#tracks;
    try {
      db.exec('BEGIN IMMEDIATE');
      for (let index = 0; index < outcomes.length; index++) outcomes[index] = this.#store(fixes.at(index), now);
      const results = orders.map((order) => this.#execute(order, now));
      this.#writeProcessed();
      const states = [...this.#changed].map((vehicle) => this.#states.get(vehicle)!);
      for (const state of states) this.#saveState(state);
      this.#unsent.flush();
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
    this.#tracks.close();
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
      case 'set-apart':
      case 'moved':
      case 'forget-moved':
      case 'drop-month':
      case 'month-damaged':
      case 'month-moved':
      case 'parts-expired':
      case 'moved-dropped':
        try {
          return changePlaces(this.#tracks.db, order, now);
        } finally {
          this.#placesChanged();
        }
      case 'reader':
        this.#unsent.setReader(order.link, order.name);
        return undefined;
      case 'readers':
        this.#unsent.keepReaders(order.links);
        return undefined;
      case 'sending':
        return this.#unsent.begin(order.link, order.vehicleIds);
      case 'sent':
        return Number(this.#unsent.sent(order.link, order.token, order.chunks));
      case 'from-peer':
        return this.#storeFromPeer(order.link, order, now);
    }
  }

  #storeFromPeer(link: number, { chunks, bytes, sums, keptSince }: PeerPoints, now: number): PeerOutcome {
    let [stored, refused, conflicts] = [0, 0, 0];
    const told = chunks.reduce((count, chunk) => count + chunk.count, 0);
    const points = PackedPoints.open(bytes, told);
    if (!points) return { stored, refused: told, conflicts };
    let index = 0;
    for (const chunk of chunks) {
      const { vehicleId, from, until, count } = chunk;
      const since = keptSince.get(vehicleId);
      let held = 0;
      for (const end = index + count; index < end; index++) {
        if (since === undefined) continue;
        const point = points.at(vehicleId, index);
        if (!point || point.fix.time < from || point.fix.time > until) refused++;
        else if (point.fix.time >= since && !this.#isClosed(point.fix.time)) {
          const storedAt = Math.min(point.storedAt, now + MOST_AHEAD);
          const outcome = writeOutcome(this.#store(point.fix, storedAt, { link, isAhead: point.isAhead }));
          if (outcome === OUTCOME.conflict) conflicts++;
          else held++;
          if (outcome === OUTCOME.accepted) stored++;
        }
      }
      if (since === undefined || from <= this.#movedUntil) continue;
      if (this.#tracks.count(vehicleId, from, until) === held) this.#unsent.isEqual(link, chunk);
    }
    for (const sum of sums) if (keptSince.has(sum.vehicleId)) this.#adoptSums(sum);
    return { stored, refused, conflicts };
  }

  /** The other station has an older part of the track, which is not here, in its sums. */
  #adoptSums({ vehicleId, time, odometer, engineStop, engineMove }: SumsAt): void {
    const state = this.#states.get(vehicleId);
    if (state?.time !== time) return;
    const sums = {
      odometer: Math.max(odometer, state.odometer),
      engineStop: Math.max(engineStop, state.engineStop),
      engineMove: Math.max(engineMove, state.engineMove),
    };
    this.#states.set(vehicleId, { ...state, ...sums });
    this.#changed.add(vehicleId);
  }

  #saveState(state: LastState): void {
    const span = this.#unprocessed.of(state.id);
    this.#tracks.saveState(state, span);
    const peer = this.#peerTracks.get(state.id);
    if (peer) this.#tracks.savePeerTrack(state.id, { ...peer, isSpanOfPeer: span?.isOfPeer ?? false });
  }

  /** Records the source of a new point; undefined: all points of the track came from devices. */
  #noteOrigin(vehicle: number, time: number, newest: number, link: number | undefined): PointOfPeer | undefined {
    const known = this.#peerTracks.get(vehicle);
    if (link === undefined && !known) return undefined;
    const before = known?.ownUntil ?? newest;
    const ownUntil = link === undefined ? Math.max(before, time) : before;
    this.#peerTracks.set(vehicle, { ownUntil, isSpanOfPeer: false });
    return { link, ownUntil, isOfPeer: link !== undefined && ownUntil < Math.max(newest, time) };
  }

  /**
   * An outcome with marks, as in `Written`.
   * @param now the time of arrival; of a point of another station, that of its arrival there
   */
  #store(fix: IncomingFix, now: number, peer?: { readonly link: number; readonly isAhead: boolean }): number {
    const { vehicle, time, engineOn } = fix;
    if (time <= this.#movedUntil) return OUTCOME.conflict;
    const state = this.#states.get(vehicle);
    const newest = this.#newestTime(vehicle, state);
    const isNewest = state !== undefined && time > newest;
    const known = isNewest ? undefined : this.#tracks.point(vehicle, time);
    if (known) return sameContent(known, fix) ? OUTCOME.duplicate : OUTCOME.conflict;
    // Usually the record is the newest: the last plausible point is the last state, and the track need not be
    // read.
    const isLast = state === undefined || time > state.time;
    const before = isLast ? believedIn(state) : this.#tracks.before(vehicle, time);
    const latest = !peer ? now + this.#ahead : peer.isAhead ? time - 1 : Infinity;
    const marks = implausible(fix, before, latest);
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
    this.#tracks.add(point);
    const origin = this.#noteOrigin(vehicle, time, newest, peer?.link);
    this.#unsent.added(vehicle, time, peer?.link);
    const told = withCrewStatus(state, fix, marks);
    if (marks.length > 0) this.#states.set(vehicle, told);
    else
      this.#states.set(
        vehicle,
        isLast ? advance(told, point, before, now) : this.#insertLate(told, point, before, now, origin),
      );
    // Later records without a position take the position of this one.
    if (marks.length === 0 && isLast && time < newest) {
      this.#extendSpan(vehicle, this.#tracks.placeBetween(vehicle, trackPoint(point), Infinity), origin);
    }
    if (time > newest) this.#newest.set(vehicle, time);
    this.#changed.add(vehicle);
    this.#unprocessed.add(vehicle, time, origin);
    return acceptedWith(point.marks);
  }

  /** The state after a plausible point was inserted between others. */
  #insertLate(
    known: LastState,
    point: StoredPoint,
    before: TrackPoint | undefined,
    now: number,
    origin: PointOfPeer | undefined,
  ): LastState {
    const { vehicle } = point;
    const {
      sums: more,
      changed,
      chain,
      last,
    } = refold(before, trackPoint(point), this.#tracks.candidates(vehicle, point.time));
    for (const candidate of changed) this.#tracks.setBelief(vehicle, candidate);
    this.#extendSpan(vehicle, changed.at(-1)?.time, origin);
    for (const [i, believed] of chain.entries()) {
      const until = chain[i + 1]?.time ?? (last && Infinity);
      if (until !== undefined) this.#extendSpan(vehicle, this.#tracks.placeBetween(vehicle, believed, until), origin);
    }
    const sums = plus(known, more);
    // Published with a later time, so that others take the new sums.
    const state = { ...known, ...sums, storedAt: Math.max(now, known.storedAt + 1) };
    if (changed.length === 0) return { ...state, stoppedSince: stoppedWith(known, point, chain[1]) };
    const moved = last ? stateAt(state, this.#tracks.point(vehicle, last.time)!, sums, state.storedAt) : state;
    return { ...moved, stoppedSince: moved.stopped ? this.#tracks.stoppedSince(vehicle, moved.time) : 0 };
  }

  /** A point after a new one changed: the span extends to it. */
  #extendSpan(vehicle: number, until: number | undefined, origin: PointOfPeer | undefined): void {
    if (until !== undefined) this.#unprocessed.add(vehicle, until, origin);
  }

  #newestTime(vehicle: number, state: LastState | undefined): number {
    if (state === undefined) return -1;
    const known = this.#newest.get(vehicle);
    if (known !== undefined) return known;
    const newest = this.#tracks.newestTime(vehicle);
    this.#newest.set(vehicle, newest);
    return newest;
  }

  /** Whether a new point of that time cannot be distinguished from a repeated one. */
  #isClosed(time: number): boolean {
    return time <= this.#movedUntil || isInGap(this.#gaps, time);
  }

  #placesChanged(): void {
    this.#tracks.placesChanged();
    this.#gaps = gapsOf(this.#tracks.db);
    this.#movedUntil = movedUntil(this.#tracks.db);
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
    this.#unsent.restore();
    this.#placesChanged();
    this.#peerTracks.clear();
    for (const { vehicle, ...peer } of this.#tracks.peerTracks()) this.#peerTracks.set(vehicle, peer);
  }
}

/** ms that the time of arrival at another station may be ahead of the clock. */
const MOST_AHEAD = 86_400_000;

/** The position of a record before the first position of its vehicle. */
const NOWHERE = { lat: 0, lon: 0 };

function believedIn(state: LastState | undefined): TrackPoint | undefined {
  return state !== undefined && state.time > 0 ? state : undefined;
}

/**
 * Since when the vehicle has been standing, after a plausible point was inserted before its last one and
 * nothing else changed.
 */
function stoppedWith({ stopped, stoppedSince }: LastState, point: StoredPoint, next: TrackPoint | undefined): number {
  if (!stopped || !next) return stoppedSince;
  const moves = point.speed >= STANDING_SPEED;
  if (point.time > stoppedSince) return moves ? next.time : stoppedSince;
  return !moves && next.time === stoppedSince ? point.time : stoppedSince;
}
