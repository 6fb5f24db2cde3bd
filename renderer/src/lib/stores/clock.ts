import { defineStore } from 'pinia';
import { ref } from 'vue';

/** The time as the screen shows it, in epoch ms, once a second, on the second. */
export const useClock = defineStore('clock', () => {
  const now = ref(Date.now());
  const tick = () => {
    now.value = Date.now();
    setTimeout(tick, 1_000 - (now.value % 1_000) + 2);
  };
  setTimeout(tick, 1_000 - (now.value % 1_000) + 2);
  return { now };
});
