import type { Fold, FoldJob, FoldOutcome } from '../events/index.ts';

/**
 * A computation that first has the past of its vehicles loaded: this worker may have taken them over, and then its
 * tracks have gaps.
 */
export class PastFold implements Fold {
  readonly #own: Fold;
  readonly #load: (job: FoldJob) => Promise<void>;

  constructor(own: Fold, load: (job: FoldJob) => Promise<void>) {
    this.#own = own;
    this.#load = load;
  }

  async revise(orders: readonly FoldJob[]): Promise<readonly FoldOutcome[]> {
    const loaded = await Promise.allSettled(orders.map((order) => this.#load(order)));
    const ready = orders.filter((_, i) => loaded[i]!.status === 'fulfilled');
    const outcomes = [...(ready.length > 0 ? await this.#own.revise(ready) : [])];
    return orders.map(({ vehicleId }, i) => {
      const result = loaded[i]!;
      return result.status === 'rejected' ? { vehicleId, error: result.reason as unknown } : outcomes.shift()!;
    });
  }

  resume(vehicleIds: readonly number[]): Promise<readonly FoldOutcome[]> {
    return this.#own.resume(vehicleIds);
  }

  forget(vehicleIds: Iterable<number>): void {
    this.#own.forget(vehicleIds);
  }

  close(): Promise<void> {
    return this.#own.close();
  }
}
