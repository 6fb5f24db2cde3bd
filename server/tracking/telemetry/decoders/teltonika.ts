import { crc16Arc } from './checksums.ts';
import {
  drain,
  ProtocolError,
  Pending,
  record,
  type Conversation,
  type Decoder,
  type DeviceRecord,
  type DecodeFault,
  type Item,
} from './decoder.ts';
import { CODEC_12, commandPacket, packetWith, readAnswer } from './teltonika-command.ts';

const LONGEST_PACKET = 1 << 20;
/** Epoch ms: the latest time of a JavaScript `Date`. */
const LATEST = 8_640_000_000_000_000;
/** The codec of the oldest devices (GH3000). */
const CODEC_7 = 0x07;
/** Codecs of positions: 7, 8, 8 Extended, 16. */
const POSITIONS = new Set([CODEC_7, 0x08, 0x8e, 0x10]);
/** Codecs of texts that we did not ask for. */
const OTHER_TEXTS = new Set([0x0d, 0x0e]);

/** IO elements with the same meaning on all their devices. */
const KNOWN: Readonly<Record<number, string>> = {
  16: 'odometer',
  21: 'gsm',
  66: 'power',
  67: 'battery',
  69: 'gnss',
  72: 'temperature',
  78: 'driver_key',
  113: 'battery_level',
  181: 'pdop',
  182: 'hdop',
  199: 'trip',
  200: 'sleep',
  239: 'ignition',
  240: 'motion',
  252: 'power_cut',
};
/**
 * Digital inputs 1 to 4, and the ignition as the eighth bit, so that an ignition sensor can use it as an
 * input.
 */
const INPUT_BITS: Readonly<Record<number, number>> = { 1: 0, 2: 1, 3: 2, 4: 3, 239: 7 };
const ANALOG: Readonly<Record<number, number>> = { 9: 0, 6: 1 };

/** Names of codec 7's elements. */
const KNOWN_BY_7: Readonly<Record<number, string>> = {
  1: 'battery_level',
  20: 'hdop',
  21: 'vdop',
  22: 'pdop',
  67: 'battery',
  240: 'motion',
};
/** Seconds from 1970 to 2007, the epoch of codec 7. */
const EPOCH_OF_7 = 1_167_609_600;
/** The priority of a record sent by an emergency button. */
const PANIC = 2;

/**
 * Teltonika over TCP: an IMEI, then packets of codec 7, 8, 8 Extended and 16; over UDP each packet with its IMEI. Each
 * answer is the number of records on disk, stored or quarantined.
 */
export const teltonika: Decoder<'teltonika'> = {
  name: 'teltonika',
  transport: 'tcp',
  devices: 'Teltonika trackers',
  passwords: false,
  converse: () => new TeltonikaConversation(),
  reread: (raw) => (isDatagram(raw) ? readDatagram(raw).items : new TeltonikaConversation(true).push(raw)),
  datagram: readDatagram,
};

/** Bytes of the channel before a packet, and its identifier there. */
const CHANNEL_HEAD = 5;
const PACKET_ID = 2;

/** Only packets over TCP begin with zeros. */
function isDatagram(raw: Uint8Array): boolean {
  return raw.length > CHANNEL_HEAD && (raw[0] !== 0 || raw[1] !== 0);
}

/**
 * A datagram: length, id, a byte, id of the packet, IMEI with its length, and the records without a CRC. Its answer
 * repeats both ids.
 */
function readDatagram(raw: Uint8Array): { device: string | undefined; items: Item[] } {
  const bytes = Buffer.from(raw);
  const unread = (reason: string, device?: string, answer = (): Uint8Array | undefined => undefined) => ({
    device,
    items: [{ kind: 'fault', fault: { reason, raw }, answer } satisfies Item],
  });
  if (bytes.length < 8 || bytes.readUInt16BE(0) !== bytes.length - 2) return unread('a datagram of another length');
  const until = 8 + bytes.readUInt16BE(6);
  const device = bytes.toString('latin1', 8, until);
  if (!/^\d{5,20}$/.test(device) || until > bytes.length - 3) return unread('a datagram names an IMEI');
  const answer = (stored: number) =>
    Buffer.concat([Buffer.of(0, 5), bytes.subarray(PACKET_ID, CHANNEL_HEAD + 1), Buffer.of(stored)]);
  const data = bytes.subarray(until);
  const codec = data[0]!;
  if (!POSITIONS.has(codec)) return unread(`codec ${codec.toString(16)} is not taken`, device, () => answer(0));
  try {
    const { records, faults } = readRecords(data, codec);
    const item: Item = { kind: 'records', records, faults, answer: (stored, aside) => answer(stored + aside) };
    return { device, items: [item] };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return unread(error.message, device, () => answer(0));
  }
}

class TeltonikaConversation implements Conversation {
  readonly #pending = new Pending();
  #named: boolean;

  /** @param named whether the device has logged in */
  constructor(named = false) {
    this.#named = named;
  }

