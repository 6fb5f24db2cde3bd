import L from 'leaflet';
import type { Ink } from './ink.ts';

/** A way on the map: a line in the colour of routes on a case that sets it off from roads. */
export function routeLayer(points: readonly (readonly [lat: number, lon: number])[], ink: Ink): L.Layer {
  const line = points.map(([lat, lon]): L.LatLngTuple => [lat, lon]);
  return L.layerGroup([
    L.polyline(line, { color: ink.routeCase, weight: 8, opacity: 0.9, interactive: false, lineJoin: 'round' }),
    L.polyline(line, { color: ink.route, weight: 4.5, opacity: 1, interactive: false, lineJoin: 'round' }),
  ]);
}
