import { ref } from 'vue';

/** Runs `work` once at a time: while it runs, further clicks and keys do nothing. */
export function useOnce<Given extends unknown[]>(work: (...given: Given) => Promise<unknown>) {
  const busy = ref(false);
  async function once(...given: Given): Promise<void> {
    if (busy.value) return;
    busy.value = true;
    try {
      await work(...given);
    } finally {
      busy.value = false;
    }
  }
  return { busy, once };
}
