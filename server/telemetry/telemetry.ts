import type { Readable } from 'node:stream';
import type { LastState } from '../../shared/fleet/last-state.ts';
import type { Readings } from '../../shared/fleet/sensors.ts';
import { carriesAlarm, clockAhead, FUTURE_LIMIT, secondsAhead } from './records/clock-ahead.ts';
import { beginningOf, damagedTrackFiles, noteDamage } from './tracks/damaged-tracks.ts';
import { gapsOf, type TrackGap } from './months/damaged-months.ts';
import { MonthKeeper, type MonthLimits } from './writing/month-keeper.ts';
import { damagedMonthFiles } from './months/months.ts';
import type { DroppedDatagrams } from './listeners/udp-listener.ts';
import type { FindVehicle, ValidRecord } from './records/fix.ts';
import { ThrottledLog } from './ingest/throttled-log.ts';
import { outcomeOf } from './writing/track-writer.ts';
import { withPoints } from './writing/new-points.ts';
import { unpackStates } from './tracks/packed-states.ts';
import {
  Quarantine,
  type NewQuarantineEntry,
  type QuarantineEntry,
  type QuarantineBounds,
} from './quarantine/quarantine.ts';
import { PROVED, QUARANTINE_LIMIT, type Sender, type QuotaSubject } from './quarantine/quarantine-quota.ts';
import { QuarantineReplay, type QuarantineReplayResult } from './ingest/quarantine-replay.ts';
import { TrackReplication } from './track-replication.ts';
import { prepareTracks } from './prepare-tracks.ts';
import { Retention } from './tracks/retention.ts';
import { isValidRecord, parseRecord } from './records/valid-record.ts';
import {
  countStored,
  PendingIntake,
  PendingRecord,
  type IngestResult,
  type IngestCallback,
  type RefusedPoint,
} from './ingest/ingest-result.ts';
import type { CurrentValue, TrackQuery } from './reading/track-answers.ts';
import { TrackCheckpointer } from './writing/track-checkpointer.ts';
import { TrackThread } from './reading/track-thread.ts';
import type { ReplayOutcome } from './writing/track-writer.ts';
import { presentPoint, recordedPoint, type RecordedPoint, type TrackEntry } from './tracks/stored-point.ts';
import { Tracks } from './tracks/tracks.ts';
import { UnknownDevices } from './ingest/unknown-devices.ts';
import type { NewPoints, TrackSpan } from './tracks/unprocessed-spans.ts';
import { WriterThread } from './writing/writer-thread.ts';

/** Names of `OUTCOME`, by its values. */
const OUTCOMES = ['accepted', 'duplicate', 'conflict'] as const;

export interface TelemetryOptions {
  /** The data directory, which holds `tracks.db`. */
  directory: string;
  now(): number;
  /** The vehicle that carries a device; undefined: unknown device. */
  findVehicle: FindVehicle;
  /** Called after each commit with the new last states, each vehicle once; at the start with all. */
  publish(states: readonly LastState[]): void;
  /** Called after each commit with the spans of tracks that have new points. */
  tracksChanged?(spans: readonly NewPoints[]): void;
  /** The organization of a vehicle, including deleted ones; it decides how long the track is kept. */
  organizationOf?(vehicleId: number): number | undefined;
  /** Whether the engine of a vehicle ran, by its device's record; null: no ignition is connected. */
  engineOn?(vehicleId: number, fix: Readings & { readonly time: number }): boolean | null;
  log?(level: 'WARN' | 'ERROR', message: string): void;
  /** Seconds that the clock of a device may be ahead; default 300. */
  futureLimit?: number;
  /** Quarantine entries per device and address and hour; default 1,000. */
  quarantineLimit?: number;
  quarantine?: QuarantineBounds;
  /** When positions move into the files of their months. */
  monthLimits?: MonthLimits;
  /** Another script for the writer thread, for tests. */
  writerScript?: URL;
}

/** ms of checking records before the event loop runs other work */
const TURN_BUDGET = 3;
/** Records between two looks at the clock. */
const STRIDE = 50;

const POINTS_AT_ONCE = 500;
/** ms between two deletions of expired points */
const SWEEP_EVERY = 3_600_000;

