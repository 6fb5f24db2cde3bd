import type { Profile } from '../profiles/profile.ts';

/** The integer at the start of a tag's value. */
export function leadingInteger(value: string | undefined): number | undefined {
  const digits = value === undefined ? null : /^\s*(\d{1,6})/.exec(value);
  return digits ? +digits[1]! : undefined;
}

/**
 * km/h of a limit as it is tagged, undefined when there is none: leading digits (`50;60` is 50), `mph` times
 * 1.609, else the profile's list of exceptions (`de:rural`), else its list of kinds by the word after `xx:`.
 * A 0 anywhere means no limit.
 */
export function speedLimit(value: string | undefined, rule: Profile['maxspeed']): number | undefined {
  if (!value) return undefined;
  const digits = leadingInteger(value);
  if (digits !== undefined) {
    const speed = /mp\/?h/.test(value) ? digits * 1.609 : digits;
    return speed > 0 ? speed : undefined;
  }
  const word = value.trim().toLowerCase();
  const speed = Object.hasOwn(rule.exceptions, word) ? rule.exceptions[word] : kindOf(word, rule);
  return speed ? speed : undefined;
}

function kindOf(word: string, rule: Profile['maxspeed']): number | undefined {
  const kind = /^[a-z]{2}:(.+)$/.exec(word)?.[1];
  return kind !== undefined && Object.hasOwn(rule.kinds, kind) ? rule.kinds[kind] : undefined;
}
