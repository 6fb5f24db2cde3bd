import { crc32 } from 'node:zlib';

/**
 * A file of named typed arrays: what the importer writes, a worker maps and a test builds in memory, on one
 * path.
 *
 * Layout, little-endian: magic, version, CRC-32 of all that follows, length of the JSON header (four 32-bit
 * words); the header, padded to eight bytes; then each column at a multiple of eight bytes. The header names
 * the columns with their type, place and length, and carries the few facts (`facts`) that are no column.
 */
export type SectionColumn = Int32Array | Uint32Array | Uint16Array | Uint8Array | Float64Array;

const TYPES = { i32: Int32Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array, f64: Float64Array } as const;
type TypeName = keyof typeof TYPES;

interface Header<Facts> {
  facts: Facts;
  columns: Record<string, { type: TypeName; offset: number; length: number }>;
}

const WORDS = 4;

interface Sections<Facts> {
  facts: Facts;
  columns: Map<string, SectionColumn>;
  /** CRC-32 of header and columns: equal exactly for equal content. */
  checksum: number;
}

export function packSections<Facts>(
  magic: number,
  version: number,
  facts: Facts,
  columns: Record<string, SectionColumn>,
): Uint8Array<ArrayBuffer> {
  const header: Header<Facts> = { facts, columns: {} };
  let offset = 0;
  for (const [name, column] of Object.entries(columns)) {
    header.columns[name] = { type: typeName(column), offset, length: column.length };
    offset = aligned(offset + column.byteLength);
  }
  const json = new TextEncoder().encode(JSON.stringify(header));
  const body = aligned(WORDS * 4 + json.length);
  const bytes = new Uint8Array(body + offset);
  bytes.set(json, WORDS * 4);
  for (const [name, column] of Object.entries(columns)) {
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), body + header.columns[name]!.offset);
  }
  new Uint32Array(bytes.buffer, 0, WORDS).set([magic, version, crc32(bytes.subarray(WORDS * 4)), json.length]);
  return bytes;
}

/**
 * Opens the output of `packSections` without copying. Throws one clear sentence when the bytes are something
 * else, of another version, or damaged.
 */
export function openSections<Facts>(
  buffer: ArrayBufferLike,
  magic: number,
  version: number,
  what: string,
): Sections<Facts> {
  if (buffer.byteLength < WORDS * 4) throw new Error(`These bytes are no ${what}.`);
  const [foundMagic, foundVersion, checksum, jsonLength] = new Uint32Array(buffer, 0, WORDS) as unknown as [
    number,
    number,
    number,
    number,
  ];
  if (foundMagic !== magic) throw new Error(`These bytes are no ${what}.`);
  if (foundVersion !== version)
    throw new Error(
      `A ${what} of version ${foundVersion} was found, ${version} is expected: import the territory again.`,
    );
  const bytes = new Uint8Array(buffer);
  if (crc32(bytes.subarray(WORDS * 4)) !== checksum)
    throw new Error(`The ${what} is damaged: import the territory again.`);
  // TextDecoder refuses shared memory, so this small part is copied.
  const header = JSON.parse(new TextDecoder().decode(bytes.slice(WORDS * 4, WORDS * 4 + jsonLength))) as Header<Facts>;
  const body = aligned(WORDS * 4 + jsonLength);
  const columns = new Map<string, SectionColumn>();
  for (const [name, { type, offset, length }] of Object.entries(header.columns)) {
    columns.set(name, new TYPES[type](buffer as ArrayBuffer, body + offset, length));
  }
  return { facts: header.facts, columns, checksum };
}

function typeName(column: SectionColumn): TypeName {
  for (const [name, type] of Object.entries(TYPES)) if (column instanceof type) return name as TypeName;
  throw new TypeError('Not a column type.');
}

const aligned = (offset: number): number => Math.ceil(offset / 8) * 8;
