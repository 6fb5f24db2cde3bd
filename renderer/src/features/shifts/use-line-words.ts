import { usePreferences } from '../../lib/stores/preferences.ts';
import { useLocale } from '../../lib/i18n/index.ts';
import type { LogBookLine } from './use-log-book.ts';

/** Texts of the lines of the log-book, in the current language. */
export function useLineWords() {
  const preferences = usePreferences();
  const { t } = useLocale();
  return (line: LogBookLine): string => {
    if (line.kind === 'entry') return line.text;
    const subject = line.carName || line.text;
    return t(`shifts.lines.${line.kind}`, {
      vehicle: line.carName,
      task: line.newsId ?? '',
      text: line.text,
      alarm: line.alarm?.[preferences.language] ?? '',
      who: [line.carName, line.text].filter(Boolean).join(', '),
      subject: subject && `, ${subject}`,
    });
  };
}
