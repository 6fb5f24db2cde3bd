/** Russian letters as in passports, else as people type them. */
const RUSSIAN: Readonly<Record<string, readonly string[]>> = {
  а: ['a'],
  б: ['b'],
  в: ['v'],
  г: ['g'],
  д: ['d'],
  е: ['e', 'e', 'ye'],
  ё: ['e', 'yo', 'e'],
  ж: ['zh'],
  з: ['z'],
  и: ['i'],
  й: ['i', 'y', 'y'],
  к: ['k'],
  л: ['l'],
  м: ['m'],
  н: ['n'],
  о: ['o'],
  п: ['p'],
  р: ['r'],
  с: ['s'],
  т: ['t'],
  у: ['u'],
  ф: ['f'],
  х: ['kh', 'kh', 'h'],
  ц: ['ts', 'ts', 'c'],
  ч: ['ch'],
  ш: ['sh'],
  щ: ['shch', 'shch', 'sch'],
  ъ: ['ie', ''],
  ы: ['y'],
  ь: [''],
  э: ['e'],
  ю: ['iu', 'yu', 'yu'],
  я: ['ia', 'ya', 'ya'],
};
/** Where Ukrainian differs: the passport's form, the scholars' and that of old maps. */
const UKRAINIAN: Readonly<Record<string, readonly string[]>> = {
  ...RUSSIAN,
  г: ['h', 'h', 'g'],
  ґ: ['g'],
  е: ['e'],
  є: ['ie', 'ye', 'ye'],
  и: ['y', 'y', 'i'],
  і: ['i'],
  ї: ['i', 'yi', 'i'],
};

/** Three ways in which people write the text in Latin letters. */
export function inLatin(text: string, language: 'ru' | 'uk'): string[] {
  const letters = language === 'uk' ? UKRAINIAN : RUSSIAN;
  const plain = text.replace(/(?<=\p{L})['’ʼ](?=\p{L})/gu, '');
  return [0, 1, 2].map((way) =>
    plain.replace(/\p{sc=Cyrillic}/gu, (letter) => {
      const small = letter.toLowerCase();
      const ways = letters[small] ?? [letter];
      // Only the first letter of a word is "ye" in common spelling.
      const latin = ways[Math.min(way, ways.length - 1)]!;
      return small === letter ? latin : latin.slice(0, 1).toUpperCase() + latin.slice(1);
    }),
  );
}
