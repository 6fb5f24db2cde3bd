import { inflateSync } from 'node:zlib';
import { crc16Arc } from './checksums.ts';
import {
  drain,
  ProtocolError,
  Pending,
  type Conversation,
  type Decoder,
  type DeviceRecord,
  type DecodeFault,
  type Item,
} from './decoder.ts';
import { WialonRecordReader } from './wialon-record.ts';

/** A black box of 5,000 full records is about 1 MB; anything longer is no frame. */
const LONGEST_FRAME = 4_000_000;
const LONGEST_PICTURE = 2_000_000;
const MAX_RECORDS = 5_000;
/**
 * A device sends one or a few packets per datagram. With more, the datagram is not read: 64 KB would hold
 * thirteen thousand, each with an answer.
 */
const MAX_PACKETS = 100;
/** Records of a black box parsed in one turn: one or two milliseconds. */
const RECORDS_OF_PART = 500;

/**
 * Wialon IPS 1.1 and 2.0: text frames `#PT#message[CRC]\r\n`, plain or in a compression container, over TCP
 * and UDP.
 */
export const wialon: Decoder<'wialon'> = {
  name: 'wialon',
  transport: 'tcp',
  devices: 'Wialon IPS trackers (they expect 20332)',
  passwords: true,
  converse: (now) => new WialonConversation(now),
  reread(raw, now) {
    const text = Buffer.from(raw).toString('utf8');
    if (holdsTooMany(text)) return [tooMany(raw)];
    // A quarantined record of a black box has no frame. Its CRC shows whether it was 2.0.
    const frame = Buffer.from(raw[0] === 0xff ? raw : `${text.startsWith('#') ? text : `#B#${text}`}\r\n`);
    const checked = new WialonConversation(now, true).push(frame);
    return checked.some((item) => item.kind === 'fault') ? new WialonConversation(now).push(frame) : checked;
  },
  datagram(bytes, now) {
    const text = Buffer.from(bytes).toString('utf8');
    const found = /^(?:(2\.\d);)?([^#;\r\n]{1,40})(#[\s\S]*)$/.exec(text);
    if (!found)
      return {
        device: undefined,
        items: [{ kind: 'fault', fault: { reason: 'not a Wialon datagram', raw: bytes }, answer: () => undefined }],
      };
    if (holdsTooMany(found[3]!)) return { device: found[2], items: [tooMany(bytes)] };
    const conversation = new WialonConversation(now, found[1] !== undefined);
    return {
      device: found[2],
      items: conversation.push(Buffer.from(found[3]!.endsWith('\r\n') ? found[3]! : `${found[3]}\r\n`)),
    };
  },
};

function holdsTooMany(text: string): boolean {
  return text.split('\r\n', MAX_PACKETS + 2).length > MAX_PACKETS + 1;
}

function tooMany(raw: Uint8Array): Item {
  return fault(`more than ${MAX_PACKETS} packets in one datagram`, raw, undefined);
}

/** `#D#` and `#SD#`, the packets of one record. The usual answers are made once. */
interface SingleKind {
  readonly name: 'AD' | 'ASD';
  readonly wrongCrc: number;
  answer(stored: number): Uint8Array;
}
const FULL = singleKind('AD', 16);
const SHORT = singleKind('ASD', 13);
const NO_FAULTS: readonly DecodeFault[] = [];
const PONG = says('#AP#');
const PING: Item = { kind: 'ping', answer: () => PONG };

function singleKind(name: SingleKind['name'], wrongCrc: number): SingleKind {
  const [stored, refused] = [says(`#${name}#1`), says(`#${name}#0`)];
  return { name, wrongCrc, answer: (count) => (count > 0 ? stored : refused) };
}

class WialonConversation implements Conversation {
  readonly #now: () => number;
  readonly #pending = new Pending();
  readonly #records = new WialonRecordReader();
  /** 2.0 ends its messages with a CRC. */
  #checked: boolean;
  /** Remaining bytes of a picture after its header. */
  #picture: { left: number; index: string } | undefined;

  constructor(now: () => number, checked = false) {
    this.#now = now;
    this.#checked = checked;
  }

  push(bytes: Uint8Array): Item[] {
    this.#pending.add(bytes);
    return drain(() => this.#next());
  }

  get held(): number {
    return this.#pending.length;
  }

  /** A message to the driver or to the device: `#M#`. */
  command(text: string): Uint8Array {
    if (!this.#checked) return says(`#M#${text}`);
    const crc = crc16Arc(Buffer.from(`${text};`))
      .toString(16)
      .toUpperCase()
      .padStart(4, '0');
    return says(`#M#${text};${crc}`);
  }

  /** The items of the next complete packet; undefined when more bytes are needed. */
  #next(): Item[] | undefined {
    const { bytes } = this.#pending;
    if (this.#picture) return this.#skipPicture(this.#picture);
    if (bytes.length === 0) return undefined;
    if (bytes[0] === 0xff) return this.#unpack();
    const frame = this.#pending.takeLine();
    if (!frame) {
      if (bytes.length > LONGEST_FRAME) throw new ProtocolError('a frame without an end', bytes);
      return undefined;
    }
    return frame.length === 0 ? [] : this.#read(frame);
  }

  /**
   * Byte 0xFF, length (little-endian, as in the example of 1.1 and against its text), zlib. One packet in
   * each.
   */
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
      return [
        {
          kind: 'fault',
          fault: { reason: 'the compression container does not unpack', raw: packed },
          answer: () => undefined,
        },
      ];
    }
    const end = text.indexOf('\r\n');
    return this.#read(end < 0 ? text : text.subarray(0, end));
  }

  #read(frame: Buffer): Item[] {
    const type = typeOf(frame);
    if (type === undefined) throw new ProtocolError('not a Wialon frame', frame);
    const body = frame.toString('utf8', type.length + 2);
    return type === 'B' ? this.#blackBox(body, frame) : [this.#readOne(type, body, frame)];
  }

  #readOne(type: string, body: string, frame: Buffer): Item {
    switch (type) {
      case 'L':
        return this.#login(body, frame);
      case 'SD':
        return this.#single(body, frame, SHORT);
      case 'D':
        return this.#single(body, frame, FULL);
      case 'P':
        return PING;
      case 'M': {
        const { text, intact } = this.#uncheck(body);
        return intact
          ? { kind: 'message', text, answer: (taken) => says(`#AM#${taken ? 1 : 0}`) }
          : fault('the CRC is wrong', frame, '#AM#01');
      }
      case 'AM':
        return { kind: 'answer', text: '', isRefusal: !body.startsWith('1') };
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

  #single(body: string, frame: Buffer, kind: SingleKind): Item {
    const { text, intact } = this.#uncheck(body);
    if (!intact) return fault('the CRC is wrong', frame, `#${kind.name}#${kind.wrongCrc}`);
    const read = kind === SHORT ? this.#records.short(text, this.#now()) : this.#records.full(text, this.#now());
    if ('code' in read) return fault(read.reason, frame, `#${kind.name}#${read.code}`);
    return { kind: 'records', records: [read], faults: NO_FAULTS, answer: kind.answer };
  }

  #blackBox(body: string, frame: Buffer): Item[] {
    const until = this.#checked ? body.lastIndexOf('|') + 1 : body.length;
    if (this.#checked && !sameCrc(body.slice(until), body.slice(0, until)))
      return [fault('the CRC of the black box is wrong', frame, '#AB#')];
    const box: OpenBox = { body, now: this.#now(), seen: 0, stored: 0 };
    const parts: Item[] = [];
    for (let from = 0; from < until || parts.length === 0;) {
      const end = endOfPart(body, from, until);
      parts.push(new BoxPart(box, from, end, end >= until, this.#records));
      from = end;
    }
    return parts;
  }

  /** Pictures are not stored; their bytes are skipped. */
  #pictureHeader(body: string, frame: Buffer): Item {
    const [size, index] = body.split(';');
    const left = Number(size);
    if (!Number.isInteger(left) || left < 0 || left > LONGEST_PICTURE)
      throw new ProtocolError('a picture block of no sensible size', frame);
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

  /**
   * Removes the CRC of version 2.0 from a message: it covers everything before it, including the last `;`.
   */
  #uncheck(body: string): { text: string; intact: boolean } {
    if (!this.#checked) return { text: body, intact: true };
    const cut = body.lastIndexOf(';') + 1;
    return { text: body.slice(0, Math.max(0, cut - 1)), intact: sameCrc(body.slice(cut), body.slice(0, cut)) };
  }
}

const HASH = 35;
const [LETTER_A, LETTER_Z] = [65, 90];
const LONGEST_TYPE = 4;

/** The capital letters between the two `#` at the start of a frame, or undefined. */
function typeOf(frame: Buffer): string | undefined {
  if (frame[0] !== HASH) return undefined;
  let end = 1;
  while (end <= LONGEST_TYPE && frame[end]! >= LETTER_A && frame[end]! <= LETTER_Z) end++;
  return end > 1 && frame[end] === HASH ? frame.toString('latin1', 1, end) : undefined;
}

/** A black box in progress. */
interface OpenBox {
  readonly body: string;
  readonly now: number;
  /** Its records so far, and how many of them are stored. */
  seen: number;
  stored: number;
}

/**
 * Some hundred records of a black box, parsed in turn, because thousands at once would block everything else.
 * The last part answers for all.
 */
class BoxPart {
  readonly kind = 'records';
  readonly #box: OpenBox;
  readonly #from: number;
  readonly #until: number;
  readonly #isLast: boolean;
  readonly #reader: WialonRecordReader;
  #read: { readonly records: DeviceRecord[]; readonly faults: DecodeFault[] } | undefined;

  constructor(box: OpenBox, from: number, until: number, isLast: boolean, reader: WialonRecordReader) {
    this.#box = box;
    this.#from = from;
    this.#until = until;
    this.#isLast = isLast;
    this.#reader = reader;
  }

  get records(): readonly DeviceRecord[] {
    return (this.#read ??= this.#readAll()).records;
  }

  get faults(): readonly DecodeFault[] {
    return (this.#read ??= this.#readAll()).faults;
  }

  answer(stored: number): Uint8Array | undefined {
    this.#box.stored += stored;
    this.#read = undefined;
    return this.#isLast ? says(`#AB#${this.#box.stored}`) : undefined;
  }

  #readAll(): { records: DeviceRecord[]; faults: DecodeFault[] } {
    const box = this.#box;
    const { body, now } = box;
    const records: DeviceRecord[] = [];
    const faults: DecodeFault[] = [];
    for (let from = this.#from; from < this.#until;) {
      const bar = body.indexOf('|', from);
      const end = bar < 0 ? this.#until : bar;
      if (end > from) {
        const read =
          box.seen++ >= MAX_RECORDS
            ? { reason: `more than ${MAX_RECORDS} records in one packet` }
            : this.#reader.either(body, from, end, now);
        if ('reason' in read) faults.push({ reason: read.reason, raw: Buffer.from(body.slice(from, end)) });
        else records.push(read);
      }
      from = end + 1;
    }
    return { records, faults };
  }
}

/** End of the last record of a part that begins at `from`, after its bar. */
function endOfPart(body: string, from: number, until: number): number {
  let end = from;
  for (let records = 0; records < RECORDS_OF_PART; records++) {
    const bar = body.indexOf('|', end);
    if (bar < 0 || bar + 1 >= until) return until;
    end = bar + 1;
  }
  return end;
}

/** Devices write the CRC in hexadecimal, padded or not, with and without `0x`. */
function sameCrc(text: string, over: string): boolean {
  return (
    /^(?:0x)?[0-9a-f]{1,4}$/i.test(text) &&
    Number.parseInt(text.replace(/^0x/i, ''), 16) === crc16Arc(Buffer.from(over, 'utf8'))
  );
}

function says(text: string): Uint8Array {
  return Buffer.from(`${text}\r\n`);
}

function fault(reason: string, raw: Uint8Array, answer: string | undefined): Item {
  return { kind: 'fault', fault: { reason, raw }, answer: () => (answer === undefined ? undefined : says(answer)) };
}
