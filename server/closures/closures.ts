import { mayChangeRoads, mayCloseWide, type Actor } from '../../shared/access.ts';
import type { RoadClosure } from '../../shared/records/index.ts';
import { Refusal } from '../../shared/refusal.ts';
import type { Records, Store } from '../store/types.ts';
import { changesRouting, changeClosure, createClosure, readGeometry, type ClosureOrder } from './closure-order.ts';
import { isInForce, isSupported, nextChange } from './in-force.ts';

/** Makes the router obey these closures and no others; resolves when the next question does. */
export type ApplyClosures = (closures: readonly Pick<RoadClosure, 'id' | 'geometry' | 'factor'>[]) => Promise<void>;

/** Tells the roads on which a closure so drawn would lie. */
export type FindAffectedRoads = (geometry: RoadClosure['geometry']) => Promise<{
  readonly metres: number;
  readonly names: readonly { readonly name: string; readonly metres: number }[];
  readonly lines: readonly (readonly [lon: number, lat: number][])[];
}>;

/**
 * The roads, whether who asks may save such a closure, and the kilometres of road that one may close without
 * the right to more.
 */
type Preview = Awaited<ReturnType<FindAffectedRoads>> & { readonly allowed: boolean; readonly limit: number };

export interface ClosuresOptions {
  store: Store;
  now(): number;
  applyClosures: ApplyClosures;
  affectedRoads: FindAffectedRoads;
  /** Kilometres of road that one may close without the right to close more. */
  wideLimit: number;
  /** Hears that the router could not be made to obey. */
  report(error: unknown): void;
}

/**
 * Clocks are set and machines sleep: at least so often (ms) it is looked whether a closure has begun or
 * ended. A router that failed is told again then.
 */
const LONGEST_WAIT = 60_000;

/**
 * Closed and slowed roads. They are facts of the street and not of an organisation: every signed-in user sees
 * all of them, and whoever may edit messages in any state, or administers, may make, change and lift them.
 * What lies on more road than the limit takes a right of its own.
 */
export class Closures {
  readonly #records: Records<RoadClosure>;
  readonly #now: () => number;
  readonly #applyClosures: ApplyClosures;
  readonly #affectedRoads: FindAffectedRoads;
  readonly #wideLimit: number;
  readonly #report: (error: unknown) => void;
  readonly #stopWatching: () => void;
  /** Undefined: the router could not be told. */
  #applied: readonly RoadClosure[] | undefined = [];
  #applying: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor({ store, now, applyClosures, affectedRoads, wideLimit, report }: ClosuresOptions) {
    this.#records = store.kind<RoadClosure>('fleet', 'closure');
    this.#now = now;
    this.#applyClosures = applyClosures;
    this.#affectedRoads = affectedRoads;
    this.#wideLimit = wideLimit;
    this.#report = report;
    // Whoever wrote, also a merge from another station.
    this.#stopWatching = this.#records.watch(() => void this.#update());
  }

  /** From when this resolves, routes obey the closures that are in force at each moment. */
  static async open(options: ClosuresOptions): Promise<Closures> {
    const closures = new Closures(options);
    await closures.#update();
    return closures;
  }

  /** All that are not lifted, those to come and those that are over among them, in the order of their ids. */
  list(): RoadClosure[] {
    return this.#records
      .all()
      .filter(({ withdrawn }) => !withdrawn)
      .sort((a, b) => a.id - b.id);
  }

  get(id: number): RoadClosure {
    const closure = this.#records.get(id);
    if (!closure || closure.withdrawn) throw new Refusal('not-found', `There is no closure ${id}.`);
    return closure;
  }

  /** The roads that a closure so drawn would lie on; no metres: it would close nothing. */
  async preview(by: Actor, geometry: unknown): Promise<Preview> {
    requireMayClose(by);
    const under = await this.#affectedRoads(readGeometry(geometry));
    return { ...under, allowed: mayCloseWide(by) || !this.#isWide(under.metres), limit: this.#wideLimit };
  }

  /**
   * When this and the changes below resolve, the closure is stored and the next question to the router obeys
   * it.
   */
  async create(by: Actor, order: ClosureOrder): Promise<RoadClosure> {
    requireMayClose(by);
    const made = createClosure(this.#records.nextId(), order);
    await this.#requireNotWide(by, made.geometry);
    const closure = await this.#records.insert(made);
    await this.#update();
    return closure;
  }

  async change(by: Actor, id: number, order: ClosureOrder): Promise<RoadClosure> {
    requireMayClose(by);
    const before = this.get(id);
    const after = changeClosure(before, order);
    if (changesRouting(before, after)) await this.#requireNotWide(by, after.geometry);
    const changed = await this.#records.change(id, (closure) => changeClosure(closure, order));
    await this.#update();
    return changed;
  }

  /** Lifts it. The record stays, hidden: routes of the past name it. */
  async withdraw(by: Actor, id: number): Promise<void> {
    requireMayClose(by);
    this.get(id);
    await this.#records.change(id, (closure) => ({ ...closure, withdrawn: true }));
    await this.#update();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#stopWatching();
    await this.#applying;
  }

  async #requireNotWide(by: Actor, geometry: RoadClosure['geometry']): Promise<void> {
    if (mayCloseWide(by)) return;
    const metres = await this.#affectedMetres(geometry);
    if (!this.#isWide(metres)) return;
    const kilometres = Math.ceil(metres / 100) / 10;
    const limit = this.#wideLimit;
    throw new Refusal(
      'forbidden',
      `This lies on ${kilometres} km of road. Without the right to close more, it may be at most ${limit} km.`,
    );
  }

  /** Without a territory there are no roads. */
  async #affectedMetres(geometry: RoadClosure['geometry']): Promise<number> {
    try {
      return (await this.#affectedRoads(geometry)).metres;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'no-territory') return 0;
      throw error;
    }
  }

  #isWide(metres: number): boolean {
    return metres > this.#wideLimit * 1000;
  }

  /**
   * Resolves when the router obeys what is in force now; comes again when the next closure begins or ends.
   */
  #update(): Promise<void> {
    if (this.#closed) return this.#applying;
    const now = this.#now();
    const all = this.#records.all();
    const current = all.filter((closure) => isInForce(closure, now));
    if (!isSameList(current, this.#applied)) {
      this.#applied = current;
      this.#applying = this.#applyClosures(
        current.filter(isSupported).map(({ id, geometry, factor }) => ({ id, geometry, factor })),
      ).catch((error: unknown) => {
        if (this.#applied === current) this.#applied = undefined;
        this.#report(error);
      });
    }
    clearTimeout(this.#timer);
    const next = nextChange(all, now) ?? Infinity;
    this.#timer = setTimeout(() => void this.#update(), Math.max(1, Math.min(LONGEST_WAIT, next - now)));
    this.#timer.unref();
    return this.#applying;
  }
}

function isSameList(some: readonly RoadClosure[], others: readonly RoadClosure[] | undefined): boolean {
  return some.length === others?.length && some.every((closure, index) => closure === others[index]);
}

function requireMayClose(actor: Actor): void {
  if (!mayChangeRoads(actor)) throw new Refusal('forbidden', 'You may not close roads: it takes the right to edit.');
}
