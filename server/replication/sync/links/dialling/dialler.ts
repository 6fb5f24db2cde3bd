import { Backoff } from '../../../../platform/backoff.ts';

/** ms until a station that refused, and one that paused the link, is asked again. */
const AFTER_REFUSAL = 60_000;
const AFTER_PAUSE = 5_000;
/** ms between two dials of a station that does not answer, at most: operators wait for updates after a break. */
const LONGEST_WHILE_AWAY = 1_000;

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
  /** Of dials that nobody answered, and of connections that broke soon. */
  readonly #unanswered: Backoff;
  readonly #broken: Backoff;
  #timer: NodeJS.Timeout | undefined;
  #isDialling = false;
  #isKicked = false;
  #isClosed = false;

  constructor(options: DiallerOptions) {
    this.#options = options;
    this.#unanswered = new Backoff(options.now, LONGEST_WHILE_AWAY);
    this.#broken = new Backoff(options.now);
  }

  /** Dials at once: the network or the settings changed, or the station was heard of. */
  dialNow(): void {
    this.lasted();
    this.#isKicked = this.#isDialling;
    this.#schedule(0);
  }

  /** The connection was lost: dials again, with backoff when that happens again and again. */
  lost(reason: string): void {
    this.#broken.failed(reason);
    this.#schedule(this.#broken.remaining);
  }

  /** The connection has lasted. */
  lasted(): void {
    this.#broken.recovered();
    this.#unanswered.recovered();
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
    if (outcome.kind === 'failed') {
      this.#unanswered.failed(outcome.reason);
      this.#schedule(this.#unanswered.remaining);
    } else if (outcome.kind === 'refused') this.#schedule(AFTER_REFUSAL);
    else if (outcome.kind === 'paused') this.#schedule(AFTER_PAUSE);
  }
}
