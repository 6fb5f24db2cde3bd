import type { Task } from '../../../shared/records/index.ts';

/** Characters of JSON; what is parsed of it takes about twice as many bytes. */
const MOST_CHARACTERS = 2_500_000;
/** A longer message would push out too many others. */
const LONGEST = 50_000;

/**
 * Messages that lists showed lately, parsed: a queue that consoles look at again and again is read and parsed
 * once. Whoever keeps it tells it of every commit in the turn in which queries begin to see that
 * (`followCommits`), so that it never says other than the table. It knows nothing of lists or rights: what a
 * list holds is asked of the table each time.
 */
export class RecentTasks {
  readonly #byKey = new Map<string, { readonly task: Task; readonly characters: number }>();
  #characters = 0;
  readonly #most: number;

  constructor(most = MOST_CHARACTERS) {
    this.#most = most;
  }

  /** It is shared, and must not be changed. */
  get(key: string): Task | undefined {
    const known = this.#byKey.get(key);
    if (!known) return undefined;
    this.#byKey.delete(key); // last in the order of use
    this.#byKey.set(key, known);
    return known.task;
  }

  /** @param characters the length of its JSON */
  add(task: Task, characters: number): void {
    this.forget(task.key);
    if (characters > LONGEST) return;
    this.#byKey.set(task.key, { task, characters });
    this.#characters += characters;
    while (this.#characters > this.#most) this.forget(this.#byKey.keys().next().value!);
  }

  forget(key: string): void {
    const known = this.#byKey.get(key);
    if (!known) return;
    this.#byKey.delete(key);
    this.#characters -= known.characters;
  }
}
