import { damagedFiles } from './check-sums.ts';

/** Compares the files of the territory in use with their check sums. A new check ends the one before. */
export class DamageCheck {
  readonly #onDamage: ((files: readonly string[]) => void) | undefined;
  #damaged: readonly string[] | undefined;
  #running: { readonly abort: AbortController; readonly done: Promise<void> } | undefined;

  /** @param onDamage called with damaged files; without it nothing is checked */
  constructor(onDamage: ((files: readonly string[]) => void) | undefined) {
    this.#onDamage = onDamage;
  }

  /** Files damaged since they were written; undefined until the check has ended. */
  get damaged(): readonly string[] | undefined {
    return this.#damaged;
  }

  begin(directory: string | undefined): void {
    this.#running?.abort.abort();
    this.#running = undefined;
    this.#damaged = undefined;
    if (this.#onDamage === undefined || directory === undefined) return;
    const abort = new AbortController();
    this.#running = { abort, done: this.#compare(directory, abort.signal) };
  }

  async close(): Promise<void> {
    this.#running?.abort.abort();
    await this.#running?.done;
  }

  async #compare(directory: string, signal: AbortSignal): Promise<void> {
    const damaged = await damagedFiles(directory, signal).catch(() => undefined);
    if (signal.aborted) return;
    this.#damaged = damaged;
    if (damaged !== undefined && damaged.length > 0) this.#onDamage?.(damaged);
  }
}
