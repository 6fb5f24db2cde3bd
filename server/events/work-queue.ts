import type { RawPoint } from './detector.ts';

/** A stretch of a vehicle's track. */
export interface Stretch {
  readonly vehicleId: number;
  readonly from: number;
  readonly till: number;
  /** Counts up with each change of the track. */
  readonly stamp: number;
}

/** A stretch whose events are to be worked out. */
export interface Waiting extends Stretch {
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

/** What is to be done next. */
export type Batch =
  | { readonly kind: 'begin'; readonly isYoung: boolean; readonly spans: readonly Waiting[] }
  | { readonly kind: 'goOn'; readonly isYoung: false; readonly spans: readonly Waiting[] };

interface WorkQueueOptions {
  /** Whether records wait for the disk, and whoever sent them for their answers. */
  pressed(): boolean;
  now(): number;
}

/** Vehicles that are worked out as one, and points after which no other is put to them: what is young waits for no more than these. */
const MOST_AT_ONCE = 50;
const MOST_POINTS = 500;
/** Batches of one kind that are under way, so that the fold never waits for what was found to be written. What is young waits for none that is older to be over. */
const BATCHES = 2;
/** Vehicles of what is older that are worked out at once while records wait for the disk. */
const MOST_PRESSED = 5;
/** What is younger (ms) may alert somebody: it goes first, and waits for nobody. */
const YOUNG = 15 * 60_000;
/** ms between two batches of what is older, while records wait for the disk: a device that empties its black box keeps its radio on until it is answered. */
export const PRESSED_PAUSE = 20;

/**
 * Who is worked out next: what is young first; of the rest those who have waited longest, in turns with those whose stretch is long and unfinished. A vehicle
 * has one stretch at a time under way, and what comes meanwhile waits behind it.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #waiting = new Map<number, Waiting>();
  /** Those of them that have something young. */
  readonly #young = new Set<number>();
  /** Being worked out, or not on disk yet. */
  readonly #busy = new Set<number>();
  #unfinished: Waiting[] = [];
  readonly #underWay = { young: 0, older: 0 };
  /** Whether others had their turn after those that are unfinished. */
  #othersHadTheirs = true;
  /** When what is older may go on although records wait for the disk, by `performance.now()`. */
  #olderFrom = 0;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /** Vehicles that wait for their turn, or to go on. */
  get size(): number {
    return this.#waiting.size + this.#unfinished.length;
  }

  has(vehicleId: number): boolean {
    return this.#waiting.has(vehicleId);
  }

  /** What waits of a vehicle, for whoever has more to put to it; not that it may be silent. */
  known(vehicleId: number): Waiting | undefined {
    const waiting = this.#waiting.get(vehicleId);
    return waiting?.silent ? undefined : waiting;
  }

  /** It takes the place of what waits of its vehicle. */
  put(waiting: Waiting): void {
    this.#waiting.set(waiting.vehicleId, waiting);
    if (waiting.till > this.#options.now() - YOUNG) this.#young.add(waiting.vehicleId);
  }

  /**
   * Its vehicles are busy until they are `released`; undefined: nothing can be done now. Each batch is followed by `over`.
   * @param older whether it may be what is not young
   */
  take(older = true): Batch | undefined {
    const young = this.#begin(this.#young, MOST_AT_ONCE, true);
    if (young !== 'none') return young;
    if (!older || this.#underWay.older >= BATCHES) return undefined;
    const pressed = this.#options.pressed();
    if (pressed && performance.now() < this.#olderFrom) return undefined;
    const most = pressed ? MOST_PRESSED : MOST_AT_ONCE;
    const batch = this.#takeOlder(most);
    if (pressed && batch) this.#olderFrom = performance.now() + PRESSED_PAUSE;
    return batch;
  }

  /** @param unfinished of its spans those that go on later, in their order */
  over(batch: Batch, unfinished: readonly Waiting[]): void {
    this.#underWay[batch.isYoung ? 'young' : 'older']--;
    // The first one had its turn; those behind it were not come to.
    const [first, ...others] = unfinished;
    if (first) this.#unfinished = [...others, ...this.#unfinished, first];
  }

  /** Vehicles are not busy any more. */
  release(vehicleIds: Iterable<number>): void {
    for (const vehicleId of vehicleIds) this.#busy.delete(vehicleId);
  }

  #takeOlder(most: number): Batch | undefined {
    if (this.#unfinished.length > 0 && (this.#othersHadTheirs || this.#unfinished.length >= MOST_AT_ONCE)) return this.#goOn(most);
    const others = this.#begin(this.#waiting.keys(), most, false);
    this.#othersHadTheirs = true;
    return others !== 'none' ? others : this.#unfinished.length > 0 ? this.#goOn(most) : undefined;
  }

  #goOn(most: number): Batch {
    this.#othersHadTheirs = false;
    this.#underWay.older++;
    return { kind: 'goOn', isYoung: false, spans: this.#unfinished.splice(0, most) };
  }

  /** `none`: none of them can be begun; undefined: there are some, and enough are under way. */
  #begin(vehicleIds: Iterable<number>, most: number, isYoung: boolean): Batch | undefined | 'none' {
    const spans: Waiting[] = [];
    let points = 0;
    for (const vehicleId of vehicleIds) {
      if (this.#busy.has(vehicleId)) continue;
      if (this.#underWay[isYoung ? 'young' : 'older'] >= BATCHES) return undefined;
      const span = this.#waiting.get(vehicleId)!;
      spans.push(span);
      points += span.count ?? 1;
      if (spans.length >= most || points >= MOST_POINTS) break;
    }
    if (spans.length === 0) return 'none';
    for (const { vehicleId } of spans) {
      this.#waiting.delete(vehicleId);
      this.#young.delete(vehicleId);
      this.#busy.add(vehicleId);
    }
    this.#underWay[isYoung ? 'young' : 'older']++;
    return { kind: 'begin', isYoung, spans };
  }
}
