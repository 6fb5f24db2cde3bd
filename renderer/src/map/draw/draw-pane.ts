import type L from 'leaflet';
import type { LonLat } from '../../../../shared/geo/shapes.ts';

/** Where all that is drawn by hand lies: over the layers of the map, beneath what floats over it. */
export const DRAW_PANE = 'drawing';

export function openDrawPane(map: L.Map): void {
  const pane = map.getPane(DRAW_PANE) ?? map.createPane(DRAW_PANE);
  pane.style.zIndex = '620';
}

export const lonLat = ({ lat, lng }: L.LatLng): LonLat => [lng, lat];
export const latLng = ([lon, lat]: LonLat): L.LatLngTuple => [lat, lon];
