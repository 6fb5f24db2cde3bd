import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { LabelFonts } from './labels/label-fonts.ts';
import { joinStreets } from './labels/join-lines.ts';
import { levelOf } from './road-style.ts';
import type { Bbox, Feature, TileSource, Zxy } from 'protomaps-leaflet';

type Tile = Map<string, Feature[]>;
const AGAIN_MS = 2_000;
const TRIES = 3;

/**
 * The station's vector tiles (server/geo/map/README.md). A tile that the territory does not have is empty; one
 * that could not be had is asked for again.
 */
export class TerritoryTiles implements TileSource {
  private readonly fonts: LabelFonts;
  private readonly version: string;
  private readonly path: string;

  /**
   * @param fonts a tile comes when these have its letters
   * @param path where tiles are served: users and crews have their own
   */
  constructor(fonts: LabelFonts, version: string, path = '/tiles') {
    this.fonts = fonts;
    this.version = version;
    this.path = path;
  }

  async get({ z, x, y }: Zxy, tileSize: number): Promise<Tile> {
    for (let tries = 1; ; tries++) {
      const response = await fetch(`${this.path}/${z}/${x}/${y}.mvt?territory=${this.version}`).catch(() => undefined);
      if (response?.status === 200) {
        const tile = parse(new Uint8Array(await response.arrayBuffer()), tileSize);
        await this.fonts.ready([...tile.values()].flat());
        return tile;
      }
      if ((response && response.status < 500) || tries === TRIES) return new Map();
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

function parse(bytes: Uint8Array, tileSize: number): Tile {
  const tile: Tile = new Map();
  for (const [name, layer] of Object.entries(new VectorTile(new PbfReader(bytes)).layers)) {
    const scale = tileSize / layer.extent;
    tile.set(
      name,
      Array.from({ length: layer.length }, (_, index) => featureOf(layer.feature(index), scale)),
    );
  }
  sortRoads(tile);
  return tile;
}

/** Roads and rails by level, for painting; and roads joined by name and by number, for labels. */
function sortRoads(tile: Tile): void {
  const roads = tile.get('road') ?? [];
  for (const [name, lines] of [
    ['road', roads],
    ['rail', tile.get('rail') ?? []],
  ] as const) {
    for (const line of lines) {
      const level = `${name} ${levelOf(line)}`;
      const there = tile.get(level);
      if (there) there.push(line);
      else tile.set(level, [line]);
    }
  }
  const streets = joinStreets(roads, ({ props }) => props['name'] as string | undefined);
  // Short streets first: a long one has more places for its name.
  streets.sort((a, b) => Number(a.props['length']) - Number(b.props['length']));
  tile.set('street', streets);
  tile.set(
    'numbered road',
    joinStreets(roads, ({ props }) => props['ref'] as string | undefined),
  );
}

/** Geometry in pixels of the tile, which spares scaling it at every drawing. */
function featureOf(feature: VectorTileFeature, scale: number): Feature {
  const geom = feature.loadGeometry();
  const bbox: Bbox = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  let numVertices = 0;
  for (const line of geom) {
    numVertices += line.length;
    for (const point of line) {
      point.x *= scale;
      point.y *= scale;
      if (point.x < bbox.minX) bbox.minX = point.x;
      if (point.y < bbox.minY) bbox.minY = point.y;
      if (point.x > bbox.maxX) bbox.maxX = point.x;
      if (point.y > bbox.maxY) bbox.maxY = point.y;
    }
  }
  return { geom, bbox, numVertices, geomType: feature.type as number, props: feature.properties } as Feature;
}
