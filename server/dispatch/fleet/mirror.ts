import { Emitter } from '../../platform/emitter.ts';
import type { Records } from '../../store/types.ts';

/**
 * All records of a small kind in memory, as last committed by any writer. For lookups made thousands of times
 * a second: names of organizations and users in a list of tasks, vehicles by device.
 */
export class Mirror<T extends { id: number }> {
  readonly #byId = new Map<number, T>();
  readonly #stop: () => void;
  readonly #emitter = new Emitter<[now: T | undefined, before: T | undefined]>();

  constructor(records: Pick<Records<T>, 'all' | 'watch'>) {
    for (const record of records.all()) this.#byId.set(record.id, record);
    this.#stop = records.watch((changes) => {
      for (const { record, deleted } of changes) {
        const before = this.#byId.get(record.id);
        if (deleted) this.#byId.delete(record.id);
        else this.#byId.set(record.id, record);
        this.#emitter.emit(deleted ? undefined : record, before);
      }
    });
  }

  get(id: number): T | undefined {
    return this.#byId.get(id);
  }

  values(): IterableIterator<T> {
    return this.#byId.values();
  }

  /** Called with each changed record, new and old. Returns the unsubscription. */
  watch(listener: (now: T | undefined, before: T | undefined) => void): () => void {
    return this.#emitter.on(listener);
  }

  close(): void {
    this.#stop();
    this.#emitter.clear();
  }
}
