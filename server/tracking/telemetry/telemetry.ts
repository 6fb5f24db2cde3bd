import type { Readable } from 'node:stream';
import type { LastState } from '../../../shared/fleet/last-state.ts';
import { FUTURE_LIMIT } from './records/clock-ahead.ts';
import { tracksBegin } from './tracks/damaged-tracks.ts';
import { KeptMonths } from './kept-months.ts';
import { offerHistorian } from './historian/index.ts';
import type { DroppedDatagrams } from './listeners/udp-listener.ts';
import type { FindVehicle } from './records/fix.ts';
import { withPoints } from './writing/new-points.ts';
import { unpackStates } from './tracks/packed-states.ts';
import { Quarantine, type QuarantineEntry } from './quarantine/quarantine.ts';
import { QUARANTINE_LIMIT, type Sender } from './quarantine/quarantine-quota.ts';
import { QuarantineReplay, type QuarantineReplayResult } from './ingest/quarantine-replay.ts';
import { TrackReplication } from './track-replication.ts';
import { prepareTracks } from './prepare-tracks.ts';
import { Retention } from './tracks/retention.ts';
import type { IngestCallback, IngestResult } from './ingest/ingest-result.ts';
import { IntakeCounts, type RecordCounts } from './ingest/intake-counts.ts';
import type { TelemetryOptions } from './telemetry-options.ts';
import { trackProblems, type TrackProblem } from './track-problems.ts';
import { QuarantineIntake } from './ingest/quarantine-intake.ts';
import { RecordIntake } from './ingest/record-intake.ts';
import { FoundDamage } from './tracks/found-damage.ts';
import type { CurrentValue, TrackQuery } from './reading/track-answers.ts';
import { TrackFiles } from './track-files/track-files.ts';
import { TrackCheckpointer } from './writing/track-checkpointer.ts';
import { TrackThread, type AskedSensors, type ExpiredPoints } from './reading/track-thread.ts';
import type { ReplayOutcome } from './writing/write-orders.ts';
import { presentPoint, type RecordedPoint, type TrackEntry } from './tracks/stored-point.ts';
import { tracksFile } from './tracks/schema.ts';
import { Tracks } from './tracks/tracks.ts';
import { UnknownDevices } from './ingest/unknown-devices.ts';
import { AnnouncedSpans } from './tracks/announced-spans.ts';
import type { TrackSpan } from './tracks/unprocessed-spans.ts';
import { WriterThread } from './writing/writer-thread.ts';

/** ms between two deletions of expired points */
const SWEEP_EVERY = 3_600_000;

/** Opens the tracks and publishes the last states from them. */
export function openTelemetry(options: TelemetryOptions): Telemetry {
  prepareTracks(options);
  offerHistorian(tracksFile(options.directory), options.historian?.server);
  return new Telemetry(options);
}

/** Accepts positions of every protocol, and stores them by vehicle and time. */
export class Telemetry {
  readonly #options: TelemetryOptions;
  /** The reading connection; `writer` has its own. */
  readonly #tracks: Tracks;
  readonly #quarantine: Quarantine;
  readonly #writer: WriterThread;
  readonly #states = new Map<number, LastState>();
  readonly #unknownDevices: UnknownDevices;
  readonly #damage: FoundDamage;
  readonly #records: RecordIntake;
  readonly #refused: QuarantineIntake;
  readonly #counts: IntakeCounts;
  readonly #announced: AnnouncedSpans;
  readonly #replay: QuarantineReplay;
  readonly #checkpointer: TrackCheckpointer;
  /** Months of positions, and the historian of old ones. */
  readonly months: KeptMonths;
  readonly #reader: TrackThread;
  /** Tracks that come in as files. */
  readonly files: TrackFiles;
  /** How long tracks are kept. */
  readonly retention: Retention;
  /** Tracks between stations. */
  readonly replication: TrackReplication;
  readonly #sweeper: NodeJS.Timeout;

