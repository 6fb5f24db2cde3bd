const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** UTF-16 units of a character: the longest emoji has 15, but combining marks have no limit. */
const UNITS = 16;
/**
 * Longer texts would take milliseconds to count. They may have this many units, or two for each character.
 */
const COUNTED = 400_000;

function maxUnits(most: number): number {
  return Math.min(UNITS * most, Math.max(2 * most, COUNTED));
}

/**
 * Whether a text has more characters than `most`, counted in grapheme clusters: an emoji, or a letter with
 * its marks, is one. Reads only as much of a long text as needed.
 */
export function isLonger(text: string, most: number): boolean {
  if (text.length <= most) return false;
  return text.length > maxUnits(most) || countUpTo(text, most + 1) > most;
}

/** How many characters (grapheme clusters) a text has. */
export function charactersIn(text: string): number {
  return countUpTo(text, Infinity);
}

/** The text, or its beginning with an ellipsis, within so many characters. Never splits a character. */
export function shortened(text: string, most: number): string {
  return isLonger(text, most) ? `${beginning(text, most - 1)}…` : text;
}

/** The first characters of a text. */
export function beginning(text: string, most: number): string {
  let end = 0;
  let count = 0;
  for (const { segment } of GRAPHEMES.segment(text.slice(0, maxUnits(most)))) {
    if (++count > most) break;
    end += segment.length;
  }
  return text.slice(0, end);
}

/**
 * The text without invisible characters that change the writing direction: with them a title could show other
 * words than it has.
 */
export function withoutDirections(text: string): string {
  return text.replace(/\p{Bidi_Control}/gu, '');
}

function countUpTo(text: string, most: number): number {
  let count = 0;
  for (const _ of GRAPHEMES.segment(text)) if (++count >= most) break;
  return count;
}
