import { alongHilbertCurve } from '../../geometry/hilbert.ts';
import { Growing } from '../../extract/growing.ts';
import { LAYERS, MAX_ZOOM } from '../layers.ts';
import type { Attribute, DrawnAs } from '../layers.ts';
import { BLOCK_ROW, BlockWriter, HEADER, MAGIC } from './map-format.ts';
import { vertexZooms } from './vertex-zoom.ts';

export const POINT = 1;
export const LINE = 2;
/**
 * A polygon is one outer ring, clockwise on the screen, and its holes, the other way round; rings repeat
 * their first vertex.
 */
export const POLYGON = 3;

/** Features in a block, and bytes after which it ends earlier. */
const PER_BLOCK = 32;
const BLOCK_BYTES = 4096;
/** Bytes of a chunk of `finish`, so that a country lies in memory once. */
const CHUNK = 1 << 20;

/** Collects features in any order; `finish` returns the bytes of a `MapFile`. */
export class MapFileBuilder {
  readonly #layer = new Growing(Uint8Array);
  readonly #type = new Growing(Uint8Array);
  readonly #minZoom = new Growing(Uint8Array);
  readonly #order = new Growing(Uint8Array);
  readonly #lastPart = new Growing(Uint32Array);
  readonly #lastAttribute = new Growing(Uint32Array);
  readonly #attributes = new Growing(Uint32Array);
  readonly #partEnd = new Growing(Uint32Array);
  readonly #x = new Growing(Int32Array);
  readonly #y = new Growing(Int32Array);
  readonly #pairs: (readonly [string, Attribute])[] = [];
  readonly #pairNumbers = new Map<string, Map<Attribute, number>>();

  get features(): number {
    return this.#layer.length;
  }

  vertex(x: number, y: number): void {
    this.#x.push(x);
    this.#y.push(y);
  }

  dropVertex(): void {
    this.#x.length--;
    this.#y.length--;
  }

  /** Ends a line, a ring or a point. */
  endPart(): void {
    this.#partEnd.push(this.#x.length);
  }

  /** Ends a feature of the parts added since the last. */
  endFeature(type: number, { layer, minZoom, order, attributes }: DrawnAs): void {
    this.#layer.push(LAYERS.indexOf(layer));
    this.#type.push(type);
    this.#minZoom.push(minZoom);
    this.#order.push(order + 128);
    for (const [key, value] of attributes) {
      if (value !== undefined) this.#attributes.push(this.#pair(key, value));
    }
    this.#lastPart.push(this.#partEnd.length);
    this.#lastAttribute.push(this.#attributes.length);
  }

