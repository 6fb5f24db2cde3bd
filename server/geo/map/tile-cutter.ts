import { PbfWriter } from 'pbf';
import { LAYERS, LINE, MapFile, MAX_ZOOM, POINT, type ReadFeature } from '../territory/tiles/index.ts';
import { clipLine, clipRing } from './clip.ts';
import { EXTENT, writeLayer } from './mvt.ts';
import type { TileFeature } from './mvt.ts';
import { detailZooms } from './detail.ts';

/** Tile units drawn beyond a tile, so that wide lines and their ends show no seams between tiles. */
const BUFFER = 64;
/** Tile units: half a pixel. Smaller features and holes are invisible. */
const SMALLEST = 8;

/** Cuts tiles out of a map file. */
export class TileCutter {
  readonly #map: MapFile;
  readonly #detail: readonly Uint8Array[];

  constructor(map: MapFile) {
    this.#map = map;
    this.#detail = LAYERS.map((layer) => detailZooms(layer, map.keys));
  }

  /** An MVT, uncompressed; undefined when there is nothing to draw. */
  cut(z: number, tileX: number, tileY: number): Uint8Array | undefined {
    const found = this.#find(z, tileX, tileY);
    if (found.length === 0) return undefined;
    const tile = new PbfWriter();
    const layers: TileFeature[][] = LAYERS.map(() => []);
    const merged = new Map<string, TileFeature & { parts: (readonly number[])[] }>();
    for (const f of found) {
      const parts = cutParts(f, z, tileX, tileY);
      if (parts.length === 0) continue;
      const feature = { type: f.type, parts, attributes: this.#attributes(f, z) };
      // At low zooms there are thousands of similar pieces: one feature is drawn much faster than many.
      const key =
        z < MAX_ZOOM - 1 && feature.type !== POINT ? `${f.layer} ${f.order} ${feature.attributes.join()}` : undefined;
      const same = key === undefined ? undefined : merged.get(key);
      if (same !== undefined) {
        for (const part of parts) same.parts.push(part);
        continue;
      }
      if (key !== undefined) merged.set(key, feature);
      layers[f.layer]!.push(feature);
    }
    layers.forEach((features, l) => {
      if (features.length > 0) writeLayer(tile, LAYERS[l]!, features, (pair) => this.#map.pair(pair));
    });
    const bytes = tile.finish();
    return bytes.length > 0 ? bytes : undefined;
  }

  /** Features that may touch the tile, in the order of painting. */
  #find(z: number, tileX: number, tileY: number): ReadFeature[] {
    const size = 2 ** (31 - z);
    const margin = (size * BUFFER) / EXTENT;
    return this.#map.featuresIn(z, [
      tileX * size - margin,
      tileY * size - margin,
      (tileX + 1) * size + margin,
      (tileY + 1) * size + margin,
    ]);
  }

  #attributes({ attributes, layer }: ReadFeature, z: number): number[] {
    const from = this.#detail[layer]!;
    return Array.from(attributes).filter((pair) => from[this.#map.keyOf(pair)]! <= z);
  }
}

/** The feature's lines or rings in tile units, simplified for this zoom and clipped to the tile. */
function cutParts(f: ReadFeature, z: number, tileX: number, tileY: number): number[][] {
  const parts: number[][] = [];
  for (const [p, part] of f.parts.entries()) {
    const line = project(part, z, tileX, tileY, f.type === POINT);
    if (f.type === POINT) {
      if (within(line, 0, EXTENT - 1)) parts.push(line);
    } else if (f.type === LINE) {
      if (extent(line) < SMALLEST && z < MAX_ZOOM) continue;
      for (const piece of clipLine(line, -BUFFER, EXTENT + BUFFER)) {
        const tidy = withoutRepeats(piece, false);
        if (tidy.length >= 4) parts.push(tidy);
      }
    } else {
      const ring =
        extent(line) < SMALLEST && z < MAX_ZOOM ? [] : withoutRepeats(clipRing(line, -BUFFER, EXTENT + BUFFER), true);
      // Rounding may have reversed a sliver; a removed outer ring takes its holes with it.
      const area = ringArea2(ring);
      if (ring.length >= 6 && (p === 0 ? area > 0 : area < 0)) parts.push(ring);
      else if (p === 0) break;
    }
  }
  return parts;
}

function project(part: readonly number[], z: number, tileX: number, tileY: number, point: boolean): number[] {
  const size = 2 ** (31 - z);
  const scale = EXTENT / size;
  const left = tileX * size,
    top = tileY * size;
  const line: number[] = [];
  for (let v = 0; v < part.length; v += 2) {
    const tx = Math.round((part[v]! - left) * scale),
      ty = Math.round((part[v + 1]! - top) * scale);
    if (!point && line.length > 0 && line[line.length - 2] === tx && line[line.length - 1] === ty) continue;
    line.push(tx, ty);
  }
  return line;
}

function within([x, y]: readonly number[], low: number, high: number): boolean {
  return x! >= low && x! <= high && y! >= low && y! <= high;
}

/** The larger extent of a line. */
function extent(line: readonly number[]): number {
  let west = Infinity,
    north = Infinity,
    east = -Infinity,
    south = -Infinity;
  for (let i = 0; i < line.length; i += 2) {
    west = Math.min(west, line[i]!);
    east = Math.max(east, line[i]!);
    north = Math.min(north, line[i + 1]!);
    south = Math.max(south, line[i + 1]!);
  }
  return Math.max(east - west, south - north);
}

function withoutRepeats(line: readonly number[], closed: boolean): number[] {
  const tidy: number[] = [];
  for (let i = 0; i < line.length; i += 2) {
    if (tidy.length > 0 && tidy[tidy.length - 2] === line[i] && tidy[tidy.length - 1] === line[i + 1]) continue;
    tidy.push(line[i]!, line[i + 1]!);
  }
  if (closed && tidy.length > 2 && tidy[0] === tidy[tidy.length - 2] && tidy[1] === tidy[tidy.length - 1])
    tidy.length -= 2;
  return tidy;
}

function ringArea2(ring: readonly number[]): number {
  let sum = 0;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2)
    sum += ring[j]! * ring[i + 1]! - ring[i]! * ring[j + 1]!;
  return sum;
}
