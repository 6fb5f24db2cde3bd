/**
 * Calls the listeners that were added with `on`, in their order. A listener that throws goes to `report` and
 * does not stop the others, nor the caller of `emit`.
 */
export class Emitter<Args extends readonly unknown[]> {
  readonly #listeners = new Set<(...args: Args) => unknown>();
  readonly #report: (error: unknown) => void;

  constructor(report: (error: unknown) => void = rejectUnhandled) {
    this.#report = report;
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** Adds a listener. Returns the function that removes it. */
  on(listener: (...args: Args) => unknown): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  emit(...args: Args): void {
    for (const listener of this.#listeners) {
      try {
        listener(...args);
      } catch (error) {
        this.#report(error);
      }
    }
  }

  /** Like `emit`, and resolves when every listener has. Rejects with the first error after all have ended. */
  async emitAndWait(...args: Args): Promise<void> {
    const results = await Promise.allSettled([...this.#listeners].map(async (listener) => listener(...args)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  clear(): void {
    this.#listeners.clear();
  }
}

/** The station logs unhandled rejections as bugs. */
function rejectUnhandled(error: unknown): void {
  void Promise.reject(error as Error);
}
