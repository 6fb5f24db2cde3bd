import { metresBetweenE7 } from '../../territory/geometry/metres.ts';
import { parseHouseNumber } from '../../territory/places/house-number.ts';
import { isSortWord } from '../../territory/places/sorts.ts';
import { QueryContext } from '../query/query-context.ts';
import type { LocationBias } from '../query/query-context.ts';
import { Lexicon } from '../query/query-word.ts';
import { findBeside } from './beside-search.ts';
import { findCandidates, findInPart } from './candidates.ts';
import type { ScoredCandidate } from './candidates.ts';
import { parseCoordinates } from '../coordinates/coordinates.ts';
import { findGradeSeparatedCrossings } from './corner-search.ts';
import type { AddressQuestion, Hit, SearchQuery } from '../types.ts';
import { cornerHit, documentHit, houseHit, realHousesFirst, withoutDoubles } from './hits.ts';
import type { RankedHit } from './hits.ts';
import { findHouses } from './house-search.ts';
import { countryOf } from '../query/countries.ts';
import { kindReadings } from '../query/kind-words.ts';
import type { FrequentWords } from '../query/language-words.ts';
import { onOtherKeyboard } from '../query/keyboard.ts';
import { findByLetter } from './letter-search.ts';
import { findAtMilestone } from './milestone-search.ts';
import type { CornerRow, PlacesFile } from './places-file.ts';
import {
  changedReadings,
  joinedReadings,
  looserReadings,
  interpretationsOf,
  sortReadings,
  letterReadings,
  splitReadings,
} from '../query/readings.ts';
import { queryWords } from '../query/query-words.ts';
import type { LetterReading } from '../query/house-readings.ts';
import type { Reading } from '../query/readings.ts';
import { unitOf } from '../query/units.ts';
import { reverse } from './reverse.ts';

const STREETS_FOR_HOUSES = 30;
const STREETS_FOR_CORNERS = 120;
/** A hit this good makes corrections of the query unnecessary. */
const GOOD = 0.8;
/** So does a whole list of hits at least this good: three letters begin many names. */
const FAIR = 0.65;
/** A street at this score has all words of the query, but for its house. */
const STREET_FOUND = 0.76;
/** Below this score, a partial match of the query is worth trying. */
const POOR = 0.5;
/** To so few letters any word is similar: worse hits than this say nothing. */
const SHORT = 5;
const NOISE = 0.58;
/** Hits worse than the best by more than this are dropped. */
const WORTH_SHOWING = 0.6;

/** Letters of a word that is hardly the beginning of another by chance. */
const TELLING = 4;

/** The factor for a corner of streets that pass without meeting. */
const PASSING_COUNTS = 0.96;
/** The factor for two streets without a word between them: the second may be a place. */
const UNMARKED_COUNTS = 0.94;
/** The factors for guesses: the other keyboard, omitted words, a corrected word for a kind. */
const GUESSED = 0.96;

/** Searches one territory. Synchronous; `isTimeUp` ends it early with the results so far. */
export class PlaceSearch {
  readonly #file: PlacesFile;
  readonly #lexicon: Lexicon;

  constructor(file: PlacesFile, lexicon = lexiconOf(file)) {
    this.#file = file;
    this.#lexicon = lexicon;
  }

  /** Answers in the language of the query, where the data have names in it. */
  run(query: SearchQuery, isTimeUp: () => boolean): Hit[] {
    return query.language === undefined
      ? this.#run(query, isTimeUp)
      : new PlaceSearch(this.#file.inLanguage(query.language), this.#lexicon).#run(query, isTimeUp);
  }

  #run({ query, address, near, limit, language }: SearchQuery, isTimeUp: () => boolean): Hit[] {
    const context = new QueryContext(this.#lexicon, near, isTimeUp, this.#lexicon.frequent.with(language));
    if (address) return this.#shown(this.#addressed(address, limit, context), near, limit);
    const point = parseCoordinates(query, this.#file.bounds, (town) => this.#placeCalled(town, context) ?? near);
    if (point) return [atCoordinates(this.#file, point)];
    const unit = unitOf(query, context.frequent);
    const country = countryOf(query);
    return this.#shown(this.#found(query, limit, context), near, limit).map((hit) => ({
      ...hit,
      ...(unit !== undefined && hit.sort === 'house' && { unit }),
      ...(country !== undefined && { parts: { ...hit.parts, country } }),
    }));
  }

  /** The best first, in the form in which they leave the search. */
  #shown(hits: RankedHit[], near: LocationBias | undefined, limit: number): Hit[] {
    hits.sort((a, b) => b.score - a.score || a.id - b.id);
    const worth = hits.filter(({ score }) => score >= WORTH_SHOWING * hits[0]!.score);
    return withoutDoubles(realHousesFirst(worth))
      .slice(0, limit)
      .map((hit) =>
        near
          ? { ...hit, distance: metresBetweenE7(near.lon * 1e7, near.lat * 1e7, hit.lon * 1e7, hit.lat * 1e7) }
          : hit,
      );
  }

