import {
  drain,
  Pending,
  ProtocolError,
  record,
  type Conversation,
  type Decoder,
  type DeviceRecord,
  type Item,
} from './decoder.ts';

/** A packet is a message of one unit: some hundred bytes. Pictures that a unit sends can be longer. */
const LONGEST = 60_000;
const SIZE = 4;
/** Sent for each packet, so that the sender continues. */
const TAKEN = Uint8Array.of(0x11);
const BLOCK = 0x0bbb;
/** The bit of the mask for an alarm. */
const ALARM = 0x10;
const [TEXT, BINARY, INTEGER, FRACTION, LONG] = [1, 2, 3, 4, 5];
const LONGEST_DEVICE = 40;
const LONGEST_NAME = 38;
const LONGEST_TEXT = 1_344;
const MOST_VALUES = 200;
const MOST_ANALOG = 16;

/**
 * Wialon Retranslator 1.0 over TCP: a server forwards messages of its units, each with the id of the unit. Units that
 * no vehicle has are normal, and forgotten.
 */
export const retranslator: Decoder<'retranslator'> = {
  name: 'retranslator',
  transport: 'tcp',
  devices: 'servers that forward by Wialon Retranslator',
  passwords: false,
  isFeed: true,
  converse: () => new RetranslatorConversation(),
  reread: (raw) => new RetranslatorConversation().push(raw),
};

class RetranslatorConversation implements Conversation {
  readonly #pending = new Pending();

  push(bytes: Uint8Array): Item[] {
    this.#pending.add(bytes);
    return drain(() => this.#next());
  }

  get held(): number {
    return this.#pending.length;
  }

  #next(): Item[] | undefined {
    const { bytes } = this.#pending;
    if (bytes.length < SIZE) return undefined;
    const length = bytes.readUInt32LE(0);
    if (length < 10 || length > LONGEST) throw new ProtocolError(`a packet of ${length} bytes`, bytes);
    return bytes.length < SIZE + length ? undefined : [readPacket(this.#pending.take(SIZE + length))];
  }
}

/** Size, id of the unit, time, mask, and blocks. Only the size and fractions are little-endian. */
function readPacket(packet: Buffer): Item {
  try {
    const id = textIn(packet, SIZE, LONGEST_DEVICE);
    if (!/^[\x21-\x7e]+$/.test(id)) throw new RangeError('a packet names no unit');
    const head = SIZE + id.length + 1;
    if (head + 8 > packet.length) throw new RangeError('the packet is shorter than it says');
    const time = packet.readUInt32BE(head) * 1000;
    const fields = readBlocks(packet, head + 8);
    if (packet.readUInt32BE(head + 4) & ALARM) fields.params['alarm'] = 'sos';
    const { position } = fields;
    const isPlace = !position || (Math.abs(position.lat) <= 90 && Math.abs(position.lon) <= 180);
    const fault = { reason: 'the coordinates of a position are not valid', raw: packet };
    return {
      kind: 'records',
      device: id,
      records: isPlace ? [record({ time, ...fields })] : [],
      faults: isPlace ? [] : [fault],
      answer: () => TAKEN,
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { kind: 'fault', fault: { reason: error.message, raw: packet }, answer: () => TAKEN };
  }
}

interface Fields extends Partial<Omit<DeviceRecord, 'params' | 'position' | 'adc'>> {
  position: DeviceRecord['position'];
  readonly adc: number[];
  readonly params: Record<string, number | string | boolean>;
}

/** Blocks: type, length of the rest, hidden or not, kind of the value, name, value. */
function readBlocks(packet: Buffer, from: number): Fields {
  const fields: Fields = { position: undefined, adc: [], params: {} };
  for (let at = from, end; at < packet.length; at = end) {
    if (at + 8 > packet.length) throw new RangeError('the packet is shorter than it says');
    end = at + 6 + packet.readUInt32BE(at + 2);
    if (end < at + 8 || end > packet.length) throw new RangeError('a block is longer than its packet');
    if (packet.readUInt16BE(at) === BLOCK) readBlock(packet.subarray(at + 7, end), fields);
  }
  return { ...fields, adc: Array.from(fields.adc, (value) => value ?? 0) };
}

function readBlock(block: Buffer, fields: Fields): void {
  const kind = block[0]!;
  const name = textIn(block, 1, block.length);
  const value = block.subarray(name.length + 2);
  if (kind === BINARY) {
    if (name === 'posinfo') readPosition(value, fields);
    return; // pictures
  }
  const read = readValue(kind, value);
  if (read === undefined) throw new RangeError('a value has another length than its kind');
  const analog = /^adc([1-9]\d?)$/.exec(name)?.[1];
  if (name === 'avl_inputs' && typeof read === 'number') fields.inputs = read >>> 0;
  else if (analog && Number(analog) <= MOST_ANALOG && typeof read === 'number') fields.adc[Number(analog) - 1] = read;
  else if (Object.keys(fields.params).length < MOST_VALUES && /^\w/.test(name) && name !== '__proto__')
    fields.params[name === 'avl_driver' ? 'driver_key' : name.slice(0, LONGEST_NAME)] = read;
}

/** Longitude, latitude, height as little-endian fractions; speed, course, satellites. */
function readPosition(value: Buffer, fields: Fields): void {
  if (value.length < 29) throw new RangeError('a position is shorter than it has to be');
  const [lon, lat, height] = [value.readDoubleLE(0), value.readDoubleLE(8), value.readDoubleLE(16)];
  if (![lon, lat, height].every(Number.isFinite)) throw new RangeError('the coordinates of a position are not valid');
  fields.position = { lat, lon };
  fields.height = height;
  fields.speed = Math.max(0, value.readInt16BE(24));
  fields.direction = value.readInt16BE(26);
  fields.gpsCount = value[28]!;
}

function readValue(kind: number, value: Buffer): number | string | undefined {
  switch (kind) {
    case TEXT:
      return textIn(value, 0, value.length).slice(0, LONGEST_TEXT);
    case INTEGER:
      return value.length < 4 ? undefined : value.readInt32BE(0);
    case FRACTION:
      return value.length < 8 || !Number.isFinite(value.readDoubleLE(0)) ? undefined : value.readDoubleLE(0);
    case LONG: {
      if (value.length < 8) return undefined;
      const long = value.readBigInt64BE(0);
      return BigInt(Number(long)) === long ? Number(long) : String(long);
    }
    default:
      return undefined;
  }
}

/** Text up to a zero byte. */
function textIn(bytes: Buffer, from: number, most: number): string {
  const end = bytes.indexOf(0, from);
  if (end < 0 || end - from > most) throw new RangeError('a text without an end');
  return bytes.toString('latin1', from, end);
}
