import { Emitter } from '../../../platform/emitter.ts';
import type { Store } from '../../../store/types.ts';

/** Whose events are concerned; `routed`: vehicles that have planned routes. */
export type RecomputeScope = `vehicle:${number}` | `organization:${number}` | 'routed' | 'all';

/**
 * Called with vehicles whose events must be computed again from a time on. Call `done` when these are on
 * disk.
 */
export type Recompute = (vehicleIds: readonly number[], from: number, done: () => void) => void;

interface RecomputeQueueOptions {
  readonly store: Store;
  vehicles(concerned: RecomputeScope): readonly number[];
  report(error: unknown): void;
}

/**
 * Edits of the past: which vehicles to compute again, and from which time. An entry is written in the
 * transaction of the edit and removed when the events are on disk, so a crash in between loses nothing.
 * Handling an entry twice changes nothing.
 */
export class RecomputeQueue {
  readonly #options: RecomputeQueueOptions;
  readonly #emitter: Emitter<Parameters<Recompute>>;
  #taken = 0;
  #clearing: Promise<unknown> = Promise.resolve();

  constructor(options: RecomputeQueueOptions) {
    this.#options = options;
    this.#emitter = new Emitter(options.report);
  }

  /** Inside a write it joins its transaction. */
  enqueue(concerned: readonly RecomputeScope[], from: number): void {
    if (concerned.length === 0) return;
    const { store, report } = this.#options;
    store
      .writePlain((sql) => {
        const insert = sql.prepare('INSERT INTO event_needs (since, concerns) VALUES (?, ?)');
        for (const one of concerned) insert.run(from, one);
      })
      .catch(report);
  }

  /** Passes on committed entries that were not passed on yet; at the start, those of the last run. */
  dispatch(): void {
    if (!this.#emitter.hasListeners) return;
    const rows = this.#options.store.sql
      .prepare('SELECT id, since, concerns FROM event_needs WHERE id > ? ORDER BY id')
      .all(this.#taken) as { id: number; since: number; concerns: RecomputeScope }[];
    // A thousand zones drawn at once concern the same vehicles.
    for (const [concerned, its] of Map.groupBy(rows, ({ concerns }) => concerns)) {
      const vehicles = this.#options.vehicles(concerned);
      const from = Math.min(...its.map(({ since }) => since));
      this.#emitter.emit(vehicles, from, () => this.#clear(its.map(({ id }) => id)));
    }
    this.#taken = rows.at(-1)?.id ?? this.#taken;
  }

  /** Returns the unsubscription. */
  watch(take: Recompute): () => void {
    return this.#emitter.on(take);
  }

  async close(): Promise<void> {
    await this.#clearing;
  }

  #clear(ids: readonly number[]): void {
    const { store, report } = this.#options;
    const cleared = store
      .writePlain((sql) =>
        sql.prepare('DELETE FROM event_needs WHERE id IN (SELECT value FROM json_each(?))').run(JSON.stringify(ids)),
      )
      .catch(report);
    this.#clearing = Promise.all([this.#clearing, cleared]);
  }
}
