/** Runs pieces of work one after another, for decisions over several records that must not change meanwhile. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<R>(work: () => Promise<R>): Promise<R> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
