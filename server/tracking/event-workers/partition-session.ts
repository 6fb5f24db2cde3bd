import { DeliverPolicy, type ConsumerMessages } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChangedSpan, Events } from '../events/index.ts';
import {
  followStream,
  type Followed,
  type JsEntry,
  type RegionConnection,
  type RegionStream,
} from '../../replication/nats/index.ts';
import { Mutex } from '../../platform/mutex.ts';
import { openPositions, unpackPositions } from '../telemetry/region/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import type { ReadSources } from './log-entry.ts';
import type { RevisionLog } from './revision-log.ts';

export interface SessionRooms {
  readonly connection: RegionConnection;
  readonly log: Pick<RevisionLog, 'takeOver' | 'append' | 'head'>;
  readonly telemetry: Pick<Telemetry, 'ingest' | 'markProcessed'>;
  readonly events: Pick<Events, 'tracksChanged' | 'settled'>;
  /** JetStream domains of depots whose positions are read, too. */
  readonly depots: readonly string[];
  /** Whether a vehicle is here, also a deleted one. */
  hasVehicle(vehicleId: number): boolean;
  /** ms by which the clock of a device may be ahead: its positions came before their own time. */
  readonly clockLimit: number;
  /** So many entries were computed. */
  computed(entries: number): void;
  warn(message: string): void;
}

interface Source {
  /** `''`: the centre. */
  readonly name: string;
  readonly stream: RegionStream;
  /** Up to which entry they were in the events when this ownership began. */
  readonly started: number;
  /** Up to which entry its positions are in the tracks. */
  ingested: number;
  /** Up to which entry they are in the events. */
  computed: number;
}

/** ms between two steps that only say how far positions are computed. */
const SAY_EVERY = 1_000;
/** ms to wait for a vehicle whose record is on its way; and between two looks. */
const VEHICLE_WITHIN = 10_000;
const LOOK_EVERY = 100;
/** ms until positions are offered again to a writer that is busy. */
const AGAIN = 200;
/** Times that events are computed without success in storing them, before the vehicle is abandoned. */
const ATTEMPTS = 3;
/** ms by which a point may be older than the state that follows it, besides what clocks are ahead. */
const MARGIN = 3_600_000;

/**
 * The ownership of one partition: reads its positions after the computed ones, and has their events computed.
 * It ends when it is closed or anything fails; the next owner continues from the log.
 */
export class PartitionSession {
  readonly #rooms: SessionRooms;
  readonly partition: number;
  readonly #sources = new Map<string, Source>();
  /** Live positions and past ones are never taken in at the same time. */
  readonly #ingesting = new Mutex();
  /** New points of the live positions that are being taken in; undefined: past ones are. */
  #collected: Map<number, ChangedSpan> | undefined;
  /** From which time on the track of a vehicle is here without gaps. */
  readonly #loadedFrom = new Map<number, number>();
  #followed: readonly Followed[] = [];
  readonly #reading = new Set<ConsumerMessages>();
  readonly #opened = Promise.withResolvers<void>();
  readonly #failed = Promise.withResolvers<never>();
  #failure: Error | undefined;
  #isClosed = false;
  #saidAt = 0;

