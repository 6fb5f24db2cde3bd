/**
 * Decodes packed numbers of a protocol buffer in plain loops into typed arrays: nearly all bytes of an
 * extract are of this kind. Each function decodes `bytes[start]` … `bytes[end - 1]` and returns how many
 * numbers it wrote to `out`, which must have room for `end - start`.
 */

/** sint64 deltas, written as running sums. */
export function decodeDeltas(bytes: Uint8Array, start: number, end: number, out: Float64Array, at = 0): number {
  let position = start;
  let write = at;
  let sum = 0;
  while (position < end) {
    let byte = bytes[position++]!;
    if (byte < 0x80) {
      sum += (byte >>> 1) ^ -(byte & 1);
    } else {
      let low = byte & 0x7f;
      let shift = 7;
      do {
        byte = position < end ? bytes[position++]! : cutShort();
        low |= (byte & 0x7f) << shift;
        shift += 7;
      } while (byte >= 0x80 && shift < 28);
      if (byte < 0x80) {
        sum += (low >>> 1) ^ -(low & 1);
      } else {
        // More than 28 bits: doubles carry the rest exactly up to 2^53.
        let high = 0;
        let scale = 1;
        do {
          byte = position < end ? bytes[position++]! : cutShort();
          high += (byte & 0x7f) * scale;
          scale *= 128;
        } while (byte >= 0x80 && scale < 2 ** 42);
        if (byte >= 0x80) throw new Error('a number of more than ten bytes');
        const half = high * 2 ** 27 + (low >>> 1);
        sum += low & 1 ? -half - 1 : half;
      }
    }
    out[write++] = sum;
  }
  return write - at;
}

/** uint32 or int32 that is not negative. */
export function decodeUnsigned(bytes: Uint8Array, start: number, end: number, out: Uint32Array, at = 0): number {
  let position = start;
  let write = at;
  while (position < end) {
    let byte = bytes[position++]!;
    let value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      if (shift > 63) throw new Error('a number of more than ten bytes');
      byte = position < end ? bytes[position++]! : cutShort();
      if (shift < 32) value |= (byte & 0x7f) << shift;
    }
    out[write++] = value;
  }
  return write - at;
}

function cutShort(): never {
  throw new Error('a list of numbers is cut short');
}