  push(bytes: Uint8Array): Item[] {
    this.#pending.add(bytes);
    return drain(() => this.#next());
  }

  get held(): number {
    return this.#pending.length;
  }

  command(text: string): Uint8Array {
    return commandPacket(text);
  }

  #next(): Item[] | undefined {
    const item = this.#named ? this.#packet() : this.#login();
    return item && [item];
  }

  #login(): Item | undefined {
    const { bytes } = this.#pending;
    if (bytes.length < 2) return undefined;
    const length = bytes.readUInt16BE(0);
    if (length < 5 || length > 20) throw new ProtocolError('a connection begins with the length of an IMEI', bytes);
    if (bytes.length < 2 + length) return undefined;
    const device = this.#pending.take(2 + length).toString('latin1', 2);
    if (!/^\d+$/.test(device)) throw new ProtocolError('an IMEI has digits only', bytes);
    this.#named = true;
    return {
      kind: 'login',
      device,
      password: undefined,
      answer: (result) => Uint8Array.of(result === 'accepted' ? 1 : 0),
    };
  }

  #packet(): Item | undefined {
    while (this.#pending.bytes[0] === 0xff) this.#pending.take(1); // a ping between packets
    const { bytes } = this.#pending;
    if (bytes.length < 8) return undefined;
    if (bytes.readUInt32BE(0) !== 0) throw new ProtocolError('a packet begins with four zeros', bytes);
    const length = bytes.readUInt32BE(4);
    if (length < 3 || length > LONGEST_PACKET) throw new ProtocolError(`a packet of ${length} bytes`, bytes);
    if (bytes.length < 12 + length) return undefined;
    const packet = this.#pending.take(12 + length);
    const data = packet.subarray(8, 8 + length);
    if (packet.readUInt32BE(8 + length) !== crc16Arc(data))
      return { kind: 'fault', fault: { reason: 'the CRC is wrong', raw: packet }, answer: () => count(0) };
    const codec = data[0]!;
    if (codec === CODEC_12) return readAnswer(data, packet);
    if (OTHER_TEXTS.has(codec)) return { kind: 'ping', answer: () => undefined };
    if (!POSITIONS.has(codec))
      return {
        kind: 'fault',
        fault: { reason: `codec ${codec.toString(16)} is not taken`, raw: packet },
        answer: () => count(0),
      };
    try {
      // A device repeats the whole packet until all its records are confirmed, so quarantined ones count,
      // too.
      return { kind: 'records', ...readRecords(data, codec), answer: (stored, aside) => count(stored + aside) };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return { kind: 'fault', fault: { reason: error.message, raw: packet }, answer: () => count(0) };
    }
  }
}

/**
 * Throws a RangeError for data shorter or longer than its header says. A record with impossible coordinates
 * is a fault; the others stay valid.
 */
function readRecords(data: Buffer, codec: number): { records: DeviceRecord[]; faults: DecodeFault[] } {
  const said = data[1]!;
  const reader = new Reader(data, 2);
  const records: DeviceRecord[] = [];
  const faults: DecodeFault[] = [];
  for (let i = 0; i < said; i++) {
    const from = reader.at;
    const read = codec === CODEC_7 ? readRecordOf7(reader) : readRecord(reader, codec);
    const { lat, lon } = read.position ?? { lat: 0, lon: 0 };
    const isPlace = Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
    if (isPlace && read.time! <= LATEST) records.push(read);
    else
      faults.push({
        reason: isPlace ? `the time ${read.time} is not valid` : `the coordinates ${lat}, ${lon} are not valid`,
        raw: packetOf(codec, data.subarray(from, reader.at)),
      });
  }
  if (reader.byte() !== said || reader.left !== 0)
    throw new RangeError('the packet does not hold as many records as it says');
  return { records, faults };
}

/** A packet with only this record. */
function packetOf(codec: number, recordBytes: Buffer): Buffer {
  return packetWith(Buffer.concat([Buffer.from([codec, 1]), recordBytes, Buffer.from([1])]));
}

function readRecord(reader: Reader, codec: number): DeviceRecord {
  const time = Number(reader.unsigned(8));
  const priority = reader.byte();
  const lon = reader.signed32() / 1e7;
  const lat = reader.signed32() / 1e7;
  const height = reader.signed16();
  const direction = Number(reader.unsigned(2));
  const satellites = reader.byte();
  const speed = Number(reader.unsigned(2));
  const io = readElements(reader, codec);
  if (priority === PANIC) io.params['alarm'] = 'sos';
  return record({ time, ...placed(lat, lon, satellites), speed, direction, height, ...io });
}

