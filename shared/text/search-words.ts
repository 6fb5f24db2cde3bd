import { fold } from './fold.ts';

/**
 * Tests whether every word of the query is contained in one of the texts, whatever the alphabet and case.
 * Single letters are ignored, because the user is still typing; single digits are not. Undefined for a query
 * without words.
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
