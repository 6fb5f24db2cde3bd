/** Digits that two numbers must share at their ends: those of a subscriber with the area, without trunk and country. */
const SHARED_END = 9;

/** A telephone number without spaces, brackets and dashes; `00` at its beginning is `+`. Empty: withheld. */
export function plainNumber(written: string): string {
  const kept = written.replace(/^\s*(?:sips?|tel):/i, '').replace(/@.*$/, '');
  const digits = kept.replace(/\D/g, '');
  if (/^\s*\(?\s*\+/.test(kept)) return digits && `+${digits}`;
  return digits.length > 9 && digits.startsWith('00') ? `+${digits.slice(2)}` : digits;
}

/**
 * Whether two plain numbers are one subscriber's: the same, or with the same last nine digits, because an exchange
 * writes `+7 495 …`, `8 495 …` and `495 …`. Short numbers must be the same. Withheld numbers match nothing.
 */
export function isSameNumber(one: string, other: string): boolean {
  if (one === '' || other === '') return false;
  const [first, second] = [one.replace('+', ''), other.replace('+', '')];
  if (first === second) return true;
  return Math.min(first.length, second.length) >= SHARED_END && first.slice(-SHARED_END) === second.slice(-SHARED_END);
}
