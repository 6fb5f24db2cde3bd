import type { PositionRecord } from '../api/types.ts';
import { nextLeg, type Motion } from './motion.ts';

/**
 * Last known places of all vehicles. Plain objects: they change many times a second and are drawn, not
 * rendered.
 */
export class Positions {
  readonly legs = new Map<number, Motion>();
  private readonly listeners = new Set<() => void>();

  /** `now` in ms of the drawing clock (performance.now). Older records are ignored. */
  take(records: readonly PositionRecord[], now: number): void {
    for (const record of records) {
      const before = this.legs.get(record.glonassId);
      if (before && record.data < before.fix.data) continue;
      this.legs.set(record.glonassId, nextLeg(before, record, now));
    }
    for (const listener of this.listeners) listener();
  }

  clear(): void {
    this.legs.clear();
    for (const listener of this.listeners) listener();
  }

  watch(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
