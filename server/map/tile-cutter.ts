import Flatbush from 'flatbush';
import { PbfWriter } from 'pbf';
import { LAYERS, LINE, MapFile, MAX_ZOOM, POINT } from '../territory/tiles/index.ts';
import { clipLine, clipRing } from './clip.ts';
import { EXTENT, writeLayer } from './mvt.ts';
import type { TileFeature } from './mvt.ts';
import { detailZooms } from './detail.ts';

/** Tile units drawn beyond a tile, so that wide lines and their ends show no seams between tiles. */
const BUFFER = 64;
/** Tile units: half a pixel. Smaller features and holes are invisible. */
const SMALLEST = 8;

/** Cuts tiles out of a map file. One `MapFile` per territory; a cutter keeps indexes over it. */
export class TileCutter {
  readonly #map: MapFile;
  readonly #indexes: readonly { readonly minZoom: number; readonly features: Uint32Array; readonly index: Flatbush }[];
  readonly #detail: readonly Uint8Array[];

  constructor(map: MapFile) {
    this.#map = map;
    this.#indexes = indexByZoom(map);
    this.#detail = LAYERS.map((layer) => detailZooms(layer, map.pairs));
  }

  /** An MVT, uncompressed; undefined when there is nothing to draw. */
  cut(z: number, tileX: number, tileY: number): Uint8Array | undefined {
    const found = this.#find(z, tileX, tileY);
    if (found.length === 0) return undefined;
    const tile = new PbfWriter();
    const layers: TileFeature[][] = LAYERS.map(() => []);
    const merged = new Map<string, TileFeature & { parts: (readonly number[])[] }>();
    for (const f of found) {
      const parts = this.#parts(f, z, tileX, tileY);
      if (parts.length === 0) continue;
      const feature = { type: this.#map.type[f]!, parts, attributes: this.#attributes(f, z) };
      // At low zooms there are thousands of similar pieces: one feature is drawn much faster than many.
      const key =
        z < MAX_ZOOM - 1 && feature.type !== POINT
          ? `${this.#map.layer[f]} ${this.#map.order[f]} ${feature.attributes.join()}`
          : undefined;
      const same = key === undefined ? undefined : merged.get(key);
      if (same !== undefined) {
        for (const part of parts) same.parts.push(part);
        continue;
      }
      if (key !== undefined) merged.set(key, feature);
      layers[this.#map.layer[f]!]!.push(feature);
    }
    layers.forEach((features, l) => {
      if (features.length > 0) writeLayer(tile, LAYERS[l]!, features, this.#map.pairs);
    });
    const bytes = tile.finish();
    return bytes.length > 0 ? bytes : undefined;
  }

  /** Features that may touch the tile, in the order of painting. */
  #find(z: number, tileX: number, tileY: number): Uint32Array {
    const size = 2 ** (31 - z);
    const margin = (size * BUFFER) / EXTENT;
    const west = tileX * size - margin,
      north = tileY * size - margin,
      east = (tileX + 1) * size + margin,
      south = (tileY + 1) * size + margin;
    const found: number[] = [];
    for (const { minZoom, features, index } of this.#indexes) {
      if (minZoom > z) break;
      for (const i of index.search(west, north, east, south)) found.push(features[i]!);
    }
    return Uint32Array.from(found).sort();
  }

  #attributes(f: number, z: number): number[] {
    const { firstAttribute, lastAttribute, attributes, layer } = this.#map;
    const from = this.#detail[layer[f]!]!;
    const kept: number[] = [];
    for (let a = firstAttribute[f]!; a < lastAttribute[f]!; a++)
      if (from[attributes[a]!]! <= z) kept.push(attributes[a]!);
    return kept;
  }

  /** The feature's lines or rings in tile units, simplified for this zoom and clipped to the tile. */
  #parts(f: number, z: number, tileX: number, tileY: number): number[][] {
    const { firstPart, lastPart, type } = this.#map;
    const parts: number[][] = [];
    for (let p = firstPart[f]!; p < lastPart[f]!; p++) {
      const line = this.#project(p, z, tileX, tileY, type[f] === POINT);
      if (type[f] === POINT) {
        if (within(line, 0, EXTENT - 1)) parts.push(line);
      } else if (type[f] === LINE) {
        if (extent(line) < SMALLEST && z < MAX_ZOOM) continue;
        for (const piece of clipLine(line, -BUFFER, EXTENT + BUFFER)) {
          const tidy = withoutRepeats(piece, false);
          if (tidy.length >= 4) parts.push(tidy);
        }
      } else {
        const outer = p === firstPart[f]!;
        const ring =
          extent(line) < SMALLEST && z < MAX_ZOOM ? [] : withoutRepeats(clipRing(line, -BUFFER, EXTENT + BUFFER), true);
        // Rounding may have reversed a sliver; a removed outer ring takes its holes with it.
        const area = ringArea2(ring);
        if (ring.length >= 6 && (outer ? area > 0 : area < 0)) parts.push(ring);
        else if (outer) break;
      }
    }
    return parts;
  }

  #project(p: number, z: number, tileX: number, tileY: number, point: boolean): number[] {
    const { firstVertex, x, y, vertexZoom } = this.#map;
    const size = 2 ** (31 - z);
    const scale = EXTENT / size;
    const left = tileX * size,
      top = tileY * size;
    const line: number[] = [];
    for (let v = firstVertex[p]!; v < firstVertex[p + 1]!; v++) {
      if (vertexZoom[v]! > z) continue;
      const tx = Math.round((x[v]! - left) * scale),
        ty = Math.round((y[v]! - top) * scale);
      if (!point && line.length > 0 && line[line.length - 2] === tx && line[line.length - 1] === ty) continue;
      line.push(tx, ty);
    }
    return line;
  }
}

/**
 * Features by the zoom at which they appear, each with its own index, so that low zooms do not read every
 * house.
 */
function indexByZoom(map: MapFile) {
  const byZoom: number[][] = Array.from({ length: MAX_ZOOM + 1 }, () => []);
  for (let f = 0; f < map.features; f++) byZoom[Math.min(map.minZoom[f]!, MAX_ZOOM)]!.push(f);
  return byZoom.flatMap((features, minZoom) => {
    if (features.length === 0) return [];
    const index = new Flatbush(features.length, 16, Int32Array);
    for (const f of features) {
      let west = Infinity,
        north = Infinity,
        east = -Infinity,
        south = -Infinity;
      for (let v = map.firstVertex[map.firstPart[f]!]!; v < map.firstVertex[map.lastPart[f]!]!; v++) {
        const x = map.x[v]!,
          y = map.y[v]!;
        if (x < west) west = x;
        if (x > east) east = x;
        if (y < north) north = y;
        if (y > south) south = y;
      }
      index.add(west, north, east, south);
    }
    index.finish();
    return [{ minZoom, features: Uint32Array.from(features), index }];
  });
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
