import type { Deliveries, Delivery } from './deliveries.ts';
import { openSender, type DeliverySender } from './senders/index.ts';
import type { Webhook } from './webhook.ts';

/** Attempts that one receiver gets side by side; one that fails all the time gets one at a time. */
const SIDE_BY_SIDE = 8;
const FAILURES_IN_A_ROW = 20;
/** Seconds after each failed attempt. After the last one, three days later, the delivery is given up. */
const PAUSES = [1, 5, 30, 120, 600, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 86_400];
/** The longest timer; `setTimeout` takes no more than 24 days. */
const LONGEST_SLEEP = 3_600_000;

interface EndpointOptions {
  readonly webhook: Webhook;
  readonly deliveries: Deliveries;
  readonly now: () => number;
  readonly userAgent: string;
  readonly timeout?: number | undefined;
  /** Whether nothing may be sent now. */
  readonly isPaused: () => boolean;
  /** Called when the receiver wants nothing any more. */
  readonly gone: () => void;
  readonly report: (error: unknown) => void;
}

/** Sends what waits for one receiver, so that a slow one holds up no other. */
export class Endpoint {
  readonly #options: EndpointOptions;
  readonly #sending = new Map<number, Promise<void>>();
  readonly #end = new AbortController();
  readonly #sender: DeliverySender;
  #failures = 0;
  /** The receiver wants nothing any more. A change of the webhook gives it a new endpoint. */
  #isGone = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: EndpointOptions) {
    this.#options = options;
    const { webhook, userAgent, timeout } = options;
    this.#sender = openSender({ url: webhook.url, secret: webhook.secret, userAgent, timeout });
  }

  /** Sends what is due, and sets a timer for the rest. */
  wake(): void {
    const { webhook, deliveries, now, isPaused } = this.#options;
    clearTimeout(this.#timer);
    if (this.#end.signal.aborted || this.#isGone || isPaused()) return;
    const places = this.#failures >= FAILURES_IN_A_ROW ? 1 : SIDE_BY_SIDE;
    if (this.#sending.size >= places) return; // the next one that ends wakes it
    const due = deliveries
      .due(webhook.id, now(), places + this.#sending.size)
      .filter(({ id }) => !this.#sending.has(id))
      .slice(0, places - this.#sending.size);
    for (const delivery of due) this.#start(delivery);
    if (this.#sending.size > 0) return;
    const next = deliveries.nextDue(webhook.id);
    if (next === undefined) return;
    this.#timer = setTimeout(() => this.wake(), Math.min(LONGEST_SLEEP, Math.max(0, next - now())));
    this.#timer.unref();
  }

  /** Ends running attempts; they are repeated after the next start. */
  async close(): Promise<void> {
    this.#end.abort();
    clearTimeout(this.#timer);
    await Promise.all(this.#sending.values());
    await this.#sender.close();
  }

  #start(delivery: Delivery): void {
    const sending = this.#send(delivery)
      .catch((error: unknown) => this.#options.report(error))
      .finally(() => {
        this.#sending.delete(delivery.id);
        this.wake();
      });
    this.#sending.set(delivery.id, sending);
  }

  async #send(delivery: Delivery): Promise<void> {
    const { deliveries, now, gone } = this.#options;
    const { signal } = this.#end;
    const outcome = await this.#sender.send({ ...delivery, at: now(), signal });
    const { status } = outcome;
    if (outcome.kind === 'taken') {
      this.#failures = 0;
      return deliveries.finish(delivery, { state: 'sent', status, error: '', at: now() });
    }
    if (signal.aborted) return;
    this.#failures++;
    const { error } = outcome;
    if (outcome.kind === 'gone') {
      this.#isGone = true;
      await deliveries.postpone(delivery, { status, error, at: now() });
      return gone();
    }
    const pause = PAUSES[delivery.attempts];
    if (pause === undefined) return deliveries.finish(delivery, { state: 'failed', status, error, at: now() });
    // Spread by a tenth, so that what failed together is not repeated together.
    const wait = Math.max(outcome.waitAtLeast, pause * 1_000 * (0.95 + Math.random() / 10));
    return deliveries.postpone(delivery, { status, error, at: now() + Math.round(wait) });
  }
}
