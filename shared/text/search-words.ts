import { fold } from './fold.ts';

/**
 * Asks of texts whether every word of the query begins, ends or stands within one of them, whatever the
 * alphabet and case. Single letters are left out, since somebody is still typing; single digits are not.
 * Undefined for a query without words.
 */
export function wordMatcher(query: string): ((texts: readonly string[]) => boolean) | undefined {
  const words = fold(query)
    .split(/\s+/)
    .filter((word) => word.length > 1 || /\d/.test(word));
  if (words.length === 0) return undefined;
  return (texts) => {
    const folded = texts.map(fold);
    return words.every((word) => folded.some((text) => text.includes(word)));
  };
}
