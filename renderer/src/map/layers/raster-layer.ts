import L from 'leaflet';
import type { RasterLayerAnswer } from '../../lib/stores/raster-layers.ts';

/** Above the base map and the layers from elsewhere, and below everything else. */
const Z_INDEX = 4;
/** The closest zoom of the map. Pictures that begin beyond it are shown smaller there. */
const CLOSEST = 19;

interface ShownRaster {
  readonly layer: RasterLayerAnswer;
  /** Percent. */
  readonly opacity: number;
}

export interface RasterGroup {
  readonly layer: L.Layer;
  /** Changes how pale they are, without loading them again. */
  fade(shown: readonly ShownRaster[]): void;
}

/** Raster layers of the station, in the order of the list, the last one on top. */
export function rasterGroup(shown: readonly ShownRaster[]): RasterGroup {
  const layers = new Map(
    shown.map(({ layer: { id, minZoom, maxZoom, bounds }, opacity }, index) => {
      const [west, south, east, north] = bounds as [number, number, number, number];
      const layer = L.tileLayer(`/raster-layers/${id}/{z}/{x}/{y}`, {
        bounds: [
          [south, west],
          [north, east],
        ],
        minZoom: Math.min(minZoom, CLOSEST),
        minNativeZoom: minZoom,
        maxNativeZoom: maxZoom,
        maxZoom: CLOSEST,
        opacity: opacity / 100,
        zIndex: Z_INDEX + index,
        className: 'raster-picture',
      });
      return [id, layer];
    }),
  );
  return {
    layer: L.layerGroup([...layers.values()]),
    fade(now) {
      for (const { layer, opacity } of now) layers.get(layer.id)?.setOpacity(opacity / 100);
    },
  };
}
