/** The lines of Asterisk's manager interface (AMI): messages of `Name: value` lines, each ended by an empty line. */

/** Fields of one message by their names in small letters. Of repeated names the first counts. */
export type AmiMessage = ReadonlyMap<string, string>;

/** Bytes of a line, and fields of a message. Asterisk writes far less. */
const LINE = 8_192;
const FIELDS = 256;
const LF = 0x0a;

/** The bytes are not AMI: the connection is of no use any more. */
export class AmiFault extends Error {}

/** Reads messages from pieces that are cut anywhere. It never holds more than one message. */
export class AmiReader {
  /** The first line, with which an exchange names itself; undefined: it has not come yet. */
  greeting: string | undefined;
  #rest = Buffer.alloc(0);
  #fields = new Map<string, string>();
  #count = 0;

  *read(piece: Buffer): Generator<AmiMessage> {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let from = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, from)) {
      if (end - from > LINE) throw new AmiFault('The exchange sent a line that is too long.');
      const line = bytes.toString('utf8', from, end).replace(/\r$/, '');
      from = end + 1;
      const message = this.#take(line);
      if (message) yield message;
    }
    if (bytes.length - from > LINE) throw new AmiFault('The exchange sent a line that is too long.');
    this.#rest = Buffer.from(bytes.subarray(from));
  }

  #take(line: string): AmiMessage | undefined {
    if (this.greeting === undefined) {
      if (!line.startsWith('Asterisk Call Manager/')) throw new AmiFault('This is no manager interface of Asterisk.');
      this.greeting = line;
      return undefined;
    }
    if (line === '') {
      const message = this.#fields;
      [this.#fields, this.#count] = [new Map(), 0];
      return message.size > 0 ? message : undefined;
    }
    if (++this.#count > FIELDS) throw new AmiFault('The exchange sent a message that is too long.');
    const colon = line.indexOf(':');
    if (colon <= 0) return undefined; // a line of a command's output
    const name = line.slice(0, colon).trim().toLowerCase();
    if (!this.#fields.has(name)) this.#fields.set(name, line.slice(colon + 1).trim());
    return undefined;
  }
}

/** An action as bytes. Line breaks in values would begin further fields, so they become spaces. */
export function writeAction(fields: Readonly<Record<string, string>>): Buffer {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value.replaceAll(/[\0\r\n]+/g, ' ')}\r\n`);
  return Buffer.from(`${lines.join('')}\r\n`);
}
