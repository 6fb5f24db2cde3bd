import L from 'leaflet';
import { SUBDOMAINS } from '../../../../shared/geo/map-provider.ts';
import type { OutsideLayer, OutsideState } from '../../lib/stores/outside-layers.ts';

/** Above the base map, which has 1; below the station's own pictures. */
const Z_INDEX = { road: 2, aerial: 3 } as const;
const CLOSEST = 19;
/** ms after which a picture counts as missing. The request ends, so that others get its connection. */
const PATIENCE = 8_000;
/** ms until pictures are asked for again when none has come; doubled each time. */
const FIRST_RETRY = 15_000;
const LAST_RETRY = 480_000;

/** Internals of Leaflet's tile layer. */
interface TileInside {
  createTile(coords: L.Coords, done: L.DoneCallback): HTMLElement;
  _tileOnError(done: L.DoneCallback, tile: HTMLElement, error: Error): void;
}
const inside = L.TileLayer.prototype as unknown as TileInside;

const ImpatientTiles = L.TileLayer.extend({
  createTile(this: TileInside, coords: L.Coords, done: L.DoneCallback): HTMLElement {
    const timer = setTimeout(() => {
      this._tileOnError(ended, tile, new Error('No answer in time.'));
      tile.src = L.Util.emptyImageUrl; // ends the request; Leaflet hears nothing of this picture
    }, PATIENCE);
    const ended: L.DoneCallback = (error, one) => {
      clearTimeout(timer);
      done(error, one);
    };
    const tile = inside.createTile.call(this, coords, ended) as HTMLImageElement;
    return tile;
  },
}) as unknown as new (template: string, options: L.TileLayerOptions) => L.TileLayer;

/**
 * External map imagery, loaded by the browser itself. `tell` hears whether pictures arrive: if a server fails
 * or stalls, the map stays, and the server is retried with backoff.
 */
export function outsideLayer(
  { kind, template, origins }: OutsideLayer,
  tell: (state: OutsideState) => void,
): L.TileLayer {
  const layer = new ImpatientTiles(template, {
    subdomains: [...SUBDOMAINS],
    maxZoom: CLOSEST,
    zIndex: Z_INDEX[kind],
    className: 'raster-picture',
    // Public servers ask for the origin of the page. It is all that they get.
    referrerPolicy: 'origin',
  });
  let retry = FIRST_RETRY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasLoaded = false;
  let isBlocked = false;

  const askAgain = () => {
    clearTimeout(timer);
    timer = undefined;
    layer.redraw();
  };
  const onBlocked = ({ blockedURI }: SecurityPolicyViolationEvent) => {
    if (!origins.some((origin) => blockedURI.startsWith(origin))) return;
    isBlocked = true;
    tell('blocked');
  };
  layer.on('loading', () => (hasLoaded = false));
  layer.on('tileload', () => {
    hasLoaded = true;
    retry = FIRST_RETRY;
    clearTimeout(timer);
    timer = undefined;
    tell('fine');
  });
  layer.on('tileerror', () => {
    if (hasLoaded || isBlocked) return;
    tell('silent');
    if (timer !== undefined) return;
    timer = setTimeout(askAgain, retry);
    retry = Math.min(LAST_RETRY, retry * 2);
  });
  layer.on('add', () => {
    document.addEventListener('securitypolicyviolation', onBlocked);
    addEventListener('online', askAgain);
  });
  layer.on('remove', () => {
    document.removeEventListener('securitypolicyviolation', onBlocked);
    removeEventListener('online', askAgain);
    clearTimeout(timer);
    tell('fine');
  });
  return layer;
}
