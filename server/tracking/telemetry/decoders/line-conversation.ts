import { drain, Pending, ProtocolError, type Conversation, type Item } from './decoder.ts';

/** Bytes: NMEA allows 82 characters of a sentence and a tag block as long, APRS-IS 512 of a packet. */
const LONGEST_LINE = 1_024;
const LINE_FEED = 0x0a;

/** A protocol of lines of text. */
export class LineConversation implements Conversation {
  readonly #unit: string;
  readonly #read: (line: string) => Item[];
  readonly #pending = new Pending();

  /**
   * @param unit what a line is, for faults: `a sentence`
   * @param read gets a line without its end
   */
  constructor(unit: string, read: (line: string) => Item[]) {
    this.#unit = unit;
    this.#read = read;
  }

  push(bytes: Uint8Array): Item[] {
    this.#pending.add(bytes);
    return drain(() => this.#next());
  }

  /** Reads bytes that end with a line, also without a line feed. */
  pushAll(bytes: Uint8Array): Item[] {
    return this.push(Buffer.concat([bytes, Buffer.of(LINE_FEED)]));
  }

  get held(): number {
    return this.#pending.length;
  }

  #next(): Item[] | undefined {
    const { bytes } = this.#pending;
    const end = bytes.subarray(0, LONGEST_LINE + 1).indexOf(LINE_FEED);
    if (end < 0) {
      if (bytes.length > LONGEST_LINE) throw new ProtocolError(`${this.#unit} without an end`, bytes);
      return undefined;
    }
    const line = this.#pending.take(end + 1).toString('latin1');
    return this.#read(line.replace(/[\r\n]+$/, ''));
  }
}
