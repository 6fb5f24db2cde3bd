import { TokenBucket } from '../../platform/token-bucket.ts';
import type { SmsGateway } from './gateway.ts';
import type { SentSms, SmsOutbox } from './outbox.ts';

interface SenderOptions {
  readonly outbox: SmsOutbox;
  readonly gateway: SmsGateway;
  readonly perMinute: number;
  readonly hours: number;
  readonly now: () => number;
  /** Whether nothing may be sent now. */
  readonly isPaused: () => boolean;
  /** Called after each attempt. */
  readonly moved: () => void;
  readonly report: (error: unknown) => void;
}

/** Seconds after each failed attempt; the last one from then on. */
const PAUSES = [1, 5, 15, 60, 120, 300];
/** The longest timer. */
const LONGEST_SLEEP = 600_000;
/** Failures in a row after which one text is tried at a time. */
const FAILURES_IN_A_ROW = 5;

/** Hands what is queued to the gateway, within its rate. */
export class SmsSender {
  readonly #options: SenderOptions;
  readonly #rate: TokenBucket;
  readonly #sending = new Map<number, Promise<void>>();
  #failures = 0;
  /** Until when the gateway wants nothing. */
  #pausedUntil = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: SenderOptions) {
    this.#options = options;
    const burst = Math.max(1, Math.min(options.perMinute, 20));
    this.#rate = new TokenBucket(options.perMinute / 60, burst, options.now());
  }

  /** Hands over due texts, and sets a timer for the rest. */
  wake(): void {
    const { outbox, gateway, now, isPaused } = this.#options;
    clearTimeout(this.#timer);
    if (this.#isClosed || isPaused()) return;
    const wait = this.#pausedUntil - now();
    if (wait > 0) return this.#sleep(wait);
    const places = this.#failures >= FAILURES_IN_A_ROW ? 1 : gateway.places;
    for (const sms of outbox.due(places + this.#sending.size)) {
      if (this.#sending.size >= places) break;
      if (this.#sending.has(sms.id)) continue;
      const parts = Math.min(gateway.parts(sms.text), 10);
      if (!this.#rate.take(now(), parts)) return this.#sleep(Math.max(20, this.#rate.wait(parts)));
      this.#start(sms);
    }
    if (this.#sending.size > 0) return; // the next one that ends wakes it
    const next = outbox.nextDue;
    if (next !== undefined) this.#sleep(Math.max(20, next - now()));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#options.gateway.close();
    await Promise.all(this.#sending.values());
  }

  #sleep(wait: number): void {
    this.#timer = setTimeout(() => this.wake(), Math.min(LONGEST_SLEEP, wait));
    this.#timer.unref();
  }

  #start(sms: SentSms): void {
    const sending = this.#send(sms)
      .catch((error: unknown) => this.#options.report(error))
      .finally(() => {
        this.#sending.delete(sms.id);
        this.#options.moved();
        this.wake();
      });
    this.#sending.set(sms.id, sending);
  }

  async #send(sms: SentSms): Promise<void> {
    const { outbox, gateway, now, hours } = this.#options;
    const { id, publicId, number, text, attempts } = sms;
    if (now() - sms.at > hours * 3_600_000) return outbox.fail(id, 'expired', sms.error);
    await outbox.begin(sms, now() + pauseAfter(attempts));
    const taken = outbox.taken(id);
    const takenPart = (gatewayId: string) => outbox.takenPart(id, gatewayId);
    const outcome = await gateway.handOver({ publicId, number, text, attempts, taken, takenPart });
    if (outcome.kind === 'taken') {
      await outbox.finish(id);
      if (this.#failures > 0) await outbox.hurry();
      this.#failures = 0;
      return;
    }
    if (this.#isClosed) return outbox.postpone(id, now(), 'unreachable', outcome.error);
    if (outcome.kind === 'refused') return outbox.fail(id, 'refused', outcome.error);
    this.#failures++;
    this.#pausedUntil = Math.max(this.#pausedUntil, now() + outcome.pause);
    await outbox.postpone(id, now() + pauseAfter(attempts), 'unreachable', outcome.error);
  }
}

function pauseAfter(attempts: number): number {
  return PAUSES[Math.min(attempts, PAUSES.length - 1)]! * 1_000;
}
