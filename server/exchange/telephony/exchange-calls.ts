import type { Actor } from '../../../shared/access.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Calls } from '../../dispatch/calls/index.ts';
import { TokenBucket } from '../../platform/token-bucket.ts';
import type { AmiMessage } from './ami-wire.ts';
import { readExchangeStep, type ExchangeStep } from './exchange-step.ts';
import type { ExchangeLine } from './settings.ts';

interface ExchangeCallsOptions {
  readonly calls: Calls;
  readonly lines: () => readonly ExchangeLine[];
  /** The one enabled person at this telephone; undefined: nobody, or several. */
  readonly personAt: (extension: string) => Actor | undefined;
  readonly now: () => number;
  readonly report: (message: string, error?: unknown) => void;
}

/** New calls a second, and at once: an exchange that reports more is out of order. */
const CALLS_PER_SECOND = 20;
const CALLS_AT_ONCE = 200;
/** Channels that are followed. */
const MOST_CHANNELS = 10_000;
/** ms between two words in the log about dropped calls. */
const SAY_AGAIN = 60_000;

/** Makes the records of calls that the exchange reports (README). */
export class ExchangeCalls {
  readonly #options: ExchangeCallsOptions;
  /** Ids of the records by channel. */
  readonly #open = new Map<string, number>();
  readonly #bucket: TokenBucket;
  #listed: Set<string> | undefined;
  #saidAt = -SAY_AGAIN;

  constructor(options: ExchangeCallsOptions) {
    this.#options = options;
    this.#bucket = new TokenBucket(CALLS_PER_SECOND, CALLS_AT_ONCE, options.now());
  }

  /** Begins a list of all channels: the calls of those that it does not name have ended meanwhile. */
  list(): void {
    this.#listed = new Set();
  }

  take(event: AmiMessage): Promise<void> | undefined {
    const name = event.get('event');
    if (name === 'CoreShowChannel' && this.#listed && this.#listed.size < MOST_CHANNELS)
      this.#listed.add(event.get('uniqueid') ?? '');
    if (name === 'CoreShowChannelsComplete') return this.#endUnlisted();
    const step = readExchangeStep(event, this.#options.lines());
    if (!step || !this.#concerns(step)) return undefined;
    return this.#make(step, name === 'CoreShowChannel').catch((error: unknown) => {
      if (!(error instanceof Refusal)) this.#options.report('A call of the exchange could not be stored.', error);
    });
  }

  #concerns({ kind, channel }: ExchangeStep): boolean {
    return (kind === 'arrived') !== this.#open.has(channel);
  }

  async #make(step: ExchangeStep, isListed: boolean): Promise<void> {
    const { calls, personAt } = this.#options;
    if (step.kind === 'arrived') return this.#arrived(step, isListed);
    const id = this.#open.get(step.channel)!;
    if (step.kind === 'gone') {
      this.#open.delete(step.channel);
      await calls.gone(id);
      return;
    }
    const person = personAt(step.extension);
    if (person) await calls.take(person, id);
  }

  async #arrived(step: Extract<ExchangeStep, { kind: 'arrived' }>, isListed: boolean): Promise<void> {
    const now = this.#options.now();
    if (!this.#bucket.take(now) || this.#open.size >= MOST_CHANNELS) {
      if (now - this.#saidAt >= SAY_AGAIN)
        this.#options.report('The exchange reports too many calls: some are dropped.');
      this.#saidAt = now - this.#saidAt >= SAY_AGAIN ? now : this.#saidAt;
      return;
    }
    const { channel, number, name, line, organizationId } = step;
    const order = { number, name, line, text: '', point: null };
    const call = await this.#options.calls.reportFor(organizationId, order, isListed);
    this.#open.set(channel, call.id);
  }

  async #endUnlisted(): Promise<void> {
    const listed = this.#listed;
    this.#listed = undefined;
    if (!listed || listed.size >= MOST_CHANNELS) return;
    for (const channel of [...this.#open.keys()])
      if (!listed.has(channel)) await this.#make({ kind: 'gone', channel }, false);
  }
}
