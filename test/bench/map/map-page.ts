import L from 'leaflet';
import { baseLayer } from '../../../renderer/src/map/base/base-layer.ts';

/** A page with nothing but the base map, for pictures and figures. */
let map: L.Map | undefined;
let drawn = Promise.resolve();

Object.assign(globalThis, {
  showMap(lat: number, lon: number, zoom: number, palette: 'day' | 'dusk' | 'night', language: string) {
    map?.remove();
    map = L.map(document.body, { zoomControl: false, attributionControl: false, fadeAnimation: false });
    map.setView([lat, lon], zoom, { animate: false });
    const layer = baseLayer(palette, language, '1') as L.GridLayer;
    drawn = new Promise((resolve) => layer.on('load', () => resolve()));
    layer.addTo(map);
  },
  whenDrawn: () => drawn,
  figures: () => ({}),
});
