import { createI18n, useI18n } from 'vue-i18n';
import { reactive, watchEffect } from 'vue';
import type { Language } from '../../../../shared/text/language.ts';
import * as format from '../../lib/i18n/format.ts';
import { russianForm } from '../../lib/i18n/russian-form.ts';
import { en } from './en.ts';
import { ru } from './ru.ts';

const LANGUAGE = 'waypost-crew:language';

/** Language and palette, as this telephone keeps them. */
export const look = reactive({
  language: (localStorage.getItem(LANGUAGE) ?? (navigator.language.startsWith('ru') ? 'ru' : 'en')) as Language,
  palette: (document.documentElement.dataset['palette'] ?? 'day') as 'day' | 'night',
});

export const i18n = createI18n({
  legacy: false,
  locale: look.language,
  fallbackLocale: 'en',
  messages: { en, ru },
  pluralRules: { ru: russianForm },
});

/** Shows and keeps what `look` says. */
export function followLook(): void {
  watchEffect(() => {
    i18n.global.locale.value = look.language;
    document.documentElement.lang = look.language;
    document.documentElement.dataset['palette'] = look.palette;
    localStorage.setItem(LANGUAGE, look.language);
    localStorage.setItem('waypost-crew:palette', look.palette);
  });
}

export function useWords() {
  const { t, te, locale } = useI18n({ useScope: 'global' });
  return {
    t,
    te,
    timer: (milliseconds: number) => format.timer(milliseconds, locale.value),
    distance: (metres: number) => format.distance(metres, locale.value),
    timeOf: (at: number) => format.clock(at, locale.value).time,
    bytes: (size: number) => format.bytes(size, locale.value),
  };
}
