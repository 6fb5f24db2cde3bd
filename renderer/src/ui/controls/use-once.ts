import { ref } from 'vue';

/** A deed that is done once at a time: while it is under way, further clicks and keys do nothing. */
export function useOnce<Given extends unknown[]>(deed: (...given: Given) => Promise<unknown>) {
  const busy = ref(false);
  async function once(...given: Given): Promise<void> {
    if (busy.value) return;
    busy.value = true;
    try {
      await deed(...given);
    } finally {
      busy.value = false;
    }
  }
  return { busy, once };
}
