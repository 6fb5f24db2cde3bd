import { AckPolicy, DeliverPolicy, type ConsumerMessages } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { JsEntry, RegionConnection, RegionStream } from '../../../replication/nats/index.ts';
import type { Telemetry } from '../telemetry.ts';
import { unpackPositions } from './position-entry.ts';
import { openPositions } from './positions-stream.ts';

interface PositionIntakeOptions {
  readonly connection: RegionConnection;
  readonly telemetry: Pick<Telemetry, 'ingest' | 'quarantine' | 'countUnknown'>;
  /** JetStream domain of the depot whose positions are read; undefined: those of the centre. */
  readonly depot?: string | undefined;
  readonly stationId: string;
  /** The partitions of vehicles whose positions this station keeps. */
  readonly partitions: readonly number[];
  /**
   * Reads the last entry of each vehicle and the following ones; the server drops its position while it is
   * offline: a console server.
   */
  readonly onlyNow: boolean;
  /** Whether a vehicle is here, also a deleted one. */
  hasVehicle(vehicleId: number): boolean;
  /** Whether this station takes positions now: a standby does not. */
  mayTake(): boolean;
  readonly log: { warn(message: string): void };
}

/** Entries of a partition that are being stored. */
const UNDER_WAY = 1_000;
/**
 * ms after which an entry comes again that was not confirmed: its station was killed. While an entry waits for the
 * disk, the station asks for more time.
 */
const CONFIRM_WITHIN = 10_000;
const ASK_EVERY = CONFIRM_WITHIN / 3;
/** ms until an entry comes again whose vehicle is not here yet, or which could not be stored; and at most. */
const AGAIN = 1_000;
const AGAIN_AT_MOST = 60_000;
/** ms between two signs of life of a request for entries; after two missing ones it is made again. */
const HEARTBEAT = 2_500;
/** ns after which the servers forget a console server that is away. */
const FORGOTTEN_AFTER = 3_600 * 1e9;
/** ms until a session that failed is followed by the next, and between two looks at the leadership. */
const RETRY_AFTER = 1_000;

/**
 * Takes positions of the region into the tracks of this station: each entry is confirmed when it is on disk, and comes
 * again until then. The same record twice is one.
 */
export class PositionIntake {
  readonly #options: PositionIntakeOptions;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #open: readonly ConsumerMessages[] = [];
  /** Vehicles whose positions came this way since the start. */
  readonly #brought = new Set<number>();
  /** Entries whose vehicle is not here. */
  readonly #vehiclesMissing = new Set<number>();
  #problem: string | undefined;
  readonly #underWay = new Map<JsEntry, Promise<void>>();
  readonly #asking: NodeJS.Timeout;

