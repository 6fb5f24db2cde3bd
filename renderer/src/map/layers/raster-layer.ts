import L from 'leaflet';
import type { RasterLayerAnswer } from '../../lib/stores/raster-layers.ts';

/** Above the base map, which has 1, and below everything else. */
const Z_INDEX = 2;
/** Closer than the closest pictures of a layer these are enlarged. */
const CLOSEST = 19;

interface ShownRaster {
  readonly layer: RasterLayerAnswer;
  /** Percent. */
  readonly opacity: number;
}

/** Raster layers of the station, the one with the greatest id on top; undefined: none. */
export function rasterLayer(shown: readonly ShownRaster[]): L.Layer | undefined {
  if (shown.length === 0) return undefined;
  return L.layerGroup(
    shown.map(({ layer: { id, minZoom, maxZoom, bounds }, opacity }, index) => {
      const [west, south, east, north] = bounds as [number, number, number, number];
      return L.tileLayer(`/raster-layers/${id}/{z}/{x}/{y}`, {
        bounds: [
          [south, west],
          [north, east],
        ],
        minZoom,
        maxNativeZoom: maxZoom,
        maxZoom: CLOSEST,
        opacity: opacity / 100,
        zIndex: Z_INDEX + index,
        className: 'raster-picture',
      });
    }),
  );
}
