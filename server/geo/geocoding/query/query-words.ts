import { words } from '../../../../shared/text/fold.ts';

const MAX_WORDS = 12;

/** The folded words of a text, up to a limit. */
export function queryWords(text: string): string[] {
  return words(text).slice(0, MAX_WORDS);
}
