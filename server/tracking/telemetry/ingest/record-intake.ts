import type { Readings } from '../../../../shared/fleet/sensors.ts';
import type { Sender } from '../quarantine/quarantine-quota.ts';
import { carriesAlarm, clockAhead, secondsAhead } from '../records/clock-ahead.ts';
import type { FindVehicle, ValidRecord } from '../records/fix.ts';
import { parseRecord } from '../records/parse-record.ts';
import { isValidRecord } from '../records/valid-record.ts';
import type { Retention } from '../tracks/retention.ts';
import type { WriterThread } from '../writing/writer-thread.ts';
import {
  countStored,
  PendingIntake,
  PendingRecord,
  type IngestCallback,
  type IngestResult,
  type RefusedPoint,
} from './ingest-result.ts';
import type { QuarantineIntake } from './quarantine-intake.ts';
import { ThrottledLog } from './throttled-log.ts';
import type { UnknownDevices } from './unknown-devices.ts';

export interface RecordIntakeOptions {
  now(): number;
  findVehicle: FindVehicle;
  /** Whether the engine of a vehicle ran, by its device's record; null: no ignition is connected. */
  engineOn?: ((vehicleId: number, fix: Readings & { readonly time: number }) => boolean | null) | undefined;
  /** Seconds that the clock of a device may be ahead. */
  futureLimit: number;
  retention: Pick<Retention, 'closedBecause' | 'keptSince'>;
  writer: Pick<WriterThread, 'send' | 'sendOne'>;
  quarantine: QuarantineIntake;
  unknownDevices: UnknownDevices;
  warn(message: string): void;
}

/** ms of checking records before the event loop runs other work */
const TURN_BUDGET = 3;
/** Records between two looks at the clock. */
const STRIDE = 50;

const CLOCK_AHEAD_TEXTS = {
  more: (device: string, count: number) =>
    `The clock of the device ${device} is ahead: ${count} more records within an hour.`,
  others: (count: number) =>
    `The clocks of devices that are not named here are ahead: ${count} records within an hour.`,
};

/** Checks records and hands them to the writer, or to the quarantine. */
export class RecordIntake {
  readonly #options: RecordIntakeOptions;
  readonly #clockAheadLog: ThrottledLog;
  /** ms spent on checking records in this turn of the event loop. */
  #worked = 0;

  constructor(options: RecordIntakeOptions) {
    this.#options = options;
    this.#clockAheadLog = new ThrottledLog((message) => options.warn(message), CLOCK_AHEAD_TEXTS);
  }

  /** Resolves when every record is on disk, in the track or in the quarantine. */
  async ingest(
    records: readonly unknown[],
    source: string,
    findVehicle: FindVehicle = this.#options.findVehicle,
    sender?: Sender,
  ): Promise<IngestResult> {
    const { quarantine } = this.#options;
    const taken = new PendingIntake(sender);
    for (let next = 0; next < records.length;) {
      while (this.#worked >= TURN_BUDGET) await new Promise((turn) => setImmediate(turn));
      const began = performance.now();
      for (const end = Math.min(next + STRIDE, records.length); next < end; next++)
        this.#send(records[next], next, source, findVehicle, taken);
      if (this.#worked === 0) setImmediate(() => (this.#worked = 0));
      this.#worked += performance.now() - began;
    }
    if (taken.faults.length > 0) taken.quarantining = quarantine.add(taken.faults, taken.refused);
    const conflicts = await taken.outcomes();
    if (conflicts.length > 0) {
      const refused: RefusedPoint[] = [];
      const faults = conflicts.map((index) => {
        const device = deviceName(records[index]);
        const reason = `Another record of ${device} has this time (${(records[index] as ValidRecord).time}) and says something else.`;
        refused.push({ index, reason });
        return quarantine.entryOf(records[index], source, device, reason, sender);
      });
      await quarantine.add(faults, refused);
      taken.intake.quarantined.push(...refused);
      taken.intake.quarantined.sort((a, b) => a.index - b.index);
    }
    return taken.intake;
  }

  /** Like `ingest`, for one record. */
  ingestOne(record: unknown, source: string, waits: IngestCallback, sender?: Sender): void {
    if (!isValidRecord(record)) return this.#ingestSlowly(record, source, waits, sender);
    const { retention, writer } = this.#options;
    const vehicle = this.#options.findVehicle(record);
    if (
      !vehicle ||
      record.time < retention.keptSince(vehicle.id) ||
      retention.closedBecause(record.time) !== undefined ||
      this.#isAhead(record)
    )
      return this.#ingestSlowly(record, source, waits, sender);
    try {
      writer.sendOne(
        vehicle.id,
        record,
        this.engineOn(vehicle.id, record),
        new PendingRecord(this.#ingestSlowly, record, source, waits, sender),
      );
    } catch (error) {
      waits.failed(error);
    }
  }

  engineOn(vehicleId: number, { time, inputs = 0, adc = [], params = {} }: ValidRecord): boolean | null {
    return this.#options.engineOn?.(vehicleId, { time, inputs, adc, params }) ?? null;
  }

  close(): void {
    this.#clockAheadLog.close();
  }

  /** For records that `ingestOne` does not hand to the writer at once, and for conflicts. */
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

  /** Sends a record to the writer, or notes why not. */
  #send(record: unknown, index: number, source: string, findVehicle: FindVehicle, taken: PendingIntake): void {
    const { retention, unknownDevices, writer, futureLimit } = this.#options;
    const valid = isValidRecord(record) ? record : this.#readBySchema(record, index, source, taken);
    if (!valid) return;
    const vehicle = findVehicle(valid);
    if (!vehicle) {
      const device = deviceName(record);
      unknownDevices.count(device);
      taken.intake.quarantined.push({ index, reason: `No vehicle has the device ${device}.` });
      return;
    }
    const closed = retention.closedBecause(valid.time);
    if (closed !== undefined) return this.#refuse(record, index, source, closed, taken);
    if (valid.time < retention.keptSince(vehicle.id))
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
      return this.#refuse(record, index, source, clockAhead(valid, now, futureLimit), taken);
    }
    taken.sent(index, writer.send(vehicle.id, valid, this.engineOn(vehicle.id, valid)));
  }

  /** Whether the clock of the device is too far ahead. A record with an alarm is stored all the same. */
  #isAhead(record: ValidRecord): boolean {
    return record.time > this.#options.now() + this.#options.futureLimit * 1000 && !carriesAlarm(record);
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
    taken.faults.push(this.#options.quarantine.entryOf(record, source, deviceName(record), reason, taken.sender));
  }
}

function deviceName(record: unknown): string {
  if (typeof record !== 'object' || record === null) return '';
  const { glonassId, imei } = record as { glonassId?: unknown; imei?: unknown };
  return String(
    (typeof glonassId === 'number' ? glonassId : undefined) ?? (typeof imei === 'string' ? imei : ''),
  ).slice(0, 100);
}
