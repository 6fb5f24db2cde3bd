import { writeOutcome } from '../writing/write-orders.ts';

/** Names of `OUTCOME`, by its values. */
const OUTCOMES = ['accepted', 'duplicate', 'conflict'] as const;

/** Records by outcome. */
export type RecordCounts = Readonly<Record<(typeof OUTCOMES)[number], number>>;

/** Counts received records since the start. */
export class IntakeCounts {
  readonly #records = { accepted: 0, duplicate: 0, conflict: 0 };
  readonly #now: () => number;
  #lastAccepted = 0;
  #datagramsDropped = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  get records(): RecordCounts {
    return { ...this.#records };
  }

  /** When a record was last accepted, in epoch ms; 0: not since the start. */
  get lastAccepted(): number {
    return this.#lastAccepted;
  }

  get datagramsDropped(): number {
    return this.#datagramsDropped;
  }

  /** Counts a group that the writer stored. Returns how many of its records were accepted. */
  add(outcomes: Uint16Array): number {
    const before = this.#records.accepted;
    for (const outcome of outcomes) this.#records[OUTCOMES[writeOutcome(outcome)]!]++;
    const accepted = this.#records.accepted - before;
    if (accepted > 0) this.#lastAccepted = this.#now();
    return accepted;
  }

  addDropped(datagrams: number): void {
    this.#datagramsDropped += datagrams;
  }
}
