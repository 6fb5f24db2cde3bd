import { basename } from 'node:path';
import { MAX_ZOOM } from '../territory/tiles/index.ts';
import type { MapTiles } from './types.ts';
import { TileCache } from './tile-cache.ts';
import { TileThread } from './tile-thread.ts';

export type { MapTiles } from './types.ts';
export { RasterLayers, type RasterLayer } from './rasters/raster-layers.ts';
export { staticPicture, type PictureView } from './picture/index.ts';

/** About 5,000 tiles of a town. A control room views the same streets all day. */
const CACHE_BYTES = 64 * 1024 * 1024;

/**
 * The map is empty until `open`.
 * @param warn receives log lines about failures of the tile thread
 */
export function startMap(warn: (message: string) => void = () => {}): MapTiles {
  return new CachedTiles(warn);
}

class CachedTiles implements MapTiles {
  readonly maxZoom = MAX_ZOOM;
  readonly #thread: TileThread;
  readonly #cache = new TileCache(CACHE_BYTES);
  /** Pending tiles, so that consoles that open at once share one cut. */
  readonly #cutting = new Map<string, Promise<Uint8Array | undefined>>();
  #directory: string | undefined;

  constructor(warn: (message: string) => void) {
    this.#thread = new TileThread(warn);
  }

  get version(): string {
    return this.#directory === undefined ? '' : basename(this.#directory);
  }

  async tile(z: number, x: number, y: number): Promise<Uint8Array | undefined> {
    if (this.#directory === undefined || z > MAX_ZOOM) return undefined;
    const key = `${this.version}/${z}/${x}/${y}`;
    if (this.#cache.has(key)) return this.#cache.get(key);
    let cutting = this.#cutting.get(key);
    if (cutting === undefined) {
      cutting = this.#thread
        .tile(z, x, y)
        .then((tile) => {
          this.#cache.put(key, tile);
          return tile;
        })
        .finally(() => this.#cutting.delete(key));
      this.#cutting.set(key, cutting);
    }
    return cutting;
  }

  async open(directory: string | undefined): Promise<void> {
    await this.#thread.open(directory);
    this.#directory = directory;
    this.#cache.clear();
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
