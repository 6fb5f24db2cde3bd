import type { EventItem, EventUpdate } from '../api/types.ts';

/** More are not kept: an event strip is looked at, a report is for the rest. */
const MOST = 400;

/** A turn belongs to a track. As an event it would be every second line. */
const TURN = 3;

/**
 * The latest events by id, newest first. An event that lasts is told again when it ends, or withdrawn when
 * later positions show it was none.
 */
export class RecentEvents {
  private readonly byId = new Map<number, EventItem>();
  private readonly listeners = new Set<() => void>();
  /** Newest first; replaced whole. */
  list: readonly EventItem[] = [];

  /** What was told while the list was being read; undefined: it is not being read. */
  private meanwhile: EventUpdate[] | undefined;

  take(updates: readonly EventUpdate[]): void {
    this.meanwhile?.push(...updates);
    this.apply(updates);
    this.publish();
  }

  /**
   * Takes the list that `read` gives for all there was until now: what was withdrawn unheard is gone with it,
   * and what is told while it is read goes before it. Rejects as `read` does, and all stays then.
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