/** A record of codec 7: masks name its groups of elements and the parts of its position. */
function readRecordOf7(reader: Reader): DeviceRecord {
  const stamp = Number(reader.unsigned(4));
  const holds = reader.byte();
  const params: DeviceRecord['params'] = stamp >>> 30 === PANIC ? { alarm: 'sos' } : {};
  const fix = holds & 1 ? readPositionOf7(reader, params) : { position: undefined };
  for (const [bit, size] of [
    [2, 1],
    [4, 2],
    [8, 4],
  ] as const) {
    const elements = holds & bit ? reader.byte() : 0;
    for (let i = 0; i < elements; i++) {
      const id = reader.byte();
      const value = Number(reader.unsigned(size));
      if (id !== 222) params[KNOWN_BY_7[id] ?? `io_${id}`] = value;
      else if (value === 1) params['alarm'] = 'sos';
    }
  }
  return record({ time: ((stamp & 0x3fff_ffff) + EPOCH_OF_7) * 1000, ...fix, params });
}

function readPositionOf7(
  reader: Reader,
  params: DeviceRecord['params'],
): Pick<DeviceRecord, 'position'> & Partial<DeviceRecord> {
  const holds = reader.byte();
  const [lat, lon] = holds & 1 ? [reader.float(), reader.float()] : [0, 0];
  const height = holds & 2 ? reader.signed16() : 0;
  const direction = holds & 4 ? (reader.byte() * 360) / 256 : 0;
  const speed = holds & 8 ? reader.byte() : undefined;
  const satellites = holds & 16 ? reader.byte() : undefined;
  for (const [bit, size, name] of [
    [32, 2, 'lac'],
    [32, 2, 'cell_id'],
    [64, 1, 'gsm'],
    [128, 4, 'operator'],
  ] as const)
    if (holds & bit) params[name] = Number(reader.unsigned(size));
  return { ...placed(lat, lon, satellites), height, direction, speed };
}

/** Without a fix devices send zeros, or the last position with no satellites. */
function placed(lat: number, lon: number, satellites: number | undefined): Pick<DeviceRecord, 'position' | 'gpsCount'> {
  return lat === 0 && lon === 0
    ? { position: undefined, gpsCount: 0 }
    : { position: { lat, lon }, gpsCount: satellites };
}

function readElements(reader: Reader, codec: number): Pick<DeviceRecord, 'inputs' | 'adc' | 'params'> {
  const extended = codec === 0x8e;
  const idSize = codec === 0x08 ? 1 : 2;
  const countSize = extended ? 2 : 1;
  const params: Record<string, number | string | boolean> = {};
  const adc: number[] = [];
  let inputs = 0;

  const event = Number(reader.unsigned(idSize));
  if (event !== 0) params['event'] = event;
  if (codec === 0x10) params['generation'] = reader.byte();
  reader.unsigned(countSize); // the number of all elements; each size has its own count
  for (const size of [1, 2, 4, 8] as const) {
    const count = Number(reader.unsigned(countSize));
    for (let i = 0; i < count; i++) {
      const id = Number(reader.unsigned(idSize));
      const value = reader.unsigned(size);
      const bit = INPUT_BITS[id];
      if (bit !== undefined && value !== 0n) inputs |= 1 << bit;
      const channel = ANALOG[id];
      if (channel !== undefined) adc[channel] = Number(value) / 1000; // millivolts
      if (id === 78) {
        if (value !== 0n) params['driver_key'] = value.toString(16).padStart(16, '0');
      } else if (id === 252) params['power_cut'] = value === 1n;
      else
        params[KNOWN[id] ?? `io_${id}`] =
          value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : `0x${value.toString(16)}`;
    }
  }
  if (extended) {
    const count = Number(reader.unsigned(2));
    for (let i = 0; i < count; i++) {
      const id = Number(reader.unsigned(2));
      params[`io_${id}`] = reader
        .bytes(Number(reader.unsigned(2)))
        .toString('hex')
        .slice(0, 1344);
    }
  }
  return { inputs: inputs >>> 0, adc: Array.from(adc, (value) => value ?? 0), params };
}

class Reader {
  readonly #data: Buffer;
  #at: number;

  constructor(data: Buffer, at: number) {
    this.#data = data;
    this.#at = at;
  }

  get at(): number {
    return this.#at;
  }

  get left(): number {
    return this.#data.length - this.#at;
  }

  bytes(length: number): Buffer {
    if (length > this.left) throw new RangeError('the packet is shorter than it says');
    const taken = this.#data.subarray(this.#at, this.#at + length);
    this.#at += length;
    return taken;
  }

  byte(): number {
    return this.bytes(1)[0]!;
  }

  signed16(): number {
    return this.bytes(2).readInt16BE(0);
  }

  signed32(): number {
    return this.bytes(4).readInt32BE(0);
  }

  /** Degrees from a 32-bit float, rounded to its seven significant decimals. */
  float(): number {
    return Math.round(this.bytes(4).readFloatBE(0) * 1e7) / 1e7;
  }

  unsigned(size: number): bigint {
    let value = 0n;
    for (const byte of this.bytes(size)) value = (value << 8n) | BigInt(byte);
    return value;
  }
}

function count(stored: number): Uint8Array {
  const answer = Buffer.alloc(4);
  answer.writeUInt32BE(stored);
  return answer;
}
