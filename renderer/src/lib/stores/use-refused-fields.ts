import { computed, shallowRef, type ComputedRef } from 'vue';
import { ApiError } from '../api/client.ts';
import type { LocalizedText } from '../i18n/localized-text.ts';
import { refusalOf } from '../i18n/problem-words.ts';

/**
 * Refusals of a form that name one of its fields: each is shown at its field. Others are passed to the
 * caller. @param fields as the station names them, such as `http.url`
 */
export function useRefusedFields<F extends string>(
  fields: readonly F[],
): {
  readonly problems: ComputedRef<Partial<Record<F, string>>>;
  /** Resolves with undefined when a field was refused. */
  at<T>(work: () => Promise<T>): Promise<T | undefined>;
  clear(): void;
} {
  const refused = shallowRef<{ readonly field: F; readonly text: LocalizedText }>();
  return {
    problems: computed(() => (refused.value ? { [refused.value.field]: refused.value.text() } : {}) as never),
    async at(work) {
      refused.value = undefined;
      try {
        return await work();
      } catch (error) {
        const named = error instanceof ApiError ? error.reason?.params['field'] : undefined;
        const field = fields.find((one) => one === named);
        if (!(error instanceof ApiError) || field === undefined) throw error;
        refused.value = { field, text: () => refusalOf(error).rule };
        return undefined;
      }
    },
    clear: () => (refused.value = undefined),
  };
}
