import type L from 'leaflet';

/** Internals of the layer of protomaps-leaflet. */
interface TileLayer {
  renderTile(coords: L.Coords, tile: Tile, key: string, done?: () => void): Promise<void>;
}
/** `key`: what is to be drawn on it; undefined: it was taken down. */
type Tile = HTMLCanvasElement & { key?: string };

/**
 * Draws each tile aside and puts up its picture. A browser without a graphics card copies each canvas that was drawn
 * on anew for every frame of the page, some forty tiles for each letter that is typed; a picture is copied once.
 */
export function drawAside(layer: TileLayer): void {
  const render = layer.renderTile.bind(layer);
  layer.renderTile = async (coords, tile, key, done) => {
    const sheet = new Sheet(tile);
    await render(coords, sheet as unknown as Tile, key, () => {
      [tile.width, tile.height] = [sheet.width, sheet.height];
      tile.getContext('bitmaprenderer')!.transferFromImageBitmap(sheet.transferToImageBitmap());
      done?.();
    });
  };
}

/** A sheet in place of a tile. The layer looks at its key while it waits for data, and gives up if that changes. */
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
