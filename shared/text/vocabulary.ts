/** A candidate for a misspelt word. */
interface Similar {
  index: number;
  /** Edits: letters omitted, added, changed, or two neighbours exchanged. */
  edits: number;
  /** Only the beginning of the word matches. */
  beginning: boolean;
}

/** Longer ones are compared by their first letters. */
const LONGEST = 40;

/**
 * The words of a territory in alphabetical order. Words similar to a given one are found in one walk over the
 * list: neighbours share their first letters, so that their rows of the distance table are computed once, and
 * words that begin too differently are skipped. Distance: optimal string alignment (Damerau 1964, Levenshtein
 * 1966, Wagner & Fischer 1974).
 */
export class Vocabulary {
  readonly terms: readonly string[];
  /** Letters that a word shares with the one before it. */
  readonly #shared: Uint8Array;
  /** Rows for the letters of the list's word; columns for those of the query's word. Reused. */
  readonly #rows = Array.from({ length: LONGEST + 1 }, () => new Uint8Array(LONGEST + 1));
  readonly #least = new Uint8Array(LONGEST + 1);

  /** `terms` must be sorted by code units, as `sort()` does. */
  constructor(terms: readonly string[]) {
    this.terms = terms;
    this.#shared = new Uint8Array(terms.length);
    for (let i = 1; i < terms.length; i++) this.#shared[i] = sharedLength(terms[i - 1]!, terms[i]!);
  }

  /** The first word that is not before `text`: words that begin with `text` follow from there. */
  from(text: string): number {
    let low = 0,
      high = this.terms.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.terms[middle]! < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Words that begin with `text`, itself included, at most `most`. */
  beginning(text: string, most: number): number[] {
    const found: number[] = [];
    for (let i = this.from(text); i < this.terms.length && found.length < most && this.terms[i]!.startsWith(text); i++)
      found.push(i);
    return found;
  }

  /**
   * Words within `most` edits of `word`, and words whose beginning is. Stops early when `isTimeUp` says that
   * time is up.
   */
  similar(word: string, most: number, isTimeUp: () => boolean): Similar[] {
    const asked = word.slice(0, LONGEST);
    const width = asked.length;
    const rows = this.#rows;
    for (let column = 0; column <= width; column++) rows[0]![column] = column;
    this.#least[0] = 0;
    const found: Similar[] = [];
    // Depth to which the rows belong to the last word, and depth at which it was given up.
    let valid = 0;
    let givenUp = LONGEST + 1;
    // Fewest edits from a prefix of the word to the whole query word, by depth.
    const begun = new Uint8Array(LONGEST + 1).fill(255);
    for (let i = 0; i < this.terms.length; i++) {
      if ((i & 4095) === 4095 && isTimeUp()) break;
      const shared = Math.min(this.#shared[i]!, LONGEST);
      if (shared >= givenUp) continue;
      givenUp = LONGEST + 1;
      valid = Math.min(valid, shared);
      const term = this.terms[i]!;
      const depth = Math.min(term.length, LONGEST);
      let at = valid;
      while (at < depth) {
        at++;
        this.#row(at, term, asked);
        begun[at] = Math.min(begun[at - 1]!, rows[at]![width]!);
        if (Math.min(this.#least[at]!, this.#least[at - 1]!) > most && begun[at]! > most) {
          givenUp = at;
          break;
        }
      }
      valid = at;
      if (givenUp <= LONGEST) continue;
      const whole = rows[depth]![width]!;
      if (whole <= most) found.push({ index: i, edits: whole, beginning: false });
      else if (begun[depth]! <= most) found.push({ index: i, edits: begun[depth]!, beginning: true });
    }
    return found;
  }

  #row(depth: number, term: string, asked: string): void {
    const row = this.#rows[depth]!,
      above = this.#rows[depth - 1]!;
    const letter = term.charCodeAt(depth - 1);
    row[0] = depth;
    let least = depth;
    for (let column = 1; column <= asked.length; column++) {
      const same = asked.charCodeAt(column - 1) === letter;
      let edits = same ? above[column - 1]! : Math.min(above[column - 1]!, above[column]!, row[column - 1]!) + 1;
      if (
        !same &&
        depth > 1 &&
        column > 1 &&
        asked.charCodeAt(column - 2) === letter &&
        asked.charCodeAt(column - 1) === term.charCodeAt(depth - 2)
      ) {
        edits = Math.min(edits, this.#rows[depth - 2]![column - 2]! + 1);
      }
      row[column] = edits;
      if (edits < least) least = edits;
    }
    this.#least[depth] = least;
  }
}

function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length, 255);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}
