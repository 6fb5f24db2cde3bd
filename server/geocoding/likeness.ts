import type { AskedWord } from './asked-word.ts';
import { isWeak, weightOf } from './spellings.ts';

/** The parts of a document that questions are compared with. */
export interface Named {
  /** Folded names, one a line. */
  nameWords: string;
  areaWords: string;
  sortWords: string;
}

export interface Likeness {
  /** 0 to 1 */
  quality: number;
  /** Which of its names explains the hit: the first, on its signs, where that fits nearly as well as the best. */
  variant: number;
}

/** What a word is worth that does not name the thing but what it is, or what it lies in. */
const OF_SORT = 0.86;
const OF_AREA = 0.82;
const EXPLAINS = 0.8;
/** How much of a name counts as asked for by a question that names only what the thing is. */
const UNNAMED = 0.7;

/**
 * How well a question fits the best of a thing's names: the part of the question that is answered, and the part of the name that was
 * asked for. Undefined when nothing of weight is met in its name or sort.
 */
export function likenessOf(asked: readonly AskedWord[], { nameWords, areaWords, sortWords }: Named): Likeness | undefined {
  const area = areaWords === '' ? [] : areaWords.split(' ');
  const sort = sortWords === '' ? [] : sortWords.split(' ');
  // What is not in the name may be around it; that is the same for all its names.
  const elsewhere = asked.map((word) => {
    let ofArea = 0, ofSort = 0;
    for (const term of area) ofArea = Math.max(ofArea, word.likeness(term));
    for (const term of sort) ofSort = Math.max(ofSort, word.likeness(term));
    // "Triesen" does begin "Triesenberg", but means another place.
    return { ofArea: ofArea * (ofArea < 1 ? OF_AREA * 0.85 : OF_AREA), ofSort: ofSort * OF_SORT };
  });
  const weighty = asked.some(({ weak }) => !weak);
  let whole = 0;
  for (const { weight } of asked) whole += weight;

  let best: Likeness | undefined;
  let ofMain = 0;
  nameWords.split('\n').forEach((name, variant) => {
    const terms = name.split(' ');
    const taken = new Array<number>(terms.length).fill(0);
    let answered = 0;
    let meant = false;
    let named = false;
    asked.forEach((word, w) => {
      let at = -1, most = 0;
      terms.forEach((term, t) => {
        const like = taken[t]! > 0 ? 0 : word.likeness(term);
        if (like > most) { most = like; at = t; }
      });
      const { ofArea, ofSort } = elsewhere[w]!;
      if (at >= 0 && most >= Math.max(ofArea, ofSort)) {
        taken[at] = most;
        if (!word.weak) named = true;
      }
      if ((Math.max(most, ofSort) > 0 && most >= ofArea - 0.2) && (!word.weak || !weighty)) meant = true;
      answered += word.weight * Math.max(most, ofArea, ofSort);
    });
    if (!meant) return;
    let all = 0, met = 0;
    terms.forEach((term, t) => {
      // That a name's "Street" was not typed says less than that a typed "street" is not in the name.
      const weight = isWeak(term) ? weightOf(term) / 2 : weightOf(term);
      all += weight;
      met += weight * taken[t]!;
    });
    const inOrder = name.startsWith(asked.map(({ text }) => text).join(' ')) ? 0.02 : 0;
    // Whoever asks for a hospital asks for none of its name.
    const coverage = named ? met / all : Math.max(met / all, UNNAMED);
    const quality = Math.min(1, (answered / whole) * (0.74 + 0.26 * coverage) + inOrder) * (variant === 0 ? 1 : 0.985);
    if (variant === 0) ofMain = quality;
    if (!best || quality > best.quality) best = { quality, variant };
  });
  return best && ofMain >= EXPLAINS * best.quality ? { ...best, variant: 0 } : best;
}
