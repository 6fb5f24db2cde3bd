import { RE2JS } from 're2js';
import { Refusal } from '../refusal.ts';

/** Longest pattern of a field, in characters. */
const LONGEST = 500;
const compiled = new Map<string, RE2JS>();

/**
 * Whether `text` contains a match of `pattern`, which may be anchored. Patterns are RE2: no look-around and
 * no back-references, so the time is linear in the text. Throws an `invalid` Refusal for an invalid pattern.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  return patternOf(pattern).matcher(text).find();
}

/** Throws an `invalid` Refusal that says what is wrong with the pattern. */
export function checkPattern(pattern: string): void {
  patternOf(pattern);
}

function patternOf(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  if (pattern.length > LONGEST) throw new Refusal('field.longPattern', { field: 'regexp', most: LONGEST });
  let made: RE2JS;
  try {
    made = RE2JS.compile(pattern);
  } catch (error) {
    throw new Refusal(
      'field.badPattern',
      { field: 'regexp', problem: error instanceof Error ? error.message : 'this is not a pattern' },
      {
        cause: error,
      },
    );
  }
  if (compiled.size >= 500) compiled.clear(); // a station has a few dozen fields; more are patterns being typed
  compiled.set(pattern, made);
  return made;
}
