import { computed, type ComputedRef } from 'vue';
import { useRest } from './use-rest.ts';

interface HeldRows<K> {
  /** The rows, by what is the same in them from one change to the next. */
  readonly rows: ComputedRef<readonly K[]>;
  /** For the element that draws them, with `v-on`. */
  readonly listeners: ReturnType<typeof useRest>['listeners'];
  /** A key has chosen among them. */
  touch(): void;
}

/**
 * Rows that never move while somebody chooses among them (`useRest`). Another order that was asked for comes
 * at once, told by another value in `asked`; what happens by itself waits. While rows are held they are not
 * sorted.
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
