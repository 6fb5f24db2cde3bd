import { randomUUID } from 'node:crypto';
import type { NatsConnection } from '@nats-io/transport-node';
import { isStamp, stationPartOf } from '../../../shared/merge/stamps.ts';
import type { EventRecord } from '../../../shared/records/index.ts';
import type { ChangedSpan, Events, Fold, FoldJob } from '../events/index.ts';
import { partitionOf, type RegionConnection } from '../../replication/nats/index.ts';
import type { Store } from '../../store/types.ts';
import type { Telemetry } from '../telemetry/index.ts';
import { Leases, RENEW_EVERY } from './leases.ts';
import { LogWriter } from './log-writer.ts';
import { PartitionSession } from './partition-session.ts';
import { PastFold } from './past-fold.ts';
import { RevisionLog } from './revision-log.ts';
import { shareChange } from './shares.ts';
import { storeSteps } from './store-steps.ts';
import { WORKERS } from './author.ts';

export interface EventWorkerOptions {
  readonly connection: RegionConnection;
  readonly store: Store;
  /** The partitions that it may own. */
  readonly partitions: readonly number[];
  readonly depots: readonly string[];
  /** ms by which the clock of a device may be ahead. */
  readonly clockLimit: number;
  now(): number;
  readonly log: { info(message: string): void; warn(message: string): void };
}

export interface WorkedRooms {
  readonly telemetry: Telemetry;
  readonly events: Events;
  hasVehicle(vehicleId: number): boolean;
  /** The vehicles of a partition. */
  vehicles(partition: number): readonly number[];
  /** Whether the records of the region were all here once. */
  wasFilled(): boolean;
}

/** A change of surroundings that this worker heard of: the owner before may not have finished with it. */
interface Recomputed {
  readonly vehicleIds: readonly number[];
  readonly from: number;
}

interface Owned {
  readonly session: PartitionSession;
  /** It is being given back. */
  closing?: Promise<void>;
}

/** ms until what failed is tried again. */
const RETRY_AFTER = 1_000;
/** ms for which changes of surroundings are repeated by a new owner. */
const REPEATED_FOR = 10 * 60_000;

/**
 * Computes the events of partitions of a region in place of its stations. What it writes goes to the log of the
 * partition, which refuses every worker but the last one that took it.
 */
export class EventWorker {
  readonly #options: EventWorkerOptions;
  readonly #id = randomUUID();
  readonly #log: RevisionLog;
  readonly #leases: Leases;
  readonly #owned = new Map<number, Owned>();
  /** The ownership in which the events of a vehicle were last computed. */
  readonly #computedIn = new Map<number, PartitionSession>();
  readonly #closing = new AbortController();
  readonly writer: LogWriter;
  /** Since the start: partitions that it took, those that failed, and entries of positions that it computed. */
  readonly counts = { taken: 0, lost: 0, entries: 0 };
  #rooms: WorkedRooms | undefined;
  #running: Promise<void> = Promise.resolve();
  /** Changes that a new owner repeats, by the timer that forgets them. */
  readonly #recomputed = new Map<NodeJS.Timeout, Recomputed>();
  /** From when on another program wrote events of a vehicle, and when that was known here, monotonic ms. */
  readonly #foreign = new Map<number, { readonly from: number; readonly at: number }>();
  #problem: string | undefined = 'It has not begun yet.';

