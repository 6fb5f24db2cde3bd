import { WorkerClient } from '../../platform/threads/worker-client.ts';
import { siblingUrl } from '../../platform/threads/worker-url.ts';
import { Emitter } from '../../platform/emitter.ts';
import type { PeerOutcome, PeerPoints, WriteOrder, OrderResult } from './writing/write-orders.ts';
import type { FreshSpan } from './tracks/unprocessed-spans.ts';
import type { BatchQuestion, ReadBatch, SentVehicle } from './replication/batch-reader.ts';
import type { TrackChunk } from './replication/unsent-points.ts';

/** Times of the newest points of a track: of all, and of those that came from a device. */
export interface NewestPoints {
  readonly vehicle: number;
  readonly newest: number;
  readonly ownUntil: number;
}

export interface TrackReplicationOptions {
  readonly file: string;
  /** The name of the store of tracks. */
  readonly name: string;
  readonly peerTracks: readonly NewestPoints[];
  order<Result extends OrderResult>(order: WriteOrder): Promise<Result>;
  vehicles(): Iterable<number>;
  keptSince(vehicleId: number): number;
  warn(message: string): void;
}

/** Unsent parts of tracks for another station. `token` names the batch in `confirm`. */
export interface TrackBatch extends ReadBatch {
  readonly token: number;
}

/** Requests of all links that may wait for the thread. */
const MOST_WAITING = 100;

/**
 * Tracks on their way between stations: what each link has not been sent, and points that came over one. All of
 * it is in `tracks.db`, so a break or a kill loses nothing.
 */
export class TrackReplication {
  readonly #options: TrackReplicationOptions;
  readonly #reader: WorkerClient<BatchQuestion>;
  readonly #own = new Map<number, { ownUntil: number; newest: number }>();
  readonly #added: Emitter<[vehicleIds: readonly number[], link: number | undefined]>;

  constructor(options: TrackReplicationOptions) {
    this.#options = options;
    this.#added = new Emitter((error) => options.warn(`A listener to new points failed: ${String(error)}`));
    this.#learn(options.peerTracks);
    this.#reader = new WorkerClient({
      script: siblingUrl(import.meta.url, './replication/batch.worker'),
      name: 'The reader of tracks for other stations',
      maxWaiting: MOST_WAITING,
      warn: (message) => options.warn(message),
      worker: { workerData: { file: options.file } },
    });
  }

  /** Another name means that none of the points that were sent are there. */
  get name(): string {
    return this.#options.name;
  }

  /** The vehicles that have a track. */
  vehicles(): Iterable<number> {
    return this.#options.vehicles();
  }

  /** Whether the newest point of a vehicle's track came from another station: it reports there. */
  reportsElsewhere(vehicleId: number): boolean {
    const own = this.#own.get(vehicleId);
    return own !== undefined && own.ownUntil < own.newest;
  }

  /** Sets which store of tracks reads over a link. Resolves when it is on disk. */
  async setReader(link: number, name: string): Promise<void> {
    await this.#options.order({ kind: 'reader', link, name });
  }

  /** Forgets what was sent over all other links. */
  async keepReaders(links: readonly number[]): Promise<void> {
    await this.#options.order({ kind: 'readers', links });
  }

  /** The next unsent points of these vehicles, oldest first. A link has one batch on its way. */
  async read(link: number, vehicles: readonly SentVehicle[]): Promise<TrackBatch> {
    // From here on the writer notes new points of these vehicles: the batch may lack them.
    const token = await this.#options.order<number>({
      kind: 'sending',
      link,
      vehicleIds: vehicles.map(({ id }) => id),
    });
    const batch = await this.#reader.request<ReadBatch>({ kind: 'batch', link, vehicles });
    return { token, ...batch };
  }

  /** How many points are unsent, a million at most. */
  count(link: number, vehicles: readonly SentVehicle[]): Promise<number> {
    return this.#reader.request<number>({ kind: 'count', link, vehicles });
  }

  /** The other station has these parts on disk. False: the batch was forgotten, and is to be read again. */
  async confirm(link: number, token: number, chunks: readonly TrackChunk[]): Promise<boolean> {
    return (await this.#options.order<number>({ kind: 'sent', link, token, chunks })) === 1;
  }

  /** Stores points of another station. Resolves when they are on disk. */
  take(link: number, batch: Omit<PeerPoints, 'keptSince'>, vehicleIds: Iterable<number>): Promise<PeerOutcome> {
    const keptSince = new Map([...vehicleIds].map((id) => [id, this.#options.keptSince(id)]));
    return this.#options.order<PeerOutcome>({ kind: 'from-peer', link, ...batch, keptSince });
  }

  /** Called after each commit with the vehicles that have new points, and the link that brought all of them. */
  watch(listener: (vehicleIds: readonly number[], link: number | undefined) => void): () => void {
    return this.#added.on(listener);
  }

  /** The writer has stored these points. */
  written(spans: readonly FreshSpan[]): void {
    const byLink = new Map<number | undefined, number[]>();
    for (const { vehicleId, until, link, ownUntil } of spans) {
      const known = this.#own.get(vehicleId);
      if (ownUntil !== undefined) this.#own.set(vehicleId, { ownUntil, newest: Math.max(until, known?.newest ?? 0) });
      const vehicles = byLink.get(link);
      if (vehicles) vehicles.push(vehicleId);
      else byLink.set(link, [vehicleId]);
    }
    for (const [link, vehicles] of byLink) this.#added.emit(vehicles, link);
  }

  /** The writer was started again: which points it had stored is read from the disk. */
  restore(peerTracks: readonly NewestPoints[]): void {
    this.#learn(peerTracks);
    this.#added.emit([...this.vehicles()], undefined);
  }

  #learn(peerTracks: readonly NewestPoints[]): void {
    for (const { vehicle, ownUntil, newest } of peerTracks) this.#own.set(vehicle, { ownUntil, newest });
  }

  async close(): Promise<void> {
    this.#added.clear();
    await this.#reader.close();
  }
}
