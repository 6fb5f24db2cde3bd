/**
 * Vector tiles of the territory (Mapbox Vector Tile 2.1), cut in a worker when they are asked for and kept
 * for a while.
 */
export interface MapTiles {
  /**
   * Gzipped MVT; undefined where the territory has nothing, and when none is loaded (also beyond `maxZoom`:
   * clients overzoom).
   */
  tile(z: number, x: number, y: number): Promise<Uint8Array | undefined>;
  readonly maxZoom: number;
  /**
   * Changes with the territory and begins with the time of its import, epoch ms; empty when there is none.
   */
  readonly version: string;
  /** Goes over to another territory; tiles under way are answered from the old one. Undefined: none. */
  open(directory: string | undefined): Promise<void>;
  close(): Promise<void>;
}
