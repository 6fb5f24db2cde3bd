import { mayChangeRoads, mayCloseWide, type Actor } from '../../../shared/access.ts';
import type { RoadClosure } from '../../../shared/records/index.ts';
import { UNTAKEN_ID } from '../../../shared/ids.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Records, Store } from '../../store/types.ts';
import { changesRouting, changeClosure, createClosure, readGeometry, type ClosureOrder } from './closure-order.ts';
import { isInForce, isSupported, nextChange } from './in-force.ts';

/** Replaces all closures of the router. Resolves when the next query uses them. */
export type ApplyClosures = (closures: readonly Pick<RoadClosure, 'id' | 'geometry' | 'factor'>[]) => Promise<void>;

/** Finds the roads that a closure would affect. */
export type FindAffectedRoads = (geometry: RoadClosure['geometry']) => Promise<{
  readonly metres: number;
  readonly names: readonly { readonly name: string; readonly metres: number }[];
  readonly lines: readonly (readonly [lon: number, lat: number][])[];
}>;

/**
 * The affected roads, whether the user may save the closure, and the limit in kilometres without the right to
 * more.
 */
type AffectedRoadsPreview = Awaited<ReturnType<FindAffectedRoads>> & {
  readonly allowed: boolean;
  readonly limit: number;
};

export interface ClosuresOptions {
  store: Store;
  now(): number;
  applyClosures: ApplyClosures;
  affectedRoads: FindAffectedRoads;
  /** Kilometres of road that a user may close without the right to close more. */
  wideLimit: number;
  /** Receives errors of the router. */
  report(error: unknown): void;
}

/**
 * Maximum ms between checks for closures that begin or end, because clocks are set and machines sleep. A
 * failed router is retried then.
 */
const LONGEST_WAIT = 60_000;

/** Closed and slowed roads (README rules 1 to 3). */
export class Closures {
  readonly #records: Records<RoadClosure>;
  readonly #now: () => number;
  readonly #applyClosures: ApplyClosures;
  readonly #affectedRoads: FindAffectedRoads;
  readonly #wideLimit: number;
  readonly #report: (error: unknown) => void;
  readonly #stopWatching: () => void;
  /** The closures that the router uses; undefined after an error. */
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
    // Also after a merge from another station.
    this.#stopWatching = this.#records.watch(() => void this.#update());
  }

  /** Once this resolves, routes use the closures in force at each moment. */
  static async open(options: ClosuresOptions): Promise<Closures> {
    const closures = new Closures(options);
    await closures.#update();
    return closures;
  }

  /** All that are not lifted, future and past ones included, by id. */
  list(): RoadClosure[] {
    return this.#records
      .all()
      .filter(({ isDeleted }) => !isDeleted)
      .sort((a, b) => a.id - b.id);
  }

  /** Those that hold now, by id. */
  inForce(): RoadClosure[] {
    const now = this.#now();
    return this.list().filter((closure) => isInForce(closure, now) && isSupported(closure));
  }

  /** Also one that has ended. */
  find(id: number): RoadClosure | undefined {
    return this.#records.get(id);
  }

  get(id: number): RoadClosure {
    const closure = this.#records.get(id);
    if (!closure || closure.isDeleted) throw new Refusal('closures.missing', { id });
    return closure;
  }

  /** The roads that a closure would affect; 0 metres: none. */
  async preview(by: Actor, geometry: unknown): Promise<AffectedRoadsPreview> {
    requireMayClose(by);
    const under = await this.#affectedRoads(readGeometry(geometry));
    return { ...under, allowed: mayCloseWide(by) || !this.#isWide(under.metres), limit: this.#wideLimit };
  }

  /** An id for a new closure. */
  takeId(): number {
    return this.#records.nextId();
  }

  /**
   * Throws what creating (`id` undefined) or changing the closure would throw, but for its length, which only the
   * router knows. Writes nothing.
   */
  check(by: Actor, id: number | undefined, order: ClosureOrder): void {
    requireMayClose(by);
    if (id === undefined) createClosure(UNTAKEN_ID, order);
    else changeClosure(this.get(id), order);
  }

  /**
   * Stores a closure. This and the changes below resolve when the next query uses it (README rule 2).
   * @param id taken with `takeId`
   */
  async create(by: Actor, order: ClosureOrder, id?: number): Promise<RoadClosure> {
    requireMayClose(by);
    const made = createClosure(id ?? this.takeId(), order);
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

  /** Lifts a closure. The record stays hidden, because past routes name it. */
  async delete(by: Actor, id: number): Promise<void> {
    requireMayClose(by);
    this.get(id);
    await this.#records.change(id, (closure) => ({ ...closure, isDeleted: true }));
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
    throw new Refusal('closures.wide', { length: kilometres, limit });
  }

  /** 0 without a territory. */
  async #affectedMetres(geometry: RoadClosure['geometry']): Promise<number> {
    try {
      return (await this.#affectedRoads(geometry)).metres;
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'no-territory') return 0;
      throw error;
    }
  }

  #isWide(metres: number): boolean {
    return metres > this.#wideLimit * 1000;
  }

  /** Gives the router the closures in force, if they changed, and schedules the next check. */
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
  if (!mayChangeRoads(actor)) throw new Refusal('closures.mayNot');
}