  /** An address in fields needs no guess which word is what. */
  #addressed(address: AddressQuestion, limit: number, context: QueryContext): RankedHit[] {
    const { street = '', number = '', city = '', postcode = '' } = address;
    const house = parseHouseNumber(number);
    const words = queryWords(street);
    const letters: LetterReading[] =
      house && words.length > 0
        ? [{ kind: 'letter', words, house, around: [...queryWords(postcode), ...queryWords(city)] }]
        : [];
    let hits = findByLetter(this.#file, letters, context);
    if (!hits.some(({ exact }) => exact))
      hits = merged(hits, findByLetter(this.#file, letters, context.withMistakes()));
    if (hits.length > 0 || context.isTimeUp()) return hits;
    return this.#found([street, number, postcode, city].filter(Boolean).join(', '), limit, context);
  }

  #placeCalled(text: string, context: QueryContext): LocationBias | undefined {
    const place = findCandidates(this.#file, context.understand(queryWords(text)), context).find(
      ({ row }) => row.kind === 'place',
    )?.row;
    return place && { lon: place.lon / 1e7, lat: place.lat / 1e7 };
  }

  /**
   * As typed; then with corrections; then in part. Each step runs only if those before it found nothing good.
   */
  #found(query: string, limit: number, context: QueryContext): RankedHit[] {
    const { isTimeUp } = context;
    const { frequent } = context;
    const readings = interpretationsOf(query, frequent);
    const letters = letterReadings(query, true, frequent);
    const unmarked = letterReadings(query, false, frequent);
    let hits = merged(this.#answer(readings, context), findByLetter(this.#file, letters, context));
    hits = merged(hits, guessed(this.#answer(kindReadings(readings), context)));
    // A street with all words is the answer, though the house may not be mapped.
    const hasHouse = (): boolean =>
      hits.some(({ exact, score, isDoubtful }) => exact && score >= GOOD && isDoubtful !== true);
    const hasStreet = (): boolean =>
      hits.some(({ kind, score }) => (kind === 'address' || kind === 'street') && score >= STREET_FOUND);
    if (!hasHouse() && !hasStreet() && !isTimeUp()) hits = merged(hits, findByLetter(this.#file, unmarked, context));
    const take = (more: readonly RankedHit[]): void => {
      hits = merged(hits, more);
    };
    const best = (): number => hits.reduce((most, { score }) => Math.max(most, score), 0);
    const isGood = (): boolean => hits.some(({ score, isDoubtful }) => score >= GOOD && isDoubtful !== true);
    const enough = (): boolean =>
      isTimeUp() ||
      isGood() ||
      hits.filter(({ score, isDoubtful }) => score >= FAIR && isDoubtful !== true).length >= limit;
    if (!enough()) {
      const other = this.#onOtherKeyboard(query, readings, frequent);
      const looser = looserReadings(query, frequent);
      take(guessed(this.#answer([...other, ...looser], context)));
      if (!enough()) {
        take(guessed(this.#answer(this.#corrected(readings, isTimeUp), context)));
        take(this.#answer(readings, context.withMistakes()));
      }
      if (!hasHouse() && !isTimeUp()) take(findByLetter(this.#file, [...letters, ...unmarked], context.withMistakes()));
      if (!enough()) take(guessed(this.#answer(this.#corrected(looser, isTimeUp), context)));
      // Two guesses at once only if nothing else was found.
      const twice = [...other, ...looser].filter((reading) => reading.kind !== 'beside' || reading.marked);
      if (!enough() && best() < FAIR) take(guessed(this.#answer(twice, context.withMistakes())));
    }
    const known = (word: string): boolean => this.#lexicon.has(word);
    const apart = splitReadings(readings, known);
    if (!isGood() && !isTimeUp()) take(this.#answer([...joinedReadings(readings), ...apart], context));
    if (best() < POOR && !isTimeUp()) {
      // Of a split compound only the kind leads anywhere: "landes" is in the names of a library and a museum.
      const typed = readings.flatMap((reading) => (reading.kind === 'name' ? reading.words : []));
      const leading = (compounds: readonly Reading[]): Reading[] =>
        compounds.flatMap((reading) =>
          reading.kind === 'name'
            ? [{ kind: 'name', words: reading.words.filter((word) => isSortWord(word) || typed.includes(word)) }]
            : [],
        );
      take(guessed(this.#answer(leading(apart.length > 0 ? apart : sortReadings(readings, known)), context)));
      if (apart.length === 0 && best() < POOR && !isTimeUp()) take(this.#inPart(readings, context.withMistakes()));
    }
    const typed = queryWords(query).join('').length;
    return typed <= SHORT && best() < NOISE ? [] : hits;
  }

  /**
   * The text as typed with the other keyboard layout, if none of its words begins a word of the territory.
   */
  #onOtherKeyboard(query: string, readings: readonly Reading[], frequent: FrequentWords): Reading[] {
    const typed = readings.find(({ kind }) => kind === 'name');
    if (typed?.kind !== 'name') return [];
    // Words of two or three letters begin something in any alphabet.
    const telling = typed.words.filter((word) => word.length >= TELLING && !/\d/.test(word));
    if ((telling.length > 0 ? telling : typed.words).some((word) => this.#lexicon.begins(word))) return [];
    const other = onOtherKeyboard(query);
    return other === undefined ? [] : interpretationsOf(other, frequent);
  }

  /** The same with corrected words for kinds of things. */
  #corrected(readings: readonly Reading[], isTimeUp: () => boolean): Reading[] {
    return changedReadings(readings, (word) => this.#lexicon.sortsMisspelt(word, isTimeUp));
  }

  #answer(readings: readonly Reading[], context: QueryContext): RankedHit[] {
    let hits: RankedHit[] = [];
    for (const reading of readings) {
      if (context.isTimeUp()) break;
      hits = merged(hits, this.#answerOne(reading, context));
    }
    return hits;
  }

  #answerOne(reading: Reading, context: QueryContext): RankedHit[] {
    switch (reading.kind) {
      case 'name':
        return findCandidates(this.#file, context.understand(reading.words), context).map(
          ({ row, score, variant, number }) => documentHit(row, score, variant, number),
        );
      case 'house': {
        const candidates = findCandidates(this.#file, context.understand(reading.words), context)
          .filter(({ row }) => row.kind !== 'object')
          .slice(0, STREETS_FOR_HOUSES);
        return candidates.flatMap(({ row, score, variant }) => {
          const houses = context.isTimeUp() ? [] : findHouses(this.#file, row.id, reading.house);
          // The street is the fallback, and the better answer if it has no such house.
          return [
            ...houses.map((house) => houseHit(row, house, score * house.likeness, variant)),
            documentHit(row, score * 0.84, variant),
          ];
        });
      }
      case 'letter':
        return findByLetter(this.#file, [reading], context);
      case 'corner': {
        const [first, second] = [reading.first, reading.second].map((words) =>
          findCandidates(this.#file, context.understand(words), context, 'street').slice(0, STREETS_FOR_CORNERS),
        );
        return this.#corners(first!, second!, context, reading.marked ? 1 : UNMARKED_COUNTS);
      }
      case 'milestone': {
        const roads = findCandidates(this.#file, context.understand(reading.words), context, 'street');
        // Most roads have no stones on the map: then the road is the answer.
        return roads.length === 0
          ? []
          : [
              ...findAtMilestone(this.#file, roads, reading.metres),
              ...roads
                .slice(0, STREETS_FOR_HOUSES)
                .map(({ row, score, variant }) => documentHit(row, score * 0.84, variant)),
            ];
      }
      case 'beside':
        return findBeside(this.#file, reading, context);
    }
  }

  #corners(
    first: readonly ScoredCandidate[],
    second: readonly ScoredCandidate[],
    { isTimeUp }: QueryContext,
    counts: number,
  ): RankedHit[] {
    if (first.length === 0 || second.length === 0) return [];
    const ofFirst = new Map(first.map((candidate) => [candidate.row.id, candidate]));
    const ofSecond = new Map(second.map((candidate) => [candidate.row.id, candidate]));
    const some = [...ofFirst.keys()],
      others = [...ofSecond.keys()];
    const hit = ({ a, b, lon, lat }: CornerRow, share: number): RankedHit => {
      // In the order of the query; either side may name a street.
      const [one, other] =
        ofFirst.has(a) && ofSecond.has(b) ? [ofFirst.get(a)!, ofSecond.get(b)!] : [ofFirst.get(b)!, ofSecond.get(a)!];
      return cornerHit(one.row, other.row, { lon, lat }, Math.sqrt(one.score * other.score) * share * counts);
    };
    // Two ways of one name are one street, or two villages have it: neither is a corner.
    const nameOf = (id: number): string | undefined => (ofFirst.get(id) ?? ofSecond.get(id))?.row.name_words;
    const isCorner = ({ a, b }: CornerRow): boolean => nameOf(a) !== nameOf(b);
    const met = this.#file
      .corners(some, others)
      .filter(isCorner)
      .map((corner) => hit(corner, 1));
    // Streets that only pass each other may be meant if those that meet are less likely.
    const likeliest = Math.sqrt(first[0]!.score * second[0]!.score) * 0.98;
    return met.some(({ score }) => score >= likeliest * counts)
      ? met
      : [
          ...met,
          ...findGradeSeparatedCrossings(this.#file, some, others, isTimeUp)
            .filter(isCorner)
            .map((corner) => hit(corner, PASSING_COUNTS)),
        ];
  }

  /** For a query without a match as a whole: documents with its rarest words. */
  #inPart(readings: readonly Reading[], context: QueryContext): RankedHit[] {
    const reading = readings.find(({ kind }) => kind === 'name');
    if (reading?.kind !== 'name' || reading.words.length < 2 || context.isTimeUp()) return [];
    const house = readings.find(({ kind }) => kind === 'house');
    return findInPart(this.#file, context.understand(reading.words), context).flatMap(({ row, score, variant }) => {
      const houses =
        house?.kind === 'house' && row.kind !== 'object' && !context.isTimeUp()
          ? findHouses(this.#file, row.id, house.house)
          : [];
      return [
        ...houses.map((found) => houseHit(row, found, score * found.likeness * 1.05, variant)),
        documentHit(row, score, variant),
      ];
    });
  }
}

function lexiconOf(file: PlacesFile): Lexicon {
  const { terms, counts } = file.terms();
  return new Lexicon(terms, counts);
}

/** The better of two hits of the same thing. */
function merged(some: readonly RankedHit[], others: readonly RankedHit[]): RankedHit[] {
  const best = new Map<number, RankedHit>();
  for (const hit of [...some, ...others]) if (hit.score > (best.get(hit.id)?.score ?? -1)) best.set(hit.id, hit);
  return [...best.values()];
}

/** Guesses come after exact matches. */
function guessed(hits: readonly RankedHit[]): RankedHit[] {
  return hits.map((hit) => ({ ...hit, score: hit.score * GUESSED }));
}

/** The exact point, named by its coordinates and the nearest address. */
function atCoordinates(file: PlacesFile, point: { lon: number; lat: number }): Hit {
  const nearest = reverse(file, point);
  const text = `${point.lat.toFixed(6)}, ${point.lon.toFixed(6)}`;
  return {
    id: nearest?.id ?? 0,
    kind: 'address',
    label: nearest ? `${text} (${nearest.label})` : text,
    ...point,
    zoom: 18,
    score: 1,
  };
}
