/** ms for which the states of one list are reused for other clients that request the same. */
const KEPT_FOR = 2_000;
/** Shorter lists are written as quickly as they are found. */
export const LONG_LIST = 500;

export interface KeptStates {
  /** A whole CAR_UPDATES. */
  readonly message: Buffer;
  /** Vehicles that have newer states since. */
  readonly moved: Set<number>;
}

/**
 * States of long lists of vehicles, as they were sent. After a break all consoles of a station ask for the same
 * lists within seconds; to look up and write 50,000 states for each of them would take the event loop.
 */
export class KeptStateMessages {
  readonly #kept = new Map<string, KeptStates>();
  readonly #timers = new Set<NodeJS.Timeout>();

  /** @param list the vehicles, and the users who see them */
  get(list: string): KeptStates | undefined {
    return this.#kept.get(list);
  }

  keep(list: string, message: Buffer): void {
    const kept = { message, moved: new Set<number>() };
    this.#kept.set(list, kept);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (this.#kept.get(list) === kept) this.#kept.delete(list);
    }, KEPT_FOR);
    this.#timers.add(timer);
  }

  markMoved(vehicleId: number): void {
    for (const { moved } of this.#kept.values()) moved.add(vehicleId);
  }

  /** Vehicles were changed: others may see them now. */
  clear(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#kept.clear();
  }
}
