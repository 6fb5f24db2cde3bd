/** Vector tiles of the territory (Mapbox Vector Tile 2.1). */
export interface MapTiles {
  /** Gzipped MVT; undefined where the territory has nothing (also beyond `maxZoom`: clients overzoom). */
  tile(z: number, x: number, y: number): Uint8Array | undefined;
  readonly maxZoom: number;
  open(directory: string | undefined): void;
  close(): void;
}
