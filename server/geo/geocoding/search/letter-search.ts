import type { LetterReading } from '../query/house-readings.ts';
import type { QueryContext } from '../query/query-context.ts';
import type { QueryWord } from '../query/query-word.ts';
import { findAddressed } from './candidates.ts';
import type { ScoredCandidate } from './candidates.ts';
import { documentHit, houseHit } from './hits.ts';
import type { RankedHit } from './hits.ts';
import { findHouses } from './house-search.ts';
import type { PlacesFile } from './places-file.ts';

const STREETS_FOR_HOUSES = 30;
/** Loss of a street outside of the town, if another one of the name lies in it. */
const ELSEWHERE = 0.16;
/** Loss of all if no street of the name lies there: the map may not know the town. */
const UNKNOWN = 0.04;
/** After a mapped house, streets with less than this share of its score are left out. */
const LESS_LIKELY = 0.8;
/** The factor for a street without a word beside it that is not in its surroundings either. */
const DOUBTFUL_COUNTS = 0.86;
/** The street without its house. */
const STREET = 0.84;
/** Weights of the words for town and postcode: "MD" and "of" say little. */
const CODE_WEIGHS = 1.5;
const SHORT_WEIGHS = 0.2;
/** A word this like one of the surroundings says where a street lies. */
const LIKE = 0.75;

/** Houses on streets of that name, those in the town first. A town that is not known takes no house away. */
export function findByLetter(file: PlacesFile, letters: readonly LetterReading[], context: QueryContext): RankedHit[] {
  const found = letters.flatMap(({ words, around, house, cut = [] }) => {
    if (context.isTimeUp()) return [];
    const where = context.understand(around);
    const telling = context
      .understand(cut)
      .filter(({ weak, hasDigits, text }) => !weak && !hasDigits && text.length > 2);
    return findAddressed(file, context.understand(words), where, context).map((candidate) => ({
      candidate,
      house,
      share: shareIn(where, candidate),
      isDoubtful: telling.some((word) => !isMet(word, areaOf(candidate)) && context.isMisspelt(word.text)),
    }));
  });
  const best = found.reduce((most, { share }) => Math.max(most, share), 0);
  const ranked = found
    .map(({ candidate, house, share, isDoubtful }) => ({
      ...candidate,
      house,
      isDoubtful,
      score:
        candidate.score * (1 - ELSEWHERE * (best - share) - UNKNOWN * (1 - best)) * (isDoubtful ? DOUBTFUL_COUNTS : 1),
    }))
    .sort((a, b) => b.score - a.score || a.row.id - b.row.id);
  const hits: RankedHit[] = [];
  const tried = new Set<string>();
  let bestHouse = 0;
  for (const { row, score, variant, house, isDoubtful } of ranked) {
    if (tried.size >= STREETS_FOR_HOUSES || score < LESS_LIKELY * bestHouse || context.isTimeUp()) break;
    const key = `${row.id} ${house.key}`;
    if (tried.has(key)) continue;
    tried.add(key);
    for (const known of findHouses(file, row.id, house)) {
      if (known.exact) bestHouse = Math.max(bestHouse, score);
      hits.push({ ...houseHit(row, known, score * known.likeness, variant), isDoubtful });
    }
    hits.push({ ...documentHit(row, score * STREET, variant), isDoubtful });
  }
  return hits;
}

/** 0 to 1: how much of town and postcode the surroundings of a street have. */
function shareIn(around: readonly QueryWord[], candidate: ScoredCandidate): number {
  const terms = areaOf(candidate);
  let all = 0,
    met = 0;
  for (const word of around) {
    const weight = word.hasDigits ? CODE_WEIGHS : word.weak || word.text.length < 3 ? SHORT_WEIGHS : 1;
    all += weight;
    met += weight * likenessIn(word, terms);
  }
  return all === 0 ? 0 : met / all;
}

function areaOf({ row }: ScoredCandidate): string[] {
  return row.area_words === '' ? [] : row.area_words.split(' ');
}

/** How like the word is to one of the surroundings; the letter of a house begins many of them. */
function likenessIn(word: QueryWord, terms: readonly string[]): number {
  if (word.text.length < 2) return terms.includes(word.text) ? 1 : 0;
  let like = 0;
  for (const term of terms) like = Math.max(like, word.likeness(term));
  return like >= LIKE ? like : 0;
}

const isMet = (word: QueryWord, terms: readonly string[]): boolean => likenessIn(word, terms) > 0;