const CLOCK_AHEAD_TEXTS = {
  more: (device: string, count: number) =>
    `The clock of the device ${device} is ahead: ${count} more records within an hour.`,
  others: (count: number) =>
    `The clocks of devices that are not named here are ahead: ${count} records within an hour.`,
};

const DROPPED_TEXTS = {
  more: (sender: string, count: number) => `The quarantine did not keep ${count} more entries of ${sender}.`,
  others: (count: number) => `The quarantine did not keep ${count} entries of senders that are not named here.`,
};

const NOT_KEPT = 'Not kept: too many entries of this device came from this address within an hour.';

/** Opens the tracks and publishes the last states from them. */
export function openTelemetry(options: TelemetryOptions): Telemetry {
  prepareTracks(options);
  return new Telemetry(options);
}

/** Takes in positions, whatever the protocol, and keeps them by vehicle and time. */
export class Telemetry {
  readonly #options: TelemetryOptions;
  /** The reading connection; `writer` has its own. */
  readonly #tracks: Tracks;
  readonly #quarantine: Quarantine;
  readonly #writer: WriterThread;
  readonly #states = new Map<number, LastState>();
  readonly #unknownDevices: UnknownDevices;
  readonly #clockAheadLog: ThrottledLog;
  readonly #droppedLog: ThrottledLog;
  /** The damage found in `tracks.db` since the start. */
  #damage: string | undefined;
  #quarantineDropped = 0;
  readonly #futureLimit: number;
  #datagramsDropped = 0;
  readonly #replay: QuarantineReplay;
  readonly #checkpointer: TrackCheckpointer;
  readonly #months: MonthKeeper;
  #gaps: readonly TrackGap[];
  readonly #reader: TrackThread;
  /** How long tracks are kept. */
  readonly retention: Retention;
  /** Tracks between stations. */
  readonly replication: TrackReplication;
  readonly #sweeper: NodeJS.Timeout;
  /** The greatest stamp of an announced span. */
  #stamp = 0;
  /** ms spent on checking records in this turn of the event loop. */
  #worked = 0;

  /** Since the start. */
  readonly #intake = { accepted: 0, duplicate: 0, conflict: 0 };
  #lastIntake = 0;

