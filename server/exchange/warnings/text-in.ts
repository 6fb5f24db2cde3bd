import type { ReadWarning, WarningText } from './reading/read-warning.ts';

const NO_TEXT: WarningText = { language: '', event: '', headline: '', description: '', instruction: '', area: '' };

/** The text in the first of these languages (`ru`) that the warning has; else in English, else the first one. */
export function textIn({ texts }: Pick<ReadWarning, 'texts'>, languages: readonly string[]): WarningText {
  for (const wanted of [...languages.filter(Boolean), 'en']) {
    const found = texts.find(({ language }) => language.toLowerCase().split(/[-_]/)[0] === wanted.toLowerCase());
    if (found) return found;
  }
  return texts[0] ?? NO_TEXT;
}
