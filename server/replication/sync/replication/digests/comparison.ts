import { z } from 'zod';
import type { CollectionName } from '../../../../store/types.ts';
import type { Channel } from '../../types.ts';
import type { Reconciler } from './reconcile.ts';

interface ComparisonOptions {
  readonly channel: Channel;
  readonly reconciler: Reconciler;
  /** Sums of the records that the link carries; undefined while they are counted. */
  sums(): readonly (readonly [CollectionName, string])[] | undefined;
  warn(message: string): void;
  /** Nothing was missing here, so a sum may be wrong. */
  recount(): void;
  compared(): void;
}

/** ms for which digests differ with nothing to read, until the records are compared; and between two comparisons. */
const COMPARE_AFTER = 4_000;
const COMPARE_AGAIN = 30_000;
const LONGEST_PAUSE = 15 * 60_000;

/** Compares the records of two stations that have read everything and hold something else. SPEC 63. */
export class Comparison {
  readonly #options: ComparisonOptions;
  /** Since when the digests differ with nothing to read, and when they were last compared; `performance.now()`. */
  #differsSince: number | undefined;
  #comparedAt = -Infinity;
  #pause = COMPARE_AGAIN;
  #comparing: Promise<void> | undefined;
  #closed = false;

  constructor(options: ComparisonOptions) {
    this.#options = options;
  }

  /** The digests are equal, or something is still to be read. */
  notNeeded(): void {
    this.#differsSince = undefined;
  }

  /** Called for each digest that differs while nothing is left to read. */
  needed(): void {
    const now = performance.now();
    const { channel } = this.#options;
    const isDue =
      !this.#comparing &&
      now - (this.#differsSince ??= now) >= COMPARE_AFTER &&
      now - this.#comparedAt >= this.#pause &&
      !channel.link.settings.readOnly;
    if (!isDue) return;
    this.#comparedAt = now;
    this.#comparing = this.#compare()
      .catch((error: unknown) => {
        if (!this.#closed) channel.link.report({ error: `Records could not be compared: ${(error as Error).message}` });
      })
      .finally(() => (this.#comparing = undefined));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#comparing;
  }

  async #compare(): Promise<void> {
    const { channel, reconciler, sums, warn, recount, compared } = this.#options;
    const { body } = await channel.request<{ digests: unknown }>('digests', {});
    const theirs = z.record(z.string(), z.string()).parse(body.digests);
    let count = 0;
    for (const [name, sum] of sums() ?? []) {
      if (this.#closed || theirs[name] === undefined || theirs[name] === sum) continue;
      const taken = await reconciler.run(name);
      count += taken;
      if (taken > 0)
        warn(`${taken} records of ${name} at ${channel.peer.name} were missing from the feed. They were taken over.`);
    }
    if (count === 0) recount();
    // Where a record is refused the digests stay different.
    this.#pause = count > 0 ? COMPARE_AGAIN : Math.min(LONGEST_PAUSE, this.#pause * 2);
    compared();
  }
}
