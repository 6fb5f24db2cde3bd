import { airDistance } from '../../../shared/geo/geometry.ts';
import { sound, words } from '../../../shared/text/fold.ts';
import { Vocabulary } from '../../../shared/text/vocabulary.ts';
import type { OwnPlace } from '../../../shared/records/index.ts';
import { sortWords } from './sort-words.ts';

/** A place that was found: how well, and by which of its names. */
export interface IndexedHit {
  readonly id: number;
  /** 0 to 1 */
  readonly score: number;
  readonly name: string;
}

interface Entry {
  readonly place: OwnPlace;
  /** The folded words of each name; the sort's own words and the layer's may stand beside any of them. */
  readonly names: readonly (readonly string[])[];
  readonly beside: ReadonlySet<string>;
}

/** How a word of the query matches a word of the list, and its weight. */
type Variants = ReadonlyMap<string, number>;

const MOST_WORDS = 12;
/** Limit of the words that one prefix may match. */
const MOST_BEGINNING = 2_000;
/** Shorter words are too like each other to be mistakes of each other. */
const MISTAKEN_FROM = 5;
const TWO_MISTAKES_FROM = 9;
const BEGUN = 0.9;
const SAME_SOUND = 0.85;
const MISTAKEN = 0.75;
/** ms for the words with mistakes: the list is read on the main thread. */
const MISTAKES_BUDGET = 15;
/** Metres at which nearness counts half as much as at the place. */
const NEAR = 5_000;
const NEARNESS = 0.04;

/** Finds places by the words of their names, as `words` folds them, in any alphabet. */
export class PlaceIndex {
  readonly #entries = new Map<number, Entry>();
  readonly #byWord = new Map<string, Set<number>>();
  readonly #bySound = new Map<string, Set<string>>();
  /** Made again at the first query after the words changed. */
  #vocabulary: Vocabulary | undefined;

  add(place: OwnPlace): void {
    const entry = entryOf(place);
    this.#entries.set(place.id, entry);
    for (const word of wordsOf(entry)) {
      let ids = this.#byWord.get(word);
      if (!ids) {
        this.#byWord.set(word, (ids = new Set()));
        this.#bySound.set(sound(word), (this.#bySound.get(sound(word)) ?? new Set()).add(word));
        this.#vocabulary = undefined;
      }
      ids.add(place.id);
    }
  }

