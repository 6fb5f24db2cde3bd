import type { FrequentWords } from './language-words.ts';
import type { QueryWord, SpellingTolerance, Lexicon } from './query-word.ts';

/** Degrees. */
export interface LocationBias {
  lon: number;
  lat: number;
}

/** One query in progress: each of its words is looked up once. */
export class QueryContext {
  readonly near: LocationBias | undefined;
  /** Says that time is up. */
  readonly isTimeUp: () => boolean;
  readonly frequent: FrequentWords;
  readonly #lexicon: Lexicon;
  readonly #tolerance: SpellingTolerance;
  readonly #known = new Map<string, QueryWord>();
  readonly #misspelt = new Map<string, boolean>();
  #mistaken: QueryContext | undefined;

  constructor(
    lexicon: Lexicon,
    near: LocationBias | undefined,
    isTimeUp: () => boolean,
    frequent = lexicon.frequent,
    tolerance: SpellingTolerance = 'typed',
  ) {
    this.#lexicon = lexicon;
    this.near = near;
    this.isTimeUp = isTimeUp;
    this.frequent = frequent;
    this.#tolerance = tolerance;
  }

  understand(words: readonly string[]): QueryWord[] {
    return words.map((text) => {
      const word =
        this.#known.get(text) ?? this.#lexicon.understand(text, this.frequent, this.#tolerance, this.isTimeUp);
      this.#known.set(text, word);
      return word;
    });
  }

  /** Is it no word of the territory, but almost one? Else it may be a town that the map does not know. */
  isMisspelt(text: string): boolean {
    const known = this.#misspelt.get(text) ?? this.#lexicon.isMisspelt(text, this.isTimeUp);
    this.#misspelt.set(text, known);
    return known;
  }

  /** The same query with its words taken as misspelt. */
  withMistakes(): QueryContext {
    return (this.#mistaken ??= new QueryContext(this.#lexicon, this.near, this.isTimeUp, this.frequent, 'mistaken'));
  }
}
