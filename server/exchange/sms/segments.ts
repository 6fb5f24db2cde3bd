/** The default alphabet of GSM 03.38 in the order of its codes, and its extension table (two septets each). */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENDED: Readonly<Record<string, number>> = {
  '\f': 0x0a,
  '^': 0x14,
  '{': 0x28,
  '}': 0x29,
  '\\': 0x2f,
  '[': 0x3c,
  '~': 0x3d,
  ']': 0x3e,
  '|': 0x40,
  '€': 0x65,
};
const ESCAPE = 0x1b;
const CODES = new Map([...BASIC].map((character, code) => [character, code]));
CODES.delete('\u001b');
const BY_EXTENSION = new Map(Object.entries(EXTENDED).map(([character, code]) => [code, character]));

/** Units of a single text, and of a part of a longer one: septets, or UTF-16 units. */
const GSM_UNITS = { alone: 160, part: 153 };
const UCS2_UNITS = { alone: 70, part: 67 };

export interface SmsParts {
  readonly encoding: 'gsm' | 'ucs2';
  /** Each as bytes: one septet a byte, or UTF-16 in network order. */
  readonly parts: readonly Buffer[];
}

/** A text in the parts in which it goes out. No character is divided between two. */
export function segmentsOf(text: string): SmsParts {
  const characters = [...text];
  const isGsm = characters.every((character) => CODES.has(character) || character in EXTENDED);
  const encoding = isGsm ? 'gsm' : 'ucs2';
  const { alone, part } = isGsm ? GSM_UNITS : UCS2_UNITS;
  const encoded = characters.map(isGsm ? gsmBytes : ucs2Bytes);
  const bytesOfUnit = isGsm ? 1 : 2;
  const total = encoded.reduce((sum, { length }) => sum + length, 0);
  if (total <= alone * bytesOfUnit) return { encoding, parts: [Buffer.concat(encoded)] };
  const parts: Buffer[][] = [[]];
  let length = 0;
  for (const bytes of encoded) {
    if (length + bytes.length > part * bytesOfUnit) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)!.push(bytes);
    length += bytes.length;
  }
  return { encoding, parts: parts.map((part) => Buffer.concat(part)) };
}

/** Parts and the alphabet of a text, as a person who writes it sees them. */
export function charactersOfSms(text: string): { readonly parts: number; readonly encoding: 'gsm' | 'ucs2' } {
  const { parts, encoding } = segmentsOf(text);
  return { parts: parts.length, encoding };
}

/** The text of bytes with one septet each; characters that the alphabet lacks become a blank. */
export function gsmText(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at]!;
    if (code === ESCAPE) text += BY_EXTENSION.get(bytes[++at] ?? 0) ?? ' ';
    else text += BASIC[code] ?? ' ';
  }
  return text;
}

export function ucs2Text(bytes: Uint8Array): string {
  // A byte too many is no character; the decoder wants the other byte order.
  const even = Buffer.from(bytes.subarray(0, bytes.length & ~1));
  return even.swap16().toString('utf16le').toWellFormed();
}

function gsmBytes(character: string): Buffer {
  const extended = EXTENDED[character];
  return extended === undefined ? Buffer.from([CODES.get(character)!]) : Buffer.from([ESCAPE, extended]);
}

function ucs2Bytes(character: string): Buffer {
  return Buffer.from(character, 'utf16le').swap16();
}
