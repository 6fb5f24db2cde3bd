/** The most recently used tiles, up to so many bytes. Empty tiles are cached, too. */
export class TileCache {
  readonly #most: number;
  readonly #tiles = new Map<string, Uint8Array | undefined>();
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  has(key: string): boolean {
    return this.#tiles.has(key);
  }

  get(key: string): Uint8Array | undefined {
    const tile = this.#tiles.get(key);
    this.#tiles.delete(key);
    this.#tiles.set(key, tile);
    return tile;
  }

  put(key: string, tile: Uint8Array | undefined): void {
    this.#tiles.set(key, tile);
    this.#bytes += weight(tile);
    for (const [oldest, old] of this.#tiles) {
      if (this.#bytes <= this.#most) break;
      this.#tiles.delete(oldest);
      this.#bytes -= weight(old);
    }
  }

  clear(): void {
    this.#tiles.clear();
    this.#bytes = 0;
  }
}

/** The overhead of an entry. */
function weight(tile: Uint8Array | undefined): number {
  return 200 + (tile?.length ?? 0);
}
