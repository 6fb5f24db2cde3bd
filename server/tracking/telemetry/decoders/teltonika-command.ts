import { crc16Arc } from './checksums.ts';
import type { Item } from './decoder.ts';

/** The codec of commands and their answers. */
export const CODEC_12 = 0x0c;
const [COMMAND, ANSWER] = [0x05, 0x06];
/** Codec, count, type and length before a text, and the count after it. */
const [HEAD, FRAME] = [7, 8];

/** A command in codec 12, the text as it is. */
export function commandPacket(text: string): Buffer {
  const bytes = Buffer.from(text);
  const head = Buffer.from([CODEC_12, 1, COMMAND, 0, 0, 0, 0]);
  head.writeUInt32BE(bytes.length, 3);
  return packetWith(Buffer.concat([head, bytes, Buffer.of(1)]));
}

/** The answer to a command. It gets no reply, for any content. */
export function readAnswer(data: Buffer, packet: Buffer): Item {
  if (data[2] !== ANSWER) return { kind: 'ping', answer: () => undefined };
  if (data.length < FRAME || data.readUInt32BE(3) !== data.length - FRAME)
    return { kind: 'fault', fault: { reason: 'a text of another length', raw: packet }, answer: () => undefined };
  return { kind: 'answer', text: printable(data.subarray(HEAD, -1)), isRefusal: false };
}

/** Some devices answer with bytes: these become hexadecimal digits. */
function printable(bytes: Buffer): string {
  const text = bytes.toString('utf8').replace(/[\r\n\0]+$/, '');
  return /[\p{Cc}\ufffd]/u.test(text.replaceAll(/[\r\n\t]/g, '')) ? bytes.toString('hex') : text;
}

/** Data with its length and CRC. */
export function packetWith(data: Buffer): Buffer {
  const [head, crc] = [Buffer.alloc(8), Buffer.alloc(4)];
  head.writeUInt32BE(data.length, 4);
  crc.writeUInt32BE(crc16Arc(data));
  return Buffer.concat([head, data, crc]);
}
