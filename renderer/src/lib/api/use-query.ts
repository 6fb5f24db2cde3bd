import { onScopeDispose, ref, shallowRef, watch, type WatchSource } from 'vue';
import { ApiError, type Call } from './client.ts';
import { useReturn } from '../live/use-return.ts';
import { useSession } from '../stores/session.ts';
import { questionProblem } from '../i18n/problem-words.ts';
import { useLocalizedText } from '../i18n/localized-text.ts';

/** A request to the station, or undefined. */
export interface StationQuery {
  readonly path: string;
  readonly query?: Call['query'];
  /** ms to wait, if longer than usual. */
  readonly patience?: number;
  /** Repeats the request when it changes. */
  readonly turn?: unknown;
}

/**
 * The answer to a request that changes: sent again each time, and older answers are dropped. `problem` says
 * what failed; the last answer to the same request stays, and the request is repeated when the connection is
 * back.
 */
export function useQuery<T>(question: WatchSource<StationQuery | undefined>) {
  const { client } = useSession();
  const answer = shallowRef<T>();
  const working = ref(false);
  const problem = useLocalizedText();
  let current: StationQuery | undefined;
  /** The question that `answer` is of. */
  let answered = '';
  let controller: AbortController | undefined;

  async function ask(): Promise<void> {
    controller?.abort();
    if (!current) return void (working.value = false);
    const mine = (controller = new AbortController());
    const asked = JSON.stringify([current.path, current.query]);
    working.value = true;
    problem.value = '';
    try {
      const found = await client.ask<T>(current.path, {
        ...(current.query && { query: current.query }),
        ...(current.patience && { patience: current.patience }),
        signal: mine.signal,
      });
      if (controller === mine) [answer.value, answered] = [found, asked];
    } catch (error) {
      if (mine.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      problem.value = () => questionProblem(error);
      if (error.status !== 0 || answered !== asked) answer.value = undefined;
    } finally {
      if (controller === mine) working.value = false;
    }
  }

  watch(
    question,
    (now, before) => {
      if (before && JSON.stringify(now) === JSON.stringify(before)) return;
      current = now;
      void ask();
    },
    { immediate: true },
  );
  useReturn(() => problem.value && void ask());
  onScopeDispose(() => controller?.abort());

  return { answer, working, problem, again: ask, cancel: () => (controller?.abort(), (working.value = false)) };
}
