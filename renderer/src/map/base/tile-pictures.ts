import type L from 'leaflet';

/** Internals of the layer of protomaps-leaflet. */
interface TileLayer {
  renderTile(coords: L.Coords, tile: Tile, key: string, done?: () => void): Promise<void>;
}
/** `key`: the content to draw; undefined: it was removed. */
type Tile = HTMLCanvasElement & { key?: string };

/** Longest wait in ms of a redraw for tiles that are loading: the old picture is outdated, but not wrong. */
const REDRAW_WITHIN = 500;

/**
 * Draws each tile off screen and shows its picture. Without a graphics card a browser copies each drawn
 * canvas again for every frame of the page, some forty tiles for each typed letter; a picture is copied once.
 * A label that reaches into an unpainted tile waits for that painting; painted tiles are redrawn once, after
 * all loading ones.
 */
export function drawAside(layer: TileLayer): void {
  const render = layer.renderTile.bind(layer);
  const unpainted = new Set<Tile>();
  const stale = new Map<Tile, readonly [L.Coords, string]>();
  let latest: ReturnType<typeof setTimeout> | undefined;

  async function draw(coords: L.Coords, tile: Tile, key: string, done?: () => void): Promise<void> {
    const sheet = new Sheet(tile);
    unpainted.add(tile);
    try {
      await render(coords, sheet as unknown as Tile, key, () => {
        unpainted.delete(tile);
        [tile.width, tile.height] = [sheet.width, sheet.height];
        tile.getContext('bitmaprenderer')!.transferFromImageBitmap(sheet.transferToImageBitmap());
        done?.();
      });
    } finally {
      unpainted.delete(tile);
      if (unpainted.size === 0) redrawStale();
    }
  }

  function redrawStale(): void {
    clearTimeout(latest);
    latest = undefined;
    const tiles = [...stale];
    stale.clear();
    for (const [tile, [coords, key]] of tiles) void draw(coords, tile, key);
  }

  layer.renderTile = async (coords, tile, key, done) => {
    if (done) return draw(coords, tile, key, done);
    if (unpainted.has(tile)) return;
    stale.set(tile, [coords, key]);
    latest ??= setTimeout(redrawStale, unpainted.size > 0 ? REDRAW_WITHIN : 0);
  };
}

/** A sheet in place of a tile. The layer checks its key while it waits for data, and stops if that changes. */
class Sheet extends OffscreenCanvas {
  private readonly tile: Tile;
  constructor(tile: Tile) {
    super(1, 1);
    this.tile = tile;
  }
  get key(): string | undefined {
    return this.tile.key;
  }
}
