import { ref, type Ref } from 'vue';
import { ApiError } from '../../lib/api/client.ts';
import { useLocalizedText } from '../../lib/i18n/localized-text.ts';
import { i18n } from '../../lib/i18n/index.ts';
import { PasskeyDeclined } from './browser-passkeys.ts';
import { actionProblem } from '../../lib/i18n/problem-words.ts';

/**
 * Sends the input of a form, one request at a time. A refusal is shown at its field. Resolves with whether it
 * was accepted.
 */
export function useSecret(): {
  readonly busy: Ref<boolean>;
  readonly problem: Ref<string>;
  send(work: () => Promise<unknown>): Promise<boolean>;
} {
  const busy = ref(false);
  const problem = useLocalizedText();
  return {
    busy,
    problem,
    async send(work) {
      if (busy.value) return false;
      busy.value = true;
      problem.value = '';
      try {
        await work();
        return true;
      } catch (error) {
        if (error instanceof PasskeyDeclined) problem.value = () => i18n.global.t('account.passkeys.declined');
        else if (!(error instanceof ApiError)) throw error;
        else problem.value = () => actionProblem(error);
        return false;
      } finally {
        busy.value = false;
      }
    },
  };
}
