/**
 * The letters of a Russian keyboard, and those of an English one on the same keys, without Shift and with it.
 */
const RUSSIAN = 'йцукенгшщзхъфывапролджэячсмитьбюё';
const ENGLISH = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`";
const WITH_SHIFT = 'QWERTYUIOP{}ASDFGHJKL:"ZXCVBNM<>~';
const OTHER = new Map(
  [...RUSSIAN].flatMap((letter, i) => [
    [letter, ENGLISH[i]!],
    [ENGLISH[i]!, letter],
    [WITH_SHIFT[i]!, letter],
  ]),
);

/**
 * The text as typed with the other keyboard layout: "ktybyf" is "ленина". Undefined for a text in both
 * alphabets.
 */
export function onOtherKeyboard(text: string): string | undefined {
  const small = text.toLowerCase();
  const russian = /[а-яё]/.test(small);
  if (russian === /[a-z]/.test(small)) return undefined;
  // Signs are letters only on the English keyboard: in a Russian text a comma is a comma.
  return [...small].map((key) => (russian && !/[а-яё]/.test(key) ? key : (OTHER.get(key) ?? key))).join('');
}
