import { around, metresBetween } from '../territory/places/metres.ts';
import { isSortWord } from '../territory/places/sorts.ts';
import type { AskedWord, Latitude } from './asked-word.ts';
import { Lexicon } from './asked-word.ts';
import { parseCoordinates } from './coordinates.ts';
import { findPassings } from './corner-search.ts';
import type { Hit } from './door.ts';
import { cornerHit, documentHit, houseHit, withoutDoubles } from './hits.ts';
import type { Ranked } from './hits.ts';
import { findHouses } from './house-search.ts';
import { likenessOf } from './likeness.ts';
import type { Likeness } from './likeness.ts';
import type { CornerRow, DocumentRow, PlacesFile } from './places-file.ts';
import { joinedReadings, readingsOf, splitReadings } from './readings.ts';
import type { Reading } from './readings.ts';
import { reverse } from './reverse.ts';

export interface Question {
  query: string;
  /** degrees */
  near?: { lon: number; lat: number };
  limit: number;
}

/** A document that may be meant. */
interface Candidate extends Likeness {
  row: DocumentRow;
  score: number;
}

/** Candidates taken from the index, the most important first. */
const TAKEN = 500;
const STREETS_FOR_HOUSES = 30;
const STREETS_FOR_CORNERS = 120;
/** A hit that is good enough that mistakes in the question need not be thought of. */
const GOOD = 0.8;
/** Nor where a whole list of hits is at least as good as this: three letters begin many names. */
const FAIR = 0.65;
/** One so poor that a question of which some words lead nowhere is worth answering in part. */
const POOR = 0.5;
/** What is worse than the best by more than this is not what was meant, and only makes the list longer. */
const WORTH_SHOWING = 0.6;
/** Within this distance of the favoured point things are looked for once more, when there are too many elsewhere. */
const NEARBY = 4000;

/** What a corner of streets that pass without meeting is worth. */
const PASSING_COUNTS = 0.96;

const IMPORTANCE_COUNTS = 0.1;
const NEARNESS_COUNTS = 0.12;
/** Distance at which being near counts half. */
const HALF_NEAR = 3000;

/** Searches one territory. Synchronous; `passed` ends it early with what was found so far. */
export class Search {
  readonly #file: PlacesFile;
  readonly #lexicon: Lexicon;

  constructor(file: PlacesFile) {
    this.#file = file;
    const { terms, counts } = file.terms();
    this.#lexicon = new Lexicon(terms, counts);
  }

