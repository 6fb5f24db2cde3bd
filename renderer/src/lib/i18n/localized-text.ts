import { computed, shallowRef, type WritableComputedRef } from 'vue';

/** A way to say something in the language of the moment. */
export type LocalizedText = () => string;

/**
 * What is said at a field or over a list until something else is, such as what is wrong. It reads as a text,
 * empty for nothing, and takes the way to say it, so that what stands there follows when the language is
 * switched.
 */
export function useLocalizedText(): WritableComputedRef<string, LocalizedText | ''> {
  const say = shallowRef<LocalizedText>();
  return computed<string, LocalizedText | ''>({
    get: () => say.value?.() ?? '',
    set: (next) => (say.value = next === '' ? undefined : next),
  });
}
