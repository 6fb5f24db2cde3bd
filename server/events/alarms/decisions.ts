/** Decisions about alarms are made one after the other: the next one reads what the one before has stored. */
export class Decisions {
  readonly #report: (error: unknown) => void;
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  /** Nothing is decided any more once it is closed. */
  inTurn(decide: () => Promise<unknown>): void {
    if (this.#closed) return;
    this.#last = this.#last.then(decide).catch((error: unknown) => this.#report(error));
  }

  /** Resolves when all is decided. */
  async idle(): Promise<void> {
    for (let last: unknown; last !== this.#last;) {
      last = this.#last;
      await this.#last;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.idle();
  }
}
