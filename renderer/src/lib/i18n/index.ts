import { createI18n, useI18n } from 'vue-i18n';
import { LANGUAGES, type Language } from '../../../../shared/text/language.ts';
import * as format from './format.ts';
import type { Translation } from './catalogues/catalogue.ts';
import type { en } from './catalogues/en.ts';
import { russianForm } from './russian-form.ts';

export { LANGUAGES, type Language };

export { russianForm };

export const i18n = createI18n({
  legacy: false,
  locale: 'en' as Language,
  fallbackLocale: 'en',
  messages: {} as Record<Language, Translation<typeof en>>,
  pluralRules: { ru: russianForm },
});

const CATALOGUES: Readonly<Record<Language, () => Promise<Translation<typeof en>>>> = {
  en: async () => (await import('./catalogues/en.ts')).en,
  ru: async () => (await import('./catalogues/ru.ts')).ru,
};
let wanted: Language | undefined;

/** Loads the words of all languages, so that they can be switched while the station is away. */
export async function fetchLanguages(): Promise<void> {
  for (const language of LANGUAGES) await load(language);
}

async function load(language: Language): Promise<void> {
  if (!i18n.global.availableLocales.includes(language))
    i18n.global.setLocaleMessage(language, await CATALOGUES[language]());
}

/** Loads the words of a language and shows them. Rejects when the station cannot be reached. */
export async function showLanguage(language: Language): Promise<void> {
  wanted = language;
  await load(language);
  if (wanted === language) i18n.global.locale.value = language;
}

/** Texts and formats in the current language; both follow a change of it. */
export function useLocale() {
  const { t, te, locale } = useI18n({ useScope: 'global' });
  return {
    t,
    /** Whether there is such a text: a code of the station may be newer than this console. */
    has: (key: string) => te(key) || te(key, 'en'),
    locale,
    duration: (seconds: number) => format.duration(seconds, locale.value),
    distance: (metres: number) => format.distance(metres, locale.value),
    speed: (kmh: number) => format.speed(kmh, locale.value),
    timer: (milliseconds: number) => format.timer(milliseconds, locale.value),
    moment: (at: number, now: number, seconds = false) => format.moment(at, now, locale.value, seconds),
    ago: (at: number, now: number) => format.ago(at, now, locale.value),
    clock: (at: number) => format.clock(at, locale.value),
    bytes: (size: number) => format.bytes(size, locale.value),
    count: (value: number) => format.count(value, locale.value),
  };
}
