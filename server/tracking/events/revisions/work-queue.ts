import type { RawPoint } from '../detectors/detector.ts';

/** A span of a vehicle's track. */
export interface Stretch {
  readonly vehicleId: number;
  readonly from: number;
  readonly until: number;
  /** Counts up with each change of the track. */
  readonly stamp: number;
}

/** A span of a track whose events are to be computed. */
export interface QueuedSpan extends Stretch {
  readonly count?: number;
  /**
   * All its new points in the order of arrival; undefined: read them from the track. Later points are added
   * to them.
   */
  readonly points?: RawPoint[] | undefined;
  /** Nothing new came: only check for silence. */
  readonly silent?: true;
  /** The vehicle is sending. Whatever the times of its records, it is not silent. */
  readonly sending?: boolean;
  /** The vehicle reports to another station: only checkpoints of its track are dropped here. */
  readonly isOfPeer?: boolean;
  /** Its context changed. */
  readonly changed?: true;
  /** Called when its events are on disk. */
  readonly done?: readonly (() => void)[] | undefined;
}

/** The next batch of the fold. */
export type Batch =
  | { readonly kind: 'begin'; readonly isRecent: boolean; readonly spans: readonly QueuedSpan[] }
  | { readonly kind: 'resume'; readonly isRecent: boolean; readonly spans: readonly QueuedSpan[] };

interface WorkQueueOptions {
  /** Whether records wait for the disk, and their senders for an answer. */
  isBacklogged(): boolean;
  /** Epoch ms. */
  now(): number;
  /** Monotonic ms. */
  uptime(): number;
}

/**
 * Vehicles of one batch, and points after which no further vehicle joins it. Recent spans wait for at most
 * this much.
 */
const MAX_AT_ONCE = 50;
const MAX_POINTS = 500;
/**
 * Batches of each lane in progress, so that the fold never waits for a save. Recent spans never wait for an
 * older batch to end.
 */
const BATCHES = 2;
/** Vehicles of an older batch while records wait for the disk. */
const MAX_IN_BACKLOG = 5;
/**
 * Records younger than this (ms) may raise an alarm. Spans that begin within it go first; those that only end
 * within it may be long.
 */
const RECENT = 15 * 60_000;
/**
 * ms between two older batches while records wait for the disk: a device that empties its black box keeps its
 * radio on until it is answered.
 */
export const BACKLOG_PAUSE = 20;

/** The recent spans in progress, or the older ones. */
class Lane {
  readonly isRecent: boolean;
  unfinished: QueuedSpan[] = [];
  batches = 0;
  /** Whether new spans had their turn after the unfinished ones. */
  isNewWorkDue = true;

  constructor(isRecent: boolean) {
    this.isRecent = isRecent;
  }
}

