import { Emitter } from '../../platform/emitter.ts';
import type { Store } from '../../store/index.ts';
import type { RawPoint } from './detectors/detector.ts';
import { EventLog } from './log/event-log.ts';
import type { Fold, FoldJob } from './fold/fold.ts';
import { takeNext, type ComputedSpan } from './revisions/next-to-save.ts';
import { RevisionWriter, type Revised, type RevisionSink } from './revisions/revision-writer.ts';
import { BACKLOG_PAUSE, WorkQueue, type Batch, type Stretch, type QueuedSpan } from './revisions/work-queue.ts';

/** New points of a vehicle's track. */
export interface ChangedSpan extends Stretch {
  /** Yields all its new points, in any order; undefined: read them. */
  readonly points?: (() => readonly RawPoint[]) | undefined;
  /** Their number, if known. */
  readonly count?: number;
  /** The vehicle reports to another station, which computes the events of these points. */
  readonly isOfPeer?: boolean;
}

export interface EventsOptions {
  readonly store: Store;
  readonly fold: Fold;
  /** The last record of every vehicle that has one. */
  lastTimes(): Iterable<readonly [vehicleId: number, time: number]>;
  /** Whether a vehicle reports to another station and its track comes from there, events too. */
  reportsElsewhere?(vehicleId: number): boolean;
  /** Stores the revisions; default: the store of the station. */
  readonly writer?: RevisionSink | undefined;
  /** Whether nothing is computed now; default: while the station writes nothing. */
  isPaused?(): boolean;
  /** Time of the last fix of a vehicle at any station. */
  lastFix?(vehicleId: number): number | undefined;
  /** Whether records wait for the disk, and their senders for an answer. */
  isBacklogged?(): boolean;
  /** The events of these spans are on disk. They need not be computed again after a restart. */
  processed(spans: readonly Stretch[]): void;
  report(error: unknown): void;
  /** Logs faults of the thread that lists events. */
  readonly warn?: ((message: string) => void) | undefined;
  now(): number;
}

/** New points of a vehicle that are sent along with the job. Reading so few from disk costs more. */
const MAX_CARRIED = 8;
/** Vehicles whose revisions wait to be saved. Above this, older spans are not computed. */
const MAX_UNSAVED = 100;
/** ms between two checks for silent vehicles */
const SILENCE_EVERY = 15_000;
/** ms without a record before a check is worthwhile; shorter than any sensible limit */
const QUIET = 60_000;
/**
 * A vehicle is sending while its last message came within this many ms. Else each record of a black box would
 * begin a silence, and the next one would end it.
 */
const SENDING = 15_000;

/**
 * Keeps the events of all vehicles up to date with their tracks: schedules spans, saves the revisions and
 * announces them.
 */
export class Events {
  readonly #options: EventsOptions;
  readonly #fold: Fold;
  readonly #writer: RevisionSink;
  readonly #queue: WorkQueue;
  /** Why the spans in progress are computed, by vehicle. */
  readonly #reasons = new Map<number, string>();
  readonly #latest = new Map<number, number>();
  /** When a vehicle last sent something. */
  readonly #heardAt = new Map<number, number>();
  readonly #emitter: Emitter<[revised: Revised]>;
  readonly #timer: NodeJS.Timeout;
  readonly #stopWatching: () => void;
  #isLeft: (vehicleId: number) => boolean = () => false;
  /** Reads stored events. */
  readonly log: EventLog;
  #working: Promise<void> | undefined;
  #closed = false;

