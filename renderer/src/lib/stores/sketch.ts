import type { Geometry } from 'geojson';
import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

/** A request to draw something on the board's map. */
interface SketchWish {
  readonly kind: 'point' | 'line' | 'polygon';
  /** The geometry to change; undefined: a new one. */
  readonly start: Geometry | undefined;
  /** Its purpose, as the bar over the map shows it. */
  readonly title: string;
  readonly done: (geometry: Geometry) => void;
}

/** The drawing of a form beside the map. */
export const useSketch = defineStore('sketch', () => {
  const wish = shallowRef<SketchWish>();
  /** Geometries of the task that is open. */
  const shown = shallowRef<readonly Geometry[]>([]);

  function ask(next: SketchWish): void {
    wish.value = next;
  }

  function leave(): void {
    wish.value = undefined;
  }

  return { wish, shown, ask, leave };
});
