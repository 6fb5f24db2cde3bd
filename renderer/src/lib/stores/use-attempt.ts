import { ref, type Ref } from 'vue';
import { useDispatch } from './dispatch.ts';

/**
 * For a page whose actions are calls of the station: each is tried, and said why when it is refused (then
 * undefined comes of it); `busy` while one goes on.
 */
export function useAttempt(): {
  readonly busy: Ref<boolean>;
  attempt<T>(work: () => Promise<T>): Promise<T | undefined>;
} {
  const dispatch = useDispatch();
  const busy = ref(false);
  return {
    busy,
    async attempt(work) {
      busy.value = true;
      try {
        return await dispatch.attempt(work);
      } finally {
        busy.value = false;
      }
    },
  };
}