  constructor(options: EventsOptions) {
    this.#options = options;
    this.#emitter = new Emitter(options.report);
    this.log = new EventLog(options.store, options.warn);
    this.#fold = options.fold;
    this.#writer = options.writer ?? new RevisionWriter(options.store);
    this.#queue = new WorkQueue({
      now: options.now,
      isBacklogged: () => options.isBacklogged?.() ?? false,
      uptime: () => performance.now(),
    });
    for (const [vehicleId, time] of options.lastTimes()) this.#latest.set(vehicleId, time);
    this.#timer = setInterval(() => this.lookForSilence(), SILENCE_EVERY);
    this.#timer.unref();
    this.#stopWatching = options.store.onReadOnly(() => this.#work());
  }

  /** Tracks have new points, which are on disk. */
  tracksChanged(spans: readonly ChangedSpan[]): void {
    const now = this.#options.now();
    for (const { vehicleId, from, until, stamp, points, count = 1, ...span } of spans) {
      const isOfPeer = span.isOfPeer || this.#isLeft(vehicleId);
      const known = this.#queue.known(vehicleId);
      const sending = this.#sends(vehicleId, now);
      this.#heardAt.set(vehicleId, now);
      const total = (known?.count ?? 0) + count;
      const carried =
        points && total <= MAX_CARRIED && (!known || known.points)
          ? [...(known?.points ?? []), ...points()]
          : undefined;
      this.#queue.put({
        vehicleId,
        from: Math.min(known?.from ?? from, from),
        until: Math.max(known?.until ?? until, until),
        stamp: Math.max(known?.stamp ?? stamp, stamp),
        count: total,
        points: carried,
        sending,
        isOfPeer: isOfPeer && (known?.isOfPeer ?? true),
        done: known?.done,
      });
    }
    this.#work();
  }

  /**
   * Computes events again because the context of these vehicles changed from a time on. Usually nothing
   * differs. @param done called when all of it is on disk; never, if the process ends before or a vehicle
   * keeps failing
   */
  recompute(vehicleIds: Iterable<number>, from: number, done: () => void = () => undefined): void {
    // A span in progress may have been computed with the context from before.
    const latestOf = (vehicleId: number) => Math.max(this.#latest.get(vehicleId) ?? -1, this.#queue.latest(vehicleId));
    const concerned = [...new Set(vehicleIds)].filter((vehicleId) => latestOf(vehicleId) >= from);
    if (concerned.length === 0) return done();
    let left = concerned.length;
    const one = () => {
      if (--left === 0) done();
    };
    for (const vehicleId of concerned) {
      const latest = latestOf(vehicleId);
      const known = this.#queue.known(vehicleId);
      this.#queue.put({
        vehicleId,
        from: Math.min(known?.from ?? from, from),
        until: Math.max(known?.until ?? latest, latest),
        stamp: known?.stamp ?? 0,
        isOfPeer: this.#reportsElsewhere(vehicleId) && (known?.isOfPeer ?? true),
        changed: true,
        done: [...(known?.done ?? []), one],
      });
    }
    this.#work();
  }

  /** Another program computes the events of vehicles for which the function says so. */
  leaveTo(isLeft: (vehicleId: number) => boolean): void {
    this.#isLeft = isLeft;
  }

  /** A vehicle sent a record of this time, whose events are computed. */
  heard(vehicleId: number, time: number): void {
    this.#latest.set(vehicleId, Math.max(time, this.#latest.get(vehicleId) ?? 0));
  }

  /** Resolves when nothing of these vehicles waits or is in progress, with those that failed. */
  settled(vehicleIds: readonly number[]): Promise<readonly number[]> {
    return this.#queue.settled(vehicleIds);
  }

  /** The next computation of these vehicles begins at a checkpoint. */
  forget(vehicleIds: Iterable<number>): void {
    this.#fold.forget(vehicleIds);
  }

  /** Called with each revision when it is on disk. Returns the unsubscription. */
  watch(listener: (revised: Revised) => void): () => void {
    return this.#emitter.on(listener);
  }

  /** Checks which vehicles have been silent. A timer calls it; tests call it directly. */
  lookForSilence(): void {
    if (this.#isPaused) return;
    const now = this.#options.now();
    for (const [vehicleId, time] of this.#latest) {
      if (time < now - QUIET && !this.#queue.has(vehicleId) && !this.#sends(vehicleId, now) && this.#isLast(vehicleId))
        this.#queue.put({ vehicleId, from: time + 1, until: time + 1, stamp: 0, silent: true });
    }
    this.#work();
  }

  /** How many vehicles wait for their events to be computed and stored. */
  get waiting(): number {
    return this.#queue.size + Number(this.#working !== undefined);
  }

  /** Resolves when all reported changes are computed and on disk. */
  async idle(): Promise<void> {
    while (this.#working) await this.#working;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#stopWatching();
    await Promise.all([this.#fold.close(), this.#working, this.log.close()]);
  }

  /** A standby keeps the spans for the time after its promotion: the station that it follows works them out. */
  get #isPaused(): boolean {
    return this.#options.isPaused?.() ?? this.#options.store.readOnly !== undefined;
  }

  #sends(vehicleId: number, now: number): boolean {
    const heardAt = this.#heardAt.get(vehicleId);
    return heardAt !== undefined && now - heardAt < SENDING;
  }

  #reportsElsewhere(vehicleId: number): boolean {
    return this.#isLeft(vehicleId) || (this.#options.reportsElsewhere?.(vehicleId) ?? false);
  }

  /** Whether no other station heard from the vehicle later. Only the last one looks for its silence. */
  #isLast(vehicleId: number, until = 0): boolean {
    const fix = this.#options.lastFix?.(vehicleId) ?? -1;
    return !this.#reportsElsewhere(vehicleId) && fix <= Math.max(until, this.#latest.get(vehicleId) ?? 0);
  }

  #work(): void {
    if (this.#queue.size === 0 || this.#closed || this.#isPaused) return;
    this.#working ??= this.#workOff().finally(() => {
      this.#working = undefined;
      this.#work();
    });
  }

  /** While one save is being written, other vehicles are computed; their revisions are saved next. */
  async #workOff(): Promise<void> {
    // The caller has used this turn of the event loop already.
    await new Promise((turn) => setImmediate(turn));
    let done: ComputedSpan[] = [];
    const folding = new Set<Promise<void>>();
    let saving: Promise<void> | undefined;
    for (;;) {
      const batch = this.#closed || this.#isPaused ? undefined : this.#queue.take(done.length < MAX_UNSAVED);
      if (batch) {
        const folded = this.#revise(batch)
          .then((found) => void (batch.isRecent ? done.unshift(...found) : done.push(...found)))
          .finally(() => folding.delete(folded));
        folding.add(folded);
      } else if (!saving && done.length > 0) {
        const saved = takeNext(done, this.#closed);
        saving = this.#save(saved).then((isSaved) => {
          saving = undefined;
          const over = new Set(saved.filter(({ isPart }) => !isPart || !isSaved).map(({ span }) => span.vehicleId));
          this.#queue.release(over);
          // After a failed part, the rest of a revision is not saved.
          done = done.filter(({ span }) => !over.has(span.vehicleId));
        });
      } else if (saving || folding.size > 0) {
        await Promise.race([...folding, ...(saving ? [saving] : [])]);
      } else if (this.#queue.size > 0 && !this.#closed && !this.#isPaused) {
        await new Promise((later) => setTimeout(later, BACKLOG_PAUSE));
      } else {
        return;
      }
    }
  }

  /** Returns the complete revisions. Releases the vehicles that failed. */
  async #revise(batch: Batch): Promise<ComputedSpan[]> {
    const done: ComputedSpan[] = [];
    const unfinished: QueuedSpan[] = [];
    try {
      if (batch.kind === 'begin') await this.#dropCheckpoints(batch.spans.filter(({ isOfPeer }) => isOfPeer));
      const spans = batch.spans.filter(({ isOfPeer }) => !isOfPeer);
      if (spans.length === 0) {
        this.#queue.over(batch, []);
        return [];
      }
      const outcomes = await (batch.kind === 'begin'
        ? this.#fold.revise(spans.map((span) => this.#orderOf(span)))
        : this.#fold.resume(spans.map(({ vehicleId }) => vehicleId)));
      const saving: Promise<unknown>[] = [];
      for (const [i, outcome] of outcomes.entries()) {
        const span = spans[i]!;
        const { vehicleId } = span;
        if ('error' in outcome) this.#giveUp([span], outcome.error);
        else if ('unfinished' in outcome) {
          unfinished.push(span);
          if (outcome.addCheckpoints.length === 0 && !outcome.isNew) continue;
          saving.push(
            this.#writer.saveCheckpoints(vehicleId, outcome.addCheckpoints, outcome.isNew).catch((error: unknown) => {
              unfinished.splice(unfinished.indexOf(span), 1);
              this.#giveUp([span], error);
            }),
          );
        } else {
          if (!span.silent) this.heard(vehicleId, span.until);
          done.push({ folded: outcome, reason: this.#reasons.get(vehicleId)!, span });
        }
      }
      await Promise.all(saving);
    } catch (error) {
      // The next start resumes what a closed fold did not compute.
      if (!this.#closed) this.#giveUp(batch.spans, error);
    }
    this.#queue.over(batch, unfinished);
    return done;
  }

  /** The state of the fold after points that another station judges is not known here. */
  async #dropCheckpoints(spans: readonly QueuedSpan[]): Promise<void> {
    if (spans.length === 0) return;
    await this.#writer.dropCheckpoints(spans);
    const vehicleIds = spans.map(({ vehicleId }) => vehicleId);
    this.#fold.forget(vehicleIds);
    this.#options.processed(spans);
    for (const span of spans) for (const told of span.done ?? []) told();
    for (const { vehicleId, until } of spans) this.heard(vehicleId, until);
    this.#queue.release(vehicleIds);
  }

  #orderOf(span: QueuedSpan): FoldJob {
    const { vehicleId, from, until, points, sending } = span;
    const now = this.#options.now();
    const reason = span.silent
      ? 'silence'
      : span.changed
        ? 'changed'
        : from > (this.#latest.get(vehicleId) ?? 0)
          ? 'live'
          : 'late record';
    this.#reasons.set(vehicleId, reason);
    const isLast = this.#isLast(vehicleId, until);
    return {
      vehicleId,
      from,
      until,
      points: points?.sort((a, b) => a.time - b.time),
      knownUntil: isLast ? undefined : Math.max(until, this.#latest.get(vehicleId) ?? 0),
      silentUntil: (sending && reason === 'live') || !isLast ? Math.min(now, until) : now,
    };
  }

  #giveUp(spans: readonly QueuedSpan[], error: unknown): void {
    this.#queue.release(spans.map(({ vehicleId }) => vehicleId));
    this.#failed(spans, error);
  }

  /** False if it could not be saved. */
  async #save(done: readonly ComputedSpan[]): Promise<boolean> {
    let differences: Awaited<ReturnType<RevisionWriter['save']>>;
    try {
      differences = await this.#writer.save(done, this.#options.now());
    } catch (error) {
      this.#failed(
        done.map(({ span }) => span),
        error,
      );
      return false;
    }
    const whole = done.filter(({ isPart }) => !isPart).map(({ span }) => span);
    const spans = whole.filter(({ silent }) => !silent);
    if (spans.length > 0) this.#options.processed(spans);
    for (const span of whole) for (const notify of span.done ?? []) notify();
    for (const [
      i,
      {
        span: { vehicleId },
        reason,
      },
    ] of done.entries()) {
      const { created, changed, withdrawn } = differences[i]!;
      if (created.length + changed.length + withdrawn.length > 0)
        this.announce({ vehicleId, reason, created, changed, withdrawn });
    }
    return true;
  }

  /**
   * The spans stay marked as unprocessed. They are computed again with the next record of their vehicles, or
   * at the next start.
   */
  #failed(spans: readonly QueuedSpan[], error: unknown): void {
    this.#fold.forget(spans.map(({ vehicleId }) => vehicleId));
    for (const span of spans) this.#queue.failed(span);
    this.#options.report(error);
  }

  /** Announces a revision that was computed elsewhere: the events of tasks. */
  announce(revised: Revised): void {
    this.#emitter.emit(revised);
  }
}
