import type { NatsConnection } from '@nats-io/transport-node';
import type { Events } from '../events/index.ts';
import { PARTITIONS, partitionOf, type RegionConnection } from '../../replication/nats/index.ts';
import type { Store } from '../../store/types.ts';
import { Leases } from './leases.ts';
import { RevisionLog } from './revision-log.ts';
import { storeSteps } from './store-steps.ts';

interface EventIntakeOptions {
  readonly connection: RegionConnection;
  readonly store: Store;
  readonly events: Pick<Events, 'announce' | 'leaveTo'>;
  /** Whether the last positions of a vehicle came from a gateway of the region, which workers read, too. */
  cameFromGateway(vehicleId: number): boolean;
  now(): number;
  readonly log: { info(message: string): void; warn(message: string): void };
}

/** ms until what failed is tried again; and between two looks who works. */
const RETRY_AFTER = 1_000;
const LOOK_EVERY = 1_000;
/** ms without a worker at a partition after which stations compute its events again. */
const GONE_AFTER = 60_000;
/** ms to wait at a start until it is known which workers own which partitions. */
const KNOWN_WITHIN = 5_000;

/** Takes the events that workers of the region computed into this station, which leaves those vehicles to them. */
export class EventIntake {
  readonly #options: EventIntakeOptions;
  readonly #log: RevisionLog;
  readonly #leases: Leases;
  readonly #closing = new AbortController();
  readonly #known = Promise.withResolvers<void>();
  /** When somebody was last seen to work at a partition, monotonic ms. */
  readonly #workedAt = new Map<number, number>();
  /** Partitions without a worker, as the log has it. */
  #gone: readonly number[] = [];
  readonly #unsubscribe: () => void;
  readonly #running: Promise<void>;
  #problem: string | undefined;

  constructor(options: EventIntakeOptions) {
    this.#options = options;
    const { connection, store, events, now, log } = options;
    this.#leases = new Leases(connection);
    this.#log = new RevisionLog({
      connection,
      store,
      take: storeSteps({
        store,
        keepsCheckpoints: false,
        revised: (revised) => events.announce(revised),
        now,
        warn: (message) => log.warn(message),
      }),
    });
    // A standby takes everything from the station that it follows.
    this.#unsubscribe = store.onReadOnly(() => void this.#log.close());
    events.leaveTo((vehicleId) => {
      if (this.#isWorked(partitionOf(vehicleId))) return options.cameFromGateway(vehicleId);
      // The log has it before the first event of this station.
      this.#report();
      return false;
    });
    this.#running = this.#run();
  }

  /** Why events of workers are missing, or who computes them instead; undefined: all is well. */
  get problem(): string | undefined {
    const gone = this.#abandoned();
    return gone.length > 0 ? describeGone(gone) : this.#problem;
  }

  /** Resolves when the owners are known, or when nobody can be asked. */
  async known(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, KNOWN_WITHIN);
    await Promise.race([this.#known.promise, promise]);
    clearTimeout(timer);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#unsubscribe();
    await Promise.all([this.#log.close(), this.#leases.close()]);
    await this.#running;
  }

  /** Whether a worker is at the partition, or was within a minute. */
  #isWorked(partition: number): boolean {
    if (this.#leases.owner(partition) !== undefined) this.#workedAt.set(partition, performance.now());
    const at = this.#workedAt.get(partition);
    return at !== undefined && performance.now() - at < GONE_AFTER;
  }

  /** Partitions whose events the stations compute again, since no worker was there for long. */
  #abandoned(): number[] {
    return [...this.#workedAt.keys()].filter((partition) => !this.#isWorked(partition)).sort((a, b) => a - b);
  }

  /** Logs from when and until when this station computes events of a worker. */
  #report(): void {
    const { log } = this.#options;
    const gone = this.#abandoned();
    if (gone.join() === this.#gone.join()) return;
    this.#gone = gone;
    if (gone.length > 0) log.warn(describeGone(gone));
    else log.info('Event workers are at all partitions again.');
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const reporting = setInterval(() => this.#report(), LOOK_EVERY);
    signal.addEventListener('abort', () => clearInterval(reporting), { once: true });
    await this.#follow();
  }

  async #follow(): Promise<void> {
    const { connection, store, log } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        const open = await connection.connected(signal);
        if (store.readOnly === undefined) await this.#use(open);
      } catch (error) {
        if (signal.aborted) break;
        const problem = `Events of workers cannot be taken in: ${(error as Error).message}`;
        if (problem !== this.#problem) log.warn(problem);
        this.#problem = problem;
      }
      await new Promise((resolve) => setTimeout(resolve, signal.aborted ? 0 : RETRY_AFTER));
    }
  }

  async #use(open: NatsConnection): Promise<void> {
    const leases = await this.#leases.follow(open);
    const look = () => {
      for (let partition = 0; partition < PARTITIONS; partition++) this.#isWorked(partition);
    };
    look();
    const timer = setInterval(look, LOOK_EVERY);
    this.#known.resolve();
    try {
      const steps = await this.#log.follow(open);
      if (this.#closing.signal.aborted) await steps.close();
      this.#problem = undefined;
      await Promise.race([steps.ended, leases.ended]).finally(() => steps.close());
    } finally {
      clearInterval(timer);
      await leases.close();
    }
  }
}

function describeGone(partitions: readonly number[]): string {
  return `No event worker is at the partitions ${partitions.join(', ')} any more. The stations compute these events.`;
}
