/**
 * Cyrillic to Latin after ICAO Doc 9303 part 3 (й i, ю iu, я ia, ё e, ж zh, х kh, ц ts, щ shch, ъ ie, ь
 * nothing), with the letters of Ukrainian, Belarusian, Serbian and Macedonian. Everything else stays. A
 * capital that becomes several letters is fully capital only inside a word of capitals: "Щукино" is
 * "Shchukino", "ЩИТ" is "SHCHIT".
 */
export function transliterate(text: string): string {
  let latin = '';
  for (let i = 0; i < text.length; i++) {
    const letter = text[i]!;
    const small = letter.toLowerCase();
    const replacement = LATIN[small];
    if (replacement === undefined) latin += letter;
    else if (letter === small) latin += replacement;
    else
      latin += amongCapitals(text, i)
        ? replacement.toUpperCase()
        : replacement.charAt(0).toUpperCase() + replacement.slice(1);
  }
  return latin;
}

/** Whether a neighbour of this capital in the same word is a capital, too. */
function amongCapitals(text: string, i: number): boolean {
  const neighbour = isLetter(text[i + 1]) ? text[i + 1]! : isLetter(text[i - 1]) ? text[i - 1]! : '';
  return neighbour !== '' && neighbour !== neighbour.toLowerCase();
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && character.toLowerCase() !== character.toUpperCase();
}

const LATIN: Readonly<Record<string, string>> = {
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  ґ: 'g',
  ѓ: 'g',
  д: 'd',
  ђ: 'd',
  е: 'e',
  ѐ: 'e',
  ё: 'e',
  є: 'ie',
  ж: 'zh',
  з: 'z',
  ѕ: 'dz',
  и: 'i',
  ѝ: 'i',
  і: 'i',
  ї: 'i',
  й: 'i',
  ј: 'j',
  к: 'k',
  ќ: 'k',
  л: 'l',
  љ: 'lj',
  м: 'm',
  н: 'n',
  њ: 'nj',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  ћ: 'c',
  у: 'u',
  ў: 'u',
  ф: 'f',
  х: 'kh',
  ц: 'ts',
  ч: 'ch',
  џ: 'dz',
  ш: 'sh',
  щ: 'shch',
  ъ: 'ie',
  ы: 'y',
  ь: '',
  э: 'e',
  ю: 'iu',
  я: 'ia',
  ѣ: 'ie',
  ѫ: 'u',
  ѳ: 'f',
  ѵ: 'y',
};
