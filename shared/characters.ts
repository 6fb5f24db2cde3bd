/**
 * Whether a text has more characters than that, as people and JSON Schema count them: by code points. An emoji is one character, though it is two
 * in the length of a JavaScript string. Of a text that is far too long no more is looked at than is needed to know.
 */
export function isLonger(text: string, most: number): boolean {
  if (text.length <= most) return false;
  return text.length > 2 * most || charactersIn(text) > most;
}

/** How many characters a text has: code points. */
export function charactersIn(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The text, or its beginning with an ellipsis, in at most so many characters. No character is cut in two. */
export function shortened(text: string, most: number): string {
  return isLonger(text, most) ? `${[...text.slice(0, 2 * most)].slice(0, most - 1).join('')}…` : text;
}
