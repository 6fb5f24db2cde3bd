/** One straight piece of road that a closure lies on; by shape position. */
export interface Affected {
  piece: number;
  id: number;
  factor: number;
}

/**
 * The same of all closures, in shared memory: it goes through the server's own thread, which must not copy
 * what a closed district has of pieces.
 */
export interface AffectedPieces {
  readonly closures: readonly { readonly id: number; readonly factor: number }[];
  /** Shape positions, ascending; one on which several closures lie is there as often. */
  readonly pieces: Uint32Array;
  /** Which of `closures` it is. */
  readonly closure: Uint32Array;
}

/** `allocate` gives the memory, of so many bytes at least. */
export function packAffected(
  affected: readonly Affected[],
  allocate = (bytes: number) => new SharedArrayBuffer(bytes),
): AffectedPieces {
  const sorted = [...affected].sort((a, b) => a.piece - b.piece);
  const buffer = allocate(sorted.length * 8);
  const pieces = new Uint32Array(buffer, 0, sorted.length);
  const closure = new Uint32Array(buffer, sorted.length * 4, sorted.length);
  const closures: { id: number; factor: number }[] = [];
  const numbers = new Map<number, number>();
  sorted.forEach(({ piece, id, factor }, i) => {
    let number = numbers.get(id);
    if (number === undefined) numbers.set(id, (number = closures.push({ id, factor }) - 1));
    pieces[i] = piece;
    closure[i] = number;
  });
  return { closures, pieces, closure };
}

/**
 * Memory for what is packed, used again and again as metrics are (`MetricPool`) and for the same reason: that
 * of now, and one for the next change.
 */
export class AffectedMemory {
  #now = new SharedArrayBuffer(0);
  #spare = new SharedArrayBuffer(0);

  /** What nobody reads who has let go of the conditions before those of now. */
  spare(bytes: number): SharedArrayBuffer {
    if (this.#spare.byteLength < bytes)
      this.#spare = new SharedArrayBuffer(Math.max(bytes, this.#spare.byteLength * 2));
    return this.#spare;
  }

  /** From now on the spare one is read. */
  adopt(): void {
    [this.#now, this.#spare] = [this.#spare, this.#now];
  }
}

/** Tells the closures that lie on a piece. */
export function* closuresOn(
  piece: number,
  { closures, pieces, closure }: AffectedPieces,
): Generator<{ readonly id: number; readonly factor: number }> {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pieces[middle]! < piece) low = middle + 1;
    else high = middle;
  }
  for (; pieces[low] === piece; low++) yield closures[closure[low]!]!;
}