  /** The bytes of a map file, in chunks (`map-format.ts`). */
  *finish(): Generator<Uint8Array> {
    const zooms = this.#vertexZooms();
    const rank = this.#ranks();
    const values = new ValueWriter(this.#pairs);
    const blocks = new BlockTable();
    let chunk: Uint8Array[] = [HEADER];
    let waiting = HEADER.length;
    const writer = new BlockWriter(values.number);
    const feature = (f: number) => ({
      rank: rank[f]!,
      layer: this.#layer.values[f]!,
      order: this.#order.values[f]!,
      type: this.#type.values[f]!,
      attributes: this.#attributesOf(f),
    });
    for (let zoom = 0; zoom <= MAX_ZOOM; zoom++) {
      for (const f of this.#byPlace(zoom)) {
        writer.add(feature(f), this.#partsOf(f), this.#x.values, this.#y.values, zooms);
        if (writer.features < PER_BLOCK && writer.bytes < BLOCK_BYTES) continue;
        waiting += blocks.take(zoom, writer, chunk);
        if (waiting < CHUNK) continue;
        yield Buffer.concat(chunk);
        chunk = [];
        waiting = 0;
      }
      waiting += blocks.take(zoom, writer, chunk);
    }
    yield Buffer.concat(chunk);
    yield values.finish(blocks);
  }

  #vertexZooms(): Uint8Array {
    const zooms = new Uint8Array(this.#x.length);
    for (let p = 0, first = 0; p < this.#partEnd.length; first = this.#partEnd.values[p++]!)
      vertexZooms(this.#x.values, this.#y.values, first, this.#partEnd.values[p]!, zooms);
    return zooms;
  }

  /** By feature: its place in the order of painting. */
  #ranks(): Uint32Array {
    const layer = this.#layer.values;
    const order = this.#order.values;
    const painted = Uint32Array.from({ length: this.features }, (_, f) => f);
    painted.sort((a, b) => layer[a]! - layer[b]! || order[a]! - order[b]! || a - b);
    const rank = new Uint32Array(painted.length);
    for (let i = 0; i < painted.length; i++) rank[painted[i]!] = i;
    return rank;
  }

  /** Features that appear at a zoom; neighbours on the map are neighbours in the file. */
  *#byPlace(zoom: number): Generator<number> {
    const found = new Growing(Uint32Array);
    for (let f = 0; f < this.features; f++) if (Math.min(this.#minZoom.values[f]!, MAX_ZOOM) === zoom) found.push(f);
    const x = new Int32Array(found.length);
    const y = new Int32Array(found.length);
    for (let i = 0; i < found.length; i++) {
      const [first] = this.#partsOf(found.values[i]!)[0]!;
      x[i] = this.#x.values[first]!;
      y[i] = this.#y.values[first]!;
    }
    for (const i of alongHilbertCurve(y, x)) yield found.values[i]!;
  }

  #partsOf(f: number): [first: number, end: number][] {
    const parts: [number, number][] = [];
    for (let p = f === 0 ? 0 : this.#lastPart.values[f - 1]!; p < this.#lastPart.values[f]!; p++)
      parts.push([p === 0 ? 0 : this.#partEnd.values[p - 1]!, this.#partEnd.values[p]!]);
    return parts;
  }

  #attributesOf(f: number): Uint32Array {
    const first = f === 0 ? 0 : this.#lastAttribute.values[f - 1]!;
    return this.#attributes.values.subarray(first, this.#lastAttribute.values[f]);
  }

  #pair(key: string, value: Attribute): number {
    let numbers = this.#pairNumbers.get(key);
    if (numbers === undefined) this.#pairNumbers.set(key, (numbers = new Map()));
    let number = numbers.get(value);
    if (number === undefined) {
      number = this.#pairs.length;
      this.#pairs.push([key, value]);
      numbers.set(value, number);
    }
    return number;
  }
}

/** Positions of the written blocks, and their bounds. */
class BlockTable {
  readonly #rows = new Growing(Float64Array);
  /** Of the file so far. */
  bytes = HEADER.length;

  get count(): number {
    return this.#rows.length / ROW;
  }

  /** Ends a block, unless it is empty, and appends its bytes; returns how many. */
  take(zoom: number, writer: BlockWriter, to: Uint8Array[]): number {
    if (writer.features === 0) return 0;
    const { west, north, east, south } = writer;
    const bytes = writer.finish();
    for (const value of [this.bytes, bytes.length, west, north, east, south, zoom]) this.#rows.push(value);
    this.bytes += bytes.length;
    to.push(bytes);
    return bytes.length;
  }

  table(): Uint8Array {
    const view = new DataView(new ArrayBuffer(this.count * BLOCK_ROW));
    for (let b = 0; b < this.count; b++) {
      const row = this.#rows.values.subarray(b * ROW, (b + 1) * ROW);
      view.setFloat64(b * BLOCK_ROW, row[0]!, true);
      for (let i = 1; i < ROW; i++) view.setInt32(b * BLOCK_ROW + 4 + i * 4, row[i]!, true);
    }
    return new Uint8Array(view.buffer);
  }
}

/** Offset, length, west, north, east, south, zoom. */
const ROW = 7;

/** Numbers attributes in the order in which they are written, so that what is near on the map is near here. */
class ValueWriter {
  readonly #pairs: readonly (readonly [string, Attribute])[];
  readonly #numbers: Uint32Array;
  readonly #keys: string[] = [];
  readonly #keyOf = new Growing(Uint8Array);
  readonly #end = new Growing(Uint32Array);
  readonly #texts: Buffer[] = [];
  #bytes = 0;

  constructor(pairs: readonly (readonly [string, Attribute])[]) {
    this.#pairs = pairs;
    this.#numbers = new Uint32Array(pairs.length).fill(NONE);
  }

  number = (pair: number): number => {
    if (this.#numbers[pair] !== NONE) return this.#numbers[pair]!;
    const [key, value] = this.#pairs[pair]!;
    if (!this.#keys.includes(key)) this.#keys.push(key);
    this.#keyOf.push(this.#keys.indexOf(key));
    const text = Buffer.from(JSON.stringify(value));
    this.#texts.push(text);
    this.#end.push((this.#bytes += text.length));
    return (this.#numbers[pair] = this.#end.length - 1);
  };

  finish(blocks: BlockTable): Uint8Array {
    const { length } = this.#end;
    const keys = Buffer.from(JSON.stringify(this.#keys));
    const ends = this.#end.values.slice(0, length);
    return Buffer.concat([
      ...this.#texts,
      new Uint8Array(ends.buffer),
      this.#keyOf.values.subarray(0, length),
      blocks.table(),
      keys,
      new Uint8Array(Float64Array.of(blocks.bytes, this.#bytes, length, blocks.count, keys.length, MAGIC).buffer),
    ]);
  }
}

const NONE = 0xffffffff;
