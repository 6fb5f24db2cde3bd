import { onScopeDispose, ref, shallowRef } from 'vue';
import { ApiError } from '../../lib/api/client.ts';
import { questionProblem } from '../../lib/i18n/problem-words.ts';
import { useLocalizedText } from '../../lib/i18n/localized-text.ts';
import { useReturn } from '../../lib/live/use-return.ts';

/**
 * Asks again and again, one question at a time, while the page is looked at. `problem` says why there is no
 * answer; the last one stays.
 */
export function useRepeated<T>(milliseconds: () => number, isWanted: () => boolean, ask: () => Promise<T>) {
  const answer = shallowRef<T>();
  /** When it was answered, epoch ms; 0: not yet. */
  const answeredAt = ref(0);
  const problem = useLocalizedText();
  let asking: Promise<void> | undefined;

  async function askNow(): Promise<void> {
    try {
      answer.value = await ask();
      answeredAt.value = Date.now();
      problem.value = '';
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problem.value = () => questionProblem(error);
    }
  }
  /** What was under way may have begun before a change, so another question follows it. */
  async function again(): Promise<void> {
    await asking;
    asking = askNow().finally(() => (asking = undefined));
    return asking;
  }
  const isDue = () => isWanted() && document.visibilityState === 'visible';
  let timer = setTimeout(tick, milliseconds());
  function tick(): void {
    if (isDue() && !asking) void again();
    timer = setTimeout(tick, milliseconds());
  }
  const onVisible = () => isDue() && void again();
  document.addEventListener('visibilitychange', onVisible);
  useReturn(() => isWanted() && void again());
  onScopeDispose(() => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisible);
  });
  return { answer, answeredAt, problem, again };
}
