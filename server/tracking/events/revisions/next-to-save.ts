import type { ComputedRevision } from './revision-writer.ts';
import type { QueuedSpan } from './work-queue.ts';

export interface ComputedSpan extends ComputedRevision {
  readonly span: QueuedSpan;
}

/** Pieces of a dozen events that are saved at once. Writes of operators wait for as many. */
const MAX_PIECES = 60;
/**
 * Pieces of one vehicle per save. Its checkpoints come with the last piece: if the save is interrupted, the
 * span is computed again and only the rest differs.
 */
const MAX_OF_ONE = 20;

/**
 * Takes at least one revision to save. A long one is split: its rest goes to the end of the queue, unless the room
 * closes: then the next start recomputes it.
 */
export function takeNext(done: ComputedSpan[], isClosed: boolean): ComputedSpan[] {
  const next: ComputedSpan[] = [];
  const rests: ComputedSpan[] = [];
  for (let pieces = 0; done.length > 0 && pieces < MAX_PIECES;) {
    const one = done.shift()!;
    const { folded } = one;
    pieces += Math.min(folded.pieces.length, MAX_OF_ONE);
    if (folded.pieces.length <= MAX_OF_ONE) {
      next.push(one);
      continue;
    }
    next.push({
      ...one,
      isPart: true,
      folded: { ...folded, pieces: folded.pieces.slice(0, MAX_OF_ONE), addCheckpoints: [], dropCheckpoints: [] },
    });
    if (!isClosed) rests.push({ ...one, folded: { ...folded, pieces: folded.pieces.slice(MAX_OF_ONE) } });
  }
  done.push(...rests);
  return next;
}
