import type { FindVehicle } from '../records/fix.ts';
import type { NewQuarantineEntry } from '../quarantine/quarantine.ts';
import { PROVED, type QuotaSubject, type Sender } from '../quarantine/quarantine-quota.ts';
import type { RefusedPoint } from './ingest-result.ts';
import { ThrottledLog } from './throttled-log.ts';

export interface QuarantineIntakeOptions {
  now(): number;
  findVehicle: FindVehicle;
  /** Stores entries; resolves with the indexes of those that were over the limit of their sender. */
  store(entries: readonly NewQuarantineEntry[]): Promise<readonly number[]>;
  warn(message: string): void;
}

const DROPPED_TEXTS = {
  more: (sender: string, count: number) => `The quarantine did not keep ${count} more entries of ${sender}.`,
  others: (count: number) => `The quarantine did not keep ${count} entries of senders that are not named here.`,
};

const NOT_KEPT = 'Not kept: too many entries of this device came from this address within an hour.';

/** Puts refused records into the quarantine, and reports to the log and the senders those that it drops. */
export class QuarantineIntake {
  readonly #options: QuarantineIntakeOptions;
  readonly #droppedLog: ThrottledLog;
  #dropped = 0;

  constructor(options: QuarantineIntakeOptions) {
    this.#options = options;
    this.#droppedLog = new ThrottledLog((message) => options.warn(message), DROPPED_TEXTS);
  }

  /** Entries that the quarantine did not keep since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Quarantines unreadable input. Resolves when it is on disk, with the number of entries stored. */
  async addUnreadable(
    faults: readonly { reason: string; raw: Uint8Array }[],
    source: string,
    device: string,
    sender: Sender | undefined,
  ): Promise<number> {
    const time = this.#options.now();
    const subject = this.#subjectOf(device, sender);
    const dropped = await this.add(
      faults.map(({ reason, raw }) => ({ time, source, device, reason, raw: Uint8Array.from(raw), subject })),
      [],
    );
    return faults.length - dropped;
  }

  /** Resolves with the number of entries not stored; `refused` tells their senders. */
  async add(entries: readonly NewQuarantineEntry[], refused: readonly RefusedPoint[]): Promise<number> {
    const dropped = await this.#options.store(entries);
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
    this.#dropped += dropped.length;
    return dropped.length;
  }

  /** The entry for a record that was refused. */
  entryOf(
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

  close(): void {
    this.#droppedLog.close();
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
}
