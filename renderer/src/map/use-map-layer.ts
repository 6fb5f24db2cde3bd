import type L from 'leaflet';
import { onScopeDispose, watch, type WatchSource } from 'vue';

/**
 * Keeps on the map the layer that `make` gives for the current value, and takes it away with the component.
 * Undefined: none.
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
