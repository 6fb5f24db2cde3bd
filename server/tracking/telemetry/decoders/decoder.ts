import type { Fix } from '../records/fix.ts';

/**
 * A record as a protocol carries it. Without a position it gets the last known one before its time and no
 * satellites.
 */
export type DeviceRecord = Omit<Fix, 'lat' | 'lon' | 'time'> & {
  time: number | undefined;
  position: { lat: number; lon: number } | undefined;
};

/** The outcome of a login. */
export type LoginResult = 'accepted' | 'unknown' | 'wrong-password';

/** An item of a connection, with its answer. The answer is sent only when what it confirms is on disk. */
export type Item =
  | { kind: 'login'; device: string; password: string | undefined; answer(result: LoginResult): Uint8Array | undefined }
  /**
   * `device` if a packet names its own. Records that break the rules of the protocol come as `faults` beside
   * the good ones. `answer` takes how many records are on disk, and how many faults are in the quarantine.
   */
  | {
      kind: 'records';
      device?: string;
      records: readonly DeviceRecord[];
      faults: readonly DecodeFault[];
      answer(stored: number, aside: number): Uint8Array | undefined;
    }
  /** A ping: no data, but an answer. */
  | { kind: 'ping'; answer(): Uint8Array | undefined }
  | { kind: 'message'; text: string; answer(taken: boolean): Uint8Array | undefined }
  /** The device answers a command. */
  | { kind: 'answer'; text: string; isRefusal: boolean }
  /** Wrong bytes: they go to the quarantine, with the reason. */
  | { kind: 'fault'; fault: DecodeFault; answer(): Uint8Array | undefined };

export interface DecodeFault {
  reason: string;
  raw: Uint8Array;
}

/** The state of one connection. Packets arrive in pieces, or several at once. */
export interface Conversation {
  /**
   * Takes bytes and returns the complete items, in order. Throws a `ProtocolError` if nothing that follows
   * can be read. It may keep the bytes.
   */
  push(bytes: Uint8Array): Item[];
  /** Bytes of an incomplete packet. */
  readonly held: number;
  /** A command as the device reads it. Undefined: the protocol has no commands. */
  command?(text: string): Uint8Array;
}

/** The bytes do not belong to this protocol: the connection is closed. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly raw: Uint8Array;

  constructor(message: string, raw: Uint8Array) {
    super(message);
    this.raw = raw.slice(0, 64 * 1024);
  }
}

/** Facts of a protocol that the settings, the listeners and the log need. */
interface Protocol<Name extends string> {
  /** Also the name of its setting: `wialon` is opened by `wialonPort` and `WAYPOST_WIALON_PORT`. */
  readonly name: Name;
  /** The devices that speak it, for `--help`: "Port for ... ". */
  readonly devices: string;
}

/** A protocol with one position per HTTP request. */
export interface HttpDecoder<Name extends string = string> extends Protocol<Name> {
  readonly transport: 'http';
  /** Text says what is wrong. */
  decode(request: PositionRequest, now: number): PositionReport | string;
  /** The device of a request, for the quarantine; empty: unknown. */
  deviceIn(query: URLSearchParams): string;
}

/** A request as the HTTP listener read it: the body as JSON, or query and body as one form. */
export type PositionRequest =
  | { readonly kind: 'json'; readonly body: unknown }
  | { readonly kind: 'form'; readonly form: Readonly<Record<string, string | readonly string[]>> };

export interface PositionReport {
  readonly device: string;
  readonly record: DeviceRecord;
}

/** A protocol over TCP, and with `datagram` over UDP on the same port. */
export interface Decoder<Name extends string = string> extends Protocol<Name> {
  readonly transport: 'tcp';
  /** Whether a login carries a password. If not, passwords of vehicles are not checked. */
  readonly passwords: boolean;
  /** It forwards many devices: its records name them, there is no login, and unknown ones are not counted. */
  readonly isFeed?: true;
  converse(now: () => number): Conversation;
  /** Decodes quarantined bytes, a whole frame or one record of it, without the login before it. */
  reread(raw: Uint8Array, now: () => number): readonly Item[];
  /**
   * A datagram is a conversation of its own; undefined: the protocol has none. A datagram with more packets
   * than devices send is a fault; its packets are not read.
   */
  datagram?(bytes: Uint8Array, now: () => number): { device: string | undefined; items: Item[] };
}

type GivenFields = { [F in keyof DeviceRecord]?: DeviceRecord[F] | undefined } & Pick<
  DeviceRecord,
  'time' | 'position'
>;

/** A record with only the given fields. */
export function record({
  time,
  position,
  speed,
  direction = 0,
  height = 0,
  gpsCount = position ? undefined : 0,
  glonassCount,
  inputs = 0,
  adc = [],
  params = {},
}: GivenFields): DeviceRecord {
  return { time, position, speed, direction, height, gpsCount, glonassCount, inputs, adc, params };
}

/** Collects items until `next` returns undefined for lack of bytes. */
export function drain(next: () => readonly Item[] | undefined): Item[] {
  const items: Item[] = [];
  for (let more = next(); more !== undefined; more = next()) items.push(...more);
  return items;
}

const NOTHING = Buffer.alloc(0);

/**
 * Bytes of an incomplete packet. Complete packets are not copied; pieces, however small, are copied once or
 * twice.
 */
export class Pending {
  /** The pending bytes are in it from `#from` to `#till`. */
  #room: Buffer = NOTHING;
  #from = 0;
  #until = 0;
  /** Searched up to here, from `#from`, without finding a line end. */
  #searched = 0;

  add(bytes: Uint8Array): void {
    const { length } = this;
    if (length === 0) {
      this.#room = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      [this.#from, this.#until] = [0, bytes.length];
      return;
    }
    if (this.#from > 0 || this.#until + bytes.length > this.#room.length) {
      // Returned bytes may still be in use: the buffer is left to them, never overwritten.
      const wider = Buffer.allocUnsafeSlow(Math.max(2 * (length + bytes.length), MIN_ROOM));
      this.#room.copy(wider, 0, this.#from, this.#until);
      this.#room = wider;
      [this.#from, this.#until] = [0, length];
    }
    this.#room.set(bytes, this.#until);
    this.#until += bytes.length;
  }

  get length(): number {
    return this.#until - this.#from;
  }

  /** All pending bytes. */
  get bytes(): Buffer {
    return this.#room.subarray(this.#from, this.#until);
  }

  /** Removes the first bytes and returns them. */
  take(length: number): Buffer {
    const taken = this.#room.subarray(this.#from, Math.min(this.#from + length, this.#until));
    this.#from += taken.length;
    this.#searched = 0;
    if (this.#from === this.#until) [this.#room, this.#from, this.#until] = [NOTHING, 0, 0];
    return taken;
  }

  /**
   * Removes a line and returns it without its end, `\r\n`; undefined while it is incomplete. Never searches a
   * byte twice.
   */
  takeLine(): Buffer | undefined {
    const found = this.#room.indexOf(LINE_END, this.#from + this.#searched);
    if (found < 0 || found + 2 > this.#until) {
      this.#searched = Math.max(0, this.length - 1);
      return undefined;
    }
    return this.take(found + 2 - this.#from).subarray(0, -2);
  }
}

const LINE_END = Buffer.from('\r\n');
const MIN_ROOM = 256;
