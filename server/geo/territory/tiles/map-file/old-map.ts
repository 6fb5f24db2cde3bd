import { LAYERS } from '../layers.ts';
import type { Attribute } from '../layers.ts';
import { MapFileBuilder } from './map-file.ts';

/** Map files of version 1, which had to be in memory completely, as files of the version in use. */
export const OLD_VERSION = 1;
const HEADER = 8;

export function fromOldMap(buffer: ArrayBuffer): Uint8Array {
  const [, , features, parts, vertices, attributes, textLength] = new Uint32Array(
    buffer,
    0,
    HEADER,
  ) as unknown as number[] as [number, number, number, number, number, number, number];
  let at = HEADER * 4;
  const words = (length: number) => new Uint32Array(buffer, (at += length * 4) - length * 4, length);
  const integers = (length: number) => new Int32Array(buffer, (at += length * 4) - length * 4, length);
  const bytes = (length: number) => new Uint8Array(buffer, (at += length) - length, length);
  const firstPart = words(features);
  const lastPart = words(features);
  const firstAttribute = words(features);
  const lastAttribute = words(features);
  const firstVertex = words(parts + 1);
  const pairOf = words(attributes);
  const [x, y] = [integers(vertices), integers(vertices)];
  const [layer, type, minZoom, order] = [bytes(features), bytes(features), bytes(features), bytes(features)];
  bytes(vertices);
  const pairs = JSON.parse(new TextDecoder().decode(bytes(textLength))) as [string, Attribute][];

  const builder = new MapFileBuilder();
  for (let f = 0; f < features; f++) {
    for (let p = firstPart[f]!; p < lastPart[f]!; p++) {
      for (let v = firstVertex[p]!; v < firstVertex[p + 1]!; v++) builder.vertex(x[v]!, y[v]!);
      builder.endPart();
    }
    builder.endFeature(type[f]!, {
      layer: LAYERS[layer[f]!]!,
      minZoom: minZoom[f]!,
      order: order[f]! - 128,
      attributes: Array.from(pairOf.subarray(firstAttribute[f]!, lastAttribute[f]!), (pair) => pairs[pair]!),
    });
  }
  return Buffer.concat([...builder.finish()]);
}
