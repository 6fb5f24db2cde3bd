/**
 * The letters of a Russian keyboard, and what an English one has on the same keys, without Shift and with it.
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
 * What would have been typed with the keyboard set to the other of the two alphabets: "ktybyf" is "ленина".
 * Undefined for a text in both.
 */
export function onOtherKeyboard(text: string): string | undefined {
  const small = text.toLowerCase();
  const russian = /[а-яё]/.test(small);
  if (russian === /[a-z]/.test(small)) return undefined;
  // Signs are letters only on the English keyboard: in a Russian text a comma is a comma.
  return [...small].map((key) => (russian && !/[а-яё]/.test(key) ? key : (OTHER.get(key) ?? key))).join('');
}
