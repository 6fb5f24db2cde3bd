import type { Store } from '../store/index.ts';
import type { Detector, RawPoint } from './detector.ts';
import { EventEngine, type ReadTrack, type VehicleEvent } from './engine.ts';
import { EventLog } from './event-log.ts';
import { StoredMemory, type SavedRevision } from './stored-memory.ts';
import type { World } from './world.ts';

/** A stretch of a vehicle's track. */
export interface Stretch {
  readonly vehicleId: number;
  readonly from: number;
  readonly till: number;
  /** Counts up with each change of the track. */
  readonly stamp: number;
}

/** New points of a vehicle's track. */
export interface Span extends Stretch {
  /** Makes all its new points, in whatever order; undefined: they are to be read. */
  readonly points?: (() => readonly RawPoint[]) | undefined;
  /** How many these are. */
  readonly count?: number;
}

/** Waits for its turn. */
interface Waiting extends Stretch {
  /** Its new points as they came, all of them; undefined: they are to be read. What comes next is put to them. */
  readonly points?: RawPoint[] | undefined;
  /** How many points it has with it. */
  readonly carried?: number;
  /** Nothing came: that is what is looked at. */
  readonly silent?: true;
  /** It sends, one piece after the other: whatever the times of its records, it is not silent. */
  readonly sending?: boolean;
  /** The world around it changed. */
  readonly changed?: true;
  /** Called when it is worked off and on disk. */
  readonly done?: readonly (() => void)[] | undefined;
}

interface Done extends SavedRevision {
  readonly span: Waiting;
}

export interface EventsOptions {
  readonly store: Store;
  readonly detectors: readonly Detector<never>[];
  readonly track: ReadTrack;
  /** What surrounds a vehicle, with all versions that hold at a time or later. */
  world(vehicleId: number, from: number): World;
  /** The last record of every vehicle that has one. */
  lastTimes(): Iterable<readonly [vehicleId: number, time: number]>;
  /** Whether records wait for the disk, and whoever sent them for their answers. */
  pressed?(): boolean;
  /** The events of these spans are on disk: they need not be worked out again after a restart. */
  settled(spans: readonly Stretch[]): void;
  report(error: unknown): void;
  /** Hears, for the log, of what goes wrong with the thread that lists events. */
  readonly warn?: ((message: string) => void) | undefined;
  now(): number;
}

export interface Revised {
  readonly vehicleId: number;
  /** Why it was revised: `live`, `late record`, `silence`, `changed` (zones, sensors, routes, settings), `task`. */
  readonly reason: string;
  readonly created: readonly VehicleEvent[];
  readonly changed: readonly VehicleEvent[];
  readonly withdrawn: readonly VehicleEvent[];
}

/** ms of work before the event loop gets its turn; the store and the intake take theirs in the same turn. */
const SLICE = 1;
/** What is younger (ms) may alert somebody: it goes first, and waits for nobody. */
const YOUNG = 15 * 60_000;
/** ms between two slices of what is older, while records wait for the disk: a device that empties its black box keeps its radio on until it is answered. */
const PRESSED_PAUSE = 20;
/** Vehicles whose revisions are saved at once: operators' writes wait for as many. */
const MOST_UNSAVED = 100;
/** ms between two looks at who has fallen silent. */
const SILENCE_EVERY = 15_000;
/** Points that wait in memory, of all vehicles. While a backlog is worked off those of others are read when their turn comes. */
const MOST_CARRIED = 20_000;
/** ms without a record before a look is worth it: shorter than any sensible limit. */
const QUIET = 60_000;
/** ms between two pieces from a vehicle that sends: while a black box is emptied, each record would else be the last, long ago, and be so no longer with the next. */
const SENDING = 15_000;

/** Keeps the events of all vehicles up to date with their tracks, in slices between which everything else has its turn. */
export class Events {
  readonly #options: EventsOptions;
  readonly #memory: StoredMemory;
  readonly #engine: EventEngine;
  readonly #waiting = new Map<number, Waiting>();
  /** Those of them that have something young. */
  readonly #young = new Set<number>();
  /** When what is older may go on although records wait for the disk, by `performance.now()`. */
  #olderFrom = 0;
  readonly #latest = new Map<number, number>();
  /** Points in what waits. */
  #carried = 0;
  /** When something came from a vehicle. */
  readonly #heardAt = new Map<number, number>();
  readonly #listeners = new Set<(revised: Revised) => void>();
  readonly #timer: NodeJS.Timeout;
  /** Reads the events that are kept. */
  readonly log: EventLog;
  #working: Promise<void> | undefined;
  #closed = false;

