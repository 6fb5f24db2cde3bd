import { Backoff } from '../../platform/backoff.ts';

/** ms until a station that refused, and one that paused the link, is asked again. */
const AFTER_REFUSAL = 60_000;
const AFTER_PAUSE = 5_000;

/** How a dial ended. */
export type DialOutcome =
  | { readonly kind: 'connected' | 'refused' | 'paused' | 'unwanted' }
  | { readonly kind: 'failed'; readonly reason: string };

interface DiallerOptions {
  /** Whether there is an address, and no connection. */
  readonly isWanted: () => boolean;
  readonly dial: () => Promise<DialOutcome>;
  /** Monotonic ms. */
  readonly now?: () => number;
}

/** Dials one station until it is connected, with backoff. */
export class Dialler {
  readonly #options: DiallerOptions;
  readonly #backoff: Backoff;
  #timer: NodeJS.Timeout | undefined;
  #isDialling = false;
  #isKicked = false;
  #isClosed = false;

  constructor(options: DiallerOptions) {
    this.#options = options;
    this.#backoff = new Backoff(options.now);
  }

  /** Dials at once: the network or the settings changed, or the station was heard of. */
  dialNow(): void {
    this.#backoff.recovered();
    this.#isKicked = this.#isDialling;
    this.#schedule(0);
  }

  /** The connection was lost: dials again, with backoff when that happens again and again. */
  lost(reason: string): void {
    this.#backoff.failed(reason);
    this.#schedule(this.#backoff.remaining);
  }

  /** The connection has lasted. */
  lasted(): void {
    this.#backoff.recovered();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#dial(), delay);
  }

  async #dial(): Promise<void> {
    if (this.#isClosed || this.#isDialling || !this.#options.isWanted()) return;
    this.#isDialling = true;
    const outcome = await this.#options
      .dial()
      .catch((error: unknown): DialOutcome => ({ kind: 'failed', reason: (error as Error).message }));
    this.#isDialling = false;
    if (this.#isKicked) {
      this.#isKicked = false;
      return this.#schedule(0);
    }
    if (outcome.kind === 'failed') this.lost(outcome.reason);
    else if (outcome.kind === 'refused') this.#schedule(AFTER_REFUSAL);
    else if (outcome.kind === 'paused') this.#schedule(AFTER_PAUSE);
  }
}
