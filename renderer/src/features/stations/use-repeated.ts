import { onScopeDispose, shallowRef } from 'vue';
import { ApiError } from '../../lib/api/client.ts';
import { questionProblem } from '../../lib/i18n/problem-words.ts';
import { useLocalizedText } from '../../lib/i18n/localized-text.ts';
import { useReturn } from '../../lib/live/use-return.ts';

/**
 * Sends one request at a time: on demand, after a reconnect, and every so often while the page is
 * looked at. `problem` says why there is no answer; the last one stays.
 * @param milliseconds undefined: not by itself
 */
export function useRepeated<T>(milliseconds: number | undefined, isWanted: () => boolean, ask: () => Promise<T>) {
  const answer = shallowRef<T>();
  const problem = useLocalizedText();
  let asking: Promise<void> | undefined;

  async function askNow(): Promise<void> {
    try {
      answer.value = await ask();
      problem.value = '';
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problem.value = () => questionProblem(error);
    }
  }
  /** A request under way may have begun before a change, so another one follows it. */
  async function again(): Promise<void> {
    await asking;
    asking = askNow().finally(() => (asking = undefined));
    return asking;
  }
  const isDue = () => isWanted() && document.visibilityState === 'visible';
  const timer =
    milliseconds === undefined ? undefined : setInterval(() => isDue() && !asking && void again(), milliseconds);
  const onVisible = () => milliseconds !== undefined && isDue() && void again();
  document.addEventListener('visibilitychange', onVisible);
  useReturn(() => isWanted() && void again());
  onScopeDispose(() => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onVisible);
  });
  return { answer, problem, again };
}
