/** One straight piece of road that a closure lies on; by shape position. */
export interface Affected {
  piece: number;
  id: number;
  factor: number;
}

/** The same of all closures, in shared memory: it goes through the server's own thread, which must not copy what a closed district has of pieces. */
export interface AffectedPieces {
  readonly closures: readonly { readonly id: number; readonly factor: number }[];
  /** Shape positions, ascending; one on which several closures lie is there as often. */
  readonly pieces: Uint32Array;
  /** Which of `closures` it is. */
  readonly closure: Uint32Array;
}

export function packAffected(affected: readonly Affected[]): AffectedPieces {
  const sorted = [...affected].sort((a, b) => a.piece - b.piece);
  const pieces = new Uint32Array(new SharedArrayBuffer(sorted.length * 4));
  const closure = new Uint32Array(new SharedArrayBuffer(sorted.length * 4));
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

/** Tells the closures that lie on a piece. */
export function* closuresOn(piece: number, { closures, pieces, closure }: AffectedPieces): Generator<{ readonly id: number; readonly factor: number }> {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pieces[middle]! < piece) low = middle + 1;
    else high = middle;
  }
  for (; pieces[low] === piece; low++) yield closures[closure[low]!]!;
}
