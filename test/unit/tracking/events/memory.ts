import type {
  FoldCheckpoint,
  Memory,
  Point,
  Revision,
  VehicleEvent,
} from '../../../../server/tracking/events/index.ts';

/** What the room keeps on disk, kept in maps. */
export class MapMemory implements Memory {
  readonly events = new Map<number, VehicleEvent>();
  readonly checkpoints = new Map<number, string>();

  checkpointBefore(_vehicle: number, time: number): FoldCheckpoint | undefined {
    const found = [...this.checkpoints.keys()].filter((one) => one <= time);
    if (found.length === 0) return undefined;
    const at = Math.max(...found);
    return { time: at, states: this.checkpoints.get(at)! };
  }
  checkpointsAfter(_vehicle: number, time: number, limit: number): FoldCheckpoint[] {
    return [...this.checkpoints]
      .filter(([at]) => at > time)
      .sort(([a], [b]) => a - b)
      .slice(0, limit)
      .map(([at, states]) => ({ time: at, states }));
  }
  save(revision: Revision): void {
    for (const event of [...revision.created, ...revision.changed]) this.events.set(event.id, event);
    for (const event of revision.withdrawn) this.events.delete(event.id);
    for (const { time, states } of revision.addCheckpoints) this.checkpoints.set(time, states);
    for (const time of revision.dropCheckpoints) this.checkpoints.delete(time);
  }
  eventsSeen(_vehicle: number, after: number, until: number): Iterable<VehicleEvent> {
    return [...this.events.values()].filter(({ seenAt }) => seenAt > after && seenAt <= until);
  }
  event(_vehicle: number, id: number): VehicleEvent | undefined {
    return this.events.get(id);
  }
  /** In the order of time, without what only says when it was seen. */
  sorted(): Omit<VehicleEvent, 'seenAt'>[] {
    return [...this.events.values()]
      .sort((a, b) => a.from - b.from || a.id - b.id)
      .map(({ seenAt: _, ...event }) => event);
  }
}

/** A track as the store keeps it: one point of a time, the first one that came. */
export class MapTrack {
  readonly points = new Map<number, Point>();
  /** How many points were read, for what a late record costs. */
  read = 0;
  #sorted: Point[] | undefined;

  get last(): number {
    return Math.max(...this.points.keys());
  }
  insert(point: Point): boolean {
    if (this.points.has(point.time)) return false;
    this.points.set(point.time, point);
    this.#sorted = undefined;
    return true;
  }
  *after(time: number): Iterable<Point> {
    this.#sorted ??= [...this.points.values()].sort((a, b) => a.time - b.time);
    const sorted = this.#sorted;
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]!.time > time) high = middle;
      else low = middle + 1;
    }
    for (let i = low; i < sorted.length; i++) {
      this.read++;
      yield sorted[i]!;
    }
  }
}
