import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { Refusal } from '../../../../shared/refusal.ts';
import { RangeFile } from '../../../platform/disk/range-file.ts';
import { GREATEST_ZOOM, LARGEST_TILE, pictureType, type ArchiveInfo, type RasterArchive } from './raster-archive.ts';
import { boundsOf, plainText } from './raster-words.ts';

/** Bytes of the file that stay in memory. */
const CACHE = 4 * 1024 * 1024;
const HEADER = 127;
/** Bytes of a directory when it is unpacked; usual ones have a few ten thousand. */
const LARGEST_DIRECTORY = 1024 * 1024;
const DIRECTORIES = 8;
/** Directories below each other that a tile may lie in. */
const DEEPEST = 4;

interface Entries {
  readonly ids: Float64Array;
  readonly runs: Float64Array;
  readonly lengths: Float64Array;
  readonly offsets: Float64Array;
}

/** PMTiles 3: one file with a header, directories along a Hilbert curve, and pictures. */
export class PmTiles implements RasterArchive {
  readonly info: ArchiveInfo;
  readonly #file: RangeFile;
  readonly #name: string;
  readonly #leaves: number;
  readonly #data: number;
  readonly #packedDirectories: number;
  readonly #packedTiles: number;
  readonly #root: Entries;
  readonly #directories = new Map<number, Entries>();

