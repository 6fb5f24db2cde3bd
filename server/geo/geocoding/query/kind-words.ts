import { englishWordsOf, isSortWord } from '../../territory/places/sorts.ts';
import type { Reading } from './readings.ts';
import table from './kind-words.json' with { type: 'json' };

const MOST_WORDS = 4;
/** Kinds that one phrase may mean: a "banco" is a bank and a bench. */
const MOST_KINDS = 2;

/** All phrases in order, and the position of the kind of each: two flat lists are a quarter of a map. */
interface Phrases {
  sorted: readonly string[];
  kinds: Uint16Array;
}

const SORTS = Object.keys(table.kinds);
let phrases: Phrases | undefined;

function readPhrases(): Phrases {
  const pairs = Object.values(table.kinds).flatMap((list, kind) => list.split('|').map((text) => ({ text, kind })));
  pairs.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : a.kind - b.kind));
  return { sorted: pairs.map(({ text }) => text), kinds: Uint16Array.from(pairs, ({ kind }) => kind) };
}

/** The kinds of a folded phrase. The list is made at the first query: the thread may never get one. */
function kindsOf(phrase: string): string[] {
  const { sorted, kinds } = (phrases ??= readPhrases());
  let low = 0,
    high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < phrase) low = middle + 1;
    else high = middle;
  }
  const found: string[] = [];
  for (; sorted[low] === phrase; low++) found.push(SORTS[kinds[low]!]!);
  return found;
}

/** The same readings with a kind in any language ("Spielplatz", "aire de jeu") in the words that its things have. */
export function kindReadings(readings: readonly Reading[]): Reading[] {
  return readings.flatMap((reading): Reading[] =>
    reading.kind === 'name' || reading.kind === 'beside'
      ? inWordsOfTheMap(reading.words).map((words) => ({ ...reading, words }))
      : [],
  );
}

/** The longest phrase that names a kind, replaced. */
function inWordsOfTheMap(words: readonly string[]): string[][] {
  for (let count = Math.min(MOST_WORDS, words.length); count > 0; count--) {
    for (let from = 0; from + count <= words.length; from++) {
      const phrase = words.slice(from, from + count).join(' ');
      const kinds = count === 1 && isSortWord(phrase) ? [] : kindsOf(phrase);
      if (kinds.length > 0)
        return kinds
          .slice(0, MOST_KINDS)
          .map((kind) => [...words.slice(0, from), ...englishWordsOf(kind), ...words.slice(from + count)]);
    }
  }
  return [];
}
