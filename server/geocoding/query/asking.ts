import type { AskedWord, Latitude, Lexicon } from './asked-word.ts';

/** Degrees. */
export interface Favoured {
  lon: number;
  lat: number;
}

/** One query in progress: each of its words is looked up once. */
export class Asking {
  readonly near: Favoured | undefined;
  /** Says that time is up. */
  readonly passed: () => boolean;
  readonly #lexicon: Lexicon;
  readonly #latitude: Latitude;
  readonly #known = new Map<string, AskedWord>();
  #mistaken: Asking | undefined;

  constructor(lexicon: Lexicon, near: Favoured | undefined, passed: () => boolean, latitude: Latitude = 'typed') {
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

  /** The same query with its words taken as misspelt. */
  withMistakes(): Asking {
    return (this.#mistaken ??= new Asking(this.#lexicon, this.near, this.passed, 'mistaken'));
  }
}
