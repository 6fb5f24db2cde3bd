import { ref, type Ref } from 'vue';
import { useDispatch } from './dispatch.ts';

/**
 * For pages whose actions are calls of the station: a refusal is shown as a notice, and the result is
 * undefined; `busy` during a call.
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
