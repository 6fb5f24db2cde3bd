import { computed, shallowRef, type WritableComputedRef } from 'vue';

/** Words a text in the current language. */
export type LocalizedText = () => string;

/**
 * A text at a field or over a list, for example an error. Reads as a string, empty for none; takes a
 * function, so that the text follows a change of the language.
 */
export function useLocalizedText(): WritableComputedRef<string, LocalizedText | ''> {
  const say = shallowRef<LocalizedText>();
  return computed<string, LocalizedText | ''>({
    get: () => say.value?.() ?? '',
    set: (next) => (say.value = next === '' ? undefined : next),
  });
}
