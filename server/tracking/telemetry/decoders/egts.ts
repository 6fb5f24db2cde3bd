import { crc16Ccitt, crc8 } from './checksums.ts';
import {
  drain,
  ProtocolError,
  Pending,
  record,
  type Conversation,
  type Decoder,
  type DeviceRecord,
  type Item,
  type LoginResult,
} from './decoder.ts';

/** Seconds from 1970 to 2010, the epoch of EGTS. */
const EPOCH = 1_262_304_000;
const AUTH = 1;
const TELEDATA = 2;
/** Result codes of GOST R 54619. */
const CODES = {
  ok: 0,
  headerForm: 131,
  dataForm: 132,
  headerCrc: 137,
  dataCrc: 138,
  unknownService: 150,
  denied: 151,
  unknownDevice: 153,
  noRoom: 156,
} as const;

/**
 * EGTS over TCP (GOST R 54619 transport, 54620 services): every packet is confirmed by its own id, with the
 * result code of each of its records.
 */
export const egts: Decoder<'egts'> = {
  name: 'egts',
  transport: 'tcp',
  devices: 'EGTS trackers',
  passwords: false,
  converse: () => new EgtsConversation(),
  reread: (raw) => new EgtsConversation().push(raw),
};

interface ServiceRecord {
  number: number;
  service: number;
  objectId: number | undefined;
  parts: { type: number; data: Buffer }[];
}

class EgtsConversation implements Conversation {
  readonly #pending = new Pending();
  #packetId = 0;
  #recordNumber = 0;

