import type { Feature } from 'geojson';
import { Refusal } from '../../../shared/refusal.ts';
import { Emitter } from '../../platform/emitter.ts';
import type {
  QueryOptions,
  Closure,
  AnswerFormat,
  LearnedSpeeds,
  Planner,
  Coordinate,
  IsochroneAnswer,
  IsochroneRequest,
  AffectedRoads,
  RouteAnswer,
  RouteFormat,
  RouteRequest,
  SnappedPoint,
  Table,
  TableRequest,
} from './types.ts';
import type { DirectionsAnswer, DirectionsForm, DirectionsRequest, MatchRequest, TripRequest } from './types.ts';
import { makeRoadsFor } from './threads/make-roads.ts';
import type { RouterRequest } from './threads/messages.ts';
import { PreparingThread } from './threads/preparing-thread.ts';
import { SearchThread } from './threads/search-thread.ts';

/** Default ms that a query waits for roads being built: far longer than that takes. */
const WAIT_FOR_ROADS = 120_000;

export interface PlannerOptions {
  /** Directory of the territory, or undefined. */
  directory?: string | undefined;
  /** Metres: a point farther than this from every road is off the map. Default: no limit. */
  snapLimit?: number;
  /** Search threads. One answers thousands of queries per second. */
  threads?: number;
  /** Receives warnings about threads. */
  warn?: (message: string) => void;
  /** Starts the preparing thread; replaced in tests. */
  prepare?: (directory: string) => PreparingThread;
  /** Builds the roads of another profile; replaced in tests. */
  make?: (profile: string, directory: string, signal: AbortSignal) => Promise<void>;
}

/** Starts a planner with its own threads. Fails when the territory's roads cannot be read. */
export async function startPlanner(options: PlannerOptions = {}): Promise<Planner> {
  const planner = new ThreadPlanner(
    options.snapLimit ?? Infinity,
    options.threads ?? 1,
    options.warn ?? (() => {}),
    options.prepare ?? ((directory) => new PreparingThread(directory)),
    options.make ?? makeRoadsFor,
  );
  await planner.open(options.directory);
  return planner;
}

class ThreadPlanner implements Planner {
  readonly snapLimit: number;
  readonly #count: number;
  readonly #warn: (message: string) => void;
  readonly #prepare: (directory: string) => PreparingThread;
  readonly #make: NonNullable<PlannerOptions['make']>;
  readonly #conditionsChanged = new Emitter<[]>();
  #threads: SearchThread[] = [];
  #preparing: PreparingThread | undefined;
  #directory: string | undefined;
  /** Whether opening the last territory failed. */
  #unusable = false;
  #closures: readonly Closure[] = [];
  #inForce: readonly Closure[] = [];
  #speeds: LearnedSpeeds | undefined;
  #changing: Promise<void> = Promise.resolve();
  /** Resolves when no search uses the previous metrics. */
  #released: Promise<unknown> = Promise.resolve();
  #closed = false;
  #profiles: readonly string[] = [];
  /** Profiles of the open territory without roads, with the promise of their build once started. */
  #makeable = new Map<string, Promise<void> | undefined>();
  #territoryAbort = new AbortController();

  constructor(
    snapLimit: number,
    count: number,
    warn: (message: string) => void,
    prepare: (directory: string) => PreparingThread,
    make: NonNullable<PlannerOptions['make']>,
  ) {
    this.snapLimit = snapLimit;
    this.#count = count;
    this.#warn = warn;
    this.#prepare = prepare;
    this.#make = make;
  }

  get profiles(): readonly string[] {
    return this.#profiles;
  }

  get closuresInForce(): readonly Closure[] {
    return this.#inForce;
  }

  onConditions(listener: () => void): () => void {
    return this.#conditionsChanged.on(listener);
  }

  async locate(point: Coordinate, options: Parameters<Planner['locate']>[1] = {}): Promise<Coordinate | undefined> {
    const { profile, snapLimit = this.snapLimit } = options;
    return (await this.#request({ method: 'locate', args: [point, snapLimit] }, profile)) as Coordinate | undefined;
  }

  async nearest(point: Coordinate, options: Parameters<Planner['nearest']>[1] = {}): Promise<SnappedPoint[]> {
    const { count = 1, heading, profile, snapLimit = this.snapLimit } = options;
    return (await this.#request(
      { method: 'nearest', args: [point, count, heading, snapLimit] },
      profile,
    )) as SnappedPoint[];
  }

