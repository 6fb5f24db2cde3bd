import Flatbush from 'flatbush';
import { RangeFile, bytesInMemory, type ByteSource } from '../../../../platform/disk/range-file.ts';
import type { Attribute } from '../layers.ts';
import { BLOCK_ROW, FOOTER_WORDS, MAGIC, MAP_VERSION, readBlock, type ReadFeature } from './map-format.ts';
import { OLD_VERSION, fromOldMap } from './old-map.ts';

/** Bytes of blocks and of names that stay in memory: a town at all zooms. */
const CACHE = 16 * 1024 * 1024;

/** Blocks of features that appear at one zoom. */
interface Group {
  readonly zoom: number;
  readonly first: number;
  readonly index: Flatbush;
}

/**
 * The source of the map, of which only the tables of blocks and names are in memory. Coordinates are in world
 * units (`mercator.ts`).
 */
export class MapFile {
  readonly keys: readonly string[];
  readonly #source: ByteSource;
  readonly #blocks: DataView;
  readonly #groups: readonly Group[];
  readonly #valuesAt: number;
  readonly #valueEnd: Uint32Array;
  readonly #keyOf: Uint8Array;

  private constructor(source: ByteSource) {
    this.#source = source;
    const footer = numbers(source, source.size - FOOTER_WORDS * 8, FOOTER_WORDS);
    const [valuesAt, valueBytes, values, blocks, keyBytes, magic] = footer as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const tables = valuesAt + valueBytes;
    const blocksAt = tables + values * 5;
    const keysAt = blocksAt + blocks * BLOCK_ROW;
    if (magic !== MAGIC || keysAt + keyBytes + FOOTER_WORDS * 8 !== source.size)
      throw new Error('The map file is damaged: import the territory again.');
    this.#valuesAt = valuesAt;
    this.#valueEnd = new Uint32Array(own(source.read(tables, values * 4)).buffer);
    this.#keyOf = own(source.read(tables + values * 4, values));
    this.#blocks = new DataView(own(source.read(blocksAt, blocks * BLOCK_ROW)).buffer);
    this.keys = JSON.parse(Buffer.from(source.read(keysAt, keyBytes)).toString()) as string[];
    this.#groups = groupsOf(this.#blocks);
  }

  /** Throws a sentence when the file is no map, or damaged. */
  static open(path: string): MapFile {
    const source = new RangeFile(path, CACHE);
    try {
      return MapFile.from(source);
    } catch (error) {
      source.close();
      throw error;
    }
  }

  static from(source: ByteSource): MapFile {
    const header = own(source.read(0, Math.min(8, source.size)));
    const [magic, version] = header.length < 8 ? [] : new Uint32Array(header.buffer);
    if (magic !== MAGIC) throw new Error('These bytes are not a map file.');
    if (version === OLD_VERSION) {
      const made = fromOldMap(own(source.read(0, source.size)).buffer);
      source.close();
      return new MapFile(bytesInMemory(made));
    }
    if (version !== MAP_VERSION) throw new Error(`Map file v${version} found, v${MAP_VERSION} expected.`);
    return new MapFile(source);
  }

  close(): void {
    this.#source.close();
  }

  /** Features that touch a box, in the order of painting, with the vertices that a zoom needs. */
  featuresIn(zoom: number, box: readonly [west: number, north: number, east: number, south: number]): ReadFeature[] {
    const found: ReadFeature[] = [];
    for (const group of this.#groups) {
      if (group.zoom > zoom) break;
      for (const block of group.index.search(...(box as [number, number, number, number])).sort((a, b) => a - b))
        for (const feature of readBlock(this.#block(group.first + block), zoom, box)) found.push(feature);
    }
    return found.sort((a, b) => a.rank - b.rank);
  }

  /** The position in `keys` of an attribute's key. */
  keyOf(pair: number): number {
    return this.#keyOf[pair]!;
  }

  pair(pair: number): readonly [string, Attribute] {
    const start = pair === 0 ? 0 : this.#valueEnd[pair - 1]!;
    const { buffer, byteOffset, length } = this.#source.read(this.#valuesAt + start, this.#valueEnd[pair]! - start);
    const text = Buffer.from(buffer, byteOffset, length).toString();
    return [this.keys[this.#keyOf[pair]!]!, JSON.parse(text) as Attribute];
  }

  #block(block: number): Uint8Array {
    const row = block * BLOCK_ROW;
    return this.#source.read(this.#blocks.getFloat64(row, true), this.#blocks.getUint32(row + 8, true));
  }
}

/** Blocks lie in the order of their zooms. */
function groupsOf(blocks: DataView): Group[] {
  const groups: Group[] = [];
  const count = blocks.byteLength / BLOCK_ROW;
  const zoomOf = (block: number) => blocks.getInt32(block * BLOCK_ROW + 28, true);
  for (let first = 0, end = 0; first < count; first = end) {
    while (end < count && zoomOf(end) === zoomOf(first)) end++;
    const index = new Flatbush(end - first, 16, Int32Array);
    for (let block = first; block < end; block++) {
      const side = (i: number) => blocks.getInt32(block * BLOCK_ROW + 12 + i * 4, true);
      index.add(side(0), side(1), side(2), side(3));
    }
    index.finish();
    groups.push({ zoom: zoomOf(first), first, index });
  }
  return groups;
}

function numbers(source: ByteSource, offset: number, count: number): Float64Array {
  return new Float64Array(own(source.read(offset, count * 8)).buffer);
}

/** A copy at the beginning of its own memory, as typed arrays need it. */
function own(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
