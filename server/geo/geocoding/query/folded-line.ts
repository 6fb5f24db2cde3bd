import { fold } from '../../../../shared/text/fold.ts';

/** Longer queries are cut. */
const LONGEST = 240;

/** "Müllerstr.43a", "Ленина7": a number glued to a word of four letters, or to a shortened one. */
const GLUED = /(?<=\p{L}{2}\.|\p{L}{4}|(?<!\p{L})(?:str|weg|rue|via))(?=\d{1,4}[a-z]?(?![\p{L}\p{N}]))/gu;
/** "C/ del Cedre", "Av/ Meritxell": kinds that Spanish and Catalan shorten with a slash. */
const SLASHED = /(?<![\p{L}\p{N}])(c|av|avda|pl|pza|pg|ptge|ctra)\/ ?(?=\p{L}{2})/gu;

/** "V.le Roma", "P.zza S.ta Lucia": Italian and Spanish shorten by the last letters. */
const LAST_LETTERS = /(?<![\p{L}\p{N}])(\p{L}{1,2})\.(le|lo|la|zza|za|zzale|so|go|ta|to)(?![\p{L}\p{N}])/gu;

/** The query as one folded line; lines of the input are separated by commas. */
export function foldedLine(query: string): string {
  return fold(
    query
      .slice(0, LONGEST)
      .trim()
      .replace(/\s*[\n\r]\s*/g, ', '),
  )
    .replace(/\s+/g, ' ')
    .replace(LAST_LETTERS, '$1$2')
    .replace(GLUED, ' ')
    .replace(SLASHED, (_, kind: string) => (kind === 'c' ? 'carrer ' : `${kind} `))
    .trim();
}