  constructor(options: PositionIntakeOptions) {
    this.#options = options;
    this.#asking = setInterval(() => {
      for (const entry of this.#underWay.keys()) answer(() => entry.working());
    }, ASK_EVERY).unref();
    this.#running = this.#run();
  }

  /** Why positions wait, in words; undefined: they do not. */
  get problem(): string | undefined {
    if (this.#vehiclesMissing.size > 0)
      return `Positions of ${this.#vehiclesMissing.size} vehicles wait, which are not at this station yet.`;
    return this.#problem;
  }

  /** Whether positions of a vehicle came this way since the start. */
  brings(vehicleId: number): boolean {
    return this.#brought.has(vehicleId);
  }

  /** Ends the intake when this station becomes a standby; it begins again by itself. */
  pause(): void {
    for (const entries of this.#open) entries.stop();
  }

  /** Resolves when the entries under way are confirmed. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#asking);
    this.pause();
    await this.#running;
    await Promise.all(this.#underWay.values());
  }

  async #run(): Promise<void> {
    const { connection, mayTake, log } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        const open = await connection.connected(signal);
        if (mayTake()) await this.#use(open);
      } catch (error) {
        if (signal.aborted) break;
        const { depot } = this.#options;
        const whose = depot === undefined ? 'the region' : `the depot ${depot}`;
        const problem = `Positions of ${whose} cannot be read: ${(error as Error).message}`;
        if (problem !== this.#problem) log.warn(problem);
        this.#problem = problem;
      }
      await new Promise((resolve) => setTimeout(resolve, signal.aborted ? 0 : RETRY_AFTER));
    }
  }

  async #use(open: NatsConnection): Promise<void> {
    const { connection, partitions, telemetry, depot } = this.#options;
    const { subjects } = connection;
    const stream = await openPositions(open, connection, depot);
    // Told everywhere, so it is counted once.
    const unknown =
      depot === undefined
        ? open.subscribe(subjects.unknownDevices, {
            callback: (_error, told) => telemetry.countUnknown(told.string()),
          })
        : undefined;
    try {
      this.#open = await Promise.all(partitions.map((partition) => this.#consume(stream, partition)));
      // It was closed or paused meanwhile: nobody else stops these readers.
      if (this.#closing.signal.aborted || !this.#options.mayTake()) return;
      this.#problem = undefined;
      await Promise.race(this.#open.map((entries) => this.#takeAll(entries)));
    } finally {
      this.pause();
      unknown?.unsubscribe();
    }
  }

  async #consume(stream: RegionStream, partition: number): Promise<ConsumerMessages> {
    const { connection, stationId, depot, onlyNow } = this.#options;
    const name = `${onlyNow ? 'consoles' : 'station'}-${stationId}-${partition}`;
    await stream.manager.consumers.add(stream.name, {
      durable_name: name,
      filter_subject: connection.subjects.positionsOf(partition, depot),
      ack_policy: AckPolicy.Explicit,
      ack_wait: CONFIRM_WITHIN * 1e6,
      max_ack_pending: UNDER_WAY,
      deliver_policy: onlyNow ? DeliverPolicy.LastPerSubject : DeliverPolicy.All,
      ...(onlyNow && { inactive_threshold: FORGOTTEN_AFTER }),
    });
    const consumer = await stream.client.consumers.get(stream.name, name);
    return consumer.consume({
      max_messages: UNDER_WAY,
      idle_heartbeat: HEARTBEAT,
      abort_on_missing_resource: true,
    });
  }

  async #takeAll(entries: ConsumerMessages): Promise<void> {
    for await (const entry of entries) {
      const taken = this.#take(entry).finally(() => this.#underWay.delete(entry));
      this.#underWay.set(entry, taken);
    }
  }

  async #take(entry: JsEntry): Promise<void> {
    const { telemetry, hasVehicle, connection, log } = this.#options;
    const vehicleId = Number(connection.subjects.keyOf(entry.subject));
    try {
      const sent = unpackPositions(entry.data);
      if (!sent) {
        log.warn(`An entry of positions cannot be read (${entry.subject}, ${entry.seq}).`);
        entry.term('It cannot be read.');
        return;
      }
      if (sent.kind === 'faults') await telemetry.quarantine(sent.faults, sent.source, sent.device, sent.sender);
      else if (vehicleId === 0) await telemetry.ingest(sent.records, sent.source, undefined, sent.sender);
      else if (hasVehicle(vehicleId)) {
        this.#vehiclesMissing.delete(vehicleId);
        this.#brought.add(vehicleId);
        await telemetry.ingest(sent.records, sent.source, () => ({ id: vehicleId }), sent.sender);
      } else {
        this.#vehiclesMissing.add(vehicleId);
        entry.nak(Math.min(AGAIN_AT_MOST, AGAIN * entry.info.deliveryCount));
        return;
      }
      entry.ack();
    } catch {
      // The writer of tracks is busy or closed: the entry comes again.
      answer(() => entry.nak(AGAIN));
    }
  }
}

/** Answers for an entry. On a closed connection nothing can be sent, and the entry comes again. */
function answer(send: () => void): void {
  try {
    send();
  } catch {
    // See above.
  }
}
