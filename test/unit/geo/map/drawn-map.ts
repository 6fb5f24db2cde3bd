import { VectorTile } from '@mapbox/vector-tile';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PbfReader } from 'pbf';
import { TileCutter } from '../../../../server/geo/map/tile-cutter.ts';
import { TERRITORY_FILES } from '../../../../server/geo/territory/index.ts';
import type { ExtractBuilder } from '../../../../server/geo/territory/index.ts';
import { MapFile, makeTiles } from '../../../../server/geo/territory/tiles/index.ts';
import type { OsmExtract, Tags } from '../../../../server/geo/territory/extract/extract.ts';
import { afterFile } from '../../../support/after-file.ts';

let drawn = 0;

/** A directory with the map made of an extract, as an import leaves it. */
export async function mapDirectory(extract: OsmExtract): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), 'waypost-map-'));
  afterFile(() => rmSync(scratch, { recursive: true, force: true }));
  const directory = join(scratch, `${1_700_000_000_000 + drawn++}-0`);
  mkdirSync(directory);
  await makeTiles(extract, directory, () => {});
  return directory;
}

export async function mapOf(extract: OsmExtract): Promise<MapFile> {
  return MapFile.open(join(await mapDirectory(extract), TERRITORY_FILES.tiles));
}

export interface Seen {
  layer: string;
  type: number;
  props: Record<string, string | number | boolean>;
  /** Rings, lines or points in tile units. */
  geometry: { x: number; y: number }[][];
}

/** What a tile holds, read by Mapbox's own reader. */
export function readTile(bytes: Uint8Array | undefined): Seen[] {
  if (bytes === undefined) return [];
  const tile = new VectorTile(new PbfReader(bytes));
  return Object.entries(tile.layers).flatMap(([layer, content]) =>
    Array.from({ length: content.length }, (_, i) => {
      const feature = content.feature(i);
      return {
        layer,
        type: feature.type,
        props: feature.properties as Seen['props'],
        geometry: feature.loadGeometry().map((part) => part.map(({ x, y }) => ({ x, y }))),
      };
    }),
  );
}

/** The tile that holds a point. */
export function tileAt(z: number, lon: number, lat: number): [z: number, x: number, y: number] {
  const sin = Math.sin((lat * Math.PI) / 180);
  return [
    z,
    Math.floor((lon / 360 + 0.5) * 2 ** z),
    Math.floor((0.5 - (0.25 * Math.log((1 + sin) / (1 - sin))) / Math.PI) * 2 ** z),
  ];
}

export const CENTRE = { lon: 10.005, lat: 50.005 };
/** Metres from the middle of the drawing, to the east and to the north. */
export function at(east: number, north: number): [lat: number, lon: number] {
  return [CENTRE.lat + north / 111_195, CENTRE.lon + east / (111_195 * Math.cos((CENTRE.lat * Math.PI) / 180))];
}

let nextId = 1;
/** Draws a way through points in metres; a ring when it ends where it began. Returns its id. */
export function draw(builder: ExtractBuilder, points: [number, number][], tags: Tags): number {
  const ids = points.map(() => nextId++);
  const closed = points.length > 3 && points[0]!.join() === points.at(-1)!.join();
  if (closed) ids[ids.length - 1] = ids[0]!;
  points.slice(0, closed ? -1 : undefined).forEach(([east, north], i) => builder.node(ids[i]!, ...at(east, north)));
  builder.way(nextId, ids, tags);
  return nextId++;
}

export function square(east: number, north: number, side: number): [number, number][] {
  return [
    [east, north],
    [east + side, north],
    [east + side, north + side],
    [east, north + side],
    [east, north],
  ];
}

/** Looks at the tile in the middle of the drawing. */
export async function look(builder: ExtractBuilder, z = 15): Promise<Seen[]> {
  return readTile(new TileCutter(await mapOf(builder.build())).cut(...tileAt(z, CENTRE.lon, CENTRE.lat)));
}
