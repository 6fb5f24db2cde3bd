import { fold } from '../../../../shared/text/fold.ts';
import { queryWords } from './query-words.ts';
import type { FrequentWords } from './language-words.ts';

const NUMBER = String.raw`\.? ?(?:\d{1,5}[a-z]?|[a-z])`;
const BEFORE =
  'kvartira|kv|apartment|apt|appt|flat|unit|suite|ste|podieezd|etazh|floor|door|ofis|office|room|pomeshchenie|komnata|wohnung|whg|stiege|top|tur|puerta|planta|piso|bajo|pis|porta|scala|interno|lokal';
/** Shorter ones are words without their point. */
const SHORTENED = 'of|et|pod|pom|app|lok|m|int|esc';
const ORDINAL = String.raw`\d{1,3}(?:st|nd|rd|th|\.|-?(?:i|yi|ogo|go|om|er|eme))?`;
const AFTER = 'floor|etazh|etazhe|podieezd|stock|og|etage|piso|piano|pietro';

/** "3o b", "2o izq.", "3r 2a": Spanish and Catalan floors and doors. */
const FLOOR_AND_DOOR = String.raw`(?:\d{1,2}(?:o|r|n|t|e)|atic|atico|bajo) (?:\d{1,2}a|[a-d]|izq\.?|dcha\.?)`;
/** "148 Elm St # 5" */
const BEHIND_STREET = String.raw`(?<=\d[^#]{3,80})# ?\d{1,5}[a-z]?`;
/** "8 m 7": a Polish flat behind its house. */
const BEHIND_HOUSE = String.raw`(?<=\d[a-z]? )m\.? ?\d{1,4}`;

/** "кв. 5", "flat 3", "2nd floor", "Top 7": inside the house, and useless for finding it. */
export const UNIT_WORDS = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:${BEFORE})${NUMBER}|(?:${SHORTENED})\. ?\d{1,5}[a-z]?|${ORDINAL} ?(?:${AFTER})|${FLOOR_AND_DOOR}|${BEHIND_HOUSE}|${BEHIND_STREET}|baixos)(?![\p{L}\p{N}])`,
  'gu',
);

const LONGEST = 240;

/** The flat, floor or office in a query, as typed. */
export function unitOf(query: string, frequent: FrequentWords): string | undefined {
  const text = query.slice(0, LONGEST);
  // Word by word, so that each place in the folded text has one in the typed text.
  const starts: { folded: number; typed: number }[] = [];
  let folded = '';
  for (const { 0: piece, index } of text.matchAll(/\s+|[^\s]+/gu)) {
    starts.push({ folded: folded.length, typed: index });
    folded += /\s/.test(piece) ? ' ' : fold(piece);
  }
  // "12 Floor Street" would leave no street.
  if (!queryWords(folded.replace(UNIT_WORDS, ' ')).some((word) => !frequent.isWeak(word))) return undefined;
  const typedAt = (at: number): number => {
    const start = starts.findLast((one) => one.folded <= at)!;
    return start.folded === at ? start.typed : start.typed + (at - start.folded);
  };
  const units = [...folded.matchAll(UNIT_WORDS)].map(({ 0: unit, index }) => {
    const next = starts.find((one) => one.folded >= index + unit.length);
    const end = next?.folded === index + unit.length ? next.typed : typedAt(index + unit.length - 1) + 1;
    return text.slice(typedAt(index), end).replace(/[\s,;.]+$/u, '');
  });
  return units.length === 0 ? undefined : units.join(', ');
}
