import type { Store } from '../store/index.ts';
import type { RawPoint } from './detector.ts';
import type { VehicleEvent } from './engine.ts';
import { EventLog } from './event-log.ts';
import type { Fold } from './fold.ts';
import { RevisionWriter, type Found } from './revision-writer.ts';

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
  /** How many they are, where that is known. */
  readonly count?: number;
}

/** Waits for its turn. */
interface Waiting extends Stretch {
  readonly count?: number;
  /** Its new points as they came, all of them; undefined: they are to be read. What comes next is put to them. */
  readonly points?: RawPoint[] | undefined;
  /** Nothing came: that is what is looked at. */
  readonly silent?: true;
  /** It sends, one piece after the other: whatever the times of its records, it is not silent. */
  readonly sending?: boolean;
  /** The world around it changed. */
  readonly changed?: true;
  /** Called when it is worked off and on disk. */
  readonly done?: readonly (() => void)[] | undefined;
}

/** A stretch that is being worked out, and why. */
interface Ordered {
  readonly span: Waiting;
  readonly reason: string;
}

interface Done extends Found {
  readonly span: Waiting;
}

export interface EventsOptions {
  readonly store: Store;
  readonly fold: Fold;
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

/** Vehicles that are worked out as one, and points after which no other is put to them: what is young waits for no more than these. */
const MOST_AT_ONCE = 50;
const MOST_POINTS = 500;
/** Points of a vehicle that are taken along: reading so few costs more than to send them to the fold. */
const MOST_CARRIED = 8;
/** So many such batches are under way, so that the fold never waits for what was found to be written. */
const BATCHES = 2;
/** Vehicles of what is older that are worked out at once while records wait for the disk. */
const MOST_PRESSED = 5;
/** What is younger (ms) may alert somebody: it goes first, and waits for nobody. */
const YOUNG = 15 * 60_000;
/** ms between two batches of what is older, while records wait for the disk: a device that empties its black box keeps its radio on until it is answered. */
const PRESSED_PAUSE = 20;
/** Vehicles whose revisions are saved at once: operators' writes wait for as many. */
const MOST_UNSAVED = 100;
/** ms between two looks at who has fallen silent. */
const SILENCE_EVERY = 15_000;
/** ms without a record before a look is worth it: shorter than any sensible limit. */
const QUIET = 60_000;
/** ms between two pieces from a vehicle that sends: while a black box is emptied, each record would else be the last, long ago, and be so no longer with the next. */
const SENDING = 15_000;

/** Keeps the events of all vehicles up to date with their tracks: says what is worked out next, writes what came of it, and tells. */
export class Events {
  readonly #options: EventsOptions;
  readonly #fold: Fold;
  readonly #writer: RevisionWriter;
  readonly #waiting = new Map<number, Waiting>();
  /** Those of them that have something young. */
  readonly #young = new Set<number>();
  /** When what is older may go on although records wait for the disk, by `performance.now()`. */
  #olderFrom = 0;
  readonly #latest = new Map<number, number>();
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
    this.#fold = options.fold;
    this.#writer = new RevisionWriter(options.store);
    for (const [vehicleId, time] of options.lastTimes()) this.#latest.set(vehicleId, time);
    this.#timer = setInterval(() => this.lookForSilence(), SILENCE_EVERY);
    this.#timer.unref();
  }