  constructor(partition: number, rooms: SessionRooms) {
    this.partition = partition;
    this.#rooms = rooms;
    // Both have no listener when it is given back early.
    for (const { promise } of [this.#opened, this.#failed]) promise.catch(() => undefined);
  }

  /** Takes over the partition, and the last position of each of its vehicles. Resolves with when each sent last. */
  async open(open: NatsConnection): Promise<ReadonlyMap<number, number>> {
    try {
      const latest = await this.#open(open);
      this.#opened.resolve();
      return latest;
    } catch (error) {
      this.#opened.reject(error as Error);
      throw error;
    }
  }

  async #open(open: NatsConnection): Promise<ReadonlyMap<number, number>> {
    const { connection, log, depots } = this.#rooms;
    // Refused until this reader has the last step of the owner before.
    await log.takeOver(this.partition);
    const read = log.head(this.partition)?.read ?? {};
    const latest = new Map<number, number>();
    for (const depot of [undefined, ...depots]) {
      const name = depot ?? '';
      const stream = await openPositions(open, connection, depot);
      const known = read[name]?.epoch === stream.epoch ? read[name].sequence : 0;
      const source = { name, stream, started: known, ingested: known, computed: known };
      this.#sources.set(name, source);
      if (known > 0)
        for (const [vehicleId, time] of await this.#loadLatest(source))
          latest.set(vehicleId, Math.max(time, latest.get(vehicleId) ?? 0));
    }
    return latest;
  }

  /** Reads positions until it is closed; rejects when something failed. */
  async run(): Promise<void> {
    const { connection } = this.#rooms;
    const { subjects } = connection;
    this.#followed = await Promise.all(
      [...this.#sources.values()].map((source) =>
        followStream({
          stream: source.stream,
          filter: subjects.positionsOf(this.partition, source.name === '' ? undefined : source.name),
          after: source.computed,
          take: (entries) => this.#take(source, entries),
        }),
      ),
    );
    try {
      if (!this.#isClosed) await Promise.race([...this.#followed.map(({ ended }) => ended), this.#failed.promise]);
    } finally {
      await this.#stop();
    }
  }

  /** New points are on disk. Those of the past were computed by an earlier owner. */
  tracksChanged(span: ChangedSpan): void {
    if (this.#collected) this.#collected.set(span.vehicleId, span);
    else this.#rooms.telemetry.markProcessed([span]);
  }

  /** Something of the partition was not stored: the next owner computes it once more. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.#failed.reject(error);
  }

  /**
   * Makes sure that the track of a vehicle is here from a time on: an earlier owner may have taken it in.
   * @param from called when the steps of the owner before are here
   */
  async load(vehicleId: number, from: () => number): Promise<void> {
    // A look for silence may come before it is known what that owner had computed.
    await this.#opened.promise;
    const since = from();
    if (since >= (this.#loadedFrom.get(vehicleId) ?? Infinity)) return;
    for (const source of this.#sources.values())
      if (source.started > 0) await this.#ingesting.run(() => this.#loadVehicle(source, vehicleId, since));
    this.#loadedFrom.set(vehicleId, Math.min(since, this.#loadedFrom.get(vehicleId) ?? Infinity));
  }

  /** Resolves when what it took in is computed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#stop();
    await this.#say().catch(() => undefined); // The next owner computes it once more.
  }

  async #stop(): Promise<void> {
    this.#isClosed = true;
    for (const entries of this.#reading) entries.stop();
    await Promise.all(this.#followed.map((followed) => followed.close()));
  }

  async #take(source: Source, entries: readonly JsEntry[]): Promise<void> {
    if (this.#isClosed) return;
    await this.#compute(await this.#ingesting.run(() => this.#ingestLive(source, entries)));
    source.computed = entries.at(-1)!.seq;
    this.#rooms.computed(entries.length);
    if (performance.now() - this.#saidAt > SAY_EVERY) await this.#say();
  }

  /** Has events computed; rejects if the next owner must do it. A vehicle that fails each time is abandoned. */
  async #compute(spans: readonly ChangedSpan[]): Promise<void> {
    const { events, warn } = this.#rooms;
    for (let attempt = 1, left = spans; left.length > 0; attempt++) {
      events.tracksChanged(left);
      const failed = await events.settled(left.map(({ vehicleId }) => vehicleId));
      if (this.#failure) throw this.#failure;
      left = left.filter(({ vehicleId }) => failed.includes(vehicleId));
      if (left.length > 0 && this.#isClosed) throw new Error('The partition is given back.');
      if (left.length === 0 || attempt < ATTEMPTS) continue;
      return warn(`Events of the vehicles ${failed.join(', ')} could not be worked out. Their next record repeats it.`);
    }
  }

  async #say(): Promise<void> {
    this.#saidAt = performance.now();
    const { log } = this.#rooms;
    // Sources that are not open keep their earlier report.
    const read: Record<string, ReadSources[string]> = { ...log.head(this.partition)?.read };
    for (const { name, stream, computed } of this.#sources.values())
      read[name] = { epoch: stream.epoch, sequence: computed };
    await log.append(this.partition, { events: [], withdrawn: [], checkpoints: [], read });
  }

  /**
   * Takes in new positions. Points that are here already, of an earlier ownership, are computed all the same: their
   * events may have been refused.
   */
  async #ingestLive(source: Source, entries: readonly JsEntry[]): Promise<ChangedSpan[]> {
    const wanted = new Map<number, { from: number; until: number; count: number }>();
    this.#collected = new Map();
    try {
      const times = await Promise.all(entries.map((entry) => this.#ingest(entry, true)));
      for (const { vehicleId, from, until, count } of times) {
        const known = wanted.get(vehicleId);
        if (count > 0)
          wanted.set(vehicleId, {
            from: Math.min(from, known?.from ?? from),
            until: Math.max(until, known?.until ?? until),
            count: count + (known?.count ?? 0),
          });
      }
      source.ingested = entries.at(-1)!.seq;
      const spans = [...wanted].map(([vehicleId, { from, until, count }]) => {
        const fresh = this.#collected!.get(vehicleId);
        if (fresh && (fresh.count ?? 1) >= count) return fresh;
        const [first, last] = [Math.min(from, fresh?.from ?? from), Math.max(until, fresh?.until ?? until)];
        return { vehicleId, from: first, until: last, stamp: fresh?.stamp ?? 0 };
      });
      return [...spans, ...[...this.#collected.values()].filter(({ vehicleId }) => !wanted.has(vehicleId))];
    } finally {
      this.#collected = undefined;
    }
  }

  /** Resolves with the times of its records when they are on disk. */
  async #ingest(entry: JsEntry, mayWait: boolean) {
    const { connection, hasVehicle, telemetry, warn } = this.#rooms;
    const vehicleId = Number(connection.subjects.keyOf(entry.subject));
    const nothing = { vehicleId, from: 0, until: 0, count: 0 };
    const sent = unpackPositions(entry.data);
    if (vehicleId === 0 || sent?.kind !== 'records') return nothing;
    for (const until = performance.now() + VEHICLE_WITHIN; !hasVehicle(vehicleId); await pause(LOOK_EVERY)) {
      if (this.#isClosed) throw new Error('The partition is given back.');
      if (mayWait && performance.now() < until) continue;
      if (mayWait) warn(`The vehicle ${vehicleId} is not here: its positions have no events.`);
      return nothing;
    }
    for (;;) {
      try {
        await telemetry.ingest(sent.records, sent.source, () => ({ id: vehicleId }), sent.sender);
        break;
      } catch (error) {
        // The writer of tracks is busy.
        if (this.#isClosed) throw error;
        await pause(AGAIN);
      }
    }
    const times = sent.records.map(({ time }) => Number(time)).filter((time) => Number.isFinite(time));
    return { vehicleId, from: Math.min(...times), until: Math.max(...times), count: times.length };
  }

  async #loadVehicle({ name, stream, ingested }: Source, vehicleId: number, since: number): Promise<void> {
    const { subjects } = this.#rooms.connection;
    const start = since < 0 ? 0 : Math.max(0, since - MARGIN - this.#rooms.clockLimit);
    await this.#readPast(stream, ingested, {
      filter_subjects: subjects.position(vehicleId, name === '' ? undefined : name),
      ...(start === 0
        ? { deliver_policy: DeliverPolicy.All }
        : { deliver_policy: DeliverPolicy.StartTime, opt_start_time: new Date(start).toISOString() }),
    });
  }

  async #loadLatest({ name, stream, ingested }: Source): Promise<ReadonlyMap<number, number>> {
    const { subjects } = this.#rooms.connection;
    return this.#ingesting.run(() =>
      this.#readPast(stream, ingested, {
        filter_subjects: subjects.positionsOf(this.partition, name === '' ? undefined : name),
        deliver_policy: DeliverPolicy.LastPerSubject,
      }),
    );
  }

  /** Takes in entries up to a sequence; resolves with when each vehicle sent last. */
  async #readPast(
    stream: RegionStream,
    until: number,
    filter: Parameters<RegionStream['client']['consumers']['get']>[1],
  ): Promise<ReadonlyMap<number, number>> {
    const latest = new Map<number, number>();
    const consumer = await stream.client.consumers.get(stream.name, filter);
    if ((await consumer.info()).num_pending === 0) return latest;
    const entries = await consumer.consume();
    this.#reading.add(entries);
    const taken: Promise<void>[] = [];
    let isWhole = false;
    for await (const entry of entries) {
      if (entry.seq <= until)
        taken.push(
          this.#ingest(entry, false).then(({ vehicleId, until: time, count }) => {
            if (count > 0) latest.set(vehicleId, Math.max(time, latest.get(vehicleId) ?? 0));
          }),
        );
      isWhole = entry.seq >= until || entry.info.pending === 0;
      if (isWhole) break;
    }
    this.#reading.delete(entries);
    await Promise.all(taken);
    if (!isWhole) throw new Error('The past of a track was not read to its end.');
    return latest;
  }
}
