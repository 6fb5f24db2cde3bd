/** Vector tiles of the territory (Mapbox Vector Tile 2.1), cut in a worker when they are asked for and kept for a while. */
export interface MapTiles {
  /** Gzipped MVT; undefined where the territory has nothing (also beyond `maxZoom`: clients overzoom). Refuses with `no-territory` when none is loaded. */
  tile(z: number, x: number, y: number): Promise<Uint8Array | undefined>;
  readonly maxZoom: number;
  /** Changes with the territory: part of what a client may cache by. */
  readonly version: string;
  /** Goes over to another territory; tiles under way are answered from the old one. Undefined: none. */
  open(directory: string | undefined): Promise<void>;
  close(): Promise<void>;
}