  constructor(options: TelemetryOptions) {
    this.#options = options;
    this.#unknownDevices = new UnknownDevices((message) => options.log?.('WARN', message));
    this.#clockAheadLog = new ThrottledLog((message) => options.log?.('WARN', message), CLOCK_AHEAD_TEXTS);
    this.#droppedLog = new ThrottledLog((message) => options.log?.('WARN', message), DROPPED_TEXTS);
    this.#futureLimit = options.futureLimit ?? FUTURE_LIMIT;
    this.#tracks = new Tracks(options.directory, { onlyReads: true });
    this.#gaps = gapsOf(this.#tracks.db);
    this.#quarantine = new Quarantine(this.#tracks.db);
    this.#reader = new TrackThread(this.#tracks.file);
    this.#publishStates(this.#tracks.states());
    this.#writer = new WriterThread({
      directory: options.directory,
      stamp: this.#stamp,
      futureLimit: this.#futureLimit,
      quarantineLimit: options.quarantineLimit ?? QUARANTINE_LIMIT,
      quarantine: options.quarantine,
      now: () => options.now(),
      written: ({ outcomes, states, fresh }, pack) => {
        this.#countIntake(outcomes);
        if (states.length > 0) this.#publishStates(unpackStates(states));
        this.replication.written(fresh);
        this.#reportChanges(withPoints(fresh, outcomes, pack));
      },
      died: (error) => this.#writerDied(error),
      diskFailed: (reason) => {
        options.log?.(
          'ERROR',
          `The disk could not store what came in (${reason}). No records are accepted until the station is restarted.`,
        );
        void this.#checkpointer.close(); // the state of the log on disk is unknown: it is not moved into the database
      },
      damaged: (reason) => this.#noteDamage(reason),
      monthDamaged: () => void this.#months.setDamagedAside().catch(() => undefined),
      ...(options.writerScript && { script: options.writerScript }),
    });
    this.#writer.orderWithoutReply({ kind: 'quarantine', entries: [] }); // deletes what expired while the station was down
    this.#months = new MonthKeeper({
      file: this.#tracks.file,
      isMoving: this.#tracks.db.prepare('SELECT 1 FROM moving LIMIT 1').get() !== undefined,
      limits: options.monthLimits,
      now: () => options.now(),
      order: (order) => this.#writer.order(order),
      lost: () => (this.#gaps = gapsOf(this.#tracks.db)),
      damaged: (reason) => this.#noteDamage(reason),
      log: (level, message) => options.log?.(level, message),
    });
    this.retention = new Retention(this.#tracks.db, {
      now: () => options.now(),
      beginning: beginningOf(this.#tracks.db),
      organizationOf: (vehicleId) => options.organizationOf?.(vehicleId),
      gaps: () => this.#gaps,
      expireMonths: (expired) => this.#months.expire(expired),
      setRule: (rule) => this.#writer.order({ kind: 'retention', rule }),
      deleteOlder: (vehicleId, before) => this.#writer.order<number>({ kind: 'delete-older', vehicleId, before }),
    });
    this.#replay = new QuarantineReplay(this.#quarantine, {
      findVehicle: options.findVehicle,
      now: () => options.now(),
      keptSince: (vehicleId) => this.retention.keptSince(vehicleId),
      isLost: (time) => this.retention.isLost(time),
      futureLimit: this.#futureLimit * 1000,
      engineOn: (vehicleId, record) => this.#engineOn(vehicleId, record),
      write: (order) => this.#writer.order<ReplayOutcome>(order),
    });
    this.replication = new TrackReplication({
      file: this.#tracks.file,
      name: this.#tracks.name,
      peerTracks: this.#peerTracks(),
      order: (order) => this.#writer.order(order),
      vehicles: () => this.#states.keys(),
      keptSince: (vehicleId) => this.retention.keptSince(vehicleId),
      warn: (message) => options.log?.('WARN', message),
    });
    this.#sweeper = setInterval(
      () =>
        this.sweep().catch((error: unknown) =>
          options.log?.('ERROR', `Old points could not be deleted: ${String(error)}`),
        ),
      SWEEP_EVERY,
    );
    this.#sweeper.unref();
    this.#checkpointer = new TrackCheckpointer(this.#tracks.db, this.#tracks.file, (message) =>
      options.log?.('WARN', message),
    );
  }

  /**
   * Stores records of a device or a program. Resolves when every one is on disk, in the track or in the
   * quarantine. A repeated record is stored once; a different one for the same device and time goes to the
   * quarantine.
   * @param findVehicle limits the vehicles to those that the sender may report
   * @param sender its quarantine entries are limited; undefined: the station itself
   */
  async ingest(
    records: readonly unknown[],
    source: string,
    findVehicle: FindVehicle = this.#options.findVehicle,
    sender?: Sender,
  ): Promise<IngestResult> {
    const taken = new PendingIntake(sender);
    for (let next = 0; next < records.length;) {
      while (this.#worked >= TURN_BUDGET) await new Promise((turn) => setImmediate(turn));
      const began = performance.now();
      for (const end = Math.min(next + STRIDE, records.length); next < end; next++)
        this.#send(records[next], next, source, findVehicle, taken);
      if (this.#worked === 0) setImmediate(() => (this.#worked = 0));
      this.#worked += performance.now() - began;
    }
    if (taken.faults.length > 0) taken.quarantining = this.#addToQuarantine(taken.faults, taken.refused);
    const conflicts = await taken.outcomes();
    if (conflicts.length > 0) {
      const refused: RefusedPoint[] = [];
      const faults = conflicts.map((index) => {
        const device = deviceName(records[index]);
        const reason = `Another record of ${device} has this time (${(records[index] as ValidRecord).time}) and says something else.`;
        refused.push({ index, reason });
        return this.#faultOf(records[index], source, device, reason, sender);
      });
      await this.#addToQuarantine(faults, refused);
      taken.intake.quarantined.push(...refused);
      taken.intake.quarantined.sort((a, b) => a.index - b.index);
    }
    return taken.intake;
  }

  /** Like `ingest`, for one record. */
  ingestOne(record: unknown, source: string, waits: IngestCallback, sender?: Sender): void {
    if (!isValidRecord(record)) return this.#ingestSlowly(record, source, waits, sender);
    const vehicle = this.#options.findVehicle(record);
    if (
      !vehicle ||
      record.time < this.retention.keptSince(vehicle.id) ||
      this.retention.isLost(record.time) ||
      this.#isAhead(record)
    )
      return this.#ingestSlowly(record, source, waits, sender);
    try {
      this.#writer.sendOne(
        vehicle.id,
        record,
        this.#engineOn(vehicle.id, record),
        new PendingRecord(this.#ingestSlowly, record, source, waits, sender),
      );
    } catch (error) {
      waits.failed(error);
    }
  }

  /** For valid, known records within the retention period. */
  readonly #ingestSlowly = (
    record: unknown,
    source: string,
    waits: IngestCallback,
    sender: Sender | undefined,
  ): void => {
    this.ingest([record], source, undefined, sender).then(
      (intake) => waits.stored(countStored(intake) > 0),
      (error: unknown) => waits.failed(error),
    );
  };

  /** Whether records arrive faster than the disk stores them. */
  get isBacklogged(): boolean {
    return this.#writer.isBacklogged;
  }

  /** Records that the writer handled since the start, by what became of them. */
  get intake(): { readonly accepted: number; readonly duplicate: number; readonly conflict: number } {
    return { ...this.#intake };
  }

  /** When a record was last accepted, in epoch ms; 0: not since the start. */
  get lastIntake(): number {
    return this.#lastIntake;
  }

  #countIntake(outcomes: Uint16Array): void {
    const before = this.#intake.accepted;
    for (const outcome of outcomes) this.#intake[OUTCOMES[outcomeOf(outcome)]!]++;
    if (this.#intake.accepted > before) this.#lastIntake = this.#options.now();
    this.#months.added(this.#intake.accepted - before);
  }

  /** What is wrong with the tracks; empty: nothing. */
  problems(): { code: string; text: string }[] {
    const { directory } = this.#options;
    const damaged =
      this.#damage === undefined
        ? []
        : [
            {
              code: 'tracks.damaged',
              text: `tracks.db is damaged (${this.#damage}). Restart the station: it then goes on with a new one.`,
            },
          ];
    const broken = this.#writer.broken
      ? [{ code: 'tracks.closed', text: 'Positions are not taken in until the station is restarted.' }]
      : [];
    const full = this.#months.problem === undefined ? [] : [{ code: 'tracks.noRoom', text: this.#months.problem }];
    const aside = [...damagedTrackFiles(directory), ...damagedMonthFiles(directory)].map((name) => ({
      code: 'tracks.set-aside',
      text: `Positions from before a damage are in the file ${name} alone.`,
    }));
    return [...broken, ...damaged, ...full, ...aside];
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
  async currentValues(
    vehicle: number,
    sensors: (TrackQuery & { kind: 'current' })['sensors'],
  ): Promise<Map<number, CurrentValue>> {
    return new Map(
      (await this.#reader.query<CurrentValue[]>({ kind: 'current', vehicle, sensors })).map((value) => [
        value.id,
        value,
      ]),
    );
  }

  /** What a rule of so many days would delete now, by vehicle; omits vehicles that would lose nothing. */
  async expired(vehicleIds: readonly number[], days: number): Promise<Map<number, { points: number; oldest: number }>> {
    const before = this.retention.deletesBefore(days);
    const found = await this.#reader.query<{ vehicleId: number; points: number; oldest: number }[]>({
      kind: 'expired',
      vehicles: vehicleIds.map((id) => ({ id, before })),
    });
    return new Map(
      found.filter(({ points }) => points > 0).map(({ vehicleId, points, oldest }) => [vehicleId, { points, oldest }]),
    );
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
    return this.#months.move();
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

  /** The vehicle's place at a time, by the last believed point up to it, or undefined yet. */
  placeAt(vehicleId: number, time: number): { lat: number; lon: number } | undefined {
    return this.#tracks.before(vehicleId, time + 1);
  }

  /**
   * Quarantines unreadable input. Resolves when it is on disk, with the number of entries stored, which is
   * limited per sender.
   * @param sender undefined: the station itself
   */
  async quarantine(
    faults: readonly { reason: string; raw: Uint8Array }[],
    source: string,
    device: string,
    sender?: Sender,
  ): Promise<number> {
    const time = this.#options.now();
    const subject = this.#subjectOf(device, sender);
    const dropped = await this.#addToQuarantine(
      faults.map(({ reason, raw }) => ({ time, source, device, reason, raw: Uint8Array.from(raw), subject })),
      [],
    );
    return faults.length - dropped;
  }

  /** Resolves with the number of entries not stored; `refused` tells their senders. */
  async #addToQuarantine(entries: readonly NewQuarantineEntry[], refused: readonly RefusedPoint[]): Promise<number> {
    const dropped = await this.#writer.order<readonly number[]>({ kind: 'quarantine', entries });
    for (const index of dropped) {
      const { device, subject } = entries[index]!;
      const name = `${subject!.vehicle > 0 ? `the device ${device}` : 'unknown devices'}${subject!.sender === PROVED ? '' : ` from ${subject!.sender}`}`;
      this.#droppedLog.count(
        name,
        `The quarantine takes no more entries of ${name}: so many came within an hour. Further ones are not kept.`,
      );
      const refusal = refused[index];
      if (refusal) Object.assign(refusal, { dropped: true, reason: `${refusal.reason} ${NOT_KEPT}` });
    }
    this.#quarantineDropped += dropped.length;
    return dropped.length;
  }

  /** Entries that the quarantine refused since the start. */
  get quarantineDropped(): number {
    return this.#quarantineDropped;
  }

  #subjectOf(device: string, sender: Sender | undefined): QuotaSubject | undefined {
    if (sender === undefined) return undefined;
    const { findVehicle } = this.#options;
    const vehicle =
      device === ''
        ? undefined
        : (findVehicle({ imei: device }) ??
          (/^\d{1,10}$/.test(device) ? findVehicle({ glonassId: Number(device) }) : undefined));
    return { vehicle: vehicle?.id ?? 0, sender };
  }

  /** Counts a device without a vehicle; logged once an hour. */
  countUnknown(device: string): void {
    this.#unknownDevices.count(device.slice(0, 100));
  }

  /** Too many datagrams arrived, and some were dropped. */
  countDroppedDatagrams({ unreadable, waiting }: DroppedDatagrams, source: string): void {
    this.#datagramsDropped += unreadable + waiting;
    this.#options.log?.(
      'WARN',
      `Datagrams of ${source} were dropped: ${unreadable} unreadable ones of unknown devices, and ${waiting} that came while too many waited for the disk.`,
    );
  }

  /** Datagrams dropped since the start. */
  get datagramsDropped(): number {
    return this.#datagramsDropped;
  }

  /** Spans on disk whose events are not computed yet. */
  unprocessedSpans(): readonly TrackSpan[] {
    return this.#unprocessedOnDisk();
  }

  /** The events of these spans are on disk. */
  markProcessed(spans: readonly { vehicleId: number; stamp: number }[]): void {
    this.#writer.orderWithoutReply({
      kind: 'processed',
      spans: spans.map(({ vehicleId, stamp }) => ({ vehicleId, stamp })),
    });
  }

  /** The points of a track after a time, in order, as they are read. */
  *points(vehicleId: number, after: number): Generator<RecordedPoint> {
    for (let from = after; ;) {
      const page = this.#tracks.after(vehicleId, from, POINTS_AT_ONCE);
      for (const point of page) yield recordedPoint(point);
      if (page.length < POINTS_AT_ONCE) return;
      from = page.at(-1)!.time;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    this.#unknownDevices.close();
    this.#clockAheadLog.close();
    this.#droppedLog.close();
    await this.retention.close();
    await this.#months.close();
    await this.#reader.close();
    await this.replication.close();
    await this.#writer.close();
    await this.#checkpointer.close();
    this.#tracks.close();
  }

  #noteDamage(reason: string): void {
    if (this.#damage !== undefined) return;
    this.#damage = reason;
    const { directory, log } = this.#options;
    try {
      noteDamage(directory, reason);
    } catch (error) {
      log?.(
        'ERROR',
        `tracks.db is damaged (${reason}). That could not be noted for the next start: ${(error as Error).message}`,
      );
    }
    log?.(
      'ERROR',
      `tracks.db is damaged (${reason}). Restart the station: it sets the file aside and goes on with a new one.`,
    );
  }

  /** Sends a record to the writer, or notes why not. */
  #send(record: unknown, index: number, source: string, findVehicle: FindVehicle, taken: PendingIntake): void {
    const valid = isValidRecord(record) ? record : this.#readBySchema(record, index, source, taken);
    if (!valid) return;
    const vehicle = findVehicle(valid);
    if (!vehicle) {
      const device = deviceName(record);
      this.#unknownDevices.count(device);
      taken.intake.quarantined.push({ index, reason: `No vehicle has the device ${device}.` });
      return;
    }
    if (this.retention.isLost(valid.time))
      return this.#refuse(
        record,
        index,
        source,
        'The tracks of that time are in a damaged file that was set aside.',
        taken,
      );
    if (valid.time < this.retention.keptSince(vehicle.id))
      return this.#refuse(
        record,
        index,
        source,
        'The record is older than the tracks of its organisation are kept.',
        taken,
      );
    if (this.#isAhead(valid)) {
      const now = this.#options.now();
      const device = deviceName(record);
      this.#clockAheadLog.count(
        device,
        `The clock of the device ${device} is ${secondsAhead(valid.time, now)} s ahead: its records go to the quarantine until its clock is right.`,
      );
      return this.#refuse(record, index, source, clockAhead(valid, now, this.#futureLimit), taken);
    }
    taken.sent(index, this.#writer.send(vehicle.id, valid, this.#engineOn(vehicle.id, valid)));
  }

  /** Whether the clock of the device is too far ahead. A record with an alarm is stored all the same. */
  #isAhead(record: ValidRecord): boolean {
    return record.time > this.#options.now() + this.#futureLimit * 1000 && !carriesAlarm(record);
  }

  #readBySchema(record: unknown, index: number, source: string, taken: PendingIntake): ValidRecord | undefined {
    const { data, error } = parseRecord(record);
    if (error)
      this.#refuse(
        record,
        index,
        source,
        error.issues.map((issue) => `${issue.path.join('.') || 'record'}: ${issue.message}`).join('; '),
        taken,
      );
    return data;
  }

  #refuse(record: unknown, index: number, source: string, reason: string, taken: PendingIntake): void {
    const refused = { index, reason };
    taken.intake.quarantined.push(refused);
    taken.refused.push(refused);
    taken.faults.push(this.#faultOf(record, source, deviceName(record), reason, taken.sender));
  }

  #faultOf(
    record: unknown,
    source: string,
    device: string,
    reason: string,
    sender: Sender | undefined,
  ): NewQuarantineEntry {
    return {
      time: this.#options.now(),
      source,
      device,
      reason,
      raw: Uint8Array.from(Buffer.from(JSON.stringify(record) ?? 'null')),
      subject: this.#subjectOf(device, sender),
    };
  }

  #engineOn(vehicleId: number, { time, inputs = 0, adc = [], params = {} }: ValidRecord): boolean | null {
    return this.#options.engineOn?.(vehicleId, { time, inputs, adc, params }) ?? null;
  }

  #publishStates(states: readonly LastState[]): void {
    for (const state of states) this.#states.set(state.id, state);
    this.#options.publish(states);
  }

  #reportChanges(spans: readonly NewPoints[]): void {
    if (spans.length === 0) return;
    for (const { stamp } of spans) this.#stamp = Math.max(this.#stamp, stamp);
    this.#options.tracksChanged?.(spans);
  }

  /**
   * Spans on disk whose events are not computed yet. To a new writer they are newer than all announced ones.
   */
  #unprocessedOnDisk(): TrackSpan[] {
    return this.#tracks.unprocessed().map((span) => ({ ...span, stamp: this.#stamp }));
  }

  #peerTracks() {
    return this.#tracks
      .peerTracks()
      .map(({ vehicle, ownUntil }) => ({ vehicle, ownUntil, newest: this.#tracks.newestTime(vehicle) }));
  }

  /** Announces from the disk what the writer stored but did not report. */
  #writerDied(error: Error): { stamp: number } {
    this.#options.log?.('ERROR', `The writer of tracks ended and is restarted: ${error.message}`);
    this.#stamp++;
    this.#publishStates(this.#tracks.states());
    this.replication.restore(this.#peerTracks());
    this.#reportChanges(this.#unprocessedOnDisk());
    return { stamp: this.#stamp };
  }
}

function deviceName(record: unknown): string {
  if (typeof record !== 'object' || record === null) return '';
  const { glonassId, imei } = record as { glonassId?: unknown; imei?: unknown };
  return String(
    (typeof glonassId === 'number' ? glonassId : undefined) ?? (typeof imei === 'string' ? imei : ''),
  ).slice(0, 100);
}
