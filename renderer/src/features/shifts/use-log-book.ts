import { computed, onScopeDispose, ref, type Ref } from 'vue';
import type { Schema } from '../../lib/api/operations.ts';
import { useQuery } from '../../lib/api/use-query.ts';
import { useLive } from '../../lib/stores/live.ts';
import type { Period } from '../../lib/time/period.ts';

export type LogBookLine = Schema<'LogBookLine'>;

/** Lines of one answer; more are in the files. */
export const LOG_PAGE = 500;
/** ms between two questions while records change */
const FOLLOW_MS = 2_000;
const DAY_MS = 86_400_000;
/** A period that ends within this many ms of now stays open. */
const STILL_NOW_MS = 60_000;

export interface LogBookFilter {
  readonly period: Period;
  readonly text: string;
  readonly carId: number | undefined;
  readonly written: boolean;
}

/** The query of a filter; a period that ended when it was chosen stays open. */
export function logQuery({ period, text, carId, written }: LogBookFilter, chosenAt: number) {
  const goesOn = period.till > chosenAt - STILL_NOW_MS;
  return {
    from: period.from,
    till: goesOn ? period.till + DAY_MS : period.till,
    ...(text.trim() && { text: text.trim() }),
    ...(carId && { car: carId }),
    ...(written && { written }),
  };
}

/** The newest lines of the log-book that a filter leaves, asked again soon after records changed. */
export function useLogBook(query: Ref<ReturnType<typeof logQuery>>) {
  const { records } = useLive();
  const turn = ref(0);
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const changed = () => {
    waiting ??= setTimeout(() => {
      waiting = undefined;
      turn.value++;
    }, FOLLOW_MS);
  };
  const stops = [records.fleet, records.tasks, records.alarms].map((one) => one.watch(changed));
  onScopeDispose(() => {
    clearTimeout(waiting);
    for (const stop of stops) stop();
  });
  const asked = useQuery<LogBookLine[]>(() => ({
    path: '/log-book',
    query: { ...query.value, limit: LOG_PAGE },
    turn: turn.value,
  }));
  const lines = computed(() => asked.answer.value?.toReversed());
  return { ...asked, lines };
}
