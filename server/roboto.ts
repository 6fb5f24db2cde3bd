import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';

const kept = new Map<string, Buffer>();

/**
 * Roboto as an OpenType file, unpacked once for each thread. It is installed as WOFF, which fontkit and
 * pdfkit unpack in JavaScript each time they open it: that took nine tenths of setting a page.
 */
export function roboto(weight: 'Regular' | 'Medium'): Buffer {
  const font =
    kept.get(weight) ??
    openTypeOf(readFileSync(fileURLToPath(import.meta.resolve(`roboto-fontface/fonts/roboto/Roboto-${weight}.woff`))));
  kept.set(weight, font);
  return font;
}

/**
 * WOFF 1.0 (W3C Recommendation, 2012): the tables of an OpenType file, each packed with zlib where that makes
 * it shorter.
 */
function openTypeOf(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('These bytes are not a WOFF font.');
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, index) => {
    const entry = 44 + 20 * index;
    const [offset, packed, length] = [
      woff.readUInt32BE(entry + 4),
      woff.readUInt32BE(entry + 8),
      woff.readUInt32BE(entry + 12),
    ];
    const stored = woff.subarray(offset, offset + packed);
    return {
      tag: woff.subarray(entry, entry + 4),
      checksum: woff.readUInt32BE(entry + 16),
      bytes: packed < length ? inflateSync(stored) : stored,
    };
  });
  const head = Buffer.alloc(12 + 16 * count);
  woff.copy(head, 0, 4, 8);
  const power = Math.floor(Math.log2(count));
  for (const [index, value] of [count, 16 * 2 ** power, power, 16 * (count - 2 ** power)].entries())
    head.writeUInt16BE(value, 4 + 2 * index);
  const parts: Uint8Array[] = [head];
  let offset = head.length;
  for (const [index, { tag, checksum, bytes }] of tables.entries()) {
    const entry = 12 + 16 * index;
    tag.copy(head, entry);
    for (const [place, value] of [checksum, offset, bytes.length].entries())
      head.writeUInt32BE(value, entry + 4 + 4 * place);
    parts.push(bytes, Buffer.alloc(-bytes.length & 3));
    offset += bytes.length + (-bytes.length & 3);
  }
  return Buffer.concat(parts);
}
