import { setImmediate as nextTurn } from 'node:timers/promises';
import { IncomingBatch } from '../tracks/incoming-fixes.ts';
import { carriesAlarm } from '../records/clock-ahead.ts';
import type { FindVehicle, ValidRecord } from '../records/fix.ts';
import { parseRecord } from '../records/parse-record.ts';
import type { Quarantine, QuarantineEntry } from '../quarantine/quarantine.ts';
import { reread, completeRecord } from '../decoders/reread.ts';
import type { ReplayOutcome, WriteOrder } from '../writing/write-orders.ts';

/** How many entries were stored, were known already, and stay. */
export type QuarantineReplayResult = Record<ReplayOutcome, number>;

interface QuarantineReplayOptions {
  readonly findVehicle: FindVehicle;
  now(): number;
  /** Older records of a vehicle are refused. */
  keptSince(vehicleId: number): number;
  /** Whether positions of that time are in a damaged file. */
  isLost(time: number): boolean;
  /** ms that the clock of a device may be ahead. */
  readonly futureLimit: number;
  /** Whether the engine ran, by the device's record; null: no ignition is connected. */
  engineOn(vehicleId: number, record: ValidRecord): boolean | null;
  write(order: WriteOrder & { readonly kind: 'replay' }): Promise<ReplayOutcome>;
}

/** ms of replaying before the event loop runs other work. */
const TURN_BUDGET = 3;

/** Stores quarantined records once they are valid. */
export class QuarantineReplay {
  readonly #quarantine: Quarantine;
  readonly #options: QuarantineReplayOptions;

  constructor(quarantine: Quarantine, ways: QuarantineReplayOptions) {
    this.#quarantine = quarantine;
    this.#options = ways;
  }

  /**
   * Replays all or some entries, in order of arrival. Entries that are now stored or already known are
   * removed. Records whose time has another record stay: only a person can decide. Replay never blocks other
   * work.
   */
  async replay(ids?: readonly number[]): Promise<QuarantineReplayResult> {
    const result: QuarantineReplayResult = { accepted: 0, duplicates: 0, remaining: 0 };
    let began = performance.now();
    for (const entry of ids ? this.#some(ids) : this.#all()) {
      result[await this.#replayOne(entry, ids ? this.#options.now() : entry.time)]++;
      if (performance.now() - began < TURN_BUDGET) continue;
      await nextTurn();
      began = performance.now();
    }
    return result;
  }

  *#some(ids: readonly number[]): Generator<QuarantineEntry> {
    for (const id of ids) {
      const entry = this.#quarantine.get(id);
      if (entry) yield entry;
    }
  }

  /** One by one: each may have the maximum size. */
  *#all(): Generator<QuarantineEntry> {
    for (let [entry] = this.#quarantine.after(0, 1); entry; [entry] = this.#quarantine.after(entry.id, 1)) yield entry;
  }

  /**
   * An entry is stored completely, or stays. @param clock the clock for its records: usually the time of
   * arrival, because a clock that was ahead then is no less wrong now
   */
  async #replayOne(entry: QuarantineEntry, clock: number): Promise<ReplayOutcome> {
    const found = this.#fixesOf(entry);
    if (!found) return 'remaining';
    const [earliest, latest] = [this.#options.keptSince(found.vehicleId), clock + this.#options.futureLimit];
    if (
      found.fixes.some(
        (fix) => fix.time < earliest || this.#options.isLost(fix.time) || (fix.time > latest && !carriesAlarm(fix)),
      )
    )
      return 'remaining';
    const batch = new IncomingBatch();
    for (const fix of found.fixes) batch.add(found.vehicleId, fix, this.#options.engineOn(found.vehicleId, fix));
    return await this.#options.write({ kind: 'replay', entry: entry.id, fixes: batch.packed() });
  }

  /** The records of an entry, if it can be decoded and its vehicle is known now. */
  #fixesOf({ raw, source, device }: QuarantineEntry): { vehicleId: number; fixes: ValidRecord[] } | undefined {
    const { findVehicle, now } = this.#options;
    const parsed = parseRecord(parseRaw(raw, source));
    if (parsed.data) {
      const vehicle = findVehicle(parsed.data);
      return vehicle && { vehicleId: vehicle.id, fixes: [parsed.data] };
    }
    const read = reread(source, raw, now);
    const name = read?.device ?? device;
    const vehicle =
      read &&
      (findVehicle({ imei: name }) ?? (/^\d{1,10}$/.test(name) ? findVehicle({ glonassId: Number(name) }) : undefined));
    if (!read || !vehicle) return undefined;
    const fixes = read.records.map((record) => parseRecord(completeRecord(record, 0, now())).data);
    return fixes.every((fix) => fix !== undefined) ? { vehicleId: vehicle.id, fixes } : undefined;
  }
}

function parseRaw(raw: Uint8Array, source: string): unknown {
  try {
    const record = JSON.parse(Buffer.from(raw).toString('utf8')) as unknown;
    // A device's record without a position: the entry's JSON has null for NaN.
    const isUnplaced =
      source !== 'http' && typeof record === 'object' && record !== null && 'lat' in record && record.lat === null;
    return isUnplaced ? { ...record, lat: NaN, lon: NaN } : record;
  } catch {
    return undefined;
  }
}
