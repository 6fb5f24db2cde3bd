import { openStream, type RegionConnection, type RegionStream } from '../../../replication/nats/index.ts';
import type { DecodeFault } from '../decoders/decoder.ts';
import type { IngestCallback, IngestResult } from '../ingest/ingest-result.ts';
import type { DroppedDatagrams } from '../listeners/udp-listener.ts';
import type { DeviceGateway } from '../listeners/tcp-listener.ts';
import type { Sender } from '../quarantine/quarantine-quota.ts';
import { packPositions, type PositionEntry } from './position-entry.ts';
import { openPositions } from './positions-stream.ts';
import { RegionDevices, type FoundDevice } from './region-devices.ts';

interface RegionGatewayOptions {
  readonly connection: RegionConnection;
  /** JetStream domain of the depot that stores the positions; undefined: the centre does. */
  readonly depot?: string | undefined;
  now(): number;
  readonly log: { info(message: string): void; warn(message: string): void };
}

/** Entries that wait for the servers at once; above that devices keep what they have. */
const UNDER_WAY = 8_192;
/** ms until a session that failed is followed by the next. */
const RETRY_AFTER = 1_000;

/**
 * Takes what devices send for the stations of a region, and answers a device when the stream has stored it. It holds
 * nothing else: any number of gateways may run.
 */
export class RegionGateway implements DeviceGateway {
  readonly #options: RegionGatewayOptions;
  readonly #devices: RegionDevices;
  readonly #closing = new AbortController();
  readonly #ready = Promise.withResolvers<void>();
  readonly #running: Promise<void>;
  #positions: RegionStream | undefined;
  #underWay = 0;
  #isReady = false;
  #problem: string | undefined;
  /** Since the start. */
  readonly counts = { stored: 0, failed: 0, unknown: 0, datagramsDropped: 0 };

  constructor(options: RegionGatewayOptions) {
    this.#options = options;
    this.#devices = new RegionDevices(options.connection.subjects);
    this.#running = this.#run();
  }

  /** Resolves when the vehicles of the region are known: before that every device would be unknown. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Why it cannot store what devices send, or does not know new vehicles; undefined: it can. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get vehicles(): number {
    return this.#devices.count;
  }

  /** Entries that the servers have not stored yet. */
  get underWay(): number {
    return this.#underWay;
  }

  find(device: string): FoundDevice | undefined {
    return this.#devices.find(device);
  }

  async ingest(records: readonly unknown[], source: string, sender: Sender): Promise<IngestResult> {
    const byVehicle = new Map<number, Record<string, unknown>[]>();
    for (const record of records as readonly Record<string, unknown>[]) {
      const vehicle = this.#devices.withNumber(Number(record['glonassId']))?.id ?? 0;
      const of = byVehicle.get(vehicle);
      if (of) of.push(record);
      else byVehicle.set(vehicle, [record]);
    }
    await Promise.all(
      [...byVehicle].map(([vehicle, of]) => this.#store(vehicle, { kind: 'records', source, sender, records: of })),
    );
    return { accepted: records.length, duplicates: 0, quarantined: [] };
  }

  ingestOne(record: object, source: string, waits: IngestCallback, sender: Sender): void {
    this.ingest([record], source, sender).then(
      () => waits.stored(true),
      (error: unknown) => waits.failed(error),
    );
  }

  async quarantine(faults: readonly DecodeFault[], source: string, device: string, sender: Sender): Promise<number> {
    await this.#store(this.find(device)?.id ?? 0, { kind: 'faults', source, sender, device, faults });
    return faults.length;
  }

  unknown(device: string): void {
    this.counts.unknown++;
    const { connection } = this.#options;
    connection.connection?.publish(connection.subjects.unknownDevices, device.slice(0, 100));
  }

  datagramsDropped({ unreadable, waiting }: DroppedDatagrams, source: string): void {
    this.counts.datagramsDropped += unreadable + waiting;
    this.#options.log.warn(`${unreadable + waiting} datagrams of ${source} were dropped.`);
  }

  now(): number {
    return this.#options.now();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #store(vehicleId: number, entry: PositionEntry): Promise<void> {
    const stream = this.#positions;
    if (!stream) throw new Error('No server of the region answers.');
    if (this.#underWay >= UNDER_WAY) throw new Error('The servers of the region are too slow.');
    this.#underWay++;
    try {
      const { connection, depot } = this.#options;
      await stream.client.publish(connection.subjects.position(vehicleId, depot), packPositions(entry));
      this.counts.stored++;
    } catch (error) {
      this.counts.failed++;
      throw error;
    } finally {
      this.#underWay--;
    }
  }

  async #run(): Promise<void> {
    const { connection, depot } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        const open = await connection.connected(signal);
        const { subjects, options } = connection;
        this.#positions = await openPositions(open, connection, depot);
        const wanted = {
          name: subjects.changesStream,
          subjects: [...subjects.changes()],
          max_msgs_per_subject: 1,
          num_replicas: options.replicas,
        };
        const changes = await openStream(open, wanted, options.domain);
        const followed = await this.#devices.follow(changes);
        const close = () => void followed.close();
        signal.addEventListener('abort', close);
        await followed.caughtUp;
        this.#isReady = true;
        this.#problem = undefined;
        this.#ready.resolve();
        await followed.ended.finally(() => signal.removeEventListener('abort', close));
      } catch (error) {
        if (!signal.aborted) this.#failed(`The vehicles of the region cannot be followed: ${(error as Error).message}`);
      }
      await new Promise((resolve) => setTimeout(resolve, signal.aborted ? 0 : RETRY_AFTER));
    }
  }

  #failed(problem: string): void {
    this.#problem = problem;
    this.#options.log.warn(problem);
  }
}
