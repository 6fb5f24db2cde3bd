import { sound } from '../../../../shared/text/fold.ts';
import { isSortWord, placeSortWords } from '../../territory/places/sorts.ts';
import { FrequentWords, spokenLanguages } from './language-words.ts';
import { nameInCompound, spellingsOf } from './spellings.ts';
import { Vocabulary } from '../../../../shared/text/vocabulary.ts';

/** How loosely a query is matched: as typed, or with typing errors and other spellings. */
export type SpellingTolerance = 'typed' | 'mistaken';

const MAX_ALTERNATIVES = 48;

/** Fewest letters of a word that is searched at the end of compounds, and of the part before it. */
const SHORTEST_TAIL = 5;
const SHORTEST_HEAD = 3;

/** The words for kinds of things, whether or not the territory has such things. */
const SORT_WORDS = new Vocabulary(placeSortWords());
/** Fewest letters of a word that may be a misspelt one of these, and from which two edits are allowed. */
const SHORTEST_MISSPELT = 3;
const TWO_EDITS = 8;
/** Fewest letters in which one slip still leaves no doubt. */
const SHORTEST_SLIP = 4;
const MAX_CORRECTIONS = 2;
/** Fewest sounds that begin a word by more than chance. */
const SHORTEST_BEGUN = 3;

/** All words of a territory, as written and by their sound. */
export class Lexicon {
  readonly #written: Vocabulary;
  readonly #sounds: Vocabulary;
  /** Indexes of the words of each sound. */
  readonly #ofSound: readonly (readonly number[])[];
  readonly #counts: readonly number[];
  /** Of its languages, and of English, in which programs ask. */
  readonly frequent: FrequentWords;

  /** `terms` sorted by code units, each with the number of things that have it. */
  constructor(terms: readonly string[], counts: readonly number[]) {
    this.#written = new Vocabulary(terms);
    this.#counts = counts;
    this.frequent = new FrequentWords(spokenLanguages(terms, counts).add('en'), (word) => this.#bears(word));
    const bySound = new Map<string, number[]>();
    terms.forEach((term, i) => {
      if (/\d/.test(term)) return;
      const key = sound(term);
      const list = bySound.get(key);
      if (list) list.push(i);
      else bySound.set(key, [i]);
    });
    const sounds = [...bySound.keys()].sort();
    this.#sounds = new Vocabulary(sounds);
    this.#ofSound = sounds.map((key) => bySound.get(key)!);
  }

  /** Is the word in this territory, or a kind of thing? */
  has(word: string): boolean {
    return this.#bears(word) || isSortWord(word);
  }

  #bears(word: string): boolean {
    return this.#written.terms[this.#written.from(word)] === word;
  }

  /** Does any word of the territory begin so? Then it may be incomplete. */
  begins(word: string): boolean {
    return this.#written.terms[this.#written.from(word)]?.startsWith(word) ?? false;
  }

  /** Is it no word of this territory, but one of the same sound, or one slip of the finger away? */
  isMisspelt(word: string, isTimeUp: () => boolean): boolean {
    if (word.length < SHORTEST_SLIP || /\d/.test(word) || this.has(word)) return false;
    const key = sound(word);
    return (
      this.#sounds.terms[this.#sounds.from(key)] === key ||
      this.#otherSound(key) !== undefined ||
      this.#written.similar(word, 1, isTimeUp).some(({ beginning }) => !beginning) ||
      (key.length >= SHORTEST_SLIP && this.#sounds.similar(key, 1, isTimeUp).some(({ beginning }) => !beginning))
    );
  }

  /** Index of the sound with "g" for "h": Ukrainian passports write "Nahirna" for what folds to "nagirna". */
  #otherSound(key: string): number | undefined {
    const other = key.replaceAll('h', 'g');
    const at = this.#sounds.from(other);
    return other !== key && this.#sounds.terms[at] === other ? at : undefined;
  }

  /** The kinds of things of which an unknown word is a misspelling: "hosptial", "polcie". */
  sortsMisspelt(word: string, isTimeUp: () => boolean): string[] {
    if (word.length < SHORTEST_MISSPELT || /\d/.test(word) || this.begins(word) || isSortWord(word)) return [];
    const similar = SORT_WORDS.similar(word, word.length >= TWO_EDITS ? 2 : 1, isTimeUp);
    if (similar.some(({ edits, beginning }) => beginning && edits === 0)) return [];
    // Of three letters one may be missing; otherwise another word is as likely.
    const whole = similar
      .filter(
        ({ beginning, index }) =>
          !beginning && (word.length > SHORTEST_MISSPELT || SORT_WORDS.terms[index]!.length > word.length),
      )
      .sort((a, b) => a.edits - b.edits);
    return whole
      .filter(({ edits }) => edits === whole[0]!.edits)
      .slice(0, MAX_CORRECTIONS)
      .map(({ index }) => SORT_WORDS.terms[index]!);
  }