  push(bytes: Uint8Array): Item[] {
    this.#pending.add(bytes);
    return drain(() => this.#next());
  }

  get held(): number {
    return this.#pending.length;
  }

  #next(): Item[] | undefined {
    const { bytes } = this.#pending;
    if (bytes.length < 11) return undefined;
    const headerLength = bytes[3]!;
    if (bytes[0] !== 1 || (headerLength !== 11 && headerLength !== 16))
      throw new ProtocolError('not an EGTS header', bytes);
    if (bytes.length < headerLength) return undefined;
    const packetId = bytes.readUInt16LE(7);
    if (crc8(bytes.subarray(0, headerLength - 1)) !== bytes[headerLength - 1])
      throw new ProtocolError('the CRC of the header is wrong: where the packet ends is not known', bytes);
    const length = bytes.readUInt16LE(5);
    const whole = headerLength + (length > 0 ? length + 2 : 0);
    if (bytes.length < whole) return undefined;
    const packet = Buffer.from(this.#pending.take(whole));
    if (packet[9] === 0) return []; // the answer to one of our own packets
    const data = packet.subarray(headerLength, headerLength + length);
    if (length === 0) return [{ kind: 'ping', answer: () => this.#response(packetId, CODES.ok, []) }];
    if (packet[9] !== 1) return [this.#fault('signed packets are not taken', packet, packetId, CODES.headerForm)];
    if (crc16Ccitt(data) !== packet.readUInt16LE(headerLength + length))
      return [this.#fault('the CRC of the data is wrong', packet, packetId, CODES.dataCrc)];
    const records = serviceRecords(data);
    if (!records) return [this.#fault('the records do not fill the packet', packet, packetId, CODES.dataForm)];
    return this.#items(records, packet, packetId);
  }

  /** A packet gets one answer, after everything in it is stored: the answer belongs to its last item. */
  #items(records: readonly ServiceRecord[], packet: Buffer, packetId: number): Item[] {
    const items: Item[] = [];
    const results = new Map<number, number>();
    for (const one of records)
      results.set(one.number, one.service === AUTH || one.service === TELEDATA ? CODES.ok : CODES.unknownService);
    const answerPacket = () =>
      this.#response(
        packetId,
        CODES.ok,
        records.map(({ number, service }) => ({ number, service, code: results.get(number)! })),
      );

    for (const identity of records.filter(({ service }) => service === AUTH)) {
      const device = identity.parts.map(identityOf).find((found) => found !== undefined);
      if (device === undefined) continue;
      items.push({ kind: 'login', device, password: undefined, answer: (result) => this.#authResult(result) });
    }
    const byDevice = new Map<number | undefined, ServiceRecord[]>();
    for (const one of records.filter(({ service }) => service === TELEDATA))
      byDevice.set(one.objectId, [...(byDevice.get(one.objectId) ?? []), one]);
    for (const [objectId, group] of byDevice) {
      const read = group.map(({ number, parts }) => ({ number, ...positionsOf(parts) }));
      // Decoded fixes are stored, in spite of other parts of the record. A record is refused only if nothing
      // in it was decoded.
      const [good, bad] = [
        read.filter(({ fixes }) => fixes.length > 0),
        read.filter(({ fixes }) => fixes.length === 0),
      ];
      for (const { number } of bad) results.set(number, CODES.dataForm);
      const fixes = good.flatMap((one) => one.fixes);
      const faults = read.flatMap(({ reasons }) => reasons.map((reason) => ({ reason, raw: packet })));
      items.push({
        kind: 'records',
        ...(objectId === undefined ? {} : { device: String(objectId) }),
        records: fixes,
        faults,
        answer: (stored, aside) => {
          if (stored === fixes.length && aside === faults.length) return undefined;
          for (const { number } of good) results.set(number, stored === 0 ? CODES.unknownDevice : CODES.noRoom);
          return undefined;
        },
      });
    }
    items.push({ kind: 'ping', answer: answerPacket });
    return items;
  }

  #fault(reason: string, raw: Buffer, packetId: number, code: number): Item {
    return { kind: 'fault', fault: { reason, raw }, answer: () => this.#response(packetId, code, []) };
  }

  #response(
    packetId: number,
    code: number,
    records: readonly { number: number; service: number; code: number }[],
  ): Uint8Array {
    const head = Buffer.alloc(3);
    head.writeUInt16LE(packetId, 0);
    head[2] = code;
    const answers = records.map(({ number, service, code: result }) => {
      const part = Buffer.alloc(6);
      part[0] = 0; // EGTS_SR_RECORD_RESPONSE
      part.writeUInt16LE(3, 1);
      part.writeUInt16LE(number, 3);
      part[5] = result;
      return this.#serviceRecord(service, part);
    });
    return this.#packet(0, Buffer.concat([head, ...answers]));
  }

  /** The result of an authorization is a packet of its own (EGTS_SR_RESULT_CODE). */
  #authResult(result: LoginResult): Uint8Array {
    const code = result === 'accepted' ? CODES.ok : result === 'unknown' ? CODES.unknownDevice : CODES.denied;
    return this.#packet(1, this.#serviceRecord(AUTH, Buffer.from([9, 1, 0, code])));
  }

  #serviceRecord(service: number, data: Buffer): Buffer {
    const head = Buffer.alloc(7);
    head.writeUInt16LE(data.length, 0);
    head.writeUInt16LE(this.#recordNumber++ & 0xffff, 2);
    head[4] = 0x58; // low priority, the service is on both sides' platform
    head[5] = service;
    head[6] = service;
    return Buffer.concat([head, data]);
  }

  #packet(type: number, data: Buffer): Uint8Array {
    const header = Buffer.alloc(11);
    header[0] = 1;
    header[2] = 3;
    header[3] = 11;
    header.writeUInt16LE(data.length, 5);
    header.writeUInt16LE(this.#packetId++ & 0xffff, 7);
    header[9] = type;
    header[10] = crc8(header.subarray(0, 10));
    const crc = Buffer.alloc(2);
    crc.writeUInt16LE(crc16Ccitt(data));
    return Buffer.concat([header, data, crc]);
  }
}

/** The records of a packet; undefined when their lengths do not add up. */
function serviceRecords(data: Buffer): ServiceRecord[] | undefined {
  const records: ServiceRecord[] = [];
  let at = 0;
  while (at < data.length) {
    if (data.length - at < 7) return undefined;
    const length = data.readUInt16LE(at);
    const number = data.readUInt16LE(at + 2);
    const flags = data[at + 4]!;
    at += 5;
    let objectId: number | undefined;
    const optional = (flags & 1 ? 4 : 0) + (flags & 2 ? 4 : 0) + (flags & 4 ? 4 : 0);
    if (data.length - at < optional + 2 + length) return undefined;
    if (flags & 1) objectId = data.readUInt32LE(at);
    at += optional;
    const service = data[at]!;
    at += 2;
    const parts = subrecords(data.subarray(at, at + length));
    if (!parts) return undefined;
    records.push({ number, service, objectId, parts });
    at += length;
  }
  return records;
}

function subrecords(data: Buffer): ServiceRecord['parts'] | undefined {
  const parts: ServiceRecord['parts'] = [];
  let at = 0;
  while (at < data.length) {
    if (data.length - at < 3) return undefined;
    const length = data.readUInt16LE(at + 1);
    if (data.length - at - 3 < length) return undefined;
    parts.push({ type: data[at]!, data: data.subarray(at + 3, at + 3 + length) });
    at += 3 + length;
  }
  return parts;
}

/** EGTS_SR_TERM_IDENTITY: the IMEI if present, else the terminal's number. */
function identityOf({ type, data }: { type: number; data: Buffer }): string | undefined {
  if (type !== 1 || data.length < 5) return undefined;
  const flags = data[4]!;
  const at = 5 + (flags & 1 ? 2 : 0);
  if (flags & 2 && data.length >= at + 15) {
    const imei = data.toString('latin1', at, at + 15).replace(/\0+$/, '');
    if (/^\d{5,15}$/.test(imei)) return imei;
  }
  return String(data.readUInt32LE(0));
}

const POSITION = 16;

/**
 * The fixes of a record, and the faults of the rest. Each position begins a group: the parts up to the next
 * position belong to it.
 */
function positionsOf(parts: ServiceRecord['parts']): { fixes: readonly DeviceRecord[]; reasons: readonly string[] } {
  const begins = parts.flatMap(({ type }, index) => (type === POSITION ? [index] : []));
  if (begins.length === 0) return { fixes: [], reasons: ['a record without a position'] };
  begins[0] = 0; // parts before the first position belong to it, too
  const groups = begins.map((begin, index) => positionOf(parts.slice(begin, begins[index + 1])));
  return {
    fixes: groups.filter((group) => typeof group === 'object'),
    reasons: groups.filter((group) => typeof group === 'string'),
  };
}

/** One fix with all its parts; text says what is wrong. */
function positionOf(parts: ServiceRecord['parts']): DeviceRecord | string {
  const { data } = parts.find(({ type }) => type === POSITION)!;
  if (data.length < 21) return 'a position of fewer than 21 bytes';
  const flags = data[12]!;
  const speedWord = data.readUInt16LE(13);
  const lat = (data.readUInt32LE(4) / 0xffff_ffff) * 90 * (flags & 0x20 ? -1 : 1);
  const lon = (data.readUInt32LE(8) / 0xffff_ffff) * 180 * (flags & 0x40 ? -1 : 1);
  const height = flags & 0x80 && data.length >= 24 ? data.readUIntLE(21, 3) * (speedWord & 0x4000 ? -1 : 1) : 0;
  const valid = (flags & 1) === 1;
  const params: Record<string, number | string | boolean> = { odometer: data.readUIntLE(16, 3) * 100 };
  const source = data[20]!;
  if (source !== 0) params['source'] = source;
  if (source === 13) params['alarm'] = 'sos';
  const fix = record({
    time: (data.readUInt32LE(0) + EPOCH) * 1000,
    position: valid ? { lat: rounded(lat), lon: rounded(lon) } : undefined,
    speed: (speedWord & 0x3fff) / 10,
    direction: data[15]! | (speedWord & 0x8000 ? 0x100 : 0),
    height,
    inputs: data[19]!,
    params,
  });
  for (const part of parts) extend(fix, part);
  return fix;
}

function extend(fix: DeviceRecord, { type, data }: { type: number; data: Buffer }): void {
  if (type === 17) extendPosition(fix, data);
  else if (type === 18) extendSensors(fix, data);
  else if (type === 27 && data.length >= 7) {
    // The low bits are the number of the level sensor; the value is valid only without the error bit.
    if (!(data[0]! & 0x40)) fix.params[`level_${data[0]! & 7}`] = data.readUInt32LE(3);
  }
}

function extendPosition(fix: DeviceRecord, data: Buffer): void {
  if (data.length < 1) return;
  const flags = data[0]!;
  let at = 1;
  for (const [bit, name] of [
    [1, 'vdop'],
    [2, 'hdop'],
    [4, 'pdop'],
  ] as const) {
    if (!(flags & bit) || data.length < at + 2) continue;
    fix.params[name] = data.readUInt16LE(at) / 100;
    at += 2;
  }
  if (flags & 8 && data.length > at && fix.position) fix.gpsCount = data[at];
}

function extendSensors(fix: DeviceRecord, data: Buffer): void {
  if (data.length < 3) return;
  const [digital, outputs, analog] = [data[0]!, data[1]!, data[2]!];
  fix.params['outputs'] = outputs;
  let at = 3;
  for (let octet = 0; octet < 8; octet++) {
    if (!(digital & (1 << octet))) continue;
    if (octet < 3 && data.length > at) fix.inputs = (fix.inputs | (data[at]! << (8 * (octet + 1)))) >>> 0;
    at++;
  }
  for (let channel = 0; channel < 8; channel++) {
    if (!(analog & (1 << channel)) || data.length < at + 3) continue;
    while (fix.adc.length < channel) fix.adc.push(0);
    fix.adc[channel] = data.readUIntLE(at, 3);
    at += 3;
  }
}

function rounded(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}