  remove(id: number): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.delete(id);
    for (const word of wordsOf(entry)) {
      const ids = this.#byWord.get(word);
      ids?.delete(id);
      if (ids?.size !== 0) continue;
      this.#byWord.delete(word);
      this.#bySound.get(sound(word))?.delete(word);
      this.#vocabulary = undefined;
    }
  }

  /**
   * The places that `sees` admits, best first. Every word of the query must match the place; else a full name
   * must be in the query; else words may be misspelt.
   */
  find(
    query: string,
    sees: (place: OwnPlace) => boolean,
    near?: { readonly lat: number; readonly lon: number },
  ): IndexedHit[] {
    const asked = words(query).slice(0, MOST_WORDS);
    if (asked.length === 0 || this.#entries.size === 0) return [];
    const variants = asked.map((word) => this.#variants(word));
    let hits = this.#withAll(variants, sees);
    if (hits.length === 0) hits = this.#named(asked, variants, sees);
    if (hits.length === 0)
      hits = this.#withAll(
        asked.map((word, index) => this.#mistaken(word, variants[index]!)),
        sees,
      );
    const bonus = ({ id }: IndexedHit) => (near ? NEARNESS * nearness(this.#entries.get(id)!.place.point, near) : 0);
    return hits
      .map((hit) => ({ ...hit, score: Math.min(1, hit.score * (1 - NEARNESS) + bonus(hit)) }))
      .sort((a, b) => b.score - a.score || a.id - b.id);
  }

  #withAll(variants: readonly Variants[], sees: (place: OwnPlace) => boolean): IndexedHit[] {
    const lists = variants.map((variant) => this.#idsOf(variant)).sort((a, b) => a.size - b.size);
    const [rarest, ...others] = lists;
    return [...rarest!]
      .filter((id) => others.every((list) => list.has(id)))
      .flatMap((id) => this.#scored(id, variants, sees));
  }

  /** Places of which a full name of at least two words, or one long word, is in the query. */
  #named(asked: readonly string[], variants: readonly Variants[], sees: (place: OwnPlace) => boolean): IndexedHit[] {
    const known = new Set(asked);
    const ids = new Set(asked.flatMap((word) => [...(this.#byWord.get(word) ?? [])]));
    return [...ids].flatMap((id) => {
      const { names } = this.#entries.get(id)!;
      const isNamed = names.some(
        (name) =>
          (name.length > 1 || (name[0] !== undefined && name[0].length >= MISTAKEN_FROM)) &&
          name.every((word) => known.has(word)),
      );
      return isNamed ? this.#scored(id, variants, sees) : [];
    });
  }

  /** By the name that fits best: the share of the query that the place answers, and of the name asked for. */
  #scored(id: number, variants: readonly Variants[], sees: (place: OwnPlace) => boolean): IndexedHit[] {
    const { place, names, beside } = this.#entries.get(id)!;
    if (!sees(place)) return [];
    let best: IndexedHit | undefined;
    names.forEach((name, index) => {
      let answered = 0;
      const used = new Set<string>();
      for (const variant of variants) {
        let most = 0;
        for (const word of name) {
          const counts = variant.get(word) ?? 0;
          if (counts > 0) used.add(word);
          most = Math.max(most, counts);
        }
        for (const word of beside) most = Math.max(most, variant.get(word) ?? 0);
        answered += most;
      }
      const score = (0.7 * answered) / variants.length + (0.3 * used.size) / Math.max(1, new Set(name).size);
      if (!best || score > best.score)
        best = { id, score, name: index === 0 ? place.name : place.otherNames[index - 1]! };
    });
    return best ? [best] : [];
  }

  #idsOf(variants: Variants): Set<number> {
    const ids = new Set<number>();
    for (const word of variants.keys()) for (const id of this.#byWord.get(word) ?? []) ids.add(id);
    return ids;
  }

  /** A number means itself: 12 is not 120. */
  #variants(word: string): Variants {
    const found = new Map<string, number>();
    for (const other of this.#bySound.get(sound(word)) ?? []) found.set(other, SAME_SOUND);
    if (!/^\d+$/.test(word)) {
      const vocabulary = (this.#vocabulary ??= new Vocabulary([...this.#byWord.keys()].sort()));
      for (const index of vocabulary.beginning(word, MOST_BEGINNING)) found.set(vocabulary.terms[index]!, BEGUN);
    }
    if (this.#byWord.has(word)) found.set(word, 1);
    return found;
  }

  #mistaken(word: string, known: Variants): Variants {
    if (known.size > 0 || word.length < MISTAKEN_FROM || /^\d+$/.test(word)) return known;
    const end = performance.now() + MISTAKES_BUDGET;
    const vocabulary = (this.#vocabulary ??= new Vocabulary([...this.#byWord.keys()].sort()));
    const most = word.length >= TWO_MISTAKES_FROM ? 2 : 1;
    return new Map(
      vocabulary
        .similar(word, most, () => performance.now() > end)
        .map(({ index, beginning }) => [vocabulary.terms[index]!, beginning ? MISTAKEN * BEGUN : MISTAKEN]),
    );
  }
}

function entryOf(place: OwnPlace): Entry {
  return {
    place,
    names: [place.name, ...place.otherNames].map(words),
    beside: new Set([...sortWords(place.sort), ...words(place.layer), ...words(place.externalId)]),
  };
}

function wordsOf({ names, beside }: Entry): Set<string> {
  return new Set([...names.flat(), ...beside]);
}

/** 1 at the place, a half at `NEAR`. */
function nearness(
  place: { readonly lat: number; readonly lon: number },
  near: { readonly lat: number; readonly lon: number },
): number {
  return NEAR / (NEAR + airDistance(place, near));
}
