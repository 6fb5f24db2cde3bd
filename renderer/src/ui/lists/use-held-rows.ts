import { computed, type ComputedRef } from 'vue';
import { useRest } from './use-rest.ts';

interface HeldRows<K> {
  /** The rows, by a key that stays the same from one change to the next. */
  readonly rows: ComputedRef<readonly K[]>;
  /** For the element that draws them, with `v-on`. */
  readonly listeners: ReturnType<typeof useRest>['listeners'];
  /** A key has chosen among them. */
  touch(): void;
}

/**
 * Rows that do not move while somebody chooses (`useRest`). A new value of `asked` reorders them at once;
 * other changes wait. Held rows are not sorted.
 */
export function useHeldRows<K>(sorted: () => readonly K[], asked: () => readonly unknown[]): HeldRows<K> {
  const { holding, listeners, touch } = useRest();
  const question = computed(asked);
  let held: { readonly rows: readonly K[]; readonly question: readonly unknown[] } | undefined;
  const rows = computed(() => {
    if (!held || !holding.value || held.question !== question.value)
      held = { rows: sorted(), question: question.value };
    return held.rows;
  });
  return { rows, listeners, touch };
}
