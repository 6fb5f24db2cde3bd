import { computed, ref, type ComputedRef, type Ref } from 'vue';
import { useClock } from '../stores/clock.ts';

/** Rows rest this long after the last key before they may move. */
const REST_MS = 2_500;

interface HeldRows<K> {
  /** The rows, by what is the same in them from one change to the next. */
  readonly rows: ComputedRef<readonly K[]>;
  /** Is the pointer over them? To be told by who draws them. */
  readonly pointerInside: Ref<boolean>;
  /** A key has chosen among them. */
  touch(): void;
}

/**
 * Rows that never move while somebody chooses among them: with the pointer over them, and for 2.5 s after a key. Another order that was asked for comes at once, told by another value
 * in `asked`; what happens by itself waits. While rows are held they are not sorted.
 */
export function useHeldRows<K>(sorted: () => readonly K[], asked: () => readonly unknown[]): HeldRows<K> {
  const clock = useClock();
  const pointerInside = ref(false);
  const touchedAt = ref(0);
  const holding = computed(() => pointerInside.value || clock.now - touchedAt.value < REST_MS);
  const question = computed(asked);
  let held: { readonly rows: readonly K[]; readonly question: readonly unknown[] } | undefined;
  const rows = computed(() => {
    if (!held || !holding.value || held.question !== question.value) held = { rows: sorted(), question: question.value };
    return held.rows;
  });
  return { rows, pointerInside, touch: () => (touchedAt.value = Date.now()) };
}
