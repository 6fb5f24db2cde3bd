/** ms after which a line is repeated, with its count */
const HOUR = 3_600_000;
/**
 * Subjects named within an hour; others are only counted, so that endless names fill neither log nor memory.
 */
const MAX_NAMED = 200;

export interface ThrottledLogTexts {
  /** Occurrences since the subject was named. */
  more(subject: string, count: number): string;
  /** Occurrences of subjects that were not named. */
  others(count: number): string;
}

/**
 * Logs frequent things rarely: a subject at its first occurrence, then once an hour with its count while it
 * continues.
 */
export class ThrottledLog {
  readonly #log: (message: string) => void;
  readonly #words: ThrottledLogTexts;
  /** The named subjects, and their occurrences since then. */
  readonly #named = new Map<string, number>();
  #others = 0;
  #hour: NodeJS.Timeout | undefined;

  constructor(log: (message: string) => void, words: ThrottledLogTexts) {
    this.#log = log;
    this.#words = words;
  }

  /** @param first the line for a new subject */
  count(subject: string, first: string): void {
    this.#hour ??= setTimeout(() => this.#endHour(), HOUR).unref();
    const count = this.#named.get(subject);
    if (count !== undefined) this.#named.set(subject, count + 1);
    else if (this.#named.size < MAX_NAMED) {
      this.#named.set(subject, 0);
      this.#log(first);
    } else this.#others++;
  }

  /** Logs the counts that were not logged yet. */
  close(): void {
    this.#logCounts();
    this.#named.clear();
  }

  #logCounts(): void {
    clearTimeout(this.#hour);
    this.#hour = undefined;
    for (const [subject, count] of this.#named) if (count > 0) this.#log(this.#words.more(subject, count));
    if (this.#others > 0) this.#log(this.#words.others(this.#others));
    this.#others = 0;
  }

  #endHour(): void {
    this.#logCounts();
    // Silent subjects make room for others, and are named again when they return.
    for (const [subject, count] of this.#named) {
      if (count > 0) this.#named.set(subject, 0);
      else this.#named.delete(subject);
    }
    if (this.#named.size > 0) this.#hour = setTimeout(() => this.#endHour(), HOUR).unref();
  }
}