  async route(request: RouteRequest): Promise<RouteAnswer> {
    return (await this.#request(
      { method: 'route', args: [this.#withSnapLimit(request)] },
      request.profile,
    )) as RouteAnswer;
  }

  async table(request: TableRequest): Promise<Table> {
    return (await this.#request(
      { method: 'table', args: [this.#withSnapLimit(request)] },
      request.profile,
      request.wait,
    )) as Table;
  }

  async isochrone(request: IsochroneRequest): Promise<IsochroneAnswer> {
    return (await this.#request(
      { method: 'isochrone', args: [this.#withSnapLimit(request)] },
      request.profile,
    )) as IsochroneAnswer;
  }

  async writtenRoute(request: RouteRequest, form: RouteFormat): Promise<Uint8Array> {
    return (await this.#request(
      { method: 'route', args: [this.#withSnapLimit(request)], form },
      request.profile,
    )) as Uint8Array;
  }

  async writtenTable(request: TableRequest, form: AnswerFormat): Promise<Uint8Array> {
    return (await this.#request(
      { method: 'table', args: [this.#withSnapLimit(request)], form },
      request.profile,
    )) as Uint8Array;
  }

  async writtenIsochrone(request: IsochroneRequest, form: AnswerFormat): Promise<Uint8Array> {
    return (await this.#request(
      { method: 'isochrone', args: [this.#withSnapLimit(request)], form },
      request.profile,
    )) as Uint8Array;
  }

  async directions(request: DirectionsRequest, form: DirectionsForm): Promise<DirectionsAnswer> {
    const args = [this.#withSnapLimit(request), form] as const;
    return (await this.#request({ method: 'directions', args: [...args] }, request.profile)) as DirectionsAnswer;
  }

  async durations(request: TableRequest, form: DirectionsForm & { durations: boolean }): Promise<DirectionsAnswer> {
    const args = [this.#withSnapLimit(request), form] as const;
    return (await this.#request({ method: 'durations', args: [...args] }, request.profile)) as DirectionsAnswer;
  }

  async trip(request: TripRequest, form: DirectionsForm): Promise<DirectionsAnswer> {
    const args = [this.#withSnapLimit(request), form] as const;
    return (await this.#request({ method: 'trip', args: [...args] }, request.profile)) as DirectionsAnswer;
  }

  async match(request: MatchRequest, form: DirectionsForm): Promise<DirectionsAnswer> {
    return (await this.#request({ method: 'match', args: [request, form] }, request.profile)) as DirectionsAnswer;
  }

  #withSnapLimit<Request extends QueryOptions>(request: Request): Request {
    return { ...request, snapLimit: request.snapLimit ?? this.snapLimit };
  }

  async roads(bounds: [number, number, number, number], limit: number): Promise<Feature[]> {
    return (await this.#request({ method: 'roads', args: [bounds, limit] })) as Feature[];
  }

  async affectedRoads(geometry: Closure['geometry']): Promise<AffectedRoads> {
    if (this.#preparing?.isDead) {
      await this.#serialize(async () => {
        if (this.#preparing?.isDead && !this.#closed) await this.#replacePreparing(new Error('it had ended'));
      });
    }
    const preparing = this.#preparing;
    if (!preparing) throw this.#noRoads();
    return preparing.affectedRoads(geometry).catch((error: unknown) => {
      if (!preparing.isDead) throw error;
      throw new Refusal('routing.closed', {}, { cause: error });
    });
  }

  setClosures(closures: readonly Closure[]): Promise<void> {
    return this.#setConditions(() => (this.#closures = closures));
  }

  setSpeeds(speeds: LearnedSpeeds | undefined): Promise<void> {
    return this.#setConditions(() => (this.#speeds = speeds));
  }

  #setConditions(change: () => void): Promise<void> {
    return this.#serialize(async () => {
      const before = { closures: this.#closures, speeds: this.#speeds };
      change();
      if (this.#preparing) {
        try {
          await this.#released;
          const conditions = await this.#preparing.conditions(this.#closures, this.#speeds);
          this.#released = Promise.all(this.#threads.map((thread) => thread.setConditions(conditions)));
        } catch (error) {
          if (this.#closed) return;
          if (!this.#preparing.isDead) {
            this.#closures = before.closures;
            this.#speeds = before.speeds;
            throw error;
          }
          await this.#replacePreparing(error as Error);
        }
      }
      this.#notifyConditions();
    });
  }

  #notifyConditions(): void {
    this.#inForce = this.#closures;
    this.#conditionsChanged.emit();
  }

  open(directory: string | undefined): Promise<void> {
    return this.#serialize(async () => {
      this.#unusable = true;
      await this.#open(directory);
      this.#unusable = false;
      this.#notifyConditions();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#territoryAbort.abort();
    await this.#preparing?.close();
    await this.#serialize(() => this.#open(undefined));
  }

  /** Opens the territory again under the current conditions. */
  async #replacePreparing({ message }: Error): Promise<void> {
    this.#warn(`The thread that prepares roads failed. Starting a new one: ${message}`);
    await this.#open(this.#directory);
  }

  /** Changes of territory and conditions run one after the other. */
  #serialize(change: () => Promise<void>): Promise<void> {
    const changed = this.#changing.then(change);
    this.#changing = changed.catch(() => {});
    return changed;
  }

  /** Old threads finish their queries. */
  async #open(directory: string | undefined): Promise<void> {
    const old = { threads: this.#threads, preparing: this.#preparing };
    let threads: SearchThread[] = [];
    let preparing: PreparingThread | undefined;
    let profiles: readonly string[] = [];
    let makeable: readonly string[] = [];
    if (directory !== undefined && !this.#closed) {
      preparing = this.#prepare(directory);
      try {
        const prepared = await preparing.prepared;
        if (this.#closures.length > 0 || this.#speeds)
          prepared.conditions = await preparing.conditions(this.#closures, this.#speeds);
        makeable = prepared.makeable;
        profiles = [...prepared.networks.map(({ profile }) => profile), ...makeable];
        threads = Array.from({ length: this.#count }, () => new SearchThread(prepared, this.#warn));
        await Promise.all(threads.map((thread) => thread.ready));
      } catch (error) {
        // Unreferenced threads would keep the process alive.
        await Promise.all([preparing.close(), ...threads.map((thread) => thread.close())]);
        throw error;
      }
    }
    this.#threads = threads;
    this.#preparing = preparing;
    this.#profiles = profiles;
    this.#directory = directory;
    this.#territoryAbort.abort();
    this.#territoryAbort = new AbortController();
    this.#makeable = new Map(makeable.map((profile) => [profile, undefined]));
    const ended = old.threads.map((thread) => (this.#closed ? thread.close() : thread.finish()));
    if (old.preparing) ended.push(old.preparing.close());
    if (this.#closed) await Promise.all(ended);
  }

  async makeRoads(profiles: Iterable<string>): Promise<void> {
    const makeable = this.#makeable;
    for (const profile of profiles) {
      // One after the other: builds compete with queries for cores.
      if (makeable === this.#makeable && makeable.has(profile)) await this.#ensureRoads(profile).catch(() => {});
    }
  }

  /** Starts the build of a profile's roads unless it runs; resolves when they are searchable. */
  #ensureRoads(profile: string): Promise<void> {
    const begun = this.#makeable.get(profile) ?? this.#addProfile(profile);
    this.#makeable.set(profile, begun);
    return begun;
  }

  /** Resolves when a profile's roads are there; refuses as `busy` after `wait` ms. */
  async #waitForRoads(profile: string, wait: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Refusal('routing.roadsFirst', { profile })), wait);
    });
    await Promise.race([this.#ensureRoads(profile), waited]).finally(() => clearTimeout(timer));
  }

  async #addProfile(profile: string): Promise<void> {
    const directory = this.#directory!;
    const { signal } = this.#territoryAbort;
    const makeable = this.#makeable;
    try {
      await this.#make(profile, directory, signal);
      await this.#serialize(async () => {
        if (signal.aborted) throw new Error('another territory was opened');
        const preparing = this.#preparing!;
        try {
          const added = await preparing.add(profile);
          for (const thread of this.#threads) thread.add(added);
        } catch (error) {
          if (!preparing.isDead) throw error;
          await this.#replacePreparing(error as Error); // with the new roads
        }
      });
      makeable.delete(profile);
    } catch (error) {
      makeable.set(profile, undefined);
      if (!signal.aborted) this.#warn(`The roads for ${profile} could not be built: ${(error as Error).message}`);
      throw new Refusal('routing.roadsFailed', { profile }, { cause: error });
    }
  }

  async #request(request: RouterRequest, profile?: string, wait = WAIT_FOR_ROADS): Promise<unknown> {
    if (profile !== undefined && this.#makeable.has(profile)) await this.#waitForRoads(profile, wait);
    const [first, ...others] = this.#threads;
    if (!first) throw this.#noRoads();
    const idlest = others.reduce((best, thread) => (thread.waiting < best.waiting ? thread : best), first);
    return idlest.request(request, profile);
  }

  #noRoads(): Refusal {
    return new Refusal(this.#unusable ? 'routing.roadsUnreadable' : 'routing.noRoads');
  }
}
