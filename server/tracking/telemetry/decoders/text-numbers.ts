/**
 * Powers of ten up to 10^22 and integers of 15 digits are exact doubles, so one division gives the nearest
 * double, as `Number` does.
 */
const EXACT_DIGITS = 15;
const TENS = Array.from({ length: EXACT_DIGITS + 1 }, (_, exponent) => 10 ** exponent);
const MAX_DIGITS = 18;
const [ZERO, NINE, POINT, PLUS, MINUS] = [48, 57, 46, 43, 45] as const;

/**
 * Parses the number in a text from `from` to `until`, as `Number` would, without copying: a sign and at most
 * 18 digits on either side of the point. NaN for anything else.
 */
export function decimalIn(text: string, from: number, until: number): number {
  const sign = text.charCodeAt(from);
  const first = from < until && (sign === MINUS || sign === PLUS) ? from + 1 : from;
  let number = 0;
  let at = first;
  for (; at < until; at++) {
    const digit = text.charCodeAt(at);
    if (digit < ZERO || digit > NINE) break;
    number = number * 10 + (digit - ZERO);
  }
  const whole = at - first;
  if (whole === 0 || whole > MAX_DIGITS) return NaN;
  let places = 0;
  if (at < until) {
    if (text.charCodeAt(at) !== POINT) return NaN;
    for (at++; at < until; at++, places++) {
      const digit = text.charCodeAt(at);
      if (digit < ZERO || digit > NINE) return NaN;
      number = number * 10 + (digit - ZERO);
    }
    if (places === 0 || places > MAX_DIGITS) return NaN;
  }
  const read =
    whole + places > EXACT_DIGITS ? Number(text.slice(first, until)) : places === 0 ? number : number / TENS[places]!;
  return sign === MINUS ? -read : read;
}

/** Number of digits in a text from `from` on, at most to `until`. */
export function digitsIn(text: string, from: number, until: number): number {
  let at = from;
  for (; at < until; at++) {
    const digit = text.charCodeAt(at);
    if (digit < ZERO || digit > NINE) break;
  }
  return at - from;
}
