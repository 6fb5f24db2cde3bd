import { Growing } from '../extract/growing.ts';
import { LAYERS } from './layers.ts';
import type { Attribute, DrawnAs } from './layers.ts';
import { vertexZooms } from './vertex-zoom.ts';

export const POINT = 1;
export const LINE = 2;
/**
 * A polygon is one outer ring, clockwise on the screen, and its holes, the other way round; rings repeat
 * their first vertex.
 */
export const POLYGON = 3;

const MAGIC = 0x3150414d; // MAP1
const VERSION = 1;
const HEADER = 8;

/**
 * The source of the map: features in painting order, their lines in world units (`mercator.ts`), their
 * attributes as numbers of (key, value) pairs. Feature `f` has parts `firstPart[f]` … `lastPart[f]`; part `p`
 * has vertices `firstVertex[p]` … `firstVertex[p + 1] - 1`.
 */
export class MapFile {
  readonly features: number;
  readonly firstPart: Uint32Array;
  readonly lastPart: Uint32Array;
  readonly firstAttribute: Uint32Array;
  readonly lastAttribute: Uint32Array;
  readonly firstVertex: Uint32Array;
  readonly attributes: Uint32Array;
  readonly x: Int32Array;
  readonly y: Int32Array;
  /** Position in `LAYERS`, `POINT` to `POLYGON`, first zoom, order of painting (+128). */
  readonly layer: Uint8Array;
  readonly type: Uint8Array;
  readonly minZoom: Uint8Array;
  readonly order: Uint8Array;
  /** The zoom from which a vertex is needed. */
  readonly vertexZoom: Uint8Array;
  readonly pairs: readonly (readonly [string, Attribute])[];

  private constructor(buffer: ArrayBuffer) {
    const [magic, version, features, parts, vertices, attributes, textLength] = new Uint32Array(
      buffer,
      0,
      HEADER,
    ) as unknown as [number, number, number, number, number, number, number];
    if (magic !== MAGIC) throw new Error('These bytes are not a map file.');
    if (version !== VERSION) throw new Error(`Map file v${version} found, v${VERSION} expected.`);
    this.features = features;
    let at = HEADER * 4;
    const words = (length: number) => new Uint32Array(buffer, (at += length * 4) - length * 4, length);
    const integers = (length: number) => new Int32Array(buffer, (at += length * 4) - length * 4, length);
    const bytes = (length: number) => new Uint8Array(buffer, (at += length) - length, length);
    this.firstPart = words(features);
    this.lastPart = words(features);
    this.firstAttribute = words(features);
    this.lastAttribute = words(features);
    this.firstVertex = words(parts + 1);
    this.attributes = words(attributes);
    this.x = integers(vertices);
    this.y = integers(vertices);
    this.layer = bytes(features);
    this.type = bytes(features);
    this.minZoom = bytes(features);
    this.order = bytes(features);
    this.vertexZoom = bytes(vertices);
    this.pairs = JSON.parse(new TextDecoder().decode(bytes(textLength))) as [string, Attribute][];
  }

  static from(buffer: ArrayBuffer): MapFile {
    return new MapFile(buffer);
  }
}

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

  finish(): Uint8Array[] {
    const features = this.features;
    const parts = this.#partEnd.length;
    const vertices = this.#x.length;
    const layer = this.#layer.values;
    const order = this.#order.values;
    const painted = Uint32Array.from({ length: features }, (_, f) => f);
    painted.sort((a, b) => layer[a]! - layer[b]! || order[a]! - order[b]! || a - b);

    const firstVertex = new Uint32Array(parts + 1);
    firstVertex.set(this.#partEnd.values.subarray(0, parts), 1);
    const zooms = new Uint8Array(vertices);
    for (let p = 0; p < parts; p++)
      vertexZooms(this.#x.values, this.#y.values, firstVertex[p]!, firstVertex[p + 1]!, zooms);

    const text = Buffer.from(JSON.stringify(this.#pairs));
    const before = (ends: Uint32Array) => painted.map((f) => (f === 0 ? 0 : ends[f - 1]!));
    const byte = (values: Uint8Array) => {
      const bytes = new Uint8Array(features);
      for (let i = 0; i < features; i++) bytes[i] = values[painted[i]!]!;
      return bytes;
    };
    const words: (Uint32Array | Int32Array)[] = [
      Uint32Array.of(MAGIC, VERSION, features, parts, vertices, this.#attributes.length, text.length, 0),
      before(this.#lastPart.values),
      painted.map((f) => this.#lastPart.values[f]!),
      before(this.#lastAttribute.values),
      painted.map((f) => this.#lastAttribute.values[f]!),
      firstVertex,
      this.#attributes.values.subarray(0, this.#attributes.length),
      this.#x.values.subarray(0, vertices),
      this.#y.values.subarray(0, vertices),
    ];
    return [
      ...words.map((array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)),
      byte(layer),
      byte(this.#type.values),
      byte(this.#minZoom.values),
      byte(order),
      zooms,
      text,
    ];
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
