/** Digits that two numbers must share at their ends: those of a subscriber with the area, without trunk and country. */
const SHARED_END = 9;

/** A telephone number without spaces, brackets and dashes; `00` at its beginning is `+`. Empty: withheld. */
export function plainNumber(written: string): string {
  const kept = written.replace(/^\s*(?:sips?|tel):/i, '').replace(/@.*$/, '');
  const digits = kept.replace(/\D/g, '');
  if (/^\s*\(?\s*\+/.test(kept)) return digits && `+${digits}`;
  return digits.length > 9 && digits.startsWith('00') ? `+${digits.slice(2)}` : digits;
}

/** Longest number with its country code (E.164), and room for a trunk code. */
const LONGEST = 20;

/** As `plainNumber`; empty: this is no number that can be dialled. Letters make no number. */
export function diallable(written: string): string {
  const kept = written.replace(/^\s*(?:sips?|tel):/i, '').replace(/@.*$/, '');
  const plain = /^[-\d\s().+/]+$/.test(kept) ? plainNumber(kept) : '';
  return plain.length < 2 || plain.length > LONGEST ? '' : plain;
}

/** `+44 …`, `0…` and `8 (…`, with signs between the digits, but no place, date or amount. */
const IN_TEXT = /(?<![\w.,:/+-])(?:\+\d|\(?0\d|8[\s(-]+\d)[\d\s()–-]{4,18}\d(?![\w.,:/]?\d)/gu;
const LEAST_IN_TEXT = 7;

/** A text in pieces, of which some are telephone numbers. */
export function numbersIn(text: string): { readonly text: string; readonly isNumber: boolean }[] {
  const pieces: { text: string; isNumber: boolean }[] = [];
  let from = 0;
  const put = (until: number, isNumber: boolean) => {
    if (until > from) pieces.push({ text: text.slice(from, until), isNumber });
    from = until;
  };
  for (const { 0: found, index } of text.matchAll(IN_TEXT)) {
    if (diallable(found.replaceAll('–', '-')).length < LEAST_IN_TEXT) continue;
    put(index, false);
    put(index + found.length, true);
  }
  put(text.length, false);
  return pieces;
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
