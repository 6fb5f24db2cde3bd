import { words } from '../../../../shared/text/fold.ts';
import { standsInForName, distinctiveWords } from '../../territory/places/sorts.ts';
import type { QueryWord } from '../query/query-word.ts';
import type { PlaceRow } from './places-file.ts';
import type { FrequentWords } from '../query/language-words.ts';

/** The parts of a document that queries are compared with. */
export interface NamedRow {
  /** Folded names, one a line. */
  nameWords: string;
  areaWords: string;
  sortWords: string;
  kind: PlaceRow['kind'];
  sort: string;
  /** As tagged; several with semicolons. */
  ref: string;
}

export interface Likeness {
  /** 0 to 1 */
  quality: number;
  /**
   * Which of its names explains the hit: the first, on its signs, if it matches almost as well as the best.
   */
  variant: number;
  /** The matching number on the sign of a stop or a hydrant. */
  number: string | undefined;
}

/** The weight of a word that names not the thing but its kind or surroundings. */
const OF_SORT = 0.86;
const OF_AREA = 0.82;
const EXPLAINS = 0.8;
/**
 * The share of a name that counts as matched when the query names only the kind: whole words, or the
 * beginning of one.
 */
const UNNAMED = 0.92;
const UNNAMED_IN_PART = 0.7;
/** Among full matches, those whose name contains the kind come first. */
const TIE = 0.012;
/** From here on a word counts as complete, perhaps in another spelling, and not as a beginning. */
const WHOLE = 0.95;
/** The weight of a word in a name that repeats its kind or place: "Mater Dei Hospital", "Feuerwehr Vaduz". */
const SAID_ELSEWHERE = 0.3;
/** "University" is in the name of a chapel, too; a user who types it means a university. */
const OF_ANOTHER_SORT = 0.93;
/** Stops are named after things near them. Unless the query is for a stop, it means the thing. */
const STOP = 0.9;
const STOPS = new Set(['bus_stop', 'tram_stop']);
/** The number typed last stands first in the name. */
const TURNED = 0.97;
const NOTHING: ReadonlySet<string> = new Set();

/**
 * How well a query matches the best of a thing's names: the matched part of the query, and of the name.
 * Undefined if no significant word matches its name or kind.
 */
