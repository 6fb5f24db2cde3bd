import { TokenBucket } from '../../../platform/token-bucket.ts';
import { TooManyRequests } from '../../app/quotas.ts';

/** Most senders remembered; an attacker with many addresses must not fill the memory. */
const REMEMBERED = 10_000;

/** Counts what addresses, keys and the page send. */
export class SenderLimits {
  readonly #buckets = new Map<string, TokenBucket>();

  /**
   * Throws TooManyRequests when the sender has sent its share.
   * @param seconds for so many requests; a sender may save up those of one such time
   */
  take(sender: string, requests: number, seconds = 60): void {
    const now = performance.now();
    const bucket = this.#buckets.get(sender) ?? new TokenBucket(requests / seconds, requests, now);
    this.#buckets.delete(sender); // most recently used
    this.#buckets.set(sender, bucket);
    if (this.#buckets.size > REMEMBERED) this.#buckets.delete(this.#buckets.keys().next().value!);
    if (!bucket.take(now)) throw new TooManyRequests(Math.max(1, Math.ceil(bucket.wait(1) / 1000)));
  }

  /** Takes the last request of the sender back: it came to nothing. */
  giveBack(sender: string): void {
    this.#buckets.get(sender)?.giveBack();
  }
}