/**
 * Decides which vehicles are computed next: recent spans first, then those that end recently, then the
 * longest waiting. New and unfinished spans take turns. A vehicle has one span in progress; new points wait
 * behind it. A span that failed is repeated with the next record of its vehicle.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #waiting = new Map<number, QueuedSpan>();
  /** The recent ones, and those that only end recently. */
  readonly #recent = new Set<number>();
  readonly #endRecent = new Set<number>();
  /** In progress, or not on disk yet, by vehicle. */
  readonly #busy = new Map<number, QueuedSpan>();
  /** Vehicles whose span failed. */
  readonly #failed = new Map<number, QueuedSpan>();
  readonly #lanes = { young: new Lane(true), older: new Lane(false) };
  #released = Promise.withResolvers<void>();
  /** When older spans may continue although records wait for the disk, by `uptime`. */
  #olderFrom = 0;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /** Vehicles that wait for their turn, or to be resumed. */
  get size(): number {
    return this.#waiting.size + this.#lanes.young.unfinished.length + this.#lanes.older.unfinished.length;
  }

  has(vehicleId: number): boolean {
    return this.#waiting.has(vehicleId);
  }

  /** The queued work of a vehicle, so that a caller can extend it. A check for silence does not count. */
  known(vehicleId: number): QueuedSpan | undefined {
    const waiting = this.#waiting.get(vehicleId);
    return waiting && !waiting.silent ? waiting : this.#failed.get(vehicleId);
  }

  /** The latest time of the vehicle's spans that wait, are in progress or failed; -1: it has none. */
  latest(vehicleId: number): number {
    const spans = [this.known(vehicleId), this.#busy.get(vehicleId)];
    return Math.max(-1, ...spans.map((span) => (span && !span.silent ? span.until : -1)));
  }

  /** Replaces what is `known` of the vehicle. */
  put(waiting: QueuedSpan): void {
    const { vehicleId, from, until, silent } = waiting;
    if (!silent) this.#failed.delete(vehicleId);
    this.#waiting.set(vehicleId, waiting);
    const since = this.#options.now() - RECENT;
    for (const [ids, isOne] of [
      [this.#recent, from > since],
      [this.#endRecent, from <= since && until > since],
    ] as const) {
      if (isOne) ids.add(vehicleId);
      else ids.delete(vehicleId);
    }
  }

  /**
   * The span failed. It is repeated with the next record of its vehicle, never by itself: that would begin at
   * checkpoints inside it, behind which events are missing.
   */
  failed(span: QueuedSpan): void {
    const { vehicleId, from, until, stamp, count = 1, silent, done = [] } = span;
    if (silent) return;
    const next = this.known(vehicleId);
    if (!next) this.#failed.set(vehicleId, { ...span, points: undefined });
    else
      this.put({
        ...next,
        from: Math.min(from, next.from),
        until: Math.max(until, next.until),
        stamp: Math.max(stamp, next.stamp),
        count: count + (next.count ?? 1),
        points: undefined,
        isOfPeer: (span.isOfPeer ?? false) && (next.isOfPeer ?? false),
        done: [...done, ...(next.done ?? [])],
      });
  }

  /**
   * The next batch; undefined: nothing to do now. Its vehicles are busy until released. Call `over` after
   * each batch.
   * @param older whether it may contain older spans
   */
  take(older = true): Batch | undefined {
    const young = this.#next(this.#lanes.young, this.#recent, MAX_AT_ONCE);
    if (young !== 'none') return young;
    const isBacklogged = this.#options.isBacklogged();
    if (!older || (isBacklogged && this.#options.uptime() < this.#olderFrom)) return undefined;
    const batch = this.#next(this.#lanes.older, this.#olderWaiting(), isBacklogged ? MAX_IN_BACKLOG : MAX_AT_ONCE);
    if (batch === 'none') return undefined;
    if (isBacklogged && batch) this.#olderFrom = this.#options.uptime() + BACKLOG_PAUSE;
    return batch;
  }

  /** @param unfinished the spans of the batch that are resumed later, in their order */
  over({ isRecent: isRecent }: Batch, unfinished: readonly QueuedSpan[]): void {
    const lane = isRecent ? this.#lanes.young : this.#lanes.older;
    lane.batches--;
    // The first one had its turn; those behind it were not started.
    const [first, ...others] = unfinished;
    if (first) lane.unfinished = [...others, ...lane.unfinished, first];
  }

  /** The vehicles are free for their next span. */
  release(vehicleIds: Iterable<number>): void {
    for (const vehicleId of vehicleIds) this.#busy.delete(vehicleId);
    this.#released.resolve();
    this.#released = Promise.withResolvers();
  }

  /**
   * Resolves when nothing of these vehicles waits or is in progress, with those that failed: they wait for their next
   * record.
   */
  async settled(vehicleIds: readonly number[]): Promise<readonly number[]> {
    const isUnderWay = (vehicleId: number) => this.#waiting.has(vehicleId) || this.#busy.has(vehicleId);
    while (vehicleIds.some(isUnderWay)) await this.#released.promise;
    return vehicleIds.filter((vehicleId) => this.#failed.has(vehicleId));
  }

  *#olderWaiting(): Iterable<number> {
    yield* this.#endRecent;
    yield* this.#waiting.keys();
  }

  /** `none`: nothing to do in this lane; undefined: enough is in progress. */
  #next(lane: Lane, vehicleIds: Iterable<number>, most: number): Batch | undefined | 'none' {
    if (lane.batches >= BATCHES) return lane.unfinished.length > 0 || this.#hasFree(vehicleIds) ? undefined : 'none';
    if (lane.unfinished.length > 0 && (lane.isNewWorkDue || lane.unfinished.length >= MAX_AT_ONCE))
      return this.#resume(lane, most);
    lane.isNewWorkDue = true;
    const others = this.#begin(lane, vehicleIds, most);
    return others === 'none' && lane.unfinished.length > 0 ? this.#resume(lane, most) : others;
  }

  #hasFree(vehicleIds: Iterable<number>): boolean {
    for (const vehicleId of vehicleIds) if (!this.#busy.has(vehicleId)) return true;
    return false;
  }

  #resume(lane: Lane, most: number): Batch {
    lane.isNewWorkDue = false;
    lane.batches++;
    return { kind: 'resume', isRecent: lane.isRecent, spans: lane.unfinished.splice(0, most) };
  }

  #begin(lane: Lane, vehicleIds: Iterable<number>, most: number): Batch | 'none' {
    const spans: QueuedSpan[] = [];
    let points = 0;
    for (const vehicleId of vehicleIds) {
      if (this.#busy.has(vehicleId)) continue;
      const span = this.#waiting.get(vehicleId)!;
      for (const ids of [this.#waiting, this.#recent, this.#endRecent]) ids.delete(vehicleId);
      this.#busy.set(vehicleId, span);
      spans.push(span);
      points += span.count ?? 1;
      if (spans.length >= most || points >= MAX_POINTS) break;
    }
    if (spans.length === 0) return 'none';
    lane.batches++;
    return { kind: 'begin', isRecent: lane.isRecent, spans };
  }
}