  constructor(path: string, name: string) {
    this.#name = name;
    this.#file = new RangeFile(path, CACHE);
    try {
      const header = Buffer.from(this.#file.read(0, HEADER));
      if (header[7] !== 3) throw new Refusal('territory.notRaster', { file: name });
      const place = (at: number) => Number(header.readBigUInt64LE(at));
      [this.#leaves, this.#data] = [place(40), place(56)];
      [this.#packedDirectories, this.#packedTiles] = [header[97]!, header[98]!];
      this.#root = this.#directory(place(8), place(16));
      this.info = this.#read(header, this.#unpackedWords(place(24), place(32)));
    } catch (error) {
      this.#file.close();
      throw this.#refusalOf(error);
    }
  }

  tile(z: number, x: number, y: number): Uint8Array | undefined {
    try {
      const id = hilbertId(z, x, y);
      let entries = this.#root;
      for (let depth = 0; depth < DEEPEST; depth++) {
        const index = lastUpTo(entries.ids, id);
        if (index < 0) return undefined;
        const [length, offset] = [entries.lengths[index]!, entries.offsets[index]!];
        if (entries.runs[index]! > 0) {
          if (id >= entries.ids[index]! + entries.runs[index]! || length > LARGEST_TILE) return undefined;
          return unpacked(this.#file.read(this.#data + offset, length), this.#packedTiles, LARGEST_TILE);
        }
        entries = this.#directory(this.#leaves + offset, length);
      }
      return undefined;
    } catch (error) {
      throw this.#refusalOf(error);
    }
  }

  close(): void {
    this.#file.close();
    this.#directories.clear();
  }

  #read(header: Buffer, words: Readonly<Record<string, unknown>>): ArchiveInfo {
    if (header[99] === 1) throw new Refusal('territory.vectorTiles', { file: this.#name });
    const [minZoom, maxZoom] = [header[100]!, header[101]!];
    const bounds = boundsOf([102, 106, 110, 114].map((at) => header.readInt32LE(at) / 1e7));
    if (this.#root.ids.length === 0) throw new Refusal('territory.noTiles', { file: this.#name });
    if (minZoom > maxZoom || maxZoom > GREATEST_ZOOM || !bounds) throw new RangeError('The header is wrong.');
    const first = this.#firstTile();
    if (!first || !pictureType(first)) throw new Refusal('territory.vectorTiles', { file: this.#name });
    const word = (name: string) => plainText(typeof words[name] === 'string' ? words[name] : '');
    return { format: 'pmtiles', minZoom, maxZoom, bounds, name: word('name'), attribution: word('attribution') };
  }

  #firstTile(): Uint8Array | undefined {
    let entries = this.#root;
    for (let depth = 0; depth < DEEPEST && entries.ids.length > 0; depth++) {
      const [length, offset] = [entries.lengths[0]!, entries.offsets[0]!];
      if (entries.runs[0]! > 0)
        return length > LARGEST_TILE
          ? undefined
          : unpacked(this.#file.read(this.#data + offset, length), this.#packedTiles, LARGEST_TILE);
      entries = this.#directory(this.#leaves + offset, length);
    }
    return undefined;
  }

  #unpackedWords(offset: number, length: number): Readonly<Record<string, unknown>> {
    if (length === 0 || length > LARGEST_DIRECTORY) return {};
    try {
      const bytes = unpacked(this.#file.read(offset, length), this.#packedDirectories, LARGEST_DIRECTORY);
      const words: unknown = JSON.parse(Buffer.from(bytes).toString());
      return typeof words === 'object' && words !== null ? (words as Record<string, unknown>) : {};
    } catch {
      return {}; // Pictures are shown without their words, too.
    }
  }

  #directory(offset: number, length: number): Entries {
    let entries = this.#directories.get(offset);
    if (entries) this.#directories.delete(offset);
    else {
      if (length > LARGEST_DIRECTORY) throw new RangeError('A directory is too large.');
      entries = readEntries(unpacked(this.#file.read(offset, length), this.#packedDirectories, LARGEST_DIRECTORY));
    }
    this.#directories.set(offset, entries);
    if (this.#directories.size > DIRECTORIES) this.#directories.delete(this.#directories.keys().next().value!);
    return entries;
  }

  /** All that a damaged file throws, which are errors of ranges and of packed bytes, is one refusal. */
  #refusalOf(error: unknown): unknown {
    return error instanceof Refusal ? error : new Refusal('territory.badRaster', { file: this.#name });
  }
}

/** Packed with: 1 nothing, 2 gzip, 3 brotli, 4 zstd; 0 is unknown, which files of pictures also write for none. */
function unpacked(bytes: Uint8Array, packing: number, most: number): Uint8Array {
  const bounded = { maxOutputLength: most };
  if (packing === 2) return gunzipSync(bytes, bounded);
  if (packing === 3) return brotliDecompressSync(bytes, bounded);
  if (packing === 4) return zstdDecompressSync(bytes, bounded);
  return bytes;
}

function readEntries(bytes: Uint8Array): Entries {
  let at = 0;
  const varint = (): number => {
    let [value, factor] = [0, 1];
    for (let more = true; more; factor *= 128) {
      if (at >= bytes.length || factor > 2 ** 49) throw new RangeError('A number does not end.');
      const byte = bytes[at++]!;
      value += (byte & 127) * factor;
      more = byte >= 128;
    }
    return value;
  };
  const count = varint();
  // Each entry takes at least four bytes.
  if (count > bytes.length / 4) throw new RangeError('The directory says more than it has.');
  const column = (): Float64Array => Float64Array.from({ length: count }, varint);
  const ids = column();
  for (let index = 1; index < count; index++) ids[index]! += ids[index - 1]!;
  const [runs, lengths, offsets] = [column(), column(), column()];
  for (let index = 0; index < count; index++) {
    if (offsets[index]! > 0) offsets[index]! -= 1;
    else if (index > 0) offsets[index] = offsets[index - 1]! + lengths[index - 1]!;
    else throw new RangeError('The first entry has no place.');
  }
  return { ids, runs, lengths, offsets };
}

/** The index of the last id that is not beyond `id`; -1: all are. */
function lastUpTo(ids: Float64Array, id: number): number {
  let [low, high] = [0, ids.length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    if (ids[middle]! <= id) low = middle + 1;
    else high = middle - 1;
  }
  return high;
}

/** The place of a tile on the curve: all zooms before it, then a Hilbert curve through its own. */
export function hilbertId(z: number, x: number, y: number): number {
  let id = (4 ** z - 1) / 3;
  let [column, row] = [x, y];
  for (let side = 2 ** (z - 1); side >= 1; side /= 2) {
    const right = (column & side) > 0 ? 1 : 0;
    const down = (row & side) > 0 ? 1 : 0;
    id += side * side * ((3 * right) ^ down);
    if (down === 0) {
      if (right === 1) [column, row] = [side - 1 - (column & (side - 1)), side - 1 - (row & (side - 1))];
      [column, row] = [row, column];
    }
  }
  return id;
}
