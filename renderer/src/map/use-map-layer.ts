import type L from 'leaflet';
import { onScopeDispose, watch, type WatchSource } from 'vue';

/**
 * Keeps the layer that `make` returns for the current value on the map, and removes it with the component.
 * Undefined: no layer.
 */
export function useMapLayer<T>(map: L.Map, source: WatchSource<T>, make: (value: T) => L.Layer | undefined): void {
  let layer: L.Layer | undefined;
  watch(
    source,
    (value) => {
      const old = layer;
      layer = make(value)?.addTo(map);
      old?.remove();
    },
    { immediate: true },
  );
  onScopeDispose(() => layer?.remove());
}
