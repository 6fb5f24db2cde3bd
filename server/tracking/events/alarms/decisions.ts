/** Runs decisions about alarms one after the other: each reads what the one before stored. */
export class Decisions {
  readonly #report: (error: unknown) => void;
  #last: Promise<unknown> = Promise.resolve();
  readonly #isPaused: () => boolean;
  #closed = false;

  /** @param isPaused decisions are dropped meanwhile: the alarms catch up afterwards */
  constructor(report: (error: unknown) => void, isPaused: () => boolean = () => false) {
    this.#report = report;
    this.#isPaused = isPaused;
  }

  /** After closing, no decision starts. */
  inTurn(decide: () => Promise<unknown>): void {
    if (this.#closed || this.#isPaused()) return;
    this.#last = this.#last.then(decide).catch((error: unknown) => this.#report(error));
  }

  /** Resolves when all decisions are made. */
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
