import { computed, onScopeDispose, ref, watch } from 'vue';
import { useClock } from '../../../lib/stores/clock.ts';

export const SPEEDS = [1, 10, 30, 60] as const;
const SECOND = 1_000;
const DAY = 86_400_000;

/** A moment of the past that can be moved and played, never beyond now. */
export function useBoardPlayback(first: number) {
  const clock = useClock();
  const at = ref(Math.min(first, Date.now())); // the clock of the screen is up to a second behind
  const playing = ref(false);
  const speed = ref<number>(SPEEDS[1]);
  /** The day of `at` by the clock of this machine: its begin, and its end or now. */
  const from = computed(() => new Date(at.value).setHours(0, 0, 0, 0));
  const dayEnd = computed(() => new Date(from.value + 1.5 * DAY).setHours(0, 0, 0, 0) - 1);
  const till = computed(() => Math.min(dayEnd.value, clock.now));

  function moveTo(moment: number): void {
    at.value = Math.min(Math.max(0, Math.round(moment)), Math.floor(Date.now()));
  }
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = () => clearInterval(timer);
  watch(playing, (plays) => {
    stop();
    if (!plays) return;
    timer = setInterval(() => {
      moveTo(at.value + speed.value * SECOND);
      if (at.value >= Date.now() - SECOND) playing.value = false;
    }, SECOND);
  });
  onScopeDispose(stop);
  return { at, playing, speed, from, till, dayEnd, moveTo };
}
