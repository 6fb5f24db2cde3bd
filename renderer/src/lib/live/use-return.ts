import { watch } from 'vue';
import { useLive } from '../stores/live.ts';

/** Calls `work` whenever the line to the station is open again. */
export function useReturn(work: () => void): void {
  const live = useLive();
  watch(
    () => live.state,
    (state) => state === 'open' && work(),
  );
}
