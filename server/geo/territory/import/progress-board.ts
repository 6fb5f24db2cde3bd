import type { ImportProgress } from '../types.ts';

const STAGES = ['read', 'roads', 'places', 'tiles'] as const;
export type Stage = (typeof STAGES)[number];

/** Shares of the whole, as measured on real extracts. */
const WEIGHT: Record<Stage, number> = { read: 0.15, roads: 0.4, places: 0.25, tiles: 0.18 };

/**
 * The progress of each stage, in shared memory that the import's threads write and the main thread reads,
 * without messages.
 */
export class ProgressBoard {
  readonly buffer: SharedArrayBuffer;
  readonly #done: Float64Array;

  constructor(buffer = new SharedArrayBuffer(STAGES.length * Float64Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.#done = new Float64Array(buffer);
  }

  /** 0 to 1 of the stage. */
  write(stage: Stage, done: number): void {
    this.#done[STAGES.indexOf(stage)] = done;
  }

  /** The first unfinished stage, since several run at once, and the share of the whole. */
  read(): ImportProgress {
    let whole = 0;
    STAGES.forEach((stage, i) => (whole += WEIGHT[stage] * this.#done[i]!));
    return { stage: STAGES.find((_, i) => this.#done[i]! < 1) ?? 'switch', done: Math.min(whole, 0.98) };
  }
}
