import { PbfReader, PbfWriter } from 'pbf';

/**
 * The map file: magic and version; blocks of features; values of attributes as JSON; the tables of values and
 * of blocks; the names of keys; and at the end the lengths of these parts (`FOOTER_WORDS`). Features are
 * grouped by the zoom at which they appear, in the order of a Hilbert curve, so that a tile reads few blocks.
 */
export const MAGIC = 0x3150414d; // MAP1
export const MAP_VERSION = 2;
export const HEADER = new Uint8Array(Uint32Array.of(MAGIC, MAP_VERSION).buffer);

/** 64-bit numbers: values from, bytes of values, number of values, of blocks, bytes of keys, magic. */
export const FOOTER_WORDS = 6;
/** Bytes of a block in the table: offset (f64), length, west, north, east, south, zoom. */
export const BLOCK_ROW = 32;

/** A feature in a block, in world units. */
export interface StoredFeature {
  /** Its place in the order of painting. */
  readonly rank: number;
  /** Position in `LAYERS`. */
  readonly layer: number;
  /** The order of painting within the layer, +128. */
  readonly order: number;
  /** `POINT` to `POLYGON` */
  readonly type: number;
  /** Numbers of (key, value) pairs. */
  readonly attributes: ArrayLike<number>;
}

/** A feature as it is read: its lines or rings, x, y, x, y…, without vertices that the zoom does not need. */
export interface ReadFeature extends StoredFeature {
  readonly parts: readonly (readonly number[])[];
}

/**
 * Writes the features of one block. Each begins with its box, so that a reader skips unneeded ones; boxes and
 * vertices are differences to the previous ones.
 */
export class BlockWriter {
  features = 0;
  west = Infinity;
  north = Infinity;
  east = -Infinity;
  south = -Infinity;
  #block = new PbfWriter();
  #lastWest = 0;
  #lastNorth = 0;
  readonly #pair: (pair: number) => number;

  /** @param pair the number that an attribute has in the file */
  constructor(pair: (pair: number) => number) {
    this.#pair = pair;
  }

  get bytes(): number {
    return this.#block.pos;
  }

  add(
    { rank, layer, order, type, attributes }: StoredFeature,
    parts: readonly (readonly [first: number, end: number])[],
    x: Int32Array,
    y: Int32Array,
    zooms: Uint8Array,
  ): void {
    let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let v = parts[0]![0]; v < parts.at(-1)![1]; v++) {
      west = Math.min(west, x[v]!);
      east = Math.max(east, x[v]!);
      north = Math.min(north, y[v]!);
      south = Math.max(south, y[v]!);
    }
    const body = new PbfWriter();
    body.writeVarint(rank);
    body.writeVarint(layer * 4 + type);
    body.writeVarint(order);
    body.writeVarint(attributes.length);
    for (let a = 0; a < attributes.length; a++) body.writeVarint(this.#pair(attributes[a]!));
    body.writeVarint(parts.length);
    let [lastX, lastY] = [west, north];
    for (const [first, end] of parts) {
      body.writeVarint(end - first);
      for (let v = first; v < end; v++) {
        body.writeVarint(zooms[v]!);
        body.writeSVarint(x[v]! - lastX);
        body.writeSVarint(y[v]! - lastY);
        [lastX, lastY] = [x[v]!, y[v]!];
      }
    }
    const bytes = body.finish();
    this.#block.writeSVarint(west - this.#lastWest);
    this.#block.writeSVarint(north - this.#lastNorth);
    this.#block.writeVarint(east - west);
    this.#block.writeVarint(south - north);
    this.#block.writeBytes(bytes);
    [this.#lastWest, this.#lastNorth] = [west, north];
    this.#widen(west, north, east, south);
    this.features++;
  }

  /** The bytes of the block; the next feature begins another one. */
  finish(): Uint8Array {
    const bytes = this.#block.finish();
    this.#block = new PbfWriter();
    this.features = 0;
    [this.#lastWest, this.#lastNorth] = [0, 0];
    [this.west, this.north, this.east, this.south] = [Infinity, Infinity, -Infinity, -Infinity];
    return bytes;
  }

  #widen(west: number, north: number, east: number, south: number): void {
    this.west = Math.min(this.west, west);
    this.north = Math.min(this.north, north);
    this.east = Math.max(this.east, east);
    this.south = Math.max(this.south, south);
  }
}

/** Features of a block that touch a box, with the vertices that a zoom needs. */
export function readBlock(
  bytes: Uint8Array,
  zoom: number,
  [west, north, east, south]: readonly [number, number, number, number],
): ReadFeature[] {
  const pbf = new PbfReader(bytes);
  const found: ReadFeature[] = [];
  let x = 0;
  let y = 0;
  while (pbf.pos < bytes.length) {
    x += pbf.readSVarint();
    y += pbf.readSVarint();
    const right = x + pbf.readVarint();
    const bottom = y + pbf.readVarint();
    const length = pbf.readVarint();
    const end = pbf.pos + length;
    if (!(end <= bytes.length)) throw new Error('The map file is damaged: import the territory again.');
    if (x <= east && right >= west && y <= south && bottom >= north) found.push(readFeature(pbf, x, y, zoom, end));
    pbf.pos = end;
  }
  return found;
}

function readFeature(pbf: PbfReader, x: number, y: number, zoom: number, end: number): ReadFeature {
  const rank = pbf.readVarint();
  const kind = pbf.readVarint();
  const order = pbf.readVarint();
  const attributes = new Array<number>(count(pbf, end));
  for (let a = 0; a < attributes.length; a++) attributes[a] = pbf.readVarint();
  const parts: number[][] = [];
  for (let left = count(pbf, end); left > 0; left--) {
    const part: number[] = [];
    for (let vertices = count(pbf, end); vertices > 0; vertices--) {
      const from = pbf.readVarint();
      x += pbf.readSVarint();
      y += pbf.readSVarint();
      if (from <= zoom) part.push(x, y);
    }
    parts.push(part);
  }
  return { rank, layer: kind >> 2, order, type: kind & 3, attributes, parts };
}

/** How many items follow, of a byte each at least: damage must not make it endless. */
function count(pbf: PbfReader, end: number): number {
  const items = pbf.readVarint();
  if (!(items <= end - pbf.pos)) throw new Error('The map file is damaged: import the territory again.');
  return items;
}