export function likenessOf(
  asked: readonly QueryWord[],
  { nameWords, areaWords, sortWords, kind, sort: sortOfThing, ref }: NamedRow,
  frequent: FrequentWords,
): Likeness | undefined {
  const area = areaWords === '' ? [] : areaWords.split(' ');
  const sort = sortWords === '' ? [] : sortWords.split(' ');
  const saidElsewhere = new Set([...area, ...sort]);
  const numbers =
    ref === '' || !asked.some(({ hasDigits }) => hasDigits)
      ? []
      : ref.split(';').map((text) => ({ text: text.trim(), words: words(text) }));
  // Words that are not in the name may match its surroundings, which are equal for all its names.
  const distinctive =
    sort.length === 0
      ? NOTHING
      : distinctiveWords(sortOfThing, (term) => asked.some((word) => word.likeness(term) >= WHOLE));
  const elsewhere = asked.map((word) => {
    let ofArea = 0,
      ofSort = 0,
      ofDistinctive = 0;
    for (const term of area) ofArea = Math.max(ofArea, word.likeness(term));
    for (const term of sort) {
      const like = word.likeness(term);
      ofSort = Math.max(ofSort, like);
      if (distinctive.has(term)) ofDistinctive = Math.max(ofDistinctive, like);
    }
    // The number of a stop or hydrant counts like its name, and so does that of an exit's road.
    const number = word.hasDigits ? numbers.find((other) => other.words.includes(word.text)) : undefined;
    const ofNumber =
      number !== undefined || (sortOfThing === 'motorway_junction' && word.hasDigits && sort.includes(word.text));
    const wholeSort = ofDistinctive >= WHOLE && !word.weak;
    // "Triesen" is a prefix of "Triesenberg", but another place.
    return {
      ofArea: ofArea * (ofArea < 1 ? OF_AREA * 0.85 : OF_AREA),
      ofSort: wholeSort || ofNumber ? ofSort : ofSort * OF_SORT,
      wholeSort,
      number,
      ofThing: ofSort >= WHOLE,
    };
  });
  // "School Street" does not mean a school.
  const streetAsked = asked.some(({ text }) => frequent.saysStreet(text));
  const ofSortAsked = !streetAsked && elsewhere.some(({ wholeSort }) => wholeSort);
  const number = elsewhere.find((word) => word.number)?.number?.text;
  const stopAsked = elsewhere.some(({ ofThing }) => ofThing);
  const weighty = asked.some(({ weak }) => !weak);
  let whole = 0;
  for (const { weight } of asked) whole += weight;

  let best: Omit<Likeness, 'number'> | undefined;
  let ofMain = 0;
  nameWords.split('\n').forEach((name, variant) => {
    const terms = name.split(' ');
    const taken = new Array<number>(terms.length).fill(0);
    // Polish signs have no "ulica".
    const isBare = kind === 'street' && !terms.some((term) => frequent.isKind(term));
    let answered = 0;
    let meant = false;
    let named = false;
    let isTurned = false;
    asked.forEach((word, w) => {
      let at = -1,
        most = 0;
      terms.forEach((term, t) => {
        const like = taken[t]! > 0 ? 0 : word.likeness(term);
        if (like > most) {
          most = like;
          at = t;
        }
      });
      const { ofArea, ofSort, wholeSort } = elsewhere[w]!;
      if (word.saysSort && !wholeSort && !streetAsked && kind !== 'place') most *= OF_ANOTHER_SORT;
      if (at >= 0 && most >= Math.max(ofArea, ofSort)) {
        taken[at] = most;
        if (!word.weak && !saidElsewhere.has(terms[at]!)) named = true;
      }
      if (Math.max(most, ofSort) > 0 && most >= ofArea - 0.2 && (!word.weak || !weighty)) meant = true;
      const ofKind = isBare && frequent.isLeftOut(word.text) ? 1 : 0;
      answered += word.weight * Math.max(most, ofArea, ofSort, ofKind);
      // "Sadovyi 3" is a house rather than the "3rd Sadovyi".
      if (word.hasDigits && at === 0 && terms.length > 1 && asked.slice(0, w).some(({ weak }) => !weak))
        isTurned = true;
    });
    if (!meant) return;
    let all = 0,
      met = 0;
    terms.forEach((term, t) => {
      // A missing "Street" in the query says less than a missing "street" in the name.
      const own = frequent.weightOf(term);
      const weight = frequent.isWeak(term) ? own / 2 : saidElsewhere.has(term) ? SAID_ELSEWHERE : own;
      all += weight;
      met += weight * taken[t]!;
    });
    const inOrder = name.startsWith(asked.map(({ text }) => text).join(' ')) ? 0.02 : 0;
    // A query for a hospital does not mean a street of its name.
    const without = ofSortAsked && standsInForName(name, sortOfThing);
    const coverage = without
      ? UNNAMED
      : Math.max(
          met / all,
          named ? 0 : ofSortAsked || number !== undefined ? UNNAMED + (TIE * met) / all : UNNAMED_IN_PART,
        );
    const quality =
      Math.min(1, (answered / whole) * (0.74 + 0.26 * coverage) + (named ? inOrder : 0)) *
      (variant === 0 || !named ? 1 : 0.985) *
      (STOPS.has(sortOfThing) && !stopAsked ? STOP : 1) *
      (isTurned ? TURNED : 1);
    if (variant === 0) ofMain = quality;
    if (!best || quality > best.quality) best = { quality, variant };
  });
  return best && { quality: best.quality, variant: ofMain >= EXPLAINS * best.quality ? 0 : best.variant, number };
}