  constructor(options: EventsOptions) {
    this.#options = options;
    this.log = new EventLog(options.store, options.warn);
    this.#memory = new StoredMemory(options.store);
    this.#engine = new EventEngine(options.detectors, this.#memory, options.track);
    for (const [vehicleId, time] of options.lastTimes()) this.#latest.set(vehicleId, time);
    this.#timer = setInterval(() => this.lookForSilence(), SILENCE_EVERY);
    this.#timer.unref();
  }

  /** Tracks have new points, which are on disk. */
  notice(spans: readonly Span[]): void {
    const now = this.#options.now();
    for (const { points, count = 0, ...span } of spans) {
      const { vehicleId } = span;
      const waiting = this.#waiting.get(vehicleId);
      const known = waiting && !waiting.silent ? waiting : undefined;
      const sending = this.#sends(vehicleId, now);
      this.#heardAt.set(vehicleId, now);
      const carried = points && (!known || known.points) && this.#carried + count <= MOST_CARRIED ? (known?.points ?? []) : undefined;
      if (carried) for (const point of points!()) carried.push(point);
      const told = { ...span, sending, points: carried, carried: carried?.length ?? 0 };
      this.#wait(known ? { ...told, from: Math.min(known.from, span.from), till: Math.max(known.till, span.till), stamp: Math.max(known.stamp, span.stamp), done: known.done } : told);
    }
    this.#work();
  }

