import type { Fix } from '../fix.ts';

/**
 * A record as a protocol carries it. A position may be missing: then the vehicle's last known one is meant, and the record says by its satellites
 * that it has none of its own.
 */
export type DeviceRecord = Omit<Fix, 'lat' | 'lon' | 'time'> & { time: number | undefined; position: { lat: number; lon: number } | undefined };

/** What became of a login. */
export type LoginResult = 'accepted' | 'unknown' | 'wrong-password';

/**
 * What a connection said. Each item carries how it is answered, since every protocol has its own words for that; an answer is sent only when what it
 * confirms is on disk.
 */
export type Item =
  | { kind: 'login'; device: string; password: string | undefined; answer(result: LoginResult): Uint8Array | undefined }
  /** `device` where a packet names its own. Records that break the protocol's rules come as `faults` beside those that do not. */
  | { kind: 'records'; device?: string; records: readonly DeviceRecord[]; faults: readonly Fault[]; answer(stored: number): Uint8Array | undefined }
  /** Something that the device wants to hear back and that holds no data. */
  | { kind: 'ping'; answer(): Uint8Array | undefined }
  | { kind: 'message'; text: string; answer(taken: boolean): Uint8Array | undefined }
  /** Bytes that are wrong: they go to the quarantine, with the reason. */
  | { kind: 'fault'; fault: Fault; answer(): Uint8Array | undefined };

export interface Fault {
  reason: string;
  raw: Uint8Array;
}

/** What one connection said so far; packets arrive split and glued. */
export interface Conversation {
  /** Takes the bytes that came, and returns what is whole by now, in order. Throws a `Gibberish` when nothing that follows can be understood. */
  push(bytes: Uint8Array): Item[];
}

/** The bytes do not belong to this protocol: the connection is closed. */
export class Gibberish extends Error {
  override readonly name = 'Gibberish';
  readonly raw: Uint8Array;

  constructor(message: string, raw: Uint8Array) {
    super(message);
    this.raw = raw.slice(0, 64 * 1024);
  }
}

export interface Decoder {
  readonly name: string;
  readonly defaultPort: number;
  /** Whether a login carries a password. Where it cannot, a vehicle's password cannot be asked for. */
  readonly passwords: boolean;
  converse(now: () => number): Conversation;
  /** What bytes say that were kept aside, a whole frame or one record of it: without the login that came before them. */
  reread(raw: Uint8Array, now: () => number): readonly Item[];
  /** A datagram is a conversation of its own; undefined where the protocol has none. */
  datagram?(bytes: Uint8Array, now: () => number): { device: string | undefined; items: Item[] };
}

/** A record with nothing in it but what is given. */
export function record({ time, position, speed, direction = 0, height = 0, gpsCount = position ? undefined : 0, glonassCount, inputs = 0, adc = [], params = {} }: Partial<DeviceRecord> & Pick<DeviceRecord, 'time' | 'position'>): DeviceRecord {
  return { time, position, speed, direction, height, gpsCount, glonassCount, inputs, adc, params };
}

/** Takes items as long as there are whole ones: `next` gives those of the next packet, or undefined when it needs more bytes. */
export function drain(next: () => readonly Item[] | undefined): Item[] {
  const items: Item[] = [];
  for (let more = next(); more !== undefined; more = next()) items.push(...more);
  return items;
}

/** Bytes that wait until they are a whole packet. */
export class Pending {
  #bytes: Buffer = Buffer.alloc(0);

  add(bytes: Uint8Array): void {
    this.#bytes = this.#bytes.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#bytes, bytes]);
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  /** Takes the first bytes away and returns them. */
  take(length: number): Buffer {
    const taken = this.#bytes.subarray(0, length);
    this.#bytes = this.#bytes.subarray(length);
    return taken;
  }
}
