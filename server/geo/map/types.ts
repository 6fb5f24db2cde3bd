/**
 * Vector tiles of the territory (Mapbox Vector Tile 2.1), cut on demand in a worker and cached.
 */
export interface MapTiles {
  /**
   * Gzipped MVT. Undefined where the territory has nothing, without a territory, and beyond `maxZoom`
   * (clients overzoom).
   */
  tile(z: number, x: number, y: number): Promise<Uint8Array | undefined>;
  readonly maxZoom: number;
  /**
   * Changes with the territory. Begins with the time of its import (epoch ms); empty without a territory.
   */
  readonly version: string;
  /** Switches to another territory. Pending tiles are cut from the old one. Undefined: none. */
  open(directory: string | undefined): Promise<void>;
  close(): Promise<void>;
}
