import { ref, watchEffect } from 'vue';
import { createI18n, useI18n } from 'vue-i18n';
import type { Language } from '../../../../shared/text/language.ts';
import { en } from './en.ts';
import { ru } from './ru.ts';

/** `?lang=ru` in the address of the page, for pages that show it in a frame; else the language of the browser. */
const asked = new URLSearchParams(location.search).get('lang') ?? navigator.language;
export const language = ref<Language>(asked.startsWith('ru') ? 'ru' : 'en');

export const i18n = createI18n({
  legacy: false,
  locale: language.value,
  fallbackLocale: 'en',
  messages: { en, ru },
});

watchEffect(() => {
  i18n.global.locale.value = language.value;
  document.documentElement.lang = language.value;
});

export function useWords() {
  const { t } = useI18n({ useScope: 'global' });
  const moment = (at: number) =>
    new Intl.DateTimeFormat(language.value === 'en' ? 'en-GB' : language.value, {
      dateStyle: 'long',
      timeStyle: 'short',
    }).format(at);
  return { t, moment };
}
