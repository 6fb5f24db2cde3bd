import { inflateSync } from 'node:zlib';
import { crc16Arc } from './checksums.ts';
import { drain, Gibberish, Pending, record, type Conversation, type Decoder, type DeviceRecord, type Fault, type Item } from './decoder.ts';

/** A black box of 5,000 full records is about 1 MB; what is longer is no frame. */
const LONGEST_FRAME = 4_000_000;
const LONGEST_PICTURE = 2_000_000;
const MOST_RECORDS = 5_000;
const MOST_PARAMS = 200;
const LONGEST_NAME = 38;
const LONGEST_STRING = 1_344;

/** Wialon IPS 1.1 and 2.0: text frames `#PT#message[CRC]\r\n`, plain or in a compression container, over TCP and UDP. */
export const wialon: Decoder = {
  name: 'wialon',
  defaultPort: 20332,
  passwords: true,
  converse: (now) => new WialonConversation(now),
  reread(raw, now) {
    const text = Buffer.from(raw).toString('utf8');
    // One record of a black box is kept without its frame. Whether it was 2.0, its CRC tells.
    const frame = Buffer.from(raw[0] === 0xff ? raw : `${text.startsWith('#') ? text : `#B#${text}`}\r\n`);
    const checked = new WialonConversation(now, true).push(frame);
    return checked.some((item) => item.kind === 'fault') ? new WialonConversation(now).push(frame) : checked;
  },
  datagram(bytes, now) {
    const text = Buffer.from(bytes).toString('utf8');
    const found = /^(?:(2\.\d);)?([^#;\r\n]{1,40})(#[\s\S]*)$/.exec(text);
    if (!found) return { device: undefined, items: [{ kind: 'fault', fault: { reason: 'not a Wialon datagram', raw: bytes }, answer: () => undefined }] };
    const conversation = new WialonConversation(now, found[1] !== undefined);
    return { device: found[2], items: conversation.push(Buffer.from(found[3]!.endsWith('\r\n') ? found[3]! : `${found[3]}\r\n`)) };
  },
};

class WialonConversation implements Conversation {
  readonly #now: () => number;
  readonly #pending = new Pending();
  /** 2.0 ends its messages with a CRC. */
  #checked: boolean;
  /** Bytes of a picture that still follow its header. */
  #picture: { left: number; index: string } | undefined;

  constructor(now: () => number, checked = false) {
    this.#now = now;
    this.#checked = checked;
  }

  push(bytes: Uint8Array): Item[] {
    this.#pending.add(bytes);
    return drain(() => this.#next());
  }

  /** The items of the next whole packet; undefined when more bytes are needed. */
  #next(): Item[] | undefined {
    const { bytes } = this.#pending;
    if (this.#picture) return this.#skipPicture(this.#picture);
    if (bytes.length === 0) return undefined;
    if (bytes[0] === 0xff) return this.#unpack();
    const end = bytes.indexOf('\r\n');
    if (end < 0) {
      if (bytes.length > LONGEST_FRAME) throw new Gibberish('a frame without an end', bytes);
      return undefined;
    }
    const frame = this.#pending.take(end + 2).subarray(0, end);
    return frame.length === 0 ? [] : [this.#read(frame)];
  }

  /** Byte 0xFF, length (little-endian, whatever the text of 1.1 says: its own example is), zlib. One packet in each. */
  #unpack(): Item[] | undefined {
    const { bytes } = this.#pending;
    if (bytes.length < 3) return undefined;
    const length = bytes.readUInt16LE(1);
    if (bytes.length < 3 + length) return undefined;
    const packed = this.#pending.take(3 + length);
    let text: Buffer;
    try {
      text = inflateSync(packed.subarray(3), { maxOutputLength: LONGEST_FRAME });
    } catch {
      return [{ kind: 'fault', fault: { reason: 'the compression container does not unpack', raw: packed }, answer: () => undefined }];
    }
    const end = text.indexOf('\r\n');
    return [this.#read(end < 0 ? text : text.subarray(0, end))];
  }

  #read(frame: Buffer): Item {
    const found = /^#([A-Z]{1,4})#([\s\S]*)$/.exec(frame.toString('utf8'));
    if (!found) throw new Gibberish('not a Wialon frame', frame);
    const [, type, body] = found as unknown as [string, string, string];
    switch (type) {
      case 'L':
        return this.#login(body, frame);
      case 'SD':
        return this.#single(body, frame, 'ASD');
      case 'D':
        return this.#single(body, frame, 'AD');
      case 'B':
        return this.#blackBox(body, frame);
      case 'P':
        return { kind: 'ping', answer: () => says('#AP#') };
      case 'M': {
        const { text, intact } = this.#uncheck(body);
        return intact ? { kind: 'message', text, answer: (taken) => says(`#AM#${taken ? 1 : 0}`) } : fault('the CRC is wrong', frame, '#AM#01');
      }
      case 'I':
        return this.#pictureHeader(body, frame);
      default:
        return fault(`packets of the type ${type} are not taken`, frame, undefined);
    }
  }

  #login(body: string, frame: Buffer): Item {
    const fields = body.split(';');
    this.#checked = /^2\.\d+$/.test(fields[0]!);
    if (this.#checked && !this.#uncheck(body).intact) return fault('the CRC of the login is wrong', frame, '#AL#10');
    const [device, password] = this.#checked ? fields.slice(1) : fields;
    if (!device || device.length > 40) return fault('a login without a device', frame, '#AL#0');
    return {
      kind: 'login',
      device,
      password: password === undefined || password === '' || password === 'NA' ? undefined : password,
      answer: (result) => says(`#AL#${result === 'accepted' ? '1' : result === 'wrong-password' ? '01' : '0'}`),
    };
  }

  #single(body: string, frame: Buffer, answer: 'ASD' | 'AD'): Item {
    const { text, intact } = this.#uncheck(body);
    if (!intact) return fault('the CRC is wrong', frame, `#${answer}#${answer === 'ASD' ? 13 : 16}`);
    const read = answer === 'ASD' ? shortRecord(text.split(';'), this.#now()) : fullRecord(text.split(';'), this.#now());
    if ('code' in read) return fault(read.reason, frame, `#${answer}#${read.code}`);
    return { kind: 'records', records: [read], faults: [], answer: (stored) => says(`#${answer}#${stored > 0 ? 1 : 0}`) };
  }

  #blackBox(body: string, frame: Buffer): Item {
    const parts = body.split('|');
    if (this.#checked) {
      const crc = parts.pop()!;
      if (!sameCrc(crc, body.slice(0, body.length - crc.length))) return fault('the CRC of the black box is wrong', frame, '#AB#');
    }
    const records: DeviceRecord[] = [];
    const faults: Fault[] = [];
    for (const part of parts) {
      if (part === '') continue;
      const fields = part.split(';');
      const read = records.length + faults.length >= MOST_RECORDS ? { reason: `more than ${MOST_RECORDS} records in one packet` } : fields.length > 10 ? fullRecord(fields, this.#now()) : shortRecord(fields, this.#now());
      if ('reason' in read) faults.push({ reason: read.reason, raw: Buffer.from(part) });
      else records.push(read);
    }
    return { kind: 'records', records, faults, answer: (stored) => says(`#AB#${stored}`) };
  }

  /** Pictures are not kept yet; their bytes are passed over, so that what follows is understood. */
  #pictureHeader(body: string, frame: Buffer): Item {
    const [size, index] = body.split(';');
    const left = Number(size);
    if (!Number.isInteger(left) || left < 0 || left > LONGEST_PICTURE) throw new Gibberish('a picture block of no sensible size', frame);
    this.#picture = { left, index: /^\d{1,6}$/.test(index ?? '') ? index! : '0' };
    return { kind: 'ping', answer: () => undefined };
  }

  #skipPicture(picture: { left: number; index: string }): Item[] | undefined {
    const { bytes } = this.#pending;
    if (bytes.length < picture.left) return undefined;
    this.#pending.take(picture.left);
    this.#picture = undefined;
    return [{ kind: 'ping', answer: () => says(`#AI#${picture.index};0`) }];
  }

  /** Takes the CRC of version 2.0 off a message: it covers everything before it, the last `;` included. */
  #uncheck(body: string): { text: string; intact: boolean } {
    if (!this.#checked) return { text: body, intact: true };
    const cut = body.lastIndexOf(';') + 1;
    return { text: body.slice(0, Math.max(0, cut - 1)), intact: sameCrc(body.slice(cut), body.slice(0, cut)) };
  }
}

type Wrong = { code: number; reason: string };

function shortRecord(fields: readonly string[], now: number): DeviceRecord | Wrong {
  if (fields.length !== 10) return { code: -1, reason: `a short record has 10 fields, this one ${fields.length}` };
  const [date, clock, lat, latSide, lon, lonSide, speed, course, height, sats] = fields as [string, string, string, string, string, string, string, string, string, string];
  const time = timeOf(date, clock, now);
  if (time === undefined) return { code: 0, reason: `the time ${date};${clock} is none` };
  const position = positionOf(lat, latSide, lon, lonSide);
  if (position === 'wrong') return { code: 10, reason: `the coordinates ${lat};${latSide};${lon};${lonSide} are none` };
  const [speedRead, courseRead, heightRead] = [decimal(speed), decimal(course), decimal(height)];
  if (speedRead === 'wrong' || courseRead === 'wrong' || heightRead === 'wrong' || (speedRead ?? 0) < 0) return { code: 11, reason: `speed, course or altitude is no number: ${speed};${course};${height}` };
  const satsRead = decimal(sats);
  if (satsRead === 'wrong' || !Number.isInteger(satsRead ?? 0) || (satsRead ?? 0) < 0 || (satsRead ?? 0) > 1000) return { code: 12, reason: `the number of satellites is none: ${sats}` };
  return record({ time, position, speed: speedRead, direction: courseRead ?? 0, height: heightRead ?? 0, gpsCount: position ? satsRead : 0 });
}

function fullRecord(fields: readonly string[], now: number): DeviceRecord | Wrong {
  if (fields.length !== 16) return { code: -1, reason: `a full record has 16 fields, this one ${fields.length}` };
  const short = shortRecord(fields.slice(0, 10), now);
  if ('code' in short) return short;
  const [hdop, inputs, outputs, adc, key, params] = fields.slice(10) as [string, string, string, string, string, string];
  const hdopRead = decimal(hdop);
  if (hdopRead === 'wrong') return { code: 12, reason: `hdop is no number: ${hdop}` };
  const [inputsRead, outputsRead] = [mask(inputs), mask(outputs)];
  if (inputsRead === undefined || outputsRead === undefined) return { code: 13, reason: `inputs or outputs are no bit mask: ${inputs};${outputs}` };
  const adcRead = adc === '' || adc === 'NA' ? [] : adc.split(',').map(decimal);
  if (adcRead.length > 64 || adcRead.some((value) => value === 'wrong')) return { code: 14, reason: `the analog inputs are no numbers: ${adc.slice(0, 100)}` };
  const paramsRead = paramsOf(params);
  if (typeof paramsRead === 'string') return { code: 15, reason: paramsRead };
  if (hdopRead !== undefined) paramsRead['hdop'] = hdopRead;
  if (outputsRead !== 0) paramsRead['outputs'] = outputsRead;
  if (key !== '' && key !== 'NA' && !/^0+$/.test(key)) paramsRead['driver_key'] = key.slice(0, 64);
  short.inputs = inputsRead;
  short.adc = adcRead.map((value) => (value as number | undefined) ?? 0);
  short.params = paramsRead;
  return short;
}

const PARAMETER = /^([^:]+):([123]):(.*)$/s;

/** `name:type:value`, types 1 whole number, 2 number, 3 text. A text may hold colons, not commas. */
function paramsOf(text: string): Record<string, number | string | boolean> | string {
  const params: Record<string, number | string | boolean> = {};
  if (text === '' || text === 'NA') return params;
  const parts = text.split(',');
  if (parts.length > MOST_PARAMS) return `more than ${MOST_PARAMS} parameters`;
  for (const part of parts) {
    const found = PARAMETER.exec(part);
    if (!found) return `a parameter is name:type:value, not ${part.slice(0, 100)}`;
    const [, name, type, value] = found as unknown as [string, string, string, string];
    if (name.length > LONGEST_NAME) return `the name of a parameter has at most ${LONGEST_NAME} characters`;
    if (type === '3') {
      if (value.length > LONGEST_STRING) return `the text of ${name} has more than ${LONGEST_STRING} characters`;
      params[name] = value;
      continue;
    }
    const number = decimal(value);
    if (number === 'wrong' || number === undefined || (type === '1' && !Number.isInteger(number))) return `${name} is no ${type === '1' ? 'whole number' : 'number'}: ${value.slice(0, 50)}`;
    params[name] = number;
  }
  if (params['SOS'] === 1) {
    delete params['SOS'];
    params['alarm'] = 'sos';
  }
  return params;
}

const DAY = /^\d{6}$/;
const CLOCK = /^\d{6}(?:\.\d{1,9})?$/;

/** `DDMMYY` and `HHMMSS` (parts of a second may follow), UTC; NA is now. */
function timeOf(date: string, clock: string, now: number): number | undefined {
  if (date === 'NA' && clock === 'NA') return now;
  if (!DAY.test(date) || !CLOCK.test(clock)) return undefined;
  const [dd, mm, yy] = [twoDigits(date, 0), twoDigits(date, 2), twoDigits(date, 4)];
  const [h, m, s] = [twoDigits(clock, 0), twoDigits(clock, 2), twoDigits(clock, 4)];
  if (h > 23 || m > 59 || s > 59) return undefined;
  const midnight = Date.UTC(2000 + yy, mm - 1, dd);
  // Every month has 28 days; how many more it has the calendar says.
  if (mm < 1 || mm > 12 || dd < 1 || (dd > 28 && new Date(midnight).getUTCDate() !== dd)) return undefined;
  return midnight + ((h * 60 + m) * 60 + s) * 1000 + (clock.length > 6 ? Math.floor(Number(clock.slice(6)) * 1000) : 0);
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;
}

/** `DDMM.mm;N` and `DDDMM.mm;E`; all NA is no position. */
function positionOf(lat: string, latSide: string, lon: string, lonSide: string): { lat: number; lon: number } | undefined | 'wrong' {
  if (missing(lat) && missing(latSide) && missing(lon) && missing(lonSide)) return undefined;
  const [y, x] = [degrees(lat), degrees(lon)];
  if (y === undefined || x === undefined || y > 90 || x > 180 || (latSide !== 'N' && latSide !== 'S') || (lonSide !== 'E' && lonSide !== 'W')) return 'wrong';
  return { lat: latSide === 'S' ? -y : y, lon: lonSide === 'W' ? -x : x };
}

function missing(field: string): boolean {
  return field === 'NA' || field === '';
}

const DEGREES = /^\d{3,5}(?:\.\d{1,10})?$/;

function degrees(text: string): number | undefined {
  if (!DEGREES.test(text)) return undefined;
  const point = text.indexOf('.');
  const whole = (point < 0 ? text.length : point) - 2;
  const minutes = Number(text.slice(whole));
  return minutes >= 60 ? undefined : Math.round((Number(text.slice(0, whole)) + minutes / 60) * 1e7) / 1e7;
}

const DECIMAL = /^[+-]?\d{1,18}(?:\.\d{1,18})?$/;

/** Undefined where the field is missing (NA). */
function decimal(text: string): number | undefined | 'wrong' {
  if (text === 'NA' || text === '') return undefined;
  return DECIMAL.test(text) ? Number(text) : 'wrong';
}

function mask(text: string): number | undefined {
  if (text === 'NA' || text === '') return 0;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  return value <= 0xffff_ffff ? value : undefined;
}

/** Devices write the CRC in hexadecimal, padded or not, with and without `0x`. */
function sameCrc(text: string, over: string): boolean {
  return /^(?:0x)?[0-9a-f]{1,4}$/i.test(text) && Number.parseInt(text.replace(/^0x/i, ''), 16) === crc16Arc(Buffer.from(over, 'utf8'));
}

function says(text: string): Uint8Array {
  return Buffer.from(`${text}\r\n`);
}

function fault(reason: string, raw: Uint8Array, answer: string | undefined): Item {
  return { kind: 'fault', fault: { reason, raw }, answer: () => (answer === undefined ? undefined : says(answer)) };
}
