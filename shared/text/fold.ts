import { transliterate } from './transliterate.ts';

/**
 * The folded form for text search: lower-case Latin letters without marks, for Latin and Cyrillic text. Other
 * scripts and punctuation stay; `words` removes punctuation.
 */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  const small = text.normalize('NFC').toLowerCase();
  // Cyrillic first: decomposed, й becomes и with a mark.
  const latin = CYRILLIC.test(small)
    ? transliterate(small.replace(APOSTROPHE_IN_CYRILLIC, '').replace(CONTRACTION, ''))
    : small;
  return latin
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(SPECIAL, (letter) => SPELT[letter] ?? letter);
}

/**
 * The folded words of a text. "1-я Парковая ул." gives `1 parkovaia ul`, "St Paul's 3rd" gives `st pauls 3`:
 * ordinals lose their endings, which not everybody writes.
 */
export function words(text: string): string[] {
  const folded = fold(text);
  // Most names have only letters, spaces and dashes. An import folds a million, and the other rules take ten
  // times as long.
  if (LETTERS.test(folded)) return folded.match(PLAIN_WORD) ?? [];
  return folded.replace(POSSESSIVE, 's').replace(ORDINAL, '$1').match(WORD) ?? [];
}

/**
 * A rough phonetic key of a folded word, the same for usual spellings in two alphabets: `sheremetievo`,
 * `sheremetyevo` and `sheremetevo` share one, as do `kondamin` and `condamine`, `mueller` and `muller`.
 */
export function sound(word: string): string {
  let key = word.replace(CONSONANTS, (group) => CONSONANT[group] ?? group);
  key = key
    .replace(/c(?=[eiy])/g, 's')
    .replace(/[cq]/g, 'k')
    .replace(/x/g, 'ks')
    .replace(/w/g, 'v')
    .replace(/z/g, 's');
  key = key
    .replace(/[yji](?=[aoue])/g, '')
    .replace(/ou|oo/g, 'u')
    .replace(/([aou])e/g, '$1')
    .replace(/ee/g, 'i')
    .replace(/[yj]/g, 'i');
  key = key.replace(/(.)\1+/g, '$1');
  return key.length > 4 && key.endsWith('e') ? key.slice(0, -1) : key;
}

const PLAIN = /^[ -~]*$/;
const LETTERS = /^[a-z .,()/-]*$/;
const PLAIN_WORD = /[a-z]+/g;
const CYRILLIC = /\p{sc=Cyrillic}/u;
const MARKS = /\p{M}+/gu;
const POSSESSIVE = /(?<=\p{L})['’ʼ`]s(?![\p{L}\p{N}])/gu;
const WORD = /[\p{L}\p{N}]+/gu;
const APOSTROPHE_IN_CYRILLIC = /(?<=\p{sc=Cyrillic})['’ʼ](?=\p{sc=Cyrillic})/gu;
/** Russian abbreviates by omitting the middle: пр-т, б-р, наб-я are words. */
const CONTRACTION = /(?<=(?<!\p{L})\p{sc=Cyrillic}{1,3})-(?=\p{sc=Cyrillic}{1,2}(?!\p{L}))/gu;
/** After folding: 1-я is `1-ia`, 2-й is `2-i`, 3-го is `3-go`. */
const ORDINAL =
  /(?<![\p{L}\p{N}])(\d{1,4})(?:st|nd|rd|th|er|eme|-?(?:ia|ya|aia|aya|yi|oi|ii|go|ogo)|-(?:i|y|e|oe))(?![\p{L}\p{N}])/gu;

const SPECIAL = /[ßøđłæœıħþðŋ№]/g;
const SPELT: Readonly<Record<string, string>> = {
  'ß': 'ss',
  'ø': 'o',
  'đ': 'd',
  'ł': 'l',
  'æ': 'ae',
  'œ': 'oe',
  'ı': 'i',
  'ħ': 'h',
  'þ': 'th',
  'ð': 'd',
  'ŋ': 'n',
  '№': 'no',
};

const CONSONANTS = /shch|sch|tch|dzh|sh|ch|zh|kh|gh|ph|th|ck|cz|sz|ts|tz|dj/g;
/**
 * One sign for a sound that some spellings write with several letters; capitals are sounds without a letter.
 */
const CONSONANT: Readonly<Record<string, string>> = {
  shch: 'S',
  sch: 'S',
  sh: 'S',
  sz: 'S',
  tch: 'C',
  ch: 'C',
  cz: 'C',
  dzh: 'J',
  dj: 'J',
  zh: 'J',
  kh: 'h',
  gh: 'g',
  ph: 'f',
  th: 't',
  ck: 'k',
  ts: 's',
  tz: 's',
};