  constructor(options: EventWorkerOptions) {
    this.#options = options;
    const { connection, store, now, log } = options;
    this.#leases = new Leases(connection);
    this.#log = new RevisionLog({
      connection,
      store,
      take: storeSteps({
        store,
        keepsCheckpoints: true,
        revised: () => undefined,
        now,
        warn: (message) => log.warn(message),
      }),
    });
    this.writer = new LogWriter({
      log: this.#log,
      records: store.records('events'),
      mayWrite: (vehicleId) => this.owns(vehicleId) && this.#sessionOf(vehicleId) === this.#computedIn.get(vehicleId),
      failed: (partition, error) => this.#owned.get(partition)?.session.fail(error as Error),
      now,
    });
  }

  /** Partitions that it works at now. */
  get partitions(): readonly number[] {
    return [...this.#owned.keys()].sort((a, b) => a - b);
  }

  /** Why it does not work, in words; undefined: it does. */
  get problem(): string | undefined {
    return this.#problem;
  }

  owns(vehicleId: number): boolean {
    return this.#owned.has(partitionOf(vehicleId));
  }

  /** The computation of events, over tracks that an earlier owner may have taken in. */
  fold(own: Fold): Fold {
    return new PastFold(own, (job) => this.#load(job));
  }

  tracksChanged(spans: readonly ChangedSpan[]): void {
    for (const span of spans) {
      const owned = this.#owned.get(partitionOf(span.vehicleId));
      if (owned) owned.session.tracksChanged(span);
      else this.#rooms?.telemetry.markProcessed([span]);
    }
  }

  /**
   * The surroundings of vehicles changed. The owner of each computes its events again. The change is kept on disk while
   * a next owner repeats it, as this worker may be after a restart.
   */
  recompute(vehicleIds: readonly number[], from: number, done: () => void): void {
    this.#rooms?.events.recompute(
      vehicleIds.filter((id) => this.owns(id)),
      from,
    );
    const timer = setTimeout(() => {
      this.#recomputed.delete(timer);
      done();
    }, REPEATED_FOR).unref();
    this.#recomputed.set(timer, { vehicleIds, from });
  }

  start(rooms: WorkedRooms): void {
    this.#rooms = rooms;
    const { store } = this.#options;
    rooms.events.leaveTo((vehicleId) => !this.owns(vehicleId));
    rooms.telemetry.markProcessed(rooms.telemetry.unprocessedSpans());
    const stop = store.onMerged((collection, changes) => {
      if (collection === 'events')
        for (const { record, deleted } of changes) this.#considerForeign(record as unknown as EventRecord, deleted);
    });
    this.#running = this.#run(rooms).finally(stop);
  }

  /** Gives its partitions back. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const timer of this.#recomputed.keys()) clearTimeout(timer);
    // Partitions that it owns are given back first, over the log.
    if (this.#owned.size === 0) await Promise.all([this.#log.close(), this.#leases.close()]);
    await this.#running;
  }

  /**
   * A station computed an event by itself, perhaps from less than a worker has. If the owner of the partition is lost
   * before it has repeated that, the next one does.
   */
  #considerForeign(record: EventRecord, deleted: boolean): void {
    const { vehicleId } = record;
    if (isOfTask(record.type) || (!deleted && isOfWorkers(record)) || !this.#rooms!.wasFilled()) return;
    const now = performance.now();
    const known = this.#foreign.get(vehicleId);
    const since = known && now - known.at < REPEATED_FOR ? known.from : Infinity;
    const from = Math.min(record.from, record.seenAt);
    this.#foreign.set(vehicleId, { from: Math.min(from, since), at: now });
    if (this.owns(vehicleId)) this.#rooms!.events.recompute([vehicleId], from);
  }

  async #load({ vehicleId, from }: FoldJob): Promise<void> {
    const session = this.#sessionOf(vehicleId);
    if (!session) throw new Error('The partition is not of this worker any more.');
    const last = this.#options.store.sql.prepare(
      'SELECT max(time) AS time FROM event_checkpoints WHERE vehicle = ? AND time < ?',
    );
    const lastState = () => Number(last.get(vehicleId, from)?.['time'] ?? -1);
    await session.load(vehicleId, lastState).catch((error: unknown) => {
      session.fail(error as Error);
      throw error;
    });
    this.#computedIn.set(vehicleId, session);
  }

  #sessionOf(vehicleId: number): PartitionSession | undefined {
    return this.#owned.get(partitionOf(vehicleId))?.session;
  }

  async #run(rooms: WorkedRooms): Promise<void> {
    const { connection, log } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        const open = await connection.connected(signal);
        await this.#use(open, rooms);
      } catch (error) {
        if (signal.aborted) break;
        const problem = `Events cannot be worked out for the region: ${(error as Error).message}`;
        if (problem !== this.#problem) log.warn(problem);
        this.#problem = problem;
      }
      await new Promise((resolve) => setTimeout(resolve, signal.aborted ? 0 : RETRY_AFTER));
    }
  }

  /** Works until the connection is lost, something fails, or it is closed. */
  async #use(open: NatsConnection, rooms: WorkedRooms): Promise<void> {
    const [steps, leases] = [await this.#log.follow(open), await this.#leases.follow(open)];
    const over = Promise.race([steps.ended, leases.ended]);
    over.catch(() => undefined);
    let isOver = false;
    const ended = () => (isOver = true);
    over.then(ended, ended);
    try {
      while (!isOver && !this.#closing.signal.aborted) {
        if (rooms.wasFilled()) {
          await this.#share(open, rooms);
          this.#problem = undefined;
        }
        await Promise.race([over, this.#nextTurn()]);
      }
      if (!this.#closing.signal.aborted) await over;
    } finally {
      await Promise.all([...this.#owned.keys()].map((partition) => this.#giveBack(partition)));
      if (this.#closing.signal.aborted && !isOver) await this.#leases.leave(this.#id).catch(() => undefined);
      await Promise.all([steps.close(), leases.close()]);
    }
  }

  async #nextTurn(): Promise<void> {
    const { signal } = this.#closing;
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, RENEW_EVERY);
    const stop = () => resolve();
    signal.addEventListener('abort', stop, { once: true });
    await promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }

  /** Renews its leases, and takes or gives back partitions so that the workers have equal shares. */
  async #share(open: NatsConnection, rooms: WorkedRooms): Promise<void> {
    const { partitions, log } = this.#options;
    await this.#leases.announce(this.#id, partitions);
    for (const partition of this.#owned.keys())
      if (!(await this.#leases.hold(partition, this.#id))) await this.#giveBack(partition);
    const workers = new Map([...this.#leases.workers(), [this.#id, partitions] as const]);
    const { claim, release } = shareChange(this.#id, workers, (partition) =>
      this.#owned.has(partition) ? this.#id : this.#leases.owner(partition),
    );
    for (const partition of release) {
      log.info(`Partition ${partition} moves to another worker.`);
      await this.#giveBack(partition);
    }
    for (const partition of claim)
      if (await this.#leases.hold(partition, this.#id)) await this.#takeOver(partition, open, rooms);
  }

  async #takeOver(partition: number, open: NatsConnection, rooms: WorkedRooms): Promise<void> {
    const { connection, depots, clockLimit, log } = this.#options;
    const { telemetry, events, hasVehicle } = rooms;
    const warn = (message: string) => log.warn(message);
    const session = new PartitionSession(partition, {
      ...{ connection, log: this.#log, telemetry, events, depots, clockLimit, hasVehicle, warn },
      computed: (entries) => (this.counts.entries += entries),
    });
    // An earlier ownership left states of the computation in memory.
    events.forget(rooms.vehicles(partition));
    const run = async () => {
      try {
        for (const [vehicleId, time] of await session.open(open)) events.heard(vehicleId, time);
        this.counts.taken++;
        log.info(`Processing partition ${partition}.`);
        this.#repeat(partition, events);
        await session.run();
      } catch (error) {
        this.counts.lost++;
        log.warn(`Partition ${partition} was abandoned: ${(error as Error).message}`);
      }
    };
    this.#owned.set(partition, { session });
    void run().then(() => this.#giveBack(partition, session));
  }

  #repeat(partition: number, events: Events): void {
    for (const { vehicleIds, from } of this.#recomputed.values())
      events.recompute(
        vehicleIds.filter((id) => partitionOf(id) === partition),
        from,
      );
    const since = performance.now() - REPEATED_FOR;
    for (const [vehicleId, { from, at }] of this.#foreign)
      if (at < since) this.#foreign.delete(vehicleId);
      else if (partitionOf(vehicleId) === partition) events.recompute([vehicleId], from);
  }

  /** Stops working at a partition; another worker may have it at once. */
  #giveBack(partition: number, session?: PartitionSession): Promise<void> {
    const owned = this.#owned.get(partition);
    if (!owned || (session && owned.session !== session)) return Promise.resolve();
    return (owned.closing ??= this.#close(partition, owned));
  }

  async #close(partition: number, { session }: Owned): Promise<void> {
    await session.close();
    this.#owned.delete(partition);
    // Else it ends by itself.
    if (this.#leases.owner(partition) === this.#id) await this.#leases.release(partition).catch(() => undefined);
  }
}

/** Whether the latest edit of the record is of a worker. */
function isOfWorkers({ hlc }: EventRecord): boolean {
  const latest = [hlc.base, ...Object.values(hlc.fields)].reduce((a, b) => (isStamp(b) && b > a ? b : a));
  return stationPartOf(latest) === WORKERS;
}

/** They are computed from tasks, by the stations. */
function isOfTask(type: number): boolean {
  return type >= 18 && type <= 23;
}
