import { Worker } from 'node:worker_threads';
import { mkdirSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { LastState } from '../../shared/last-state.ts';
import type { Readings } from '../../shared/sensors.ts';
import { siblingUrl } from '../worker-url.ts';
import { DurableWrites } from './durable.ts';
import { Fix, TelemetryRecord, type Device } from './fix.ts';
import { implausible, marksToBits } from './plausible.ts';
import { Quarantine, type Quarantined, type QuarantineBounds } from './quarantine.ts';
import { reread, whole } from './reread.ts';
import { Retention } from './retention.ts';
import { advance, speedOf } from './state.ts';
import type { TrackQuestion } from './track-answers.ts';
import { TrackThread } from './track-thread.ts';
import { extraOf, presentPoint, recordedPoint, sameContent, Tracks, type RecordedPoint, type StoredPoint, type TrackEntry } from './tracks.ts';
import { Unsettled, type TrackSpan } from './unsettled.ts';

export interface TelemetryOptions {
  /** The data directory: `tracks.db` lies in it. */
  directory: string;
  now(): number;
  /** The vehicle that carries a device; undefined: nobody knows it. */
  findVehicle: FindVehicle;
  /** Told after each commit how vehicles stand now, each vehicle once; and at the start, of all of them. */
  publish(states: readonly LastState[]): void;
  /** Told after each commit which stretches of which tracks have new points; and by `unsettled()` at the start. */
  noticed?(spans: readonly TrackSpan[]): void;
  /** The organisation of a vehicle, also of a withdrawn one: how long its track is kept. */
  organizationOf?(vehicleId: number): number | undefined;
  /** Whether the engine of a vehicle ran, by what its device said; null: no ignition is connected. */
  engineOn?(vehicleId: number, fix: Readings & { readonly time: number }): boolean | null;
  log?(level: 'WARN' | 'ERROR', message: string): void;
  quarantine?: QuarantineBounds;
}

export type FindVehicle = (device: Device) => { id: number } | undefined;

/** What became of the records of one call; `index` counts within it. */
export interface Intake {
  accepted: number;
  duplicates: number;
  quarantined: { index: number; reason: string }[];
}

/** Records of one call that are taken in before others get a turn. */
const TAKEN_AT_ONCE = 100;

const POINTS_AT_ONCE = 500;
/** ms between two looks for points that are over. */
const SWEEP_EVERY = 3_600_000;

/** Opens `tracks.db` and publishes the last states from it. */
export function openTelemetry(options: TelemetryOptions): Telemetry {
  mkdirSync(options.directory, { recursive: true });
  return new Telemetry(options);
}

/** Positions come in here, whatever the protocol, and are kept by vehicle and time. */
export class Telemetry {
  private readonly options: TelemetryOptions;
  private readonly tracks: Tracks;
  private readonly quarantine: Quarantine;
  private readonly durable: DurableWrites;
  private readonly states = new Map<number, LastState>();
  /** States that the open transaction changed, by vehicle. */
  private readonly changed = new Map<number, LastState>();
  private readonly unsettledSpans = new Unsettled();
  private readonly unknown = new UnknownDevices();
  private readonly checkpointer: Worker;
  private readonly reader: TrackThread;
  /** How long tracks are kept. */
  readonly retention: Retention;
  private readonly sweeper: NodeJS.Timeout;

  constructor(options: TelemetryOptions) {
    this.options = options;
    this.tracks = new Tracks(options.directory);
    this.quarantine = new Quarantine(this.tracks.db, options.quarantine);
    this.quarantine.trim(options.now());
    this.reader = new TrackThread(this.tracks.file);
    this.durable = new DurableWrites(this.tracks.db, this.tracks.file, {
      // A state is on the disk with the points that made it, however the process ends.
      beforeCommit: () => {
        for (const vehicle of this.unsettledSpans.takeSettled()) this.tracks.settle(vehicle);
        this.changed.forEach((state) => this.tracks.saveState(state, this.unsettledSpans.of(state.id)));
      },
      committed: () => this.publishChanged(),
      rolledBack: () => this.reloadStates(),
    });
    this.reloadStates();
    options.publish([...this.states.values()]);
    this.retention = new Retention(this.tracks.db, { now: () => options.now(), organizationOf: (vehicleId) => options.organizationOf?.(vehicleId), write: (work) => this.durable.write(work) });
    this.sweeper = setInterval(() => this.sweep().catch((error: unknown) => options.log?.('ERROR', `Old points could not be deleted: ${String(error)}`)), SWEEP_EVERY);
    this.sweeper.unref();
    this.checkpointer = new Worker(siblingUrl(import.meta.url, './checkpoint.worker'), { workerData: { file: this.tracks.file } });
    this.checkpointer.unref();
    this.checkpointer.on('error', (error) => options.log?.('ERROR', `Moving the log of tracks.db stopped: ${error.message}`));
  }

  /**
   * Takes in records as a device or a program sent them. Resolves when every one is on the disk, in the track or in the quarantine.
   * The same record twice is one; one of the same device and time with another content goes to the quarantine.
   * @param findVehicle narrows the vehicles that the sender may speak for
   */
  async take(records: readonly unknown[], source: string, findVehicle: FindVehicle = this.options.findVehicle): Promise<Intake> {
    const steps: Promise<Intake>[] = [];
    for (let begin = 0; begin < records.length; begin += TAKEN_AT_ONCE) steps.push(this.durable.write(() => this.takeStep(records, begin, source, findVehicle)));
    const taken = await Promise.all(steps);
    return {
      accepted: taken.reduce((sum, step) => sum + step.accepted, 0),
      duplicates: taken.reduce((sum, step) => sum + step.duplicates, 0),
      quarantined: taken.flatMap((step) => step.quarantined),
    };
  }

  /** Path of the database, for read-only connections in threads. */
  get file(): string {
    return this.tracks.file;
  }

  /** Points in the order of time, both ends included, the marked ones too. */
  track(vehicleId: number, from: number, till: number, limit = 100_000): TrackEntry[] {
    return this.tracks.between(vehicleId, from, till, limit).map(presentPoint);
  }

  /** Tracks and values of sensors as JSON, however long: read and written down by a thread of their own, no faster than they are taken. */
  read(question: TrackQuestion): Readable {
    return this.reader.ask(question);
  }

  /** What a rule of so many days would delete now, by vehicle; those of which nothing would go are left out. */
  async expired(vehicleIds: readonly number[], days: number): Promise<Map<number, { points: number; oldest: number }>> {
    const before = this.retention.deletesBefore(days);
    const found = await this.reader.askWhole<{ vehicleId: number; points: number; oldest: number }[]>({ kind: 'expired', vehicles: vehicleIds.map((id) => ({ id, before })) });
    return new Map(found.filter(({ points }) => points > 0).map(({ vehicleId, points, oldest }) => [vehicleId, { points, oldest }]));
  }

  /** Deletes what is older than its organisation wants; called every hour. Resolves with how many points went. */
  sweep(): Promise<number> {
    return this.retention.sweep(this.states.keys());
  }

  /** Newest first. @param before an entry's id: goes on after it */
  quarantined(limit: number, before = Number.MAX_SAFE_INTEGER): Quarantined[] {
    return this.quarantine.list(before, limit);
  }

  /**
   * Tries again what lies in the quarantine, all of it or some, in the order in which it came. What is taken in now, or is known by now, leaves it.
   * Records whose time another record holds stay: only a person can say which one is right.
   */
  async replay(ids?: readonly number[]): Promise<{ accepted: number; duplicates: number; remaining: number }> {
    const result = { accepted: 0, duplicates: 0, remaining: 0 };
    const entries = ids ? ids.map((id) => this.quarantine.get(id)).filter((entry) => entry !== undefined) : this.allQuarantined();
    for (const entry of entries) {
      const outcome = await this.replayOne(entry);
      result[outcome]++;
    }
    return result;
  }

  /** The last state of each vehicle that was ever heard. */
  lastStates(): readonly LastState[] {
    return [...this.states.values()];
  }

  /** Where a vehicle was last; undefined when it never was anywhere. */
  lastPlace(vehicleId: number): { lat: number; lon: number } | undefined {
    const state = this.states.get(vehicleId);
    return state && state.time > 0 ? { lat: state.lat, lon: state.lon } : undefined;
  }

  /** Where a vehicle was at a time, by the last believed point up to it; undefined: it had been nowhere yet. */
  placeAt(vehicleId: number, time: number): { lat: number; lon: number } | undefined {
    return this.tracks.neighbours(vehicleId, time + 1).before;
  }

  /** Keeps what could not be understood. Resolves when it is on the disk. */
  async keepAside(faults: readonly { reason: string; raw: Uint8Array }[], source: string, device: string): Promise<void> {
    await this.durable.write(() => {
      const time = this.options.now();
      for (const { reason, raw } of faults) this.quarantine.add({ time, source, device, reason, raw });
      this.quarantine.trim(time);
    });
  }

  /** Somebody sends whom no vehicle carries: it is counted, and said once an hour. */
  countUnknown(device: string): void {
    this.unknown.count(device.slice(0, 100), this.options.now(), (message) => this.options.log?.('WARN', message));
  }

  /** Stretches whose events were not worked out when the station ended. */
  unsettled(): readonly TrackSpan[] {
    return this.unsettledSpans.all();
  }

  /** The events of these stretches are on disk. */
  settle(spans: readonly { vehicleId: number; stamp: number }[]): void {
    this.unsettledSpans.settle(spans);
  }

  /** The points of a track after a time, in order, as they are read. */
  *points(vehicleId: number, after: number): Generator<RecordedPoint> {
    for (let from = after; ; ) {
      const page = this.tracks.after(vehicleId, from, POINTS_AT_ONCE);
      for (const point of page) yield recordedPoint(point);
      if (page.length < POINTS_AT_ONCE) return;
      from = page.at(-1)!.time;
    }
  }

  async close(): Promise<void> {
    // What was settled since the last commit is written down too: it only saves work at the next start.
    if (this.unsettledSpans.hasSettled) await this.durable.write(() => undefined);
    clearInterval(this.sweeper);
    await this.retention.close();
    await this.reader.close();
    await this.durable.close();
    const ended = new Promise((resolve) => this.checkpointer.once('exit', resolve));
    this.checkpointer.ref();
    this.checkpointer.postMessage('close');
    await ended;
    this.tracks.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.tracks.db.close();
  }

  private takeStep(records: readonly unknown[], begin: number, source: string, findVehicle: FindVehicle): Intake {
    const now = this.options.now();
    const intake: Intake = { accepted: 0, duplicates: 0, quarantined: [] };
    const end = Math.min(begin + TAKEN_AT_ONCE, records.length);
    for (let index = begin; index < end; index++) this.takeOne(records[index], index, source, now, findVehicle, intake);
    if (intake.quarantined.length > 0) this.quarantine.trim(now);
    return intake;
  }

  private takeOne(record: unknown, index: number, source: string, now: number, findVehicle: FindVehicle, intake: Intake): void {
    const parsed = TelemetryRecord.safeParse(record);
    const device = deviceName(record);
    const refuse = (reason: string, keep = true): void => {
      intake.quarantined.push({ index, reason });
      if (keep) this.quarantine.add({ time: now, source, device, reason, raw: Buffer.from(JSON.stringify(record) ?? 'null') });
    };
    if (!parsed.success) return refuse(parsed.error.issues.map((issue) => `${issue.path.join('.') || 'record'}: ${issue.message}`).join('; '));
    const vehicle = findVehicle(parsed.data);
    if (!vehicle) {
      this.unknown.count(device, now, (message) => this.options.log?.('WARN', message));
      return refuse(`No vehicle has the device ${device}.`, false);
    }
    if (parsed.data.time < this.retention.keptSince(vehicle.id)) return refuse(`The record is older than the tracks of its organisation are kept.`);
    const outcome = this.store(vehicle.id, parsed.data, now);
    if (outcome === 'accepted') intake.accepted++;
    else if (outcome === 'duplicate') intake.duplicates++;
    else refuse(`Another record of ${device} has this time (${parsed.data.time}) and says something else.`);
  }

  private store(vehicle: number, fix: Fix, now: number): 'accepted' | 'duplicate' | 'conflict' {
    const state = this.states.get(vehicle);
    // The usual record is the newest: its neighbour is the last state, and the track need not be asked.
    const newest = state === undefined || (state.time > 0 && fix.time > state.time);
    const neighbours = newest ? { before: state, after: undefined } : this.tracks.neighbours(vehicle, fix.time);
    const marks = implausible(fix, neighbours.before, now);
    const engineOn = this.options.engineOn?.(vehicle, fix) ?? null;
    const point: StoredPoint = {
      vehicle,
      time: fix.time,
      storedAt: now,
      lat: fix.lat,
      lon: fix.lon,
      speed: speedOf(fix, neighbours.before),
      direction: fix.direction,
      height: fix.height,
      gpsCount: fix.gpsCount ?? null,
      glonassCount: fix.glonassCount ?? null,
      inputs: fix.inputs,
      marks: marksToBits(marks),
      extra: extraOf(fix),
      speedDerived: fix.speed === undefined ? 1 : 0,
      engine: engineOn === null ? null : Number(engineOn),
    };
    if (!this.tracks.insert(point)) return sameContent(this.tracks.point(vehicle, fix.time)!, fix) ? 'duplicate' : 'conflict';
    const next = advance(state, vehicle, fix, marks, neighbours, engineOn, now);
    this.states.set(vehicle, next);
    this.changed.set(vehicle, next);
    this.unsettledSpans.add(vehicle, fix.time);
    return 'accepted';
  }

  private publishChanged(): void {
    if (this.changed.size === 0) return;
    const changed = [...this.changed.values()];
    this.changed.clear();
    this.options.publish(changed);
    const spans = this.unsettledSpans.takeFresh();
    if (spans.length > 0) this.options.noticed?.(spans);
  }

  private reloadStates(): void {
    this.changed.clear();
    this.states.clear();
    for (const state of this.tracks.states()) this.states.set(state.id, state);
    this.unsettledSpans.restore(this.tracks.unsettled());
  }

  private *allQuarantined(): Generator<Quarantined> {
    let page = this.quarantine.after(0, 500);
    while (page.length > 0) {
      yield* page;
      page = this.quarantine.after(page.at(-1)!.id, 500);
    }
  }

  /** All that an entry holds is taken, or it stays. */
  private async replayOne(entry: Quarantined): Promise<'accepted' | 'duplicates' | 'remaining'> {
    const found = this.fixesOf(entry);
    if (!found || found.fixes.some(({ time }) => time < this.retention.keptSince(found.vehicleId))) return 'remaining';
    return this.durable.write(() => {
      const outcomes = found.fixes.map((fix) => this.store(found.vehicleId, fix, this.options.now()));
      if (outcomes.includes('conflict')) return 'remaining';
      this.quarantine.remove(entry.id);
      return outcomes.includes('accepted') ? 'accepted' : 'duplicates';
    });
  }

  /** The records that an entry holds, when they can be read and their vehicle is known by now. */
  private fixesOf({ raw, source, device }: Quarantined): { vehicleId: number; fixes: Fix[] } | undefined {
    const { findVehicle, now } = this.options;
    const parsed = TelemetryRecord.safeParse(parseRaw(raw));
    if (parsed.success) {
      const vehicle = findVehicle(parsed.data);
      return vehicle && { vehicleId: vehicle.id, fixes: [parsed.data] };
    }
    const read = reread(source, raw, now);
    const name = read?.device ?? device;
    const vehicle = read && (findVehicle({ imei: name }) ?? (/^\d{1,10}$/.test(name) ? findVehicle({ glonassId: Number(name) }) : undefined));
    if (!read || !vehicle) return undefined;
    const fixes = read.records.map((record) => {
      const place = record.position ?? this.lastPlace(vehicle.id);
      return place ? Fix.safeParse(whole(record, 0, place, now())).data : undefined;
    });
    return fixes.every((fix) => fix !== undefined) ? { vehicleId: vehicle.id, fixes } : undefined;
  }
}

function deviceName(record: unknown): string {
  if (typeof record !== 'object' || record === null) return '';
  const { glonassId, imei } = record as { glonassId?: unknown; imei?: unknown };
  return String((typeof glonassId === 'number' ? glonassId : undefined) ?? (typeof imei === 'string' ? imei : '')).slice(0, 100);
}

function parseRaw(raw: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(raw).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Somebody else's tracker is no reason for a log entry each second: each device is named once an hour, with its count. */
class UnknownDevices {
  private readonly seen = new Map<string, { since: number; count: number }>();

  count(device: string, now: number, log: (message: string) => void): void {
    const known = this.seen.get(device);
    if (known && now - known.since < 3_600_000) {
      known.count++;
      return;
    }
    log(`Records of the unknown device ${device || '(without a name)'} were not stored${known ? `: ${known.count} in the last hour` : ''}.`);
    this.seen.delete(device);
    this.seen.set(device, { since: now, count: 1 });
    if (this.seen.size > 10_000) this.seen.delete(this.seen.keys().next().value!);
  }
}
