import { shallowRef, type ShallowRef } from 'vue';

interface KeyedRecord {
  readonly key: string;
  readonly id: number;
}

interface RecordChange<T> {
  readonly key: string;
  /** Undefined: it is gone. */
  readonly now: T | undefined;
  readonly before: T | undefined;
}

/** Changes are published in batches at this interval, too short to be seen. */
const GATHER_MS = 40;
/** While many come, telling takes at most a quarter of the time. */
const PAUSE = 3;

/**
 * The records of one replicated collection by key, as plain shared objects, for lists too long to be reactive
 * one by one. `version` is incremented after each batch; a computed that reads it is evaluated again.
 */
export class LiveRecords<T extends KeyedRecord> {
  readonly version: ShallowRef<number> = shallowRef(0);
  private readonly records = new Map<string, T>();
  private readonly listeners = new Set<(changes: readonly RecordChange<T>[]) => void>();
  private pending: RecordChange<T>[] = [];
  /** ms that telling took the last time */
  private cost = 0;
  private readonly awaiting: (() => void)[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Between the beginning and the end of a refill: keys that have not come again. */
  private stale: Set<string> | undefined;

  get(key: string): T | undefined {
    return this.records.get(key);
  }

  get size(): number {
    return this.records.size;
  }

  values(): IterableIterator<T> {
    return this.records.values();
  }

  put(record: T): void {
    const before = this.records.get(record.key);
    this.records.set(record.key, record);
    this.stale?.delete(record.key);
    this.note({ key: record.key, now: record, before });
  }

  remove(key: string): void {
    const before = this.records.get(key);
    if (!this.records.delete(key)) return;
    this.note({ key, now: undefined, before });
  }

  clear(): void {
    this.stale = undefined;
    for (const key of [...this.records.keys()]) this.remove(key);
  }

  /** All records come again: those that are held stay until then, so that no list is empty meanwhile. */
  beginRefill(): void {
    this.stale = new Set(this.records.keys());
  }

  /** All records have been received: those that were not received again were deleted. */
  endRefill(): void {
    const gone = this.stale ?? [];
    this.stale = undefined;
    for (const key of gone) this.remove(key);
  }

  /** Called after each batch. Returns the way to stop. */
  watch(listener: (changes: readonly RecordChange<T>[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Resolves when the listeners know of everything that is held now. */
  notified(): Promise<void> {
    return this.timer === undefined ? Promise.resolve() : new Promise((resolve) => this.awaiting.push(resolve));
  }

  private note(change: RecordChange<T>): void {
    this.pending.push(change);
    this.timer ??= setTimeout(() => this.flush(), Math.max(GATHER_MS, this.cost * PAUSE));
  }

  private flush(): void {
    const changes = this.pending;
    this.pending = [];
    this.timer = undefined;
    const began = performance.now();
    this.version.value++;
    for (const listener of this.listeners) listener(changes);
    this.cost = performance.now() - began;
    for (const resolve of this.awaiting.splice(0)) resolve();
  }
}
