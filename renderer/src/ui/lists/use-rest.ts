import { computed, ref, type ComputedRef } from 'vue';
import { useClock } from '../../lib/stores/clock.ts';

/** Rows stay where they are for this long after the last movement over them, or the last key. */
export const REST_MS = 5_000;
/** The pointer tells of each pixel. */
const NOTED_EVERY_MS = 200;

interface Rest {
  /** Somebody is choosing: rows must not move. */
  readonly holding: ComputedRef<boolean>;
  /** ms until it may; 0 when it may now */
  readonly left: ComputedRef<number>;
  /** Listeners for the held element: `v-bind` and `v-on`. */
  readonly listeners: Readonly<
    Record<'pointerenter' | 'pointermove' | 'wheel', () => void> & { pointerleave(event: PointerEvent): void }
  >;
  /** A key has chosen. */
  touch(): void;
  /** Lets waiting rows in at once. */
  end(): void;
}

/**
 * Tells whether somebody is choosing a row: until 5 s after the last movement of the pointer over the rows,
 * or the last key.
 */
export function useRest(): Rest {
  const clock = useClock();
  const movedAt = ref(0);
  const touchedAt = ref(0);
  const left = computed(() =>
    Math.min(REST_MS, Math.max(0, Math.max(movedAt.value, touchedAt.value) + REST_MS - clock.now)),
  );
  const move = () => {
    const now = Date.now();
    if (now - movedAt.value > NOTED_EVERY_MS) movedAt.value = now;
  };
  /** An element that appears over the rows under the pointer (`data-over-rows`) does not release them. */
  const leave = ({ relatedTarget: to }: PointerEvent) => {
    if (!(to instanceof Element && to.closest('[data-over-rows]'))) movedAt.value = 0;
  };
  return {
    holding: computed(() => left.value > 0),
    left,
    listeners: { pointerenter: move, pointermove: move, pointerleave: leave, wheel: move },
    touch: () => (touchedAt.value = Date.now()),
    end: () => (movedAt.value = touchedAt.value = 0),
  };
}