  /**
   * What surrounds vehicles is another world from a time on. What they recorded since is worked out anew; most often that is nothing.
   * @param done called when all of it is on disk; not at all when the process ends before, or something goes wrong
   */
  reconsider(vehicleIds: Iterable<number>, from: number, done: () => void = () => undefined): void {
    const concerned = [...new Set(vehicleIds)].filter((vehicleId) => (this.#latest.get(vehicleId) ?? -1) >= from);
    if (concerned.length === 0) return done();
    let left = concerned.length;
    const one = () => {
      if (--left === 0) done();
    };
    for (const vehicleId of concerned) {
      const latest = this.#latest.get(vehicleId)!;
      const waiting = this.#waiting.get(vehicleId);
      const known = waiting && !waiting.silent ? waiting : undefined;
      this.#wait({ vehicleId, from: Math.min(known?.from ?? from, from), till: Math.max(known?.till ?? latest, latest), stamp: known?.stamp ?? 0, changed: true, done: [...(known?.done ?? []), one] });
    }
    this.#work();
  }

  /** Told of each revision when it is on disk. Returns the way to stop. */
  watch(listener: (revised: Revised) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Looks which vehicles have not been heard for a while. Called by a timer; tests call it when they like. */
  lookForSilence(): void {
    const now = this.#options.now();
    for (const [vehicleId, time] of this.#latest) {
      if (time < now - QUIET && !this.#waiting.has(vehicleId) && !this.#sends(vehicleId, now)) this.#wait({ vehicleId, from: time + 1, till: time + 1, stamp: 0, silent: true });
    }
    this.#work();
  }

  /** How many vehicles wait for their events to be worked out and stored. */
  get waiting(): number {
    return this.#waiting.size + Number(this.#working !== undefined);
  }

  /** Resolves when everything that was noticed so far is worked out and on disk. */
  async idle(): Promise<void> {
    while (this.#working) await this.#working;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await Promise.all([this.#working, this.log.close()]);
  }

  /** It takes the place of what waits of its vehicle. */
  #wait(waiting: Waiting): void {
    this.#carried += (waiting.carried ?? 0) - (this.#waiting.get(waiting.vehicleId)?.carried ?? 0);
    this.#waiting.set(waiting.vehicleId, waiting);
    if (waiting.till > this.#options.now() - YOUNG) this.#young.add(waiting.vehicleId);
  }

  #sends(vehicleId: number, now: number): boolean {
    const heardAt = this.#heardAt.get(vehicleId);
    return heardAt !== undefined && now - heardAt < SENDING;
  }

  #work(): void {
    if (this.#waiting.size === 0 || this.#closed) return;
    this.#working ??= this.#workOff().finally(() => {
      this.#working = undefined;
      this.#work();
    });
  }

  /** Works in slices; while the disk takes in what was found, other vehicles go on, and what they find is the next to be saved. */
  async #workOff(): Promise<void> {
    // Whoever brought it has worked in this turn already.
    await new Promise((turn) => setImmediate(turn));
    const done: Done[] = [];
    const unsaved = new Set<number>();
    let saving: Promise<void> | undefined;
    while ((this.#waiting.size > 0 && !this.#closed) || done.length > 0 || saving) {
      const worked = done.length < MOST_UNSAVED && this.#slice(done, unsaved);
      if (!saving && done.length > 0) {
        const batch = done.splice(0);
        saving = this.#save(batch).finally(() => {
          saving = undefined;
          for (const { vehicleId } of batch) unsaved.delete(vehicleId);
        });
      }
      if (worked) await new Promise((turn) => setImmediate(turn));
      else if (saving) await saving;
      else if (this.#waiting.size > 0) await new Promise((later) => setTimeout(later, PRESSED_PAUSE));
    }
  }

  /** One vehicle is never revised again before its revision is on disk. False when there was nothing to do. */
  #slice(done: Done[], unsaved: Set<number>): boolean {
    if (this.#closed) return false;
    const started = performance.now();
    let worked = false;
    for (const span of this.#next(unsaved, started)) {
      const { vehicleId } = span;
      this.#waiting.delete(vehicleId);
      this.#young.delete(vehicleId);
      this.#carried -= span.carried ?? 0;
      worked = true;
      const revised = this.#revise(span);
      if (revised) {
        done.push(revised);
        unsaved.add(vehicleId);
      }
      if (performance.now() - started > SLICE || done.length >= MOST_UNSAVED) break;
    }
    return worked;
  }

  /** What is to be worked off next: what is young, then the rest, unless it is to make room for the intake. */
  *#next(unsaved: ReadonlySet<number>, now: number): Generator<Waiting> {
    for (const vehicleId of this.#young) if (!unsaved.has(vehicleId)) yield this.#waiting.get(vehicleId)!;
    if (this.#options.pressed?.()) {
      if (now < this.#olderFrom) return;
      this.#olderFrom = now + PRESSED_PAUSE;
    }
    for (const [vehicleId, span] of this.#waiting) if (!unsaved.has(vehicleId)) yield span;
  }

  #revise(span: Waiting): Done | undefined {
    const { vehicleId } = span;
    const latest = this.#latest.get(vehicleId) ?? 0;
    const reason = span.silent ? 'silence' : span.changed ? 'changed' : span.from > latest ? 'live' : 'late record';
    try {
      const now = this.#options.now();
      const silentUntil = span.sending && reason === 'live' ? Math.min(now, span.till) : now;
      const points = span.points?.sort((a, b) => a.time - b.time);
      const revision = this.#engine.revise(vehicleId, { from: span.from, till: span.till, points }, (from) => this.#options.world(vehicleId, from), silentUntil);
      if (span.till > latest && !span.silent) this.#latest.set(vehicleId, span.till);
      return { vehicleId, revision, reason, span };
    } catch (error) {
      this.#failed([vehicleId], error);
      return undefined;
    }
  }

  async #save(done: readonly Done[]): Promise<void> {
    try {
      await this.#memory.save(done, this.#options.now());
    } catch (error) {
      this.#failed(done.map(({ vehicleId }) => vehicleId), error);
      return;
    }
    const spans = done.flatMap(({ span }) => (span.silent ? [] : [span]));
    if (spans.length > 0) this.#options.settled(spans);
    for (const { span } of done) for (const told of span.done ?? []) told();
    for (const { vehicleId, reason, revision: { created, changed, withdrawn } } of done) {
      if (created.length + changed.length + withdrawn.length > 0) this.tell({ vehicleId, reason, created, changed, withdrawn });
    }
  }

  /** The spans stay marked as unsettled, so that the next start works them out again. */
  #failed(vehicleIds: readonly number[], error: unknown): void {
    for (const vehicleId of vehicleIds) this.#engine.forget(vehicleId);
    this.#options.report(error);
  }

  /** Tells of a revision that was worked out elsewhere: the events of tasks. */
  tell(revised: Revised): void {
    for (const listener of this.#listeners) {
      try {
        listener(revised);
      } catch (error) {
        this.#options.report(error);
      }
    }
  }
}
