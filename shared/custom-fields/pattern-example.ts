import { matchesPattern } from './patterns.ts';

/**
 * A text that a pattern accepts, such as `AB123` for `^[A-Z]{2}\d{3}$`: an example for users who cannot read
 * patterns. Undefined if the pattern has unsupported syntax or accepts any text.
 */
export function exampleOf(pattern: string): string | undefined {
  const example = new Example(pattern).whole();
  if (!example?.trim() || matchesPattern(pattern, '') || !matchesPattern(pattern, example)) return undefined;
  return example;
}

const DIGITS = '1234567890';
const SMALL = 'abcdefghijklmnopqrstuvwxyz';
const SETS: Readonly<Record<string, string>> = { d: DIGITS, w: SMALL, s: ' ', D: SMALL, S: SMALL, W: '-' };
/** The example for `.`. */
const ANY = SMALL;
/** Repetitions of a part that may repeat without end. */
const OFTEN = 3;
/** Longest example. */
const LONGEST = 60;

/**
 * Writes a short text that fits a pattern, from left to right: the first alternative, and nothing for an optional
 * part.
 */
class Example {
  readonly #pattern: string;
  #at = 0;
  /**
   * How many characters of a set were written: the next one is the next of the set, so 5 digits give 12345.
   */
  readonly #written = new Map<string, number>();

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  whole(): string | undefined {
    try {
      const text = this.#alternatives();
      return this.#at === this.#pattern.length && text.length <= LONGEST ? text : undefined;
    } catch (error) {
      if (error instanceof Unread) return undefined;
      throw error;
    }
  }

  #alternatives(): string {
    const first = this.#sequence();
    while (this.#take('|')) this.#sequence();
    return first;
  }

  #sequence(): string {
    let text = '';
    while (this.#at < this.#pattern.length && !'|)'.includes(this.#pattern[this.#at]!)) {
      const part = this.#part();
      for (let count = this.#repeats(); count > 0 && text.length <= LONGEST; count--) text += part();
    }
    return text;
  }

  /** One repeatable item. */
  #part(): () => string {
    const character = this.#next();
    switch (character) {
      case '^':
      case '$':
        return () => '';
      case '.':
        return this.#oneOf(ANY);
      case '(':
        return this.#group();
      case '[':
        return this.#set();
      case '\\':
        return this.#escaped();
      default:
        return () => character;
    }
  }

  #group(): () => string {
    if (this.#take('?') && !this.#take(':')) throw new Unread(); // a flag, or a name
    const text = this.#alternatives();
    if (!this.#take(')')) throw new Unread();
    return () => text;
  }

  #escaped(): () => string {
    const letter = this.#next();
    if (SETS[letter]) return this.#oneOf(SETS[letter]);
    if (/[\p{L}\d]/u.test(letter)) throw new Unread(); // a boundary, a class of Unicode, a code
    return () => letter;
  }

  #set(): () => string {
    if (this.#take('^')) throw new Unread();
    let members = '';
    do {
      const from = this.#next();
      if (from === '[') throw new Unread();
      const escape = from === '\\' ? this.#next() : undefined;
      if (escape && !SETS[escape] && /[\p{L}\d]/u.test(escape)) throw new Unread();
      if (escape && SETS[escape]) members += SETS[escape];
      else if (this.#pattern[this.#at] === '-' && this.#pattern[this.#at + 1] !== ']') {
        this.#at++;
        members += range(escape ?? from, this.#next());
      } else members += escape ?? from;
    } while (!this.#take(']'));
    return this.#oneOf(members);
  }

  #oneOf(members: string): () => string {
    // Letters and digits first; other characters are seldom needed.
    const plain = [...members].filter((member) => /[\p{L}\d]/u.test(member));
    const choice = plain.length > 0 ? plain : [...members];
    return () => {
      const written = this.#written.get(members) ?? 0;
      this.#written.set(members, written + 1);
      return choice[written % choice.length]!;
    };
  }

  #repeats(): number {
    const counted = /^(?:\?|\*|\+|\{(\d+)(?:,(\d*))?\})\??/.exec(this.#pattern.slice(this.#at));
    if (!counted) return 1;
    this.#at += counted[0].length;
    const sign = counted[0][0];
    if (sign === '{') return counted[2] === '' ? Math.max(Number(counted[1]), OFTEN) : Number(counted[1]);
    return sign === '+' ? OFTEN : 0;
  }

  #next(): string {
    const character = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0);
    if (this.#at >= this.#pattern.length) throw new Unread();
    this.#at += character.length;
    return character;
  }

  #take(character: string): boolean {
    if (this.#pattern[this.#at] !== character) return false;
    this.#at++;
    return true;
  }
}

/** Ten characters of a range, with 0 after the other digits. */
function range(from: string, to: string): string {
  const [first, last] = [from.codePointAt(0)!, to.codePointAt(0)!];
  const members = Array.from({ length: Math.min(10, last - first + 1) }, (_, index) =>
    String.fromCodePoint(first + index),
  );
  return members.length > 1 && members[0] === '0' ? [...members.slice(1), '0'].join('') : members.join('');
}

/** The pattern has unsupported syntax. */
class Unread extends Error {}