  /** The words that a typed word may stand for. `isTimeUp` says that time is up. */
  understand(word: string, frequent: FrequentWords, tolerance: SpellingTolerance, isTimeUp: () => boolean): QueryWord {
    const likeness = new Map<string, number>();
    const weigh = (term: string, quality: number): void => {
      if (term !== word && quality > (likeness.get(term) ?? 0)) likeness.set(term, quality);
    };
    for (const other of spellingsOf(word)) weigh(other, 0.96);
    const apart = nameInCompound(word);
    if (apart !== undefined) weigh(apart, 0.8);
    if (tolerance === 'mistaken' && !/\d/.test(word)) this.#addMistakes(word, weigh, isTimeUp);
    return new QueryWord(word, frequent, likeness, this.#mostLikely(likeness));
  }

  #addMistakes(word: string, weigh: (term: string, quality: number) => void, isTimeUp: () => boolean): void {
    const { length } = word;
    const terms = this.#written.terms;
    const key = sound(word);
    // The sound of "qqq" is that of one letter: it begins half of all words.
    const isTelling = 2 * key.length >= length;
    if (length >= 3 && isTelling) {
      const at = this.#sounds.from(key);
      if (this.#sounds.terms[at] === key) for (const i of this.#ofSound[at]!) weigh(terms[i]!, 0.9);
      const other = this.#otherSound(key);
      if (other !== undefined) for (const i of this.#ofSound[other]!) weigh(terms[i]!, 0.88);
      const begun = key.length >= SHORTEST_BEGUN ? this.#sounds.beginning(key, 60) : [];
      for (const other of begun)
        for (const i of this.#ofSound[other]!)
          weigh(terms[i]!, 0.62 + (0.2 * key.length) / this.#sounds.terms[other]!.length);
    }
    // "Brücke" is the end of "Rheinbrücke", and names the kind.
    if (length >= SHORTEST_TAIL)
      for (const term of terms)
        if (term.endsWith(word) && term.length >= length + SHORTEST_HEAD)
          weigh(term, 0.6 + (0.2 * length) / term.length);
    const most = length >= 8 ? 2 : length >= 4 ? 1 : 0;
    if (most === 0) return;
    for (const { index, edits, beginning } of this.#written.similar(word, most, isTimeUp)) {
      const term = terms[index]!;
      const letter = term[0] === word[0] ? 0 : 0.05;
      weigh(
        term,
        Math.max(0.3, 1 - (1.3 * edits) / length - letter) * (beginning ? 0.7 + (0.2 * length) / term.length : 1),
      );
    }
    if (key.length < 4) return;
    for (const { index, edits, beginning } of this.#sounds.similar(key, key.length >= 7 ? 2 : 1, isTimeUp)) {
      const other = this.#sounds.terms[index]!;
      // One Cyrillic letter may be several Latin ones: a slip of it counts as one here.
      const near = edits === 1 && length > key.length ? 0.98 - 1.3 / key.length : 0.86 - (1.2 * edits) / key.length;
      const quality =
        (edits === 0 ? 0.88 : Math.min(0.86, near)) * (beginning ? 0.7 + (0.2 * key.length) / other.length : 1);
      for (const i of this.#ofSound[index]!) weigh(terms[i]!, quality);
    }
  }

  /** The words to search in the index: the most similar ones, and of these the most frequent. */
  #mostLikely(likeness: ReadonlyMap<string, number>): string[] {
    const known = [...likeness]
      .map(([term, quality]) => {
        const at = this.#written.from(term);
        return { term, quality, count: this.#written.terms[at] === term ? this.#counts[at]! : 0 };
      })
      .filter(({ count }) => count > 0);
    known.sort((a, b) => b.quality - a.quality || b.count - a.count);
    return known.slice(0, MAX_ALTERNATIVES).map(({ term }) => term);
  }
}

/** A word of the query with the words of the territory that it may stand for. */
export class QueryWord {
  readonly text: string;
  readonly weight: number;
  /** Part of so many names that a name without it still matches. */
  readonly weak: boolean;
  /** It names a kind of thing: "hospital", "школа". */
  readonly saysSort: boolean;
  readonly hasDigits: boolean;
  /** Other words of the territory that it may stand for, the most likely first. */
  readonly alternatives: readonly string[];
  readonly #likeness: ReadonlyMap<string, number>;

  constructor(
    text: string,
    frequent: FrequentWords,
    likeness: ReadonlyMap<string, number>,
    alternatives: readonly string[],
  ) {
    this.text = text;
    this.weight = frequent.weightOf(text);
    this.weak = frequent.isWeak(text);
    this.saysSort = !this.weak && isSortWord(text);
    this.hasDigits = /\d/.test(text);
    this.alternatives = alternatives;
    this.#likeness = likeness;
  }

  /** How well this word matches a word of a name: 1 the same, 0 not at all. */
  likeness(term: string): number {
    if (term === this.text) return 1;
    const begun =
      term.startsWith(this.text) && !/^\d+$/.test(this.text) ? 0.8 + (0.15 * this.text.length) / term.length : 0;
    return Math.max(begun, this.#likeness.get(term) ?? 0);
  }

  /** As a term of a full-text query: the word, words that begin with it, and its alternatives. */
  clause(): string {
    const own = /^\d+$/.test(this.text) ? `"${this.text}"` : `"${this.text}" *`;
    return `(${[own, ...this.alternatives.map((term) => `"${term}"`)].join(' OR ')})`;
  }
}