  run({ query, near, limit }: Question, passed: () => boolean): Hit[] {
    const point = parseCoordinates(query, this.#file.bounds);
    if (point) return [atCoordinates(this.#file, point)];
    const readings = readingsOf(query);
    const asking = new Asking(this.#lexicon, near, passed);
    let hits = this.#answer(readings, asking);
    const satisfied = hits.some(({ score }) => score >= GOOD) || hits.filter(({ score }) => score >= FAIR).length >= limit;
    if (!satisfied && !passed()) hits = merged(hits, this.#answer(readings, asking.withMistakes()));
    const apart = splitReadings(readings, (word) => this.#lexicon.has(word));
    if (!hits.some(({ score }) => score >= GOOD) && !passed()) hits = merged(hits, this.#answer([...joinedReadings(readings), ...apart], asking));
    if (!hits.some(({ score }) => score >= POOR) && !passed()) {
      // Of a compound that was taken apart only what the thing is leads somewhere: "landes" is in the names of a library and a museum.
      const typed = (word: string): boolean => readings.some((reading) => reading.kind === 'name' && reading.words.includes(word));
      hits = merged(hits, apart.length > 0 ? this.#inPart(apart, asking, (word) => isSortWord(word) || typed(word)) : this.#inPart(readings, asking.withMistakes()));
    }
    hits.sort((a, b) => b.score - a.score || a.id - b.id);
    const worth = hits.filter(({ score }) => score >= WORTH_SHOWING * hits[0]!.score);
    return withoutDoubles(worth).slice(0, limit).map((hit) => (near ? { ...hit, distance: metresBetween(near.lon * 1e7, near.lat * 1e7, hit.lon * 1e7, hit.lat * 1e7) } : hit));
  }

  #answer(readings: readonly Reading[], asking: Asking): Ranked[] {
    let hits: Ranked[] = [];
    for (const reading of readings) {
      if (asking.passed()) break;
      hits = merged(hits, this.#answerOne(reading, asking));
    }
    return hits;
  }

  #answerOne(reading: Reading, asking: Asking): Ranked[] {
    switch (reading.kind) {
      case 'name':
        return this.#candidates(asking.understand(reading.words), asking).map(({ row, score, variant }) => documentHit(row, score, variant));
      case 'house': {
        const candidates = this.#candidates(asking.understand(reading.words), asking).filter(({ row }) => row.kind !== 'object').slice(0, STREETS_FOR_HOUSES);
        return candidates.flatMap(({ row, score, variant }) => {
          const houses = asking.passed() ? [] : findHouses(this.#file, row.id, reading.house);
          // The street itself is the answer of next resort, and the better one when it has no such house.
          return [...houses.map((house) => houseHit(row, house, score * house.likeness, variant)), documentHit(row, score * 0.84, variant)];
        });
      }
      case 'corner': {
        const [first, second] = [reading.first, reading.second].map((words) => this.#candidates(asking.understand(words), asking, 'street').slice(0, STREETS_FOR_CORNERS));
        return this.#corners(first!, second!, asking);
      }
    }
  }

  #corners(first: readonly Candidate[], second: readonly Candidate[], { passed }: Asking): Ranked[] {
    if (first.length === 0 || second.length === 0) return [];
    const ofFirst = new Map(first.map((candidate) => [candidate.row.id, candidate]));
    const ofSecond = new Map(second.map((candidate) => [candidate.row.id, candidate]));
    const some = [...ofFirst.keys()], others = [...ofSecond.keys()];
    const hit = ({ a, b, lon, lat }: CornerRow, share: number): Ranked => {
      // In the order in which they were asked for; a street may be meant by either side.
      const [one, other] = ofFirst.has(a) && ofSecond.has(b) ? [ofFirst.get(a)!, ofSecond.get(b)!] : [ofFirst.get(b)!, ofSecond.get(a)!];
      return cornerHit(one.row, other.row, { lon, lat }, Math.sqrt(one.score * other.score) * share);
    };
    const met = this.#file.corners(some, others).map((corner) => hit(corner, 1));
    // Streets that only pass each other may still be the ones that were meant, when those that meet are less likely ones.
    const likeliest = Math.sqrt(first[0]!.score * second[0]!.score) * 0.98;
    return met.some(({ score }) => score >= likeliest) ? met : [...met, ...findPassings(this.#file, some, others, passed).map((corner) => hit(corner, PASSING_COUNTS))];
  }

  /** Documents that have every word of weight, the best first. */
  #candidates(asked: readonly AskedWord[], { near, passed }: Asking, only?: 'street'): Candidate[] {
    const weighty = asked.filter(({ weak }) => !weak);
    const demanded = weighty.length > 0 ? weighty : asked;
    if (demanded.length === 0) return [];
    const clauses = demanded.map((word) => word.clause());
    const question = `{name sort} : (${clauses.join(' OR ')}) AND ${clauses.join(' AND ')}`;
    const ids = new Set(only === 'street' ? this.#file.streetsMatching(question, TAKEN) : this.#file.matching(question, TAKEN));
    if (ids.size >= TAKEN) {
      // Too many to look at: the whole words among them, and those near by, must not be missed.
      const whole = demanded.map(({ text }) => `"${text}"`);
      for (const id of this.#file.matching(`{name} : (${whole.join(' AND ')})`, TAKEN)) ids.add(id);
      if (near && !passed()) for (const id of this.#file.matchingIn(question, around(near.lon * 1e7, near.lat * 1e7, NEARBY), TAKEN)) ids.add(id);
    }
    return this.#rank([...ids], asked, near, passed).filter(({ row }) => only === undefined || row.kind === only);
  }

  /** For a question that leads nowhere as a whole: what has its rarest words, of those that may lead somewhere. */
  #inPart(readings: readonly Reading[], asking: Asking, leads: (word: string) => boolean = () => true): Ranked[] {
    const reading = readings.find(({ kind }) => kind === 'name');
    if (reading?.kind !== 'name' || reading.words.length < 2) return [];
    const { near, passed } = asking;
    const asked = asking.understand(reading.words);
    const weighty = asked.filter(({ weak, text }) => !weak && leads(text));
    if (weighty.length === 0 || passed()) return [];
    const ids = this.#file.resembling(`{name sort} : (${weighty.map((word) => word.clause()).join(' OR ')})`, TAKEN / 2);
    const candidates = this.#rank(ids, asked, near, passed);
    const house = readings.find(({ kind }) => kind === 'house');
    return candidates.flatMap(({ row, score, variant }) => {
      const houses = house?.kind === 'house' && row.kind !== 'object' && !passed() ? findHouses(this.#file, row.id, house.house) : [];
      return [...houses.map((found) => houseHit(row, found, score * found.likeness * 1.05, variant)), documentHit(row, score, variant)];
    });
  }

  #rank(ids: readonly number[], asked: readonly AskedWord[], near: Question['near'], passed: () => boolean): Candidate[] {
    const candidates: Candidate[] = [];
    for (const row of this.#file.documents(ids)) {
      if (passed()) break;
      const likeness = likenessOf(asked, { nameWords: row.name_words, areaWords: row.area_words, sortWords: row.sort_words, kind: row.kind, sort: row.sort });
      if (!likeness) continue;
      candidates.push({ row, ...likeness, score: scoreOf(likeness.quality, row, near) });
    }
    return candidates.sort((a, b) => b.score - a.score || a.row.id - b.row.id);
  }
}

/** One question while it is being answered: each of its words is looked up once. */
class Asking {
  readonly near: Question['near'];
  /** Says that time is up. */
  readonly passed: () => boolean;
  readonly #lexicon: Lexicon;
  readonly #latitude: Latitude;
  readonly #known = new Map<string, AskedWord>();
  #mistaken: Asking | undefined;

  constructor(lexicon: Lexicon, near: Question['near'], passed: () => boolean, latitude: Latitude = 'typed') {
    this.#lexicon = lexicon;
    this.near = near;
    this.passed = passed;
    this.#latitude = latitude;
  }

  understand(words: readonly string[]): AskedWord[] {
    return words.map((text) => {
      const word = this.#known.get(text) ?? this.#lexicon.understand(text, this.#latitude, this.passed);
      this.#known.set(text, word);
      return word;
    });
  }

  /** The same question, its words taken for misspelt. */
  withMistakes(): Asking {
    return (this.#mistaken ??= new Asking(this.#lexicon, this.near, this.passed, 'mistaken'));
  }
}

function scoreOf(quality: number, row: DocumentRow, near: Question['near']): number {
  const nearness = near ? HALF_NEAR / (HALF_NEAR + metresBetween(near.lon * 1e7, near.lat * 1e7, row.lon, row.lat)) : 0;
  const counts = IMPORTANCE_COUNTS + (near ? NEARNESS_COUNTS : 0);
  return quality * (1 - counts + IMPORTANCE_COUNTS * row.importance + (near ? NEARNESS_COUNTS * nearness : 0));
}

/** The better of two hits of the same thing. */
function merged(some: readonly Ranked[], others: readonly Ranked[]): Ranked[] {
  const best = new Map<number, Ranked>();
  for (const hit of [...some, ...others]) if (hit.score > (best.get(hit.id)?.score ?? -1)) best.set(hit.id, hit);
  return [...best.values()];
}

/** The very point, called after its coordinates and the nearest address. */
function atCoordinates(file: PlacesFile, point: { lon: number; lat: number }): Hit {
  const nearest = reverse(file, point);
  const text = `${point.lat.toFixed(6)}, ${point.lon.toFixed(6)}`;
  return { id: nearest?.id ?? 0, kind: 'address', label: nearest ? `${text} (${nearest.label})` : text, ...point, zoom: 18, score: 1 };
}
