import { setImmediate as nextTurn } from 'node:timers/promises';
import { IncomingBatch } from '../tracks/incoming-fixes.ts';
import { carriesAlarm } from '../records/clock-ahead.ts';
import type { FindVehicle, ValidRecord } from '../records/fix.ts';
import { parseRecord } from '../records/valid-record.ts';
import type { Quarantine, QuarantineEntry } from '../quarantine/quarantine.ts';
import { reread, completeRecord } from '../decoders/reread.ts';
import type { ReplayOutcome, WriteOrder } from '../writing/track-writer.ts';

/** How many entries were taken in, were known already, and stay. */
export type QuarantineReplayResult = Record<ReplayOutcome, number>;

interface QuarantineReplayOptions {
  readonly findVehicle: FindVehicle;
  now(): number;
  /** The time before which a vehicle's records are not kept any more. */
  keptSince(vehicleId: number): number;
  /** ms that the clock of a device may be ahead. */
  readonly futureLimit: number;
  /** Whether its engine ran, by what its device said; null: no ignition is connected. */
  engineOn(vehicleId: number, record: ValidRecord): boolean | null;
  write(order: WriteOrder & { readonly kind: 'replay' }): Promise<ReplayOutcome>;
}

/** ms in which entries are tried before the event loop gets its turn. */
const TURN_BUDGET = 3;

/** Takes in what lies in the quarantine once it can be. */
export class QuarantineReplay {
  readonly #quarantine: Quarantine;
  readonly #options: QuarantineReplayOptions;

  constructor(quarantine: Quarantine, ways: QuarantineReplayOptions) {
    this.#quarantine = quarantine;
    this.#options = ways;
  }

  /**
   * Tries again what lies in the quarantine, all of it or some, in the order in which it came. What is taken
   * in now, or is known by now, leaves it. Records whose time another record holds stay: only a person can
   * say which one is right. However many there are, they hold nobody up.
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

  /** One by one: many may be as large as an entry gets. */
  *#all(): Generator<QuarantineEntry> {
    for (let [entry] = this.#quarantine.after(0, 1); entry; [entry] = this.#quarantine.after(entry.id, 1)) yield entry;
  }

  /**
   * All that an entry holds is taken, or it stays.
   * @param clock by which the times of its records are judged: with all others an entry is judged by when it
   * came, since a clock that was ahead is no less wrong later
   */
  async #replayOne(entry: QuarantineEntry, clock: number): Promise<ReplayOutcome> {
    const found = this.#fixesOf(entry);
    if (!found) return 'remaining';
    const [earliest, latest] = [this.#options.keptSince(found.vehicleId), clock + this.#options.futureLimit];
    if (found.fixes.some((fix) => fix.time < earliest || (fix.time > latest && !carriesAlarm(fix)))) return 'remaining';
    const batch = new IncomingBatch();
    for (const fix of found.fixes) batch.add(found.vehicleId, fix, this.#options.engineOn(found.vehicleId, fix));
    return await this.#options.write({ kind: 'replay', entry: entry.id, fixes: batch.packed() });
  }

  /** The records that an entry holds, when they can be read and their vehicle is known by now. */
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
    // A device's record without a place: NaN became null in the entry.
    const isUnplaced =
      source !== 'http' && typeof record === 'object' && record !== null && 'lat' in record && record.lat === null;
    return isUnplaced ? { ...record, lat: NaN, lon: NaN } : record;
  } catch {
    return undefined;
  }
}