  constructor(options: TelemetryOptions) {
    this.#options = options;
    const futureLimit = options.futureLimit ?? FUTURE_LIMIT;
    const now = () => options.now();
    const warn = (message: string) => options.log?.('WARN', message);
    this.#unknownDevices = new UnknownDevices(warn);
    this.#damage = new FoundDamage(options.directory, (message) => options.log?.('ERROR', message));
    this.#counts = new IntakeCounts(now);
    this.#tracks = new Tracks(options.directory, { onlyReads: true });
    this.#announced = new AnnouncedSpans(this.#tracks, (spans) => options.tracksChanged?.(spans));
    this.#quarantine = new Quarantine(this.#tracks.db);
    this.#reader = new TrackThread(this.#tracks.file);
    this.files = new TrackFiles((id, points, sender) => this.ingest(points, 'file', () => ({ id }), sender), warn);
    this.#publishStates(this.#tracks.states());
    this.#writer = new WriterThread({
      directory: options.directory,
      stamp: 0,
      futureLimit,
      quarantineLimit: options.quarantineLimit ?? QUARANTINE_LIMIT,
      quarantine: options.quarantine,
      now,
      written: ({ outcomes, states, fresh }, pack) => {
        this.months.added(this.#counts.add(outcomes));
        if (states.length > 0) this.#publishStates(unpackStates(states));
        this.replication.written(fresh);
        this.#announced.add(withPoints(fresh, outcomes, pack));
      },
      died: (error) => this.#writerDied(error),
      diskFailed: (reason) => {
        options.log?.(
          'ERROR',
          `The disk could not store what came in (${reason}). No records are accepted until the station is restarted.`,
        );
        void this.#checkpointer.close(); // the state of the log on disk is unknown: it is not moved into the database
      },
      damaged: (reason) => this.#damage.found(reason),
      monthDamaged: () => void this.months.setDamagedAside().catch(() => undefined),
      ...(options.writerScript && { script: options.writerScript }),
    });
    // Deletes what expired while the station was down.
    this.#writer.orderWithoutReply({ kind: 'quarantine', entries: [] });
    this.months = new KeptMonths({
      ...options,
      now,
      file: this.#tracks.file,
      db: this.#tracks.db,
      order: (order) => this.#writer.order(order),
      damaged: (reason) => this.#damage.found(reason),
    });
    this.retention = new Retention(this.#tracks.db, {
      now,
      beginning: tracksBegin(this.#tracks.db),
      organizationOf: (vehicleId) => options.organizationOf?.(vehicleId),
      gaps: () => this.months.gaps,
      movedUntil: () => this.months.movedUntil,
      expireMonths: (expired) => this.months.expire(expired),
      setRule: (rule) => this.#writer.order({ kind: 'retention', rule }),
      deleteOlder: (vehicleId, before) => this.#writer.order<number>({ kind: 'delete-older', vehicleId, before }),
    });
    this.#refused = new QuarantineIntake({
      now,
      findVehicle: options.findVehicle,
      store: (entries) => this.#writer.order<readonly number[]>({ kind: 'quarantine', entries }),
      warn,
    });
    this.#records = new RecordIntake({
      now,
      findVehicle: options.findVehicle,
      engineOn: options.engineOn && ((vehicleId, fix) => options.engineOn!(vehicleId, fix)),
      futureLimit,
      retention: this.retention,
      writer: this.#writer,
      quarantine: this.#refused,
      unknownDevices: this.#unknownDevices,
      warn,
    });
    this.#replay = new QuarantineReplay(this.#quarantine, {
      findVehicle: options.findVehicle,
      now,
      keptSince: (vehicleId) => this.retention.keptSince(vehicleId),
      isLost: (time) => this.retention.closedBecause(time) !== undefined,
      futureLimit: futureLimit * 1000,
      engineOn: (vehicleId, record) => this.#records.engineOn(vehicleId, record),
      write: (order) => this.#writer.order<ReplayOutcome>(order),
    });
    this.replication = new TrackReplication({
      file: this.#tracks.file,
      name: this.#tracks.name,
      peerTracks: this.#peerTracks(),
      order: (order) => this.#writer.order(order),
      vehicles: () => this.#states.keys(),
      keptSince: (vehicleId) => this.retention.keptSince(vehicleId),
      warn,
    });
    this.#sweeper = setInterval(
      () =>
        this.sweep().catch((error: unknown) =>
          options.log?.('ERROR', `Old points could not be deleted: ${String(error)}`),
        ),
      SWEEP_EVERY,
    );
    this.#sweeper.unref();
    this.#checkpointer = new TrackCheckpointer(this.#tracks.db, this.#tracks.file, warn);
  }

  /**
   * Stores records of a device or a program. Resolves when every one is on disk, in the track or in the
   * quarantine. A repeated record is stored once; a different one for the same device and time goes to the
   * quarantine.
   * @param findVehicle limits the vehicles to those that the sender may report
   * @param sender its quarantine entries are limited; undefined: the station itself
   */
  ingest(
    records: readonly unknown[],
    source: string,
    findVehicle?: FindVehicle,
    sender?: Sender,
  ): Promise<IngestResult> {
    return this.#records.ingest(records, source, findVehicle, sender);
  }

  /** Like `ingest`, for one record. */
  ingestOne(record: unknown, source: string, waits: IngestCallback, sender?: Sender): void {
    this.#records.ingestOne(record, source, waits, sender);
  }

  /** Whether records arrive faster than the disk stores them. */
  get isBacklogged(): boolean {
    return this.#writer.isBacklogged;
  }

  /** Records that the writer handled since the start, by outcome. */
  get intake(): RecordCounts {
    return this.#counts.records;
  }

  /** When a record was last accepted, in epoch ms; 0: not since the start. */
  get lastIntake(): number {
    return this.#counts.lastAccepted;
  }

  /** Problems of the tracks. Empty: all is well. */
  problems(): TrackProblem[] {
    return trackProblems({
      directory: this.#options.directory,
      damage: this.#damage.reason,
      isClosed: this.#writer.broken,
      noRoom: this.months.noRoom,
      historian: this.months.historianProblem,
    });
  }

  /** Path of the database, for read-only connections in threads. */
  get file(): string {
    return this.#tracks.file;
  }

  /** Points ordered by time, both ends inclusive, including marked ones. */
  track(vehicleId: number, from: number, until: number, limit = 100_000): TrackEntry[] {
    return this.#tracks.between(vehicleId, from, until, limit).map(presentPoint);
  }

  /**
   * Tracks and sensor values as JSON of any length. A thread reads and writes them, at the speed of the
   * reader.
   */
  read(question: TrackQuery): Readable {
    return this.#reader.stream(question);
  }

  /**
   * The latest value of each of a vehicle's sensors, by the calibration of its time; omits sensors without
   * recent values.
   */
  currentValues(vehicleId: number, sensors: AskedSensors): Promise<Map<number, CurrentValue>> {
    return this.#reader.currentValues(vehicleId, sensors);
  }

  /**
   * Points that a rule of so many days would delete now, by vehicle. Omits vehicles that would lose nothing.
   */
  expired(vehicleIds: readonly number[], days: number): Promise<Map<number, ExpiredPoints>> {
    return this.#reader.expired(vehicleIds, this.retention.deletesBefore(days));
  }

  /**
   * Deletes expired points, by the rule of their organization; called every hour. Resolves with the number of
   * points deleted.
   */
  sweep(): Promise<number> {
    return this.retention.sweep(this.#states.keys());
  }

  /** Moves all positions into the files of their months now; otherwise it is done every few minutes. */
  moveToMonths(): Promise<void> {
    return this.months.move();
  }

  /**
   * Newest first.
   * @param before an entry's id: continues after it
   */
  quarantined(limit: number, before = Number.MAX_SAFE_INTEGER): QuarantineEntry[] {
    return this.#quarantine.list(before, limit);
  }

  /** See `QuarantineReplay`. */
  replay(ids?: readonly number[]): Promise<QuarantineReplayResult> {
    return this.#replay.replay(ids);
  }

  /** The last state of each vehicle that ever sent a record. */
  lastStates(): readonly LastState[] {
    return [...this.#states.values()];
  }

  /** The vehicle's place at a time, by the last plausible point up to it, or undefined yet. */
  placeAt(vehicleId: number, time: number): { lat: number; lon: number } | undefined {
    return time <= this.months.movedUntil ? undefined : this.#tracks.before(vehicleId, time + 1);
  }

  /**
   * Quarantines unreadable input. Resolves when it is on disk, with the number of entries stored, which is
   * limited per sender.
   * @param sender undefined: the station itself
   */
  quarantine(
    faults: readonly { reason: string; raw: Uint8Array }[],
    source: string,
    device: string,
    sender?: Sender,
  ): Promise<number> {
    return this.#refused.addUnreadable(faults, source, device, sender);
  }

  /** Entries that the quarantine refused since the start. */
  get quarantineDropped(): number {
    return this.#refused.dropped;
  }

  /** Counts a device without a vehicle; logged once an hour. */
  countUnknown(device: string): void {
    this.#unknownDevices.count(device.slice(0, 100));
  }

  /** Too many datagrams arrived, and some were dropped. */
  countDroppedDatagrams({ unreadable, waiting }: DroppedDatagrams, source: string): void {
    this.#counts.addDropped(unreadable + waiting);
    this.#options.log?.(
      'WARN',
      `Datagrams of ${source} were dropped: ${unreadable} unreadable ones of unknown devices, and ${waiting} that came while too many waited for the disk.`,
    );
  }

  /** Datagrams dropped since the start. */
  get datagramsDropped(): number {
    return this.#counts.datagramsDropped;
  }

  /** Spans on disk whose events are not computed yet. */
  unprocessedSpans(): readonly TrackSpan[] {
    return this.#announced.onDisk();
  }

  /** The events of these spans are on disk. */
  markProcessed(spans: readonly { vehicleId: number; stamp: number }[]): void {
    this.#writer.orderWithoutReply({
      kind: 'processed',
      spans: spans.map(({ vehicleId, stamp }) => ({ vehicleId, stamp })),
    });
  }

  /** The points of a track after a time, in order, as they are read. */
  points(vehicleId: number, after: number): Generator<RecordedPoint> {
    return this.#tracks.recordedAfter(vehicleId, after);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    this.#unknownDevices.close();
    this.#records.close();
    this.#refused.close();
    await this.retention.close();
    await this.months.close();
    await this.files.close();
    await this.#reader.close();
    await this.replication.close();
    await this.#writer.close();
    await this.#checkpointer.close();
    this.#tracks.close();
  }

  #publishStates(states: readonly LastState[]): void {
    for (const state of states) this.#states.set(state.id, state);
    this.#options.publish(states);
  }

  #peerTracks() {
    return this.#tracks
      .peerTracks()
      .map(({ vehicle, ownUntil }) => ({ vehicle, ownUntil, newest: this.#tracks.newestTime(vehicle) }));
  }

  /** Announces from the disk what the writer stored but did not report. */
  #writerDied(error: Error): { stamp: number } {
    this.#options.log?.('ERROR', `The writer of tracks ended and is restarted: ${error.message}`);
    const stamp = this.#announced.nextStamp();
    this.#publishStates(this.#tracks.states());
    this.replication.restore(this.#peerTracks());
    this.#announced.add(this.#announced.onDisk());
    return { stamp };
  }
}
