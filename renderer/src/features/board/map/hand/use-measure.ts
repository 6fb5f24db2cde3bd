import L from 'leaflet';
import { computed, onScopeDispose, shallowRef, watch } from 'vue';
import type { Ink } from '../../../../map/ink.ts';
import { measuredLength, type MeasuredPoint } from './length-of.ts';

/** Measures a line that is clicked point by point, as the crow flies. */
export function useMeasure() {
  const points = shallowRef<readonly MeasuredPoint[]>();
  const metres = computed(() => measuredLength(points.value ?? []));
  const begin = (from: MeasuredPoint) => (points.value = [from]);
  const add = (next: MeasuredPoint) => (points.value = [...(points.value ?? []), next]);
  const takeBack = () => (points.value = points.value!.length > 1 ? points.value!.slice(0, -1) : undefined);
  const end = () => (points.value = undefined);

  /** Shows the line on a map. */
  function showOn(map: L.Map, ink: () => Ink): void {
    let layer: L.LayerGroup | undefined;
    watch([points, ink], ([now, { accent, panel }]) => {
      layer?.remove();
      layer = now && lineLayer(now, accent, panel).addTo(map);
    });
    onScopeDispose(() => layer?.remove());
  }
  return { points, metres, begin, add, takeBack, end, showOn };
}

function lineLayer(points: readonly MeasuredPoint[], accent: string, panel: string): L.LayerGroup {
  const places = points.map(({ lat, lon }): L.LatLngTuple => [lat, lon]);
  const still = { interactive: false };
  return L.layerGroup([
    L.polyline(places, { ...still, color: panel, weight: 7 }),
    L.polyline(places, { ...still, color: accent, weight: 3, dashArray: '8 6' }),
    ...places.map((place) =>
      L.circleMarker(place, { ...still, radius: 5, color: accent, weight: 3, fillColor: panel, fillOpacity: 1 }),
    ),
  ]);
}
