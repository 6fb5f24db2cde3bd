import { Emitter } from '../platform/emitter.ts';
import type { Records } from '../store/types.ts';

/**
 * All records of a small kind in memory, always as they were committed last, whoever wrote them. For what is
 * asked for thousands of times a second: names of departments and users in a list of messages, vehicles by
 * their device.
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

  /** Told of each record as it is now and as it was. Returns the way to stop. */
  watch(listener: (now: T | undefined, before: T | undefined) => void): () => void {
    return this.#emitter.on(listener);
  }

  close(): void {
    this.#stop();
    this.#emitter.clear();
  }
}
