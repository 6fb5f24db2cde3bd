import type { Task } from '../../../../shared/records/index.ts';

/** Characters of JSON; parsed objects take about twice as many bytes. */
const MAX_CHARACTERS = 2_500_000;
/** A longer task would evict too many others. */
const LONGEST = 50_000;

/**
 * A cache of parsed tasks, so that a queue shown on many consoles is parsed once. The owner passes every
 * commit on in the turn in which queries see it (`followCommits`), so the cache equals the table. It knows no
 * lists or roles: the table decides what a list holds.
 */
export class RecentTasks {
  readonly #byKey = new Map<string, { readonly task: Task; readonly characters: number }>();
  #characters = 0;
  readonly #most: number;

  constructor(most = MAX_CHARACTERS) {
    this.#most = most;
  }

  /** Shared: do not change it. */
  get(key: string): Task | undefined {
    const known = this.#byKey.get(key);
    if (!known) return undefined;
    this.#byKey.delete(key); // most recently used
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
