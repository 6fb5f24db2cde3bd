import type { EventItem, EventUpdate } from '../api/types.ts';

/** More are not kept: an event strip is looked at, a report is for the rest. */
const MOST = 400;

/** A turn belongs to a track. As an event it would be every second line. */
const TURN = 3;

/**
 * The latest events by id, newest first. An event that lasts is updated when it ends, or withdrawn when later
 * positions disprove it.
 */
export class RecentEvents {
  private readonly byId = new Map<number, EventItem>();
  private readonly listeners = new Set<() => void>();
  /** Newest first; replaced as a whole. */
  list: readonly EventItem[] = [];

  /** Updates during a read of the list; undefined: no read is under way. */
  private meanwhile: EventUpdate[] | undefined;

  take(updates: readonly EventUpdate[]): void {
    this.meanwhile?.push(...updates);
    this.apply(updates);
    this.publish();
  }

  /**
   * Replaces the list by that of `read`; updates that come during the read are applied afterwards. Rejects as
   * `read` does, and then nothing changes.
   */
  async readAnew(read: () => Promise<readonly EventItem[]>): Promise<void> {
    const meanwhile: EventUpdate[] = (this.meanwhile = []);
    try {
      const list = await read();
      if (this.meanwhile !== meanwhile) return; // it is being read once more
      this.byId.clear();
      this.apply(list);
      this.apply(meanwhile);
      this.publish();
    } finally {
      if (this.meanwhile === meanwhile) this.meanwhile = undefined;
    }
  }

  private apply(updates: readonly EventUpdate[]): void {
    for (const update of updates) {
      if (update.withdrawn) this.byId.delete(update.id);
      else if (update.eventId !== TURN) this.byId.set(update.id, update);
    }
  }

  private publish(): void {
    const sorted = [...this.byId.values()].sort((one, other) => other.dataFrom - one.dataFrom || other.id - one.id);
    for (const { id } of sorted.splice(MOST)) this.byId.delete(id);
    this.list = sorted;
    for (const listener of this.listeners) listener();
  }

  get(id: number): EventItem | undefined {
    return this.byId.get(id);
  }

  watch(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
