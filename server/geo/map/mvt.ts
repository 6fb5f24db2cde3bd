import { PbfWriter } from 'pbf';

/** The input of a tile's layer; https://github.com/mapbox/vector-tile-spec/tree/master/2.1 */
export interface TileFeature {
  /** 1 points, 2 lines, 3 polygons */
  readonly type: number;
  /** Each part x, y, x, y… in tile units; rings without their last vertex repeated. */
  readonly parts: readonly (readonly number[])[];
  /** Numbers of (key, value) pairs. */
  readonly attributes: readonly number[];
}

export type Value = string | number | boolean;
export const EXTENT = 4096;

/** Writes one layer; `pairOf` gives the meaning of the attributes' numbers. */
export function writeLayer(
  tile: PbfWriter,
  name: string,
  features: readonly TileFeature[],
  pairOf: (attribute: number) => readonly [string, Value],
): void {
  const keys = new Numbering<string>();
  const values = new Numbering<Value>();
  const tags = new Map<number, readonly [number, number]>();
  tile.writeMessage(
    3,
    (_, layer) => {
      layer.writeVarintField(15, 2);
      layer.writeStringField(1, name);
      for (const feature of features) {
        layer.writeMessage(2, writeFeature, { feature, tags: feature.attributes.flatMap((pair) => tagOf(pair)) });
      }
      for (const key of keys.items) writeText(3, key, layer);
      for (const value of values.items) layer.writeMessage(4, writeValue, value);
      layer.writeVarintField(5, EXTENT);
    },
    undefined,
  );

  function tagOf(pair: number): readonly [number, number] {
    let tag = tags.get(pair);
    if (tag === undefined) {
      const [key, value] = pairOf(pair);
      tags.set(pair, (tag = [keys.number(key), values.number(value)]));
    }
    return tag;
  }
}

function writeFeature({ feature, tags }: { feature: TileFeature; tags: readonly number[] }, pbf: PbfWriter): void {
  pbf.writePackedVarint(2, tags as number[]);
  pbf.writeVarintField(3, feature.type);
  pbf.writePackedVarint(4, commands(feature));
}

const MOVE = 1;
const LINE = 2;
const CLOSE = 7;

function commands({ type, parts }: TileFeature): number[] {
  const out: number[] = [];
  let x = 0;
  let y = 0;
  const put = (part: readonly number[], i: number) => {
    out.push(zigzag(part[i]! - x), zigzag(part[i + 1]! - y));
    x = part[i]!;
    y = part[i + 1]!;
  };
  if (type === 1) out.push(MOVE | (parts.length << 3));
  for (const part of parts) {
    if (type === 1) {
      put(part, 0);
      continue;
    }
    out.push(MOVE | (1 << 3));
    put(part, 0);
    out.push(LINE | ((part.length / 2 - 1) << 3));
    for (let i = 2; i < part.length; i += 2) put(part, i);
    if (type === 3) out.push(CLOSE | (1 << 3));
  }
  return out;
}

function zigzag(value: number): number {
  return ((value << 1) ^ (value >> 31)) >>> 0;
}

function writeValue(value: Value, pbf: PbfWriter): void {
  if (typeof value === 'string') writeText(1, value, pbf);
  else if (typeof value === 'boolean') pbf.writeBooleanField(7, value);
  else if (!Number.isSafeInteger(value)) pbf.writeDoubleField(3, value);
  else if (value < 0) pbf.writeSVarintField(6, value);
  else pbf.writeVarintField(5, value);
}

/**
 * The library's own `writeStringField` corrupts letters beyond U+1FFFF (pbf 5.1.2), which Chinese names
 * contain.
 */
function writeText(field: number, text: string, pbf: PbfWriter): void {
  pbf.writeBytesField(field, Buffer.from(text));
}

class Numbering<T> {
  readonly items: T[] = [];
  readonly #numbers = new Map<T, number>();

  number(thing: T): number {
    let number = this.#numbers.get(thing);
    if (number === undefined) this.#numbers.set(thing, (number = this.items.push(thing) - 1));
    return number;
  }
}
