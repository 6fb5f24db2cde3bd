/** Numbers equal strings once, so that a million tags cost a few megabytes. */
export class StringTable {
  readonly strings: string[] = [];
  readonly #numbers = new Map<string, number>();

  number(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.strings.length;
      this.strings.push(text);
      this.#numbers.set(text, number);
    }
    return number;
  }
}

/**
 * The strings of a table as bytes that threads can share. String `i` is `bytes[first[i]]` … `bytes[first[i +
 * 1] - 1]`.
 */
export interface StringBytes {
  readonly bytes: Uint8Array;
  readonly first: Uint32Array;
}

export function packStrings(strings: readonly string[]): StringBytes {
  let length = 0;
  for (const text of strings) length += Buffer.byteLength(text);
  const bytes = Buffer.from(new SharedArrayBuffer(length));
  const first = new Uint32Array(new SharedArrayBuffer((strings.length + 1) * 4));
  let at = 0;
  for (let i = 0; i < strings.length; i++) {
    first[i] = at;
    at += bytes.write(strings[i]!, at);
  }
  first[strings.length] = at;
  return { bytes, first };
}

export function unpackStrings({ bytes, first }: StringBytes): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: first.length - 1 }, (_, i) => buffer.toString('utf8', first[i], first[i + 1]));
}
