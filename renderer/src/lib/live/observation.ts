/**
 * Which vehicles the station was asked to follow, and whether it has answered: it sends what it knows of all
 * that a message names.
 */
export class Observation {
  private asked: ReadonlySet<number> = new Set();
  private waiting = 0;

  /**
   * Asked for these now, glonassIds, in so many messages. Where there is nothing to follow there is no
   * answer.
   */
  ask(ids: readonly number[], messages: number): void {
    this.asked = new Set(ids);
    this.waiting = ids.length === 0 ? 0 : messages;
  }

  /** Positions have come. */
  heard(): void {
    this.waiting = Math.max(0, this.waiting - 1);
  }

  /** The positions of all these vehicles have arrived. */
  covers(ids: readonly number[]): boolean {
    return this.waiting === 0 && ids.every((id) => this.asked.has(id));
  }
}
