import { z } from 'zod';
import {
  followStream,
  unpackEntry,
  type Followed,
  type JsEntry,
  type RegionStream,
  type Subjects,
} from '../../../replication/nats/index.ts';
import { parsedJson } from '../../../platform/parsing/parsed-json.ts';

/** The fields of a vehicle that a gateway needs. */
const Equipped = z.object({
  id: z.int(),
  glonassId: z.int(),
  imei: z.string(),
  devicePassword: z.string(),
  isDeleted: z.boolean(),
});
type Equipped = z.infer<typeof Equipped>;

export interface FoundDevice {
  readonly id: number;
  readonly glonassId: number;
  readonly password: string;
}

/** Which vehicle carries which device, read from the stream of changes and followed. Kept in memory only. */
export class RegionDevices {
  readonly #subjects: Subjects;
  readonly #vehicles = new Map<string, Equipped>();
  readonly #byImei = new Map<string, Equipped>();
  readonly #byNumber = new Map<number, Equipped>();
  /** Sequence of the last entry that was read, in which stream. */
  #read = { epoch: '', sequence: 0 };

  constructor(subjects: Subjects) {
    this.#subjects = subjects;
  }

  get count(): number {
    return this.#vehicles.size;
  }

  /** Follows the vehicles of the stream, from where the last following ended. */
  follow(stream: RegionStream): Promise<Followed> {
    if (this.#read.epoch !== stream.epoch) this.#read = { epoch: stream.epoch, sequence: 0 };
    return followStream({
      stream,
      filter: this.#subjects.changesOf('vehicles'),
      after: this.#read.sequence,
      take: (entries) => this.#take(entries),
    });
  }

  /** The vehicle of a device, which names itself by its IMEI or by the number of its unit. */
  find(device: string): FoundDevice | undefined {
    const found =
      this.#byImei.get(device) ?? (/^\d{1,10}$/.test(device) ? this.#byNumber.get(Number(device)) : undefined);
    return found && { id: found.id, glonassId: found.glonassId, password: found.devicePassword };
  }

  /** The vehicle with this number of its unit. */
  withNumber(glonassId: number): FoundDevice | undefined {
    const found = this.#byNumber.get(glonassId);
    return found && { id: found.id, glonassId, password: found.devicePassword };
  }

  async #take(entries: readonly JsEntry[]): Promise<void> {
    for (const entry of entries) {
      const { key, text, isDeleted } = await unpackEntry(this.#subjects.keyOf(entry.subject), entry);
      const { data } = Equipped.safeParse(parsedJson(text));
      this.#forget(key);
      if (data && !isDeleted && !data.isDeleted) this.#enter(key, data);
    }
    this.#read = { ...this.#read, sequence: entries.at(-1)!.seq };
  }

  #enter(key: string, vehicle: Equipped): void {
    this.#vehicles.set(key, vehicle);
    this.#byNumber.set(vehicle.glonassId, vehicle);
    if (vehicle.imei !== '') this.#byImei.set(vehicle.imei, vehicle);
  }

  #forget(key: string): void {
    const before = this.#vehicles.get(key);
    if (!before) return;
    this.#vehicles.delete(key);
    const isMine = (other: Equipped | undefined) => other === before;
    if (isMine(this.#byNumber.get(before.glonassId))) this.#byNumber.delete(before.glonassId);
    if (isMine(this.#byImei.get(before.imei))) this.#byImei.delete(before.imei);
    // Another vehicle may have the device while two stations disagree.
    for (const other of this.#vehicles.values()) {
      if (other.glonassId === before.glonassId) this.#byNumber.set(other.glonassId, other);
      if (before.imei !== '' && other.imei === before.imei) this.#byImei.set(other.imei, other);
    }
  }
}