  /** Tracks have new points, which are on disk. */
  notice(spans: readonly Span[]): void {
    const now = this.#options.now();
    for (const { vehicleId, from, till, stamp, points, count = 1 } of spans) {
      const waiting = this.#waiting.get(vehicleId);
      const known = waiting && !waiting.silent ? waiting : undefined;
      const sending = this.#sends(vehicleId, now);
      this.#heardAt.set(vehicleId, now);
      const total = (known?.count ?? 0) + count;
      const carried = points && total <= MOST_CARRIED && (!known || known.points) ? [...(known?.points ?? []), ...points()] : undefined;
      this.#wait({
        vehicleId, from: Math.min(known?.from ?? from, from), till: Math.max(known?.till ?? till, till), stamp: Math.max(known?.stamp ?? stamp, stamp),
        count: total, points: carried, sending, done: known?.done,
      });
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
    await Promise.all([this.#fold.close(), this.#working, this.log.close()]);
  }

  /** It takes the place of what waits of its vehicle. */
  #wait(waiting: Waiting): void {
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

  /** While the disk takes in what was found, other vehicles are worked out, and what comes of them is the next to be saved. */
  async #workOff(): Promise<void> {
    // Whoever brought it has worked in this turn already.
    await new Promise((turn) => setImmediate(turn));
    const done: Done[] = [];
    /** Vehicles that are being worked out, or whose revision is not on disk yet: they are not worked out again before it is. */
    const busy = new Set<number>();
    const folding = new Set<Promise<void>>();
    let saving: Promise<void> | undefined;
    for (;;) {
      const batch = folding.size < BATCHES && done.length < MOST_UNSAVED ? this.#take(busy) : [];
      if (batch.length > 0) {
        const folded = this.#revise(batch, busy).then((found) => void done.push(...found)).finally(() => folding.delete(folded));
        folding.add(folded);
      } else if (!saving && done.length > 0) {
        const saved = done.splice(0);
        saving = this.#save(saved).finally(() => {
          saving = undefined;
          for (const { span } of saved) busy.delete(span.vehicleId);
        });
      } else if (saving || folding.size > 0) {
        await Promise.race([...folding, ...(saving ? [saving] : [])]);
      } else if (this.#waiting.size > 0 && !this.#closed) {
        await new Promise((later) => setTimeout(later, PRESSED_PAUSE));
      } else {
        return;
      }
    }
  }

  /** What is to be worked out next: what is young, or else some of the rest; they are busy then. */
  #take(busy: Set<number>): Ordered[] {
    if (this.#closed) return [];
    const batch: Ordered[] = [];
    let points = 0;
    const take = (span: Waiting, most: number) => {
      const { vehicleId } = span;
      this.#waiting.delete(vehicleId);
      this.#young.delete(vehicleId);
      busy.add(vehicleId);
      const latest = this.#latest.get(vehicleId) ?? 0;
      batch.push({ span, reason: span.silent ? 'silence' : span.changed ? 'changed' : span.from > latest ? 'live' : 'late record' });
      points += span.count ?? 1;
      return batch.length < most && points < MOST_POINTS;
    };
    for (const vehicleId of this.#young) if (!busy.has(vehicleId) && !take(this.#waiting.get(vehicleId)!, MOST_AT_ONCE)) return batch;
    if (batch.length > 0) return batch;
    const pressed = this.#options.pressed?.() ?? false;
    if (pressed && performance.now() < this.#olderFrom) return batch;
    for (const [vehicleId, span] of this.#waiting) if (!busy.has(vehicleId) && !take(span, pressed ? MOST_PRESSED : MOST_AT_ONCE)) break;
    if (pressed && batch.length > 0) this.#olderFrom = performance.now() + PRESSED_PAUSE;
    return batch;
  }

  /** Those that could not be worked out are left out, and no longer busy. */
  async #revise(batch: readonly Ordered[], busy: Set<number>): Promise<Done[]> {
    const now = this.#options.now();
    const orders = batch.map(({ span: { vehicleId, from, till, points, sending }, reason }) => ({
      vehicleId, from, till, points: points?.sort((a, b) => a.time - b.time), silentUntil: sending && reason === 'live' ? Math.min(now, till) : now,
    }));
    const done: Done[] = [];
    const failed = (vehicleIds: readonly number[], error: unknown) => {
      for (const vehicleId of vehicleIds) busy.delete(vehicleId);
      this.#failed(vehicleIds, error);
    };
    try {
      const outcomes = await this.#fold.revise(orders);
      for (const [i, outcome] of outcomes.entries()) {
        const { span, reason } = batch[i]!;
        const { vehicleId } = span;
        if ('error' in outcome) {
          failed([vehicleId], outcome.error);
          continue;
        }
        if (!span.silent) this.#latest.set(vehicleId, Math.max(span.till, this.#latest.get(vehicleId) ?? 0));
        done.push({ folded: outcome, reason, span });
      }
    } catch (error) {
      // What a closed fold did not work out is taken up at the next start.
      if (!this.#closed) failed(orders.map(({ vehicleId }) => vehicleId), error);
    }
    return done;
  }

  async #save(done: readonly Done[]): Promise<void> {
    let differences: Awaited<ReturnType<RevisionWriter['save']>>;
    try {
      differences = await this.#writer.save(done, this.#options.now());
    } catch (error) {
      this.#failed(done.map(({ span }) => span.vehicleId), error);
      return;
    }
    const spans = done.flatMap(({ span }) => (span.silent ? [] : [span]));
    if (spans.length > 0) this.#options.settled(spans);
    for (const { span } of done) for (const told of span.done ?? []) told();
    for (const [i, { span: { vehicleId }, reason }] of done.entries()) {
      const { created, changed, withdrawn } = differences[i]!;
      if (created.length + changed.length + withdrawn.length > 0) this.tell({ vehicleId, reason, created, changed, withdrawn });
    }
  }

  /** The spans stay marked as unsettled, so that the next start works them out again. */
  #failed(vehicleIds: readonly number[], error: unknown): void {
    this.#fold.forget(vehicleIds);
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
