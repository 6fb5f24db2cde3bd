import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { Schema } from '../api/operations.ts';
import { usePreferences } from './preferences.ts';
import { useSession } from './session.ts';

export type RasterLayerAnswer = Schema<'RasterLayer'>;

/** Percent of a layer that is put on the map for the first time. */
const FIRST_OPACITY = 80;

/** Aerial pictures and plans of the station, and which of them this person has on the map. */
export const useRasterLayers = defineStore('raster-layers', () => {
  const { client } = useSession();
  const preferences = usePreferences();
  const all = shallowRef<readonly RasterLayerAnswer[]>([]);

  /** Asks the station for its layers. Without an answer the known ones stay. */
  async function load(): Promise<void> {
    all.value = await client.ask<RasterLayerAnswer[]>('/raster-layers').catch(() => all.value);
  }

  /** Percent; undefined: it is not on the map. */
  const opacityOf = (id: number): number | undefined => preferences.rasters[id];

  const shown = computed(() =>
    all.value.flatMap((layer) => {
      const opacity = opacityOf(layer.id);
      return opacity === undefined ? [] : [{ layer, opacity }];
    }),
  );

  function setOpacity(id: number, percent: number): void {
    preferences.rasters = { ...preferences.rasters, [id]: percent };
  }

  function toggle(id: number): void {
    const { [id]: opacity, ...others } = preferences.rasters;
    if (opacity === undefined) setOpacity(id, FIRST_OPACITY);
    else preferences.rasters = others;
  }

  return { all, shown, opacityOf, toggle, setOpacity, load };
});
