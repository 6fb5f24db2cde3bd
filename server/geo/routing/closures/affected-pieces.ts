/** A straight piece of road, by shape position, that a closure lies on. */
export interface Affected {
  piece: number;
  id: number;
  factor: number;
}

/**
 * The affected pieces of all closures, packed in shared memory: the event loop passes them on and must not
 * copy a closed district.
 */
export interface AffectedPieces {
  readonly closures: readonly { readonly id: number; readonly factor: number }[];
  /** Shape positions, ascending; a piece under several closures occurs once per closure. */
  readonly pieces: Uint32Array;
  /** Index in `closures`. */
  readonly closure: Uint32Array;
}

/** `allocate` returns memory of at least so many bytes. */
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

/** Two buffers for packed pieces, current and spare, reused like metrics (`MetricPool`). */
export class AffectedMemory {
  #now = new SharedArrayBuffer(0);
  #spare = new SharedArrayBuffer(0);

  /** The buffer that no search reads any more. */
  spare(bytes: number): SharedArrayBuffer {
    if (this.#spare.byteLength < bytes)
      this.#spare = new SharedArrayBuffer(Math.max(bytes, this.#spare.byteLength * 2));
    return this.#spare;
  }

  /** Swaps the spare buffer in. */
  adopt(): void {
    [this.#now, this.#spare] = [this.#spare, this.#now];
  }
}

/** Yields the closures that lie on a piece. */
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
